"""A sentence and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memview.app.screens.dialog import Dialog, Frame
from memview.app.widgets.choices import Choice, Choices

STAY = Choice("escape", "stay")
_BESIDE = 8
"""Lines of the frame, of a sentence of two lines and of the choices."""


class MessageScreen(Dialog[str | None]):
    """Asks one thing. The answer is the key of a choice, or None for Esc.

    Every choice is a letter and a button; Enter chooses nothing.

    Args:
        sentence: what is asked; taken literally.
        choices: the letters; :data:`STAY`, or another choice on ``escape``, is added if there is none.
        body: more to see, a paragraph each; it scrolls when there is much.
    """

    DEFAULT_CSS = """
    MessageScreen {
        Frame { max-width: 76; max-height: 100%; }
        #sentence { height: auto; text-style: bold; }
        #body { height: auto; padding-top: 1; }
        #body Static { height: auto; }
    }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "stay", "Stay", show=False, id="message.stay", tooltip="Do nothing"),
        Binding("down,j", "scroll_body(1)", "Down", show=False, id="message.down", tooltip="Scroll down"),
        Binding("up,k", "scroll_body(-1)", "Up", show=False, id="message.up", tooltip="Scroll up"),
        Binding(
            "pagedown,ctrl+d", "scroll_body(4)", "Page down", show=False, id="message.page_down", tooltip="Page down"
        ),
        Binding("pageup,ctrl+u", "scroll_body(-4)", "Page up", show=False, id="message.page_up", tooltip="Page up"),
    ]

    def __init__(self, sentence: str | Content, choices: Sequence[Choice], *, body: Sequence[Content] = ()) -> None:
        super().__init__()
        self.sentence = sentence if isinstance(sentence, Content) else Content(sentence)
        self.choices = [*choices] if any(choice.key == "escape" for choice in choices) else [*choices, STAY]
        self._body = body

    def compose(self) -> ComposeResult:
        """The sentence, what else there is to see, and the choices."""
        with Frame(""):
            yield Static(self.sentence, id="sentence", markup=False)
            if self._body:
                with VerticalScroll(id="body", can_focus=False):
                    yield Static(Content("\n").join(self._body), markup=False)
            yield Choices(self.choices)

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for the sentence and the choices, whatever else there is to see."""
        for body in self.query("#body"):
            body.styles.max_height = max(1, event.size.height - _BESIDE)
        self.put_cursor(self.query_one("#sentence"))

    def on_key(self, event: events.Key) -> None:
        """Take the letter of a choice; none of it reaches the screen beneath."""
        if event.key != "escape" and any(choice.key == event.key for choice in self.choices):
            event.stop()
            event.prevent_default()
            self._choose(event.key)

    @on(Choices.Chosen)
    def _clicked(self, message: Choices.Chosen) -> None:
        self._choose(message.key)

    def _choose(self, key: str) -> None:
        if any(choice.key == key for choice in self.choices):
            self.dismiss(None if key == "escape" else key)

    def action_stay(self) -> None:
        """Answer nothing."""
        self.dismiss(None)

    def action_scroll_body(self, lines: int) -> None:
        """Scroll what there is to see."""
        for body in self.query("#body"):
            body.scroll_relative(y=3 * lines, animate=False)
