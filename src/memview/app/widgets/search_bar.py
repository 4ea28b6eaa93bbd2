"""The search line: what is typed at the left, what it found at the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input, Static

from memview.app.messages import SearchDone, SearchKept, SearchLeft, SearchMoved, SearchTyped
from memview.app.widgets.earlier import Earlier
from memview.app.widgets.header import Bar
from memview.memory.looking import completions

Values = Callable[[str], Sequence[str]]
"""Gives the known values of an operator."""


class SearchInput(Input):
    """The text of the search."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "Complete", show=False, id="search.complete"),
        Binding("escape", "leave", "Put back", show=False, id="search.cancel"),
        Binding("up", "move(-1)", "Up", show=False, id="search.up"),
        Binding("down", "move(1)", "Down", show=False, id="search.down"),
        Binding("ctrl+p", "earlier(-1)", "Earlier search", show=False, id="search.earlier"),
        Binding("ctrl+n", "earlier(1)", "Later search", show=False, id="search.later"),
    ]

    virtual_size = Reactive(Size(0, 0), layout=False)
    """The size of its text; the line stays as wide as it is, so nothing is laid out anew by a letter."""

    def __init__(self, values: Values) -> None:
        super().__init__(placeholder="search", compact=True, select_on_focus=False)
        self.cursor_blink = False
        self._values = values
        self.earlier = Earlier()

    def action_earlier(self, by: int) -> None:
        """Put an earlier search of this sitting in the line, or the one after it."""
        text = self.earlier.step(by, self.value)
        if text is not None:
            with self.prevent(Input.Changed):
                self.value = text
            self.cursor_position = len(text)
            self.post_message(SearchTyped(text))

    def on_blur(self) -> None:
        """Keep what was searched for."""
        self.earlier.keep(self.value)

    def action_complete(self) -> None:
        """Complete an operator as far as it is certain; where there is none, be done."""
        offered = completions(self.value, self.cursor_position, self._values)
        head = self.value[: self.cursor_position]
        common = _common(offered)
        if len(common) <= len(head):
            if not offered:
                self.post_message(SearchDone())
            elif offered[0] != head:
                common = offered[0]
        if len(common) > len(head):
            tail = self.value[self.cursor_position :]
            self.value = common + tail
            self.cursor_position = len(common)

    def action_leave(self) -> None:
        """Ask for the former search."""
        self.post_message(SearchLeft())

    def action_move(self, rows: int) -> None:
        """Move in the list."""
        self.post_message(SearchMoved(rows))

    def on_click(self, event: events.Click) -> None:
        """Keep the click: it is the input's."""
        event.stop()


def _common(texts: Sequence[str]) -> str:
    """The beginning that all texts share; empty if there are none."""
    if not texts:
        return ""
    low, high = min(texts), max(texts)
    for at, (one, other) in enumerate(zip(low, high, strict=False)):
        if one != other:
            return low[:at]
    return low


class SearchBar(Horizontal):
    """The search line.

    Args:
        values: gives the known values of an operator, for completion.
    """

    DEFAULT_CSS = """
    SearchBar {
        height: 1;
        padding: 0 1;
        & > #slash { width: 2; color: $primary; text-style: bold; }
        & > SearchInput { width: 2fr; height: 1; padding: 0; border: none; }
        & > SearchInput, & > SearchInput:focus {
            background: $background;
            background-tint: $background 0%;
            color: $foreground;
        }
        & > SearchInput > .input--placeholder { color: $text-disabled; }
        & > #found { width: 3fr; padding: 0; }
    }
    """

    def __init__(self, values: Values, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._values = values
        self._shown: str | None = None

    def compose(self) -> ComposeResult:
        """Make the parts of the line."""
        yield Static("/", id="slash", markup=False)
        yield SearchInput(self._values)
        yield Bar(id="found")

    @property
    def input(self) -> SearchInput:
        """The text's own widget."""
        return self.query_one(SearchInput)

    @property
    def text(self) -> str:
        """What stands in it."""
        return self.input.value

    def put(self, text: str) -> None:
        """Show a search that was not typed."""
        with self.prevent(Input.Changed):
            self.input.value = text
            self.input.cursor_position = len(text)

    def tell(self, found: Sequence[Content]) -> None:
        """Say at the right what was found, or what is wrong."""
        self.query_one(Bar).right = tuple(found)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.input.earlier.typed()
        self.post_message(SearchTyped(event.value))

    @on(Input.Submitted)
    def _kept(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(SearchKept())
