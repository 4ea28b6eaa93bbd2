"""The editor of one fact."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea
from textual.worker import Worker, WorkerState

from memview.app import drafts
from memview.app.drafts import Draft, StandIns
from memview.app.editing import Outcome
from memview.app.messages import Failed
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice, Choices
from memview.errors import Conflict, MemviewError
from memview.memory.looking import FactDetail
from memview.text import cut, one_line, visible

Save = Callable[[dict[str, Any], int | None], Outcome]
"""Writes the changed columns over the version that was read (None: over whatever stands there). Runs in a thread."""

_CHOICES = (Choice("ctrl+s", "save"), Choice("escape", "close"), Choice("tab", "next field"))
_UNSAVED = (Choice("s", "save"), Choice("d", "discard"))
_CONFLICT = (Choice("m", "keep mine"), Choice("t", "keep theirs"))


class EditScreen(ModalScreen[Outcome | None]):
    """Edits a fact's text and what is noted on it; what is typed is never lost to an error or to someone else's write.

    It saves by itself and closes with what that did, or with None when nothing was saved::

        def save(values, version):
            return editing.edit(detail.row, values, version)

        app.push_screen(EditScreen(detail, save), told)

    Args:
        detail: the fact as it was read.
        save: writes it.
    """

    DEFAULT_CSS = """
    EditScreen {
        align: center middle;
        & > #editor {
            width: 90%;
            max-width: 104;
            height: 80%;
            max-height: 90%;
            padding: 1 1 0 1;
            background: $background;
            border: heavy $primary;
            border-title-color: $primary;
            border-title-style: bold;
        }
        .field { height: 1; layout: horizontal; border-left: blank; padding-left: 1; }
        .field:focus-within { border-left: outer $primary; }
        .field > Label { width: 17; color: $text-muted; }
        .field:focus-within > Label { color: $primary; text-style: bold; }
        .field > Input { width: 1fr; height: 1; border: none; padding: 0; background: $background; }
        .field > Input:focus { background: $foreground 10%; }
        #content-field { height: 1fr; min-height: 2; margin-bottom: 1; }
        TextArea { width: 1fr; height: 1fr; border: none; padding: 0; background: $background; }
        TextArea:focus { background: $background; border: none; }
        TextArea .text-area--cursor-line { background: $background; }
        TextArea .text-area--selection { background: $primary 40%; }
        #note { height: auto; max-height: 6; padding: 1 0 0 2; color: $text-muted; }
        #note.problem { color: $text-error; }
        Choices { padding: 1 0 0 2; }
        &.-narrow > #editor { width: 100%; min-height: 100%; max-height: 100%; padding: 0 1; }
        &.-narrow #note, &.-narrow Choices { padding: 0 0 0 2; }
        &.-narrow #content-field { margin-bottom: 0; }
    }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-wide")]
    AUTO_FOCUS = "TextArea"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "Save", show=False, id="editor.save", tooltip="Save and close"),
        Binding("escape", "close", "Close", show=False, id="editor.close", tooltip="Close, or ask when changed"),
        Binding(
            "alt+s", "save", "Save", show=False, priority=True, id="editor.save_fast", tooltip="Esc then s, typed fast"
        ),
        Binding("tab", "app.focus_next", "Next field", show=False, id="editor.next", tooltip="To the next field"),
    ]

    def __init__(self, detail: FactDetail, save: Save) -> None:
        super().__init__()
        self.detail = detail
        self._save = save
        self._base = drafts.draft_of(detail)
        self._theirs: FactDetail | None = None
        self._saving = False
        self._values: dict[str, Any] = {}
        self._stand_ins = _stand_ins(self._base)

    def compose(self) -> ComposeResult:
        """The fields, a line for what is to be said, and the keys."""
        base = self._base
        with Vertical(id="editor") as editor:
            editor.border_title = Content(f"Edit · {one_line(self.detail.row.namespace, 40) or 'fact'}")
            with Vertical(id="content-field", classes="field"):
                yield TextArea(
                    self._shown, soft_wrap=True, tab_behavior="focus", read_only=self._too_long,
                    show_line_numbers=False, highlight_cursor_line=False, id="content",
                )  # fmt: skip
            for name in drafts.SHORT:
                with Vertical(classes="field"):
                    yield Label(name)
                    yield Input(
                        self._stand_ins.show_line(getattr(base, name)), id=name, select_on_focus=False,
                        disabled=name == "metadata" and not self._metadata_fits,
                    )  # fmt: skip
            yield Static("", id="note", markup=False)
            yield Choices(_CHOICES)

    def on_mount(self) -> None:
        """Give the text the room it needs, and say what is to know before typing."""
        text = self._base.content[:10_000]
        lines = sum(1 + len(line) // 80 for line in text.split("\n"))
        self.query_one("#editor").styles.height = min(max(18, lines + 16), 100)
        self._check()

    # What stands in the fields

    @property
    def draft(self) -> Draft:
        """What is typed, as it would be stored."""
        short = {name: self._stand_ins.store(self.query_one(f"#{name}", Input).value) for name in drafts.SHORT}
        content = self._base.content if self._too_long else self._stand_ins.store(self.query_one(TextArea).text)
        return Draft(content=content, **short)

    @property
    def changed(self) -> bool:
        """Whether saving would change anything."""
        return self.draft != self._base

    @property
    def _metadata_fits(self) -> bool:
        """Whether the metadata can be edited on one line."""
        return isinstance(self.detail.metadata, dict) and len(self._base.metadata) <= 4_000

    @property
    def _too_long(self) -> bool:
        return len(self._base.content) > drafts.LONGEST or not self._stand_ins.complete

    @property
    def _shown(self) -> str:
        """The stored text as its field holds it."""
        content = self._base.content
        return self._stand_ins.show(content[: drafts.BEGINNING] if len(content) > drafts.LONGEST else content)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _check(self) -> None:
        """Say in place what cannot be saved, or else what is worth knowing."""
        if not self.is_mounted:
            return
        found = drafts.problems(self._base, self.draft)
        if found:
            self._note(next(iter(found.values())), problem=True)
        elif self._theirs is not None:
            self._note("Someone else changed this fact meanwhile. Your text is kept; saving asks which one holds.")
        else:
            self._note(self._remark())

    def _remark(self) -> str:
        if not self._stand_ins.complete:
            return "This text holds too many kinds of characters that do not show. It can only be read here."
        if self._too_long:
            length = len(self._base.content)
            return f"The first {drafts.BEGINNING:,} of {length:,} characters. So long a text cannot be edited here."
        legend = self._stand_ins.legend()
        return f"Characters that do not show: {legend}" if legend else ""

    def _note(self, text: str, *, problem: bool = False) -> None:
        note = self.query_one("#note", Static)
        note.update(Content(text))
        note.set_class(problem, "problem")
        note.display = bool(text)

    # While it is open

    def record_changed(self, detail: FactDetail) -> None:
        """Tell the editor that somebody wrote the fact.

        What is typed stays. Where nothing was typed, the fields take the new text over.

        Args:
            detail: the fact as it is now.
        """
        now = drafts.draft_of(detail)
        if now == self._base:
            self.detail = detail
        elif not self.changed:
            self._show(detail)
            self._note("Someone else changed this fact just now; this is the new text.")
        else:
            self._theirs = detail
            self._check()

    def record_gone(self) -> None:
        """Tell the editor that the fact was erased. What is typed stays and can be copied."""
        self._note("This fact was erased meanwhile. Your text can still be copied from here.", problem=True)

    def _show(self, detail: FactDetail) -> None:
        """Begin anew from another version."""
        self.detail, self._theirs = detail, None
        self._base = base = drafts.draft_of(detail)
        self._stand_ins = _stand_ins(base)
        with self.prevent(Input.Changed, TextArea.Changed):
            area = self.query_one(TextArea)
            area.load_text(self._shown)
            area.read_only = self._too_long
            for name in drafts.SHORT:
                self.query_one(f"#{name}", Input).value = self._stand_ins.show_line(getattr(base, name))
            self.query_one("#metadata").disabled = not self._metadata_fits

    # Saving

    def action_save(self) -> None:
        """Save and close; without a change just close."""
        if self._saving:
            return
        draft = self.draft
        found = drafts.problems(self._base, draft)
        values = {} if found else drafts.changes(self._base, draft)
        if found:
            name = next(iter(found))
            self._note(found[name], problem=True)
            self.query_one(f"#{name}").focus()
        elif not values:
            self.dismiss(None)
        elif self._theirs is not None:
            theirs = drafts.draft_of(self._theirs)
            self._ask_which(values, {name: getattr(theirs, name) for name in values})
        else:
            self._write(values, self.detail.row.version)

    def _write(self, values: dict[str, Any], version: int | None) -> None:
        self._saving = True
        self._note("Saving…")
        self._values = values
        self.run_worker(lambda: self._save(values, version), thread=True, exit_on_error=False, group="save")

    @on(Worker.StateChanged)
    def _saved(self, event: Worker.StateChanged) -> None:
        """Close with what saving did, or stay and say why it did not."""
        event.stop()
        if event.state not in (WorkerState.SUCCESS, WorkerState.ERROR):
            return
        self._saving = False
        error = event.worker.error
        if error is None:
            self.dismiss(event.worker.result)
        elif isinstance(error, Conflict):
            self._ask_which(self._values, error.theirs)
        else:
            self._note(f"Not saved. {visible(str(error))}", problem=True)
            if not isinstance(error, MemviewError):
                self.app.post_message(Failed("The fact could not be saved.", str(error), error))

    def _ask_which(self, mine: dict[str, Any], theirs: dict[str, Any]) -> None:
        """Show both and let the person decide."""

        def decided(key: str | None) -> None:
            if key == "m":
                self._write(mine, None)
            elif key == "t":
                self.dismiss(Outcome("kept theirs; yours was not saved"))
            else:
                self._check()

        body = [part for name in mine for part in _both(name, mine[name], theirs.get(name))][:-1]
        sentence = "Someone else changed this fact while you were typing. Which holds?"
        self.app.push_screen(MessageScreen(sentence, _CONFLICT, body=body), decided)

    # Leaving

    def action_close(self) -> None:
        """Close; ask first where something was typed."""
        if self._saving:
            return
        if not self.changed:
            self.dismiss(None)
            return

        def decided(key: str | None) -> None:
            if key == "s":
                self.action_save()
            elif key == "d":
                self.dismiss(None)

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


def _stand_ins(base: Draft) -> StandIns:
    return StandIns(base.content, [getattr(base, name) for name in drafts.SHORT])


def _both(name: str, mine: Any, theirs: Any) -> list[Content]:
    """One column as the person typed it and as it stands in the store."""
    texts = [_told(mine), _told(theirs)]
    label = "" if name == "content" else f"{name} "
    heads = [f"{label}yours", f"{label}theirs"]
    return [
        part
        for head, text in zip(heads, texts, strict=True)
        for part in (Content.assemble((head, "$foreground 60%")), Content(text), Content(""))
    ]


def _told(value: Any) -> str:
    if isinstance(value, dict):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return ", ".join(one_line(str(part), 80) for part in value) or "none"
    return cut(visible(str(value)[:4_000]), 2_000) if value not in (None, "") else "none"
