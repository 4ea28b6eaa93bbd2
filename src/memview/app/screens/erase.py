"""Erase: what, how much of it there is, the word, and what could not be reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker, WorkerState

from memview.app import erasing
from memview.app.erasing import Counted, Target
from memview.app.messages import Failed, Wrote
from memview.app.widgets.choices import Choice, Choices
from memview.text import visible

Told = Callable[[Wrote | Failed, Sequence[str]], object]
"""Takes what became of an erase, with a sentence for each place that still holds it."""
Erase = Callable[[Target, Told], object]
"""Has something erased, off the thread."""

WORD = "erase"
"""What is to be typed."""
_CHOOSE = (Choice("enter", "choose"), Choice("escape", "close"))
_TYPE = (Choice("enter", "erase once the word stands there"), Choice("escape", "close"))
_DONE = (Choice("escape", "close"),)
_KEY = "It looks like a key: change this key where it is used, for it has been seen."


class EraseScreen(ModalScreen[str | None]):
    """Asks what to erase, counts it, and erases it once the word was typed. Closes with a sentence, if it was done.

    Args:
        targets: what can be erased, the likeliest first; at least one.
        count: counts what one would reach; runs in a thread.
        erase: erases it.
    """

    DEFAULT_CSS = """
    EraseScreen {
        align: center middle;
        & > #erase {
            width: 90%;
            max-width: 92;
            height: auto;
            max-height: 90%;
            padding: 1 2 0 2;
            background: $background;
            border: heavy $primary;
            border-title-color: $primary;
            border-title-style: bold;
        }
        OptionList {
            height: auto; max-height: 10; border: none; padding: 0; background: $background;
            scrollbar-size-vertical: 1; scrollbar-color: $foreground 15%; scrollbar-background: $background;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
        OptionList:focus { border: none; background-tint: $background 0%; }
        OptionList > .option-list--option { padding: 0; }
        OptionList > .option-list--option-highlighted, OptionList:focus > .option-list--option-highlighted {
            background: $foreground 10%; color: $foreground; text-style: bold;
        }
        #told { height: auto; max-height: 1fr; scrollbar-size-vertical: 1; }
        #told > Static { height: auto; padding: 1 0 0 0; }
        #line { height: 1; margin: 1 0 0 0; layout: horizontal; }
        #line > Static { width: auto; padding-right: 1; color: $text-muted; }
        #line > Input { width: 1fr; height: 1; border: none; padding: 0; background: $background; }
        #line > Input:focus { border: none; background: $foreground 10%; }
        Choices { padding: 1 0 0 0; }
        &.-narrow > #erase { width: 100%; max-height: 100%; padding: 0 1; }
        &.-narrow OptionList { max-height: 5; }
        &.-narrow Choices { padding: 0; }
    }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-wide")]
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False, id="erase.close", tooltip="Close"),
        Binding("j", "move(1)", "Down", show=False, id="erase.down", tooltip="Down"),
        Binding("k", "move(-1)", "Up", show=False, id="erase.up", tooltip="Up"),
    ]

    def __init__(self, targets: Sequence[Target], count: Callable[[Target], Counted], erase: Erase) -> None:
        super().__init__()
        self._targets = targets
        self._count = count
        self._erase = erase
        self._counted: tuple[Target, Counted] | None = None
        self._erasing = False
        self._sentence: str | None = None

    def compose(self) -> ComposeResult:
        """What there is to erase, what that would reach, the word, and the keys."""
        with Vertical(id="erase") as frame:
            frame.border_title = Content("Erase")
            yield OptionList(*(Option(_prompt(target)) for target in self._targets), compact=True)
            with VerticalScroll(id="told", can_focus=False):
                yield Static("", markup=False)
            with Vertical(id="line"):
                yield Static(f"type {WORD} to go on", markup=False)
                yield Input()
            yield Choices(_CHOOSE)

    def on_mount(self) -> None:
        """Count the likeliest."""
        options = self.query_one(OptionList)
        options.highlighted = 0

    # What it would reach

    @property
    def target(self) -> Target:
        """The thing under the cursor."""
        return self._targets[self.query_one(OptionList).highlighted or 0]

    @on(OptionList.OptionHighlighted)
    def _count_it(self) -> None:
        self._counted = None
        target = self.target
        self._tell("Counting…")
        self.run_worker(lambda: (target, self._count(target)), thread=True, exit_on_error=False, group="count")

    @on(Worker.StateChanged)
    def _was_counted(self, event: Worker.StateChanged) -> None:
        event.stop()
        if event.state == WorkerState.SUCCESS and event.worker.result is not None:
            target, counted = event.worker.result
            if target is self.target and not self._erasing:
                self._counted = (target, counted)
                self._tell(*_before(target, counted))
        elif event.state == WorkerState.ERROR and not self._erasing:
            self._tell(visible(str(event.worker.error)))

    def _tell(self, *sentences: str) -> None:
        self.query_one("#told > Static", Static).update(Content("\n".join(sentences)))

    # Going on

    def action_move(self, by: int) -> None:
        """Move among what can be erased."""
        options = self.query_one(OptionList)
        options.highlighted = max(0, min((options.highlighted or 0) + by, len(self._targets) - 1))

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.query_one(Input).focus()
        self.query_one(Choices).offer(_TYPE)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip() != WORD or self._counted is None or self._erasing:
            return
        self._erasing = True
        self.query_one("#line").display = False
        self.query_one(OptionList).display = False
        self.query_one(Choices).offer(())
        self._tell("Erasing, and looking into every file of the store…")
        self._erase(self._counted[0], self._erased)

    def _erased(self, message: Wrote | Failed, left: Sequence[str]) -> None:
        """Say what was done, and what could not be reached."""
        self._erasing = False
        assert self._counted is not None
        target, counted = self._counted
        self.query_one(Choices).offer(_DONE)
        if isinstance(message, Failed):
            self._tell(
                f"The erase did not finish. {visible(f'{message.title} {message.hint}'.rstrip())}",
                "Part of it may be gone already: look at the list, then erase what is left.",
            )
            return
        self._sentence = message.sentence
        self._tell(
            f"{message.sentence[0].upper()}{message.sentence[1:]}.",
            *map(visible, left),
            f"Not reached: {erasing.unreachable(counted)}.",
            *([_KEY] if erasing.like_a_key(target.value) else []),
        )

    def action_close(self) -> None:
        """Close, unless it is at work."""
        if not self._erasing:
            self.dismiss(self._sentence)

    @on(Choices.Chosen)
    def _pressed(self, message: Choices.Chosen) -> None:
        field = self.query_one(Input)
        if message.key == "escape":
            self.action_close()
        elif field.has_focus:
            field.post_message(Input.Submitted(field, field.value))
        else:
            self.query_one(OptionList).action_select()


def _prompt(target: Target) -> Content:
    return Content.assemble((f"{target.what:<15}", "$foreground 60%"), target.shown)


def _before(target: Target, counted: Counted) -> list[str]:
    """What is said before the word is asked for."""
    blanked = "What is nothing else goes whole; elsewhere [erased] takes its place. " if target.value else ""
    return [
        f"Erases {erasing.told(counted.places)}.",
        f"{blanked}It cannot be undone, and steps of undo that held it go too.",
        f"Not reached: {erasing.unreachable(counted)}.",
        *([_KEY] if erasing.like_a_key(target.value) else []),
    ]
