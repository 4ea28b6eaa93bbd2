"""The editor of one fact, stored or new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from memview import clock as clocks
from memview.app import drafts
from memview.app.acts import Told
from memview.app.editing import Outcome
from memview.app.keeping import Keeper, Kept
from memview.app.messages import Failed, Said, Wrote
from memview.app.outside import Back
from memview.app.screens.conflict import ConflictScreen
from memview.app.screens.dialog import Dialog, Frame, wrong
from memview.app.screens.message import MessageScreen
from memview.app.screens.unsaved import Unsaved
from memview.app.widgets.choices import Choice, Choices
from memview.app.widgets.fields import Fields
from memview.errors import Conflict
from memview.memory.looking import FactDetail
from memview.text import visible

Save = Callable[[dict[str, Any], int | None, Told], object]
"""Has the changed columns written over the version that was read (None: over whatever stands there), off the thread."""

Read = Callable[[], FactDetail | None]
"""The fact as it is now; None when it is gone. Runs in a thread."""

_LEAST = 5
"""Lines of room for a short text."""
_BESIDE = 6
"""Lines of the frame, and those between text, fields and keys."""
_CHOICES = (Choice("ctrl+s", "save"), Choice("escape", "close"), Choice("tab", "next field"))
_UNSAVED = (Choice("s", "save"), Choice("d", "discard"))


class EditScreen(Dialog[Outcome | None]):
    """Edits a fact's text and what is noted on it; what is typed is never lost to an error or to someone else's write.

    It has things saved and closes with what that did, or with None when nothing was.

    Args:
        title: what stands over it, safe to show.
        detail: the fact as it was read; None for a new one.
        save: writes it.
        read: reads it anew.
        keeper: keeps what is not saved yet; None keeps nothing.
        outside: edits the text elsewhere first, and waits for that; then it is saved at once.
        clock: tells the time.
    """

    DEFAULT_CSS = """
    EditScreen {
        #note { height: auto; max-height: 6; padding: 1 0 0 0; color: $text-muted; }
        #note.problem { color: $text-error; }
        &.-low #editor { min-height: 100%; }
        &.-low #note { padding: 0; }
        &.-low #content-field { margin-bottom: 0; }
    }
    """
    AUTO_FOCUS = "TextArea"
    NAMES: ClassVar[Sequence[str]] = drafts.SHORT
    """The fields below the text."""
    CHOICES: ClassVar[tuple[Choice, ...]] = _CHOICES
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save", show=False, id="editor.save", tooltip="Save and close"),
        Binding("escape", "close", "Close", show=False, id="editor.close", tooltip="Close, or ask when changed"),
        Binding(
            "alt+s", "save", "Save", show=False, priority=True, id="editor.save_fast", tooltip="Esc then s, typed fast"
        ),
        Binding("tab", "app.focus_next", "Next field", show=False, id="editor.next", tooltip="To the next field"),
    ]

    def __init__(
        self,
        title: str,
        detail: FactDetail | None,
        save: Save,
        *,
        read: Read = lambda: None,
        keeper: Keeper | None = None,
        outside: Callable[[str], Back] | None = None,
        clock: clocks.Clock = clocks.utc_now,
    ) -> None:
        super().__init__()
        self.detail = detail
        self._title = title
        self._save = save
        self._read = read
        self._outside = outside
        self._base = drafts.draft_of(detail) if detail else drafts.BLANK
        self._version = detail.row.version if detail else None
        self._theirs: FactDetail | None = None
        self._conflict: ConflictScreen | None = None
        self._gone = False
        """Whether the fact was erased."""
        self._saving = False
        """Whether a save is under way, the fact being read anew after it included."""
        self._unsaved = Unsaved(self, keeper, clock)
        self._fields = Fields(self._base, self.NAMES)

    def compose(self) -> ComposeResult:
        """The fields, a line for what is to be said, and the keys."""
        with Frame(self._title, id="editor"):
            yield self._fields
            yield from self.compose_more()
            yield Static("", id="note", markup=False)
            yield Choices(self.CHOICES)

    def compose_more(self) -> ComposeResult:
        """What stands between the fields and the note; nothing here."""
        yield from ()

    def on_mount(self) -> None:
        """Give the text the room it needs, say what is to know, and look for an earlier draft."""
        self.make_room()
        self._check()
        self._unsaved.look()

    def make_room(self, below: int = 0) -> None:
        """Give the text the room it needs.

        Args:
            below: lines that stand between the fields and the keys.
        """
        text = min(max(_LEAST, self._fields.lines + 1), 90)
        self.query_one("#editor").styles.height = text + len(self.NAMES) + below + _BESIDE

    # What is typed

    @property
    def draft(self) -> drafts.Draft:
        """What is typed, as it would be stored."""
        return self._fields.draft

    @property
    def changed(self) -> bool:
        """Whether saving would change anything."""
        return self.draft != self._base

    @on(Fields.Changed)
    def _typed(self) -> None:
        if self.is_attached:
            self._check()
            self._keep()

    def _check(self) -> None:
        """Say in place what cannot be saved, or else what is worth knowing."""
        found = drafts.problems(self._base, self.draft)
        if self._gone:
            self._note("This fact was erased meanwhile. Your text can still be copied from here.", problem=True)
        elif found:
            self._note(next(iter(found.values())), problem=True)
        elif self._theirs is not None:
            self._note("Someone else changed this fact meanwhile. Your text is kept; saving asks which one holds.")
        else:
            self._note(self._fields.remark())

    def _note(self, text: str, *, problem: bool = False) -> None:
        for note in self.query("#note").results(Static):  # none is left where a thread answers while this closes
            note.update(Content(text))
            note.set_class(problem, "problem")
            note.display = bool(text)

    # While it is open

    def record_changed(self, detail: FactDetail) -> None:
        """Tell the editor that somebody wrote the fact; it hears of it once it stands, and not where it closes.

        What is typed stays. Where nothing was typed, the fields take the new text over.

        Args:
            detail: a fact as it is now; nothing happens where it is another one.
        """
        self.call_later(self._hear, detail)

    def _hear(self, detail: FactDetail) -> None:
        """Take in what the fact says by now."""
        if self.detail is None or self.detail.row.id != detail.row.id:
            return
        now = drafts.draft_of(detail)
        if now == self._base:
            self.detail, self._version = detail, detail.row.version
            self._theirs = None
        elif not self.changed:
            self._begin(detail)
            self._fields.show(self._base)
            self._note("Someone else changed this fact just now; this is the new text.")
        else:
            self._theirs = detail
            self._check()
        if self._conflict is not None:
            self._conflict.show(now)

    def record_gone(self) -> None:
        """Tell the editor that the fact was erased. What is typed stays and can be copied, and is kept nowhere else."""
        self._unsaved.close(earlier=True)
        self.call_later(self._miss)

    def _miss(self) -> None:
        """Say that the fact was erased; no decision is left to take."""
        if self._conflict is not None:
            self._conflict.dismiss(None)
        self._gone = True
        self._check()

    def _begin(self, detail: FactDetail) -> None:
        """Begin anew from another version."""
        self.detail, self._version, self._theirs = detail, detail.row.version, None
        self._base = drafts.draft_of(detail)

    # Drafts

    def _keep(self) -> None:
        self._unsaved.soon(self._base, self.draft, self._version)

    def on_unmount(self) -> None:
        """Keep what was typed last, where the program ends with the editor open."""
        self._unsaved.flush()

    def _take_up(self, kept: Kept) -> None:
        """Go on with a draft; where the fact changed since, saving asks which holds."""
        if self.detail is not None and kept.base != self._base:
            self._theirs = self.detail
            self._version = kept.version
        self._base = kept.base
        self._fields.show(kept.draft)
        self._check()

    # Elsewhere

    def edit_outside(self) -> None:
        """Hand the terminal to the person's own editor; what comes back is saved."""
        assert self._outside is not None
        try:
            with self.app.suspend():
                back = self._outside(self.draft.content)
        except SuspendNotSupported:
            back = Back(None, "this terminal cannot be handed to another program")
        if back.text is None:
            self.dismiss(Outcome(back.sentence))
            return
        self._fields.show(replace(self.draft, content=back.text))
        self._check()
        self._keep()
        self.action_save()

    # Saving

    def action_save(self) -> None:
        """Save and close; without a change just close."""
        if self._saving:
            return
        draft = self.draft
        found = drafts.problems(self._base, draft)
        if not found and self.detail is None and draft != self._base and not draft.content.strip():
            found = {"content": "A fact needs some text."}
        values = {} if found else drafts.changes(self._base, draft)
        if found:
            name = next(iter(found))
            self._note(found[name], problem=True)
            self.query_one(f"#{name}").focus()
        elif not values:
            self.leave(None)
        elif self._theirs is not None:
            self._ask_which()
        else:
            self._write(values, self._version)

    def keeps_waiting(self, key: Key) -> bool:
        """Keys wait while a save is under way: they are meant for what comes after it, and nothing is typed past it."""
        return self._saving or self._conflict is not None

    def _write(self, values: dict[str, Any], version: int | None) -> None:
        self._saving = True
        self._note("Saving…")
        self._save(values, version, self._saved)

    def _saved(self, message: Wrote | Failed) -> None:
        """Close with what saving did, or stay and say why it did not."""
        if isinstance(message, Wrote):
            self.leave(Outcome(message.sentence, tuple(message.records)))
        elif isinstance(message.error, Conflict):
            self.run_worker(self._read, thread=True, exit_on_error=False, group="read")
        else:
            self._saving = False
            self._note(f"Not saved. {visible(f'{message.title} {message.hint}'.rstrip())}", problem=True)

    @on(Worker.StateChanged)
    def _worked(self, event: Worker.StateChanged) -> None:
        event.stop()
        if not self._gave and event.state in (WorkerState.SUCCESS, WorkerState.ERROR):
            self.worked(event.worker, event.state)

    def worked(self, worker: Worker[Any], state: WorkerState) -> None:
        """Take what was read, and say what could not be."""
        if worker.group == "read":
            self._saving = False
        if state == WorkerState.ERROR:
            failed = {"read": "Not saved: the fact could not be read anew.", "load": "An earlier draft cannot be read."}
            self._note(failed.get(worker.group, "What you type cannot be kept as a draft."), problem=True)
            self.app.post_message(Said(wrong(worker.error), "problem"))
            if worker.group == "load":
                self._unsaved.decided()
        elif worker.group == "read":
            self._reread(worker.result)
        elif worker.group == "load":
            if isinstance(worker.result, Kept):
                self._unsaved.offer(worker.result, self._take_up, lambda: self.dismiss(None))
                return
            self._unsaved.decided()
            if self._outside is not None:
                self.edit_outside()

    def _reread(self, detail: FactDetail | None) -> None:
        """Save over what changed nothing that matters, or ask."""
        if detail is None:
            self.record_gone()
            return
        self._hear(detail)
        self.action_save()

    # Someone else was here

    def _ask_which(self) -> None:
        """Show both and let the person decide."""
        assert self._theirs is not None
        self._conflict = ConflictScreen(self._base, self.draft, drafts.draft_of(self._theirs))
        self.app.push_screen(self._conflict, self._decided)

    def _decided(self, decision: str | None) -> None:
        self._conflict = None
        if decision == "mine":
            self._write(drafts.changes(self._base, self.draft), None)
        elif decision == "theirs":
            self.leave(Outcome("kept theirs · yours was not saved"))
        elif decision == "both":
            self._merge()

    def _merge(self) -> None:
        """Go on from the newest version, with both texts to make one of."""
        newest = self._theirs or self.detail  # what they wrote may have been taken back meanwhile
        assert newest is not None
        mine, theirs = self.draft, drafts.draft_of(newest)
        self._fields.show(drafts.merged(self._base, mine, theirs))
        self._begin(newest)
        self._check()
        self._keep()
        self._note("Both texts stand here, yours first. Make one of them, then save.")

    # Leaving

    def leave(self, outcome: Outcome | None) -> None:
        """Close for good: no draft remains but one that was not decided on."""
        self._unsaved.close()
        self.dismiss(outcome)

    def action_close(self) -> None:
        """Close; ask first where something was typed."""
        if self._saving:
            return
        if not self.changed:
            self.leave(None)
            return

        def decided(key: str | None) -> None:
            if key == "s":
                self.action_save()
            elif key == "d":
                self.leave(None)

        self.app.push_screen(MessageScreen("Save what you changed?", _UNSAVED), decided)

    @on(Choices.Chosen)
    def _chosen(self, message: Choices.Chosen) -> None:
        if message.key == "ctrl+s":
            self.action_save()
        elif message.key == "escape":
            self.action_close()
        else:
            self.focus_next()

    @on(Input.Submitted)
    def _next_field(self) -> None:
        """Enter in a field goes on to the next."""
        self.focus_next()
