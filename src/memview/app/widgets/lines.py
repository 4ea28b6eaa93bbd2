"""A short list to choose from, and its lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.styles import RulesMap
from textual.geometry import Offset
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets import OptionList

from memview.app.widgets.record_row import fit

Shorten = Callable[[str, int], str]
"""Makes a text fit into so many cells."""


def ends(text: str, width: int) -> str:
    """Cut a safe text in the middle, so that its beginning and its end tell it from others."""
    if Content(text).cell_length <= width:
        return text
    half = max(1, (width - 1) // 2)
    return f"{text[: width - 1 - half]}…{text[-half:]}"


class Line(Visual):
    """A line: a head that is always whole, and a text that is cut between words where it does not fit.

    Args:
        text: safe to show, on one line.
        style: how the text looks.
        head: what stands before it.
        shorten: makes the text fit.
    """

    def __init__(self, text: str, style: str = "", *, head: Content | None = None, shorten: Shorten = fit) -> None:
        self._text = text
        self._style = style
        self._head = head if head is not None else Content()
        self._shorten = shorten

    def __str__(self) -> str:
        return f"{self._head}{self._text}"

    def _cut(self, width: int) -> Content:
        return Content.assemble(self._head, (self._shorten(self._text, width - self._head.cell_length), self._style))

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """Draw it."""
        return self._cut(width).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """The cells of the whole line."""
        return Content.assemble(self._head, self._text).cell_length

    def get_height(self, rules: RulesMap, width: int) -> int:
        """One line."""
        return 1


class Lines(OptionList):
    """A short list to choose from, without a frame. The terminal's own cursor sits on the current line."""

    DEFAULT_CSS = """
    Lines, Lines:focus {
        height: auto; border: none; padding: 0; background: $background; background-tint: $background 0%;
        text-wrap: nowrap; text-overflow: ellipsis; scrollbar-size-vertical: 1;
        scrollbar-color: $foreground 15%; scrollbar-background: $background;
    }
    Lines > .option-list--option { padding: 0; }
    Lines > .option-list--option-highlighted, Lines:focus > .option-list--option-highlighted {
        background: $foreground 10%; color: $foreground; text-style: bold;
    }
    Lines > .option-list--option-disabled { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False, id="lines.down", tooltip="One line down"),
        Binding("k", "cursor_up", "Up", show=False, id="lines.up", tooltip="One line up"),
        Binding("G", "last", "Last", show=False, id="lines.last", tooltip="The last line"),
        Binding("ctrl+d", "page_down", "Page down", show=False, id="lines.page_down", tooltip="A page down"),
        Binding("ctrl+u", "page_up", "Page up", show=False, id="lines.page_up", tooltip="A page up"),
    ]

    def __init__(self, *lines: Visual, id: str | None = None) -> None:
        super().__init__(*lines, markup=False, compact=True, id=id)

    def render_line(self, y: int) -> Strip:
        """Draw a line; where it is the current one, put the terminal's cursor there."""
        if self.has_focus and self.highlighted is not None and y + self.scroll_offset.y == self.highlighted:
            self.app.cursor_position = self.content_region.offset + Offset(0, y)
        return super().render_line(y)
