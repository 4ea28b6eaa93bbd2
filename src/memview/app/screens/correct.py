"""Correcting a fact: an edit that stays, and what else rests on the old wording."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker, WorkerState

from memview.app.alike import Resting
from memview.app.keeping import Keeper
from memview.app.screens.edit import EditScreen, Read, Save
from memview.app.widgets.choices import Choice, Choices
from memview.app.widgets.lines import Line, Lines
from memview.clock import Clock, utc_now
from memview.memory.looking import FactDetail, FactRow, TurnRow
from memview.review import masking
from memview.text import one_line

_NAMED = 5
"""How many turns are named."""
_LONGEST = 8
"""Lines of the list."""
_WIDE = 16
"""Columns for how something rests on the wording."""


class CorrectScreen(EditScreen):
    """Asks for the right wording of a fact, and which others go with the old one.

    Args:
        title: what stands over it, safe to show.
        detail: the fact as it was read.
        save: writes the right wording, with the facts that are `marked`.
        resting: finds what rests on the old wording; runs in a thread.
        read: reads the fact anew.
        keeper: keeps what is not saved yet.
        clock: tells the time.
    """

    DEFAULT_CSS = """
    CorrectScreen {
        #resting-title { height: auto; color: $text-muted; }
        Lines { max-height: 8; }
        Lines > .option-list--option-highlighted { background: $background; color: $foreground; text-style: none; }
        Lines:focus > .option-list--option-highlighted {
            background: $foreground 10%; color: $foreground; text-style: bold;
        }
        &.-low Lines { max-height: 5; }
    }
    """
    NAMES: ClassVar[Sequence[str]] = ()
    CHOICES: ClassVar[tuple[Choice, ...]] = (
        Choice("ctrl+s", "correct"), Choice("tab", "list"), Choice("space", "mark"), Choice("escape", "close"),
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "space", "mark", "Mark", show=False, id="correct.mark", tooltip="Let this fact go with the old wording"
        ),
    ]

    def __init__(
        self,
        title: str,
        detail: FactDetail,
        save: Save,
        resting: Callable[[], Resting],
        *,
        read: Read = lambda: None,
        keeper: Keeper | None = None,
        clock: Clock = utc_now,
    ) -> None:
        super().__init__(title, detail, save, read=read, keeper=keeper, clock=clock)
        self.marked: list[str] = []
        """The ids of the facts that are to be forgotten with the old wording."""
        self._resting = resting
        self._offered: list[tuple[str, FactRow]] = []

    def compose_more(self) -> ComposeResult:
        """What rests on the old wording."""
        yield Static("Looking for what rests on this wording…", id="resting-title", markup=False)
        found = Lines()
        found.display = False
        yield found

    def on_mount(self) -> None:
        """Look for what rests on the old wording."""
        super().on_mount()
        self.make_room(1)
        self.run_worker(self._resting, thread=True, exit_on_error=False, group="resting")

    def worked(self, worker: Worker[Any], state: WorkerState) -> None:
        """Take what was found."""
        if worker.group != "resting":
            super().worked(worker, state)
        elif state == WorkerState.SUCCESS and worker.result is not None:
            self._show(worker.result)
        else:
            self._entitle("What rests on this wording could not be looked for.")

    def _show(self, found: Resting) -> None:
        self._offered = [
            *(("made from it", row) for row in found.derived), *(("says the same", row) for row in found.same),
        ]  # fmt: skip
        if not self._offered and not found.turns:
            self._entitle("Nothing else rests on this wording.")
            return
        turns = "; turns stay as they are" if found.turns else ""
        marking = f"What you mark is forgotten with it{turns}."
        self._entitle(marking if self._offered else "Only turns say it too; they stay as they are.")
        self.query_one(Choices).offer(self.CHOICES if self._offered else self.CHOICES[:1] + self.CHOICES[-1:])
        options = self.query_one(OptionList)
        options.display = True
        options.add_options(map(self._prompt, range(len(self._offered))))
        options.add_options([Option(_turn(turn), disabled=True) for turn in found.turns[:_NAMED]])
        if len(found.turns) > _NAMED:
            options.add_option(Option(f"  and in {len(found.turns) - _NAMED} more turns", disabled=True))
        options.can_focus = bool(self._offered)
        self.make_room(1 + min(_LONGEST, options.option_count))
        options.highlighted = 0 if self._offered else None

    def _entitle(self, text: str) -> None:
        self.query_one("#resting-title", Static).update(Content(text))

    def _prompt(self, place: int) -> Line:
        why, row = self._offered[place]
        mark = "x " if row.id in self.marked else "  "
        text = masking.line(row.content, 200) or "(no text)"
        return Line(text, head=Content.assemble((mark, "bold $primary"), (f"{why:<{_WIDE}}", "$foreground 60%")))

    def action_mark(self) -> None:
        """Mark or unmark the fact under the cursor."""
        options = self.query_one(OptionList)
        place = options.highlighted
        if not options.has_focus or place is None or place >= len(self._offered):
            return
        id = self._offered[place][1].id
        self.marked = [other for other in self.marked if other != id] if id in self.marked else [*self.marked, id]
        options.replace_option_prompt_at_index(place, self._prompt(place))

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_mark()


def _turn(turn: TurnRow) -> Line:
    where = one_line(turn.session, 24) or "a turn"
    text = masking.line(turn.request or turn.response, 160)
    return Line(f"{where} · {text}", head=Content(f"  {'a turn says it':<{_WIDE}}"))
