"""What a person did, step by step, to take back from the newest on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from sqlite3 import Connection
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker, WorkerState

from memview import clock as clocks
from memview.app.desk import Desk
from memview.app.editing import Outcome
from memview.app.headlines import plural
from memview.app.screens.dialog import Dialog, Frame, wrong
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice, Choices
from memview.app.widgets.lines import Line, Lines
from memview.app.widgets.record_row import fit
from memview.memory import looking
from memview.memory.looking import ChangeRow, Extent, FactRow, Step
from memview.review import masking
from memview.text import one_line

MOST = 100
"""How many steps are shown."""
_AGE = 7
"""Cells of the column of ages."""
SAMPLES = 3
"""How many of the facts that a step touched are shown."""


@dataclass(frozen=True, slots=True)
class Done:
    """A step that stands, and what it touched."""

    step: Step
    extent: Extent
    samples: Sequence[FactRow]
    """The first few facts, as they are now."""

    @property
    def sentence(self) -> str:
        """What it did, in words that are safe to show."""
        spaces = self.extent.namespaces
        where = one_line(spaces[0], 40) if len(spaces) == 1 else plural(len(spaces), "namespace") if spaces else ""
        did = _DID.get(self.step.verb, f"{one_line(self.step.verb, 20)}:")
        what = "facts" if self.step.verb in ("link", "unlink") else plural(self.extent.records, "fact")
        return f"{did} {what}" + (f" in {where}" if where else "")


_DID = {
    "forget": "forgot", "restore": "brought back", "edit": "edited", "pin": "pinned", "unpin": "unpinned",
    "accept": "accepted", "link": "linked", "unlink": "unlinked", "write": "wrote", "tag": "tagged",
    "prune": "set aside", "correct": "corrected", "merge": "merged", "consolidate": "united", "import": "imported",
}  # fmt: skip


def steps(raw: Connection, me: str) -> list[Done]:
    """The newest standing steps of a person, over all tenants."""
    with closing(looking.steps(raw, me)) as found:  # type: ignore[type-var]
        newest = list(islice(found, MOST))
    extents = looking.extents(raw, [step.action for step in newest])
    return [
        Done(step, extents[step.action], _samples(raw, extents[step.action]))
        for step in newest
        if step.action in extents
    ]


def _samples(raw: Connection, extent: Extent) -> list[FactRow]:
    """Some of the facts that an action touched, or whose links or decisions it did."""
    changes = [change for change in looking.since(raw, extent.first - 1, SAMPLES) if change.action == extent.action]
    ids = dict.fromkeys(id for change in looking.with_after(raw, changes) for id in _facts_of(change))
    numbers = looking.numbers_of(raw, "fact", ids)
    rows = looking.fact_rows(raw, [numbers[id] for id in ids if id in numbers])
    return list(rows.values())[:SAMPLES]


def _facts_of(change: ChangeRow) -> list[str]:
    if change.kind == "fact":
        return [change.id]
    values = change.after or change.before or {}
    return [value for name in ("fact", "source", "target") if isinstance(value := values.get(name), str)]


class StepsScreen(Dialog[str | None]):
    """Lists what a person did; gives the id of a fact to go to, or None.

    Args:
        desk: the store.
    """

    DEFAULT_CSS = """
    StepsScreen {
        Frame { max-width: 76; max-height: 100%; }
        #touched { height: auto; margin-top: 1; color: $text-muted; }
        #note { height: auto; padding-top: 1; }
        &.-low #touched { display: none; }
        &.-low #note { padding: 0; }
    }
    """
    SHARE = 0.4
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", show=False, id="steps.close", tooltip="Close"),
        Binding("u", "undo", "Take back", show=False, id="steps.undo", tooltip="Take back the newest step"),
    ]

    @dataclass
    class Taken(Message):
        """A step was taken back, or could not be."""

        sentence: str

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._steps: list[Done] = []
        self._taking = False
        """Whether a step is being taken back: until it is known which is the newest then, no other one is."""

    def compose(self) -> ComposeResult:
        """The steps, what the chosen one touched, and the keys."""
        with Frame("What you did"):
            yield Lines()
            yield Static("", id="touched", markup=False)
            yield Static("", id="note", markup=False)
            yield Choices((Choice("u", "take back the newest"), Choice("enter", "go there"), Choice("escape", "close")))

    def on_mount(self) -> None:
        """Have the steps read."""
        self._say("")
        self._read()

    def _read(self) -> None:
        desk = self._desk
        self.run_worker(lambda: desk.many.read(lambda raw: steps(raw, desk.me)), thread=True, exit_on_error=False)

    @on(Worker.StateChanged)
    def _were_read(self, event: Worker.StateChanged) -> None:
        event.stop()
        self._taking = self._taking and event.state not in (WorkerState.SUCCESS, WorkerState.ERROR)
        if event.state == WorkerState.SUCCESS and event.worker.result is not None:
            self._show(event.worker.result)
        elif event.state == WorkerState.ERROR:
            self._say(wrong(event.worker.error))

    def _show(self, found: list[Done]) -> None:
        options = self.query_one(OptionList)
        self._steps = found
        options.clear_options()
        options.add_options([Option(self._line(done)) for done in found] or [Option("nothing yet", disabled=True)])
        self.query_one("#touched").styles.height = max((len(done.samples) for done in found), default=0)
        options.highlighted = 0 if found else None

    def _line(self, done: Done) -> Line:
        at = clocks.stored(done.step.at)
        age = clocks.ago(at, self._desk.clock())
        return Line(done.sentence, head=Content.styled(f"{age:>5}  ", "$text-muted"))

    @property
    def chosen(self) -> Done | None:
        """The step under the cursor."""
        at = self.query_one(OptionList).highlighted
        return self._steps[at] if at is not None and at < len(self._steps) else None

    @on(OptionList.OptionHighlighted)
    def _preview(self) -> None:
        rows = self.chosen.samples if self.chosen is not None else ()
        touched = self.query_one("#touched", Static)
        room = max(10, touched.content_size.width - _AGE)
        texts = [" " * _AGE + (fit(masking.line(row.content, 200), room) or "(no text)") for row in rows]
        touched.update(Content("\n".join(texts)))

    def _say(self, text: str) -> None:
        note = self.query_one("#note", Static)
        note.update(Content(one_line(text, 200)))
        note.display = bool(text)

    # Doing

    def action_undo(self) -> None:
        """Take back the newest step; one of an earlier sitting only after a question."""
        if self._taking:
            self._say("wait until the step before is taken back")
        elif self.chosen is None:
            self._say("nothing of yours to take back")
        elif self.chosen is not self._steps[0]:
            self._say("newer steps come first: u on the top line takes back the newest")
        elif self._desk.read_only:
            self._say("this store is open read-only · nothing was changed")
        elif clocks.stored(self.chosen.step.at) < self._desk.editing.started:
            age = clocks.ago(clocks.stored(self.chosen.step.at), self._desk.clock())
            asked = MessageScreen(
                f"You {self.chosen.sentence} {age} ago, before this sitting. Take it back?",
                [Choice("y", "take it back")],
            )
            self.app.push_screen(asked, self._answered)
        else:
            self._take_back()

    def _answered(self, answer: str | None) -> None:
        if answer == "y":
            self._take_back()

    def _take_back(self) -> None:
        editing = self._desk.editing
        self._taking = True
        self._desk.opening(lambda: not self._taking or not self.is_running, lambda: None)

        def work() -> Outcome:
            try:
                outcome = editing.undo()
            except Exception as error:
                self.post_message(self.Taken(wrong(error)))
                raise
            self.post_message(self.Taken(outcome.sentence))
            return outcome

        self._desk.acts.run(work)

    @on(Taken)
    def _taken(self, message: Taken) -> None:
        message.stop()
        self._say(message.sentence)
        self._read()

    @on(OptionList.OptionSelected)
    def _go(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.chosen is not None and self.chosen.samples:
            self.dismiss(self.chosen.samples[0].id)
        elif self.chosen is not None:
            self._say("what it touched is no longer in the store")

    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)

    @on(Choices.Chosen)
    def _clicked(self, message: Choices.Chosen) -> None:
        if message.key == "u":
            self.action_undo()
        elif message.key == "escape":
            self.action_close()
        else:
            self.query_one(OptionList).action_select()
