"""Erase: what, how much of it there is, the word, and what could not be reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.worker import Worker, WorkerState

from memview.app import erasing
from memview.app.erasing import Counted, Target
from memview.app.messages import Failed, Wrote
from memview.app.screens.dialog import Dialog, Frame, wrong
from memview.app.widgets.choices import Choice, Choices
from memview.app.widgets.lines import Line, Lines, ends
from memview.app.widgets.record_row import fit
from memview.text import visible

Told = Callable[[Wrote | Failed, Sequence[str]], object]
"""Takes what became of an erase, with a sentence for each place that still holds it."""
Erase = Callable[[Target, Told], object]
"""Has something erased, off the thread."""

WORD = "erase"
"""What is to be typed."""
_BLANKED = "A record that says only this goes whole; in a longer one, [erased] takes its place."
_CHOOSE = (Choice("enter", "choose"), Choice("escape", "close"))
_TYPE = (Choice("enter", "erase once the word stands there"), Choice("escape", "close"))
_DONE = (Choice("escape", "close"),)
_KEY = "It looks like a key: change this key where it is used, for it has been seen."
_WHAT = 17
"""Cells of the column that says what a thing is."""


class EraseScreen(Dialog[str | None]):
    """Asks what to erase, counts it, and erases it once the word was typed. Closes with a sentence, if it was done.

    Args:
        targets: what can be erased, the likeliest first; at least one.
        count: counts what one would reach; runs in a thread.
        erase: erases it.
    """

    DEFAULT_CSS = """
    EraseScreen {
        #erase { max-width: 92; }
        #told { height: auto; max-height: 1fr; padding: 1 0 0 0; }
        #told > Static { height: auto; }
        #line { height: 1; margin: 1 0 0 0; layout: horizontal; }
        #line > Static { width: auto; padding-right: 1; color: $text-muted; }
        #line > Input { width: 1fr; }
        &.-low #erase { height: 100%; }
        &.-low #told { height: 1fr; min-height: 1; padding: 0; }
        &.-low #line { margin: 0; }
    }
    """
    SHARE = 0.3
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False, id="erase.close", tooltip="Close"),
        Binding("down", "move(1)", "Down", show=False, id="erase.down", tooltip="The next thing to erase"),
        Binding("up", "move(-1)", "Up", show=False, id="erase.up", tooltip="The thing before"),
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
        with Frame("Erase", id="erase"):
            yield Lines(*map(_prompt, self._targets))
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
        self.query_one(Input).clear()  # the word was typed for something else
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
            self._tell(wrong(event.worker.error))

    def _tell(self, *sentences: str) -> None:
        self.query_one("#told > Static", Static).update(Content("\n".join(sentences)))

    # Going on

    def on_key(self, event: events.Key) -> None:
        """Let the word be typed wherever one is."""
        field = self.query_one(Input)
        own = event.key in self.active_bindings or not event.is_printable or event.character == " "
        if own or field.has_focus or not self._asks:
            return
        event.stop()
        event.prevent_default()
        self.set_focus(field)
        field.post_message(events.Key(event.key, event.character))

    def on_descendant_focus(self) -> None:
        """Say what Enter does here."""
        if self._asks:
            self.query_one(Choices).offer(_TYPE if self.query_one(Input).has_focus else _CHOOSE)

    @property
    def _asks(self) -> bool:
        """Whether the word is still asked for."""
        return bool(self.query_one("#line").display)

    def action_move(self, by: int) -> None:
        """Go to another thing to erase, from where the word is typed."""
        options = self.query_one(OptionList)
        if self._asks:
            self.set_focus(options)
            if by > 0:
                options.action_cursor_down()
            else:
                options.action_cursor_up()

    @on(Input.Changed)
    def _typed(self) -> None:
        self.hint("")

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.set_focus(self.query_one(Input))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._erasing:
            return
        if event.value.strip() != WORD or self._counted is None:
            self.hint(f"type {WORD}, then Enter" if self._counted is not None else "it is still being counted")
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


def _prompt(target: Target) -> Line:
    head = Content.styled(f"{target.what:<{_WHAT}}", "$foreground 60%")
    return Line(target.shown, head=head, shorten=ends if target.value and not target.whole else fit)


def _before(target: Target, counted: Counted) -> list[str]:
    """What is said before the word is asked for."""
    return [
        f"Erases {erasing.told(counted.places)}.",
        *([_BLANKED] if target.value else []),
        "It cannot be undone, and steps of undo that held it go too.",
        f"Not reached: {erasing.unreachable(counted)}.",
        *([_KEY] if erasing.like_a_key(target.value) else []),
    ]
