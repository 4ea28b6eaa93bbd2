"""Paragraphs to lines of a given width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual

from memview.app.describe import Paragraph, Target

_NARROW = 12
"""Fewer cells than this beside a label, and the text begins below it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line, ready to be drawn."""

    content: Content
    target: Target | None = None
    """What Enter opens on it."""
    matches: bool = False
    """Whether something on it answers the search."""


class Laid(Visual):
    """Paragraphs as the content of a widget: wrapped to its width, and set in beside their labels.

    Args:
        paragraphs: from top to bottom.
    """

    def __init__(self, paragraphs: Sequence[Paragraph]) -> None:
        self._paragraphs = tuple(paragraphs)

    def __str__(self) -> str:
        return "\n".join(f"{paragraph.label}{paragraph.content}" for paragraph in self._paragraphs)

    def _wrapped(self, width: int) -> Content:
        return Content("\n").join(line.content for line in lay_out(self._paragraphs, width))

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        """Draw them."""
        return self._wrapped(width).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """The cells of the longest, on one line."""
        return max((part.label + part.content).cell_length for part in self._paragraphs)

    def get_height(self, rules: RulesMap, width: int) -> int:
        """The lines at a width."""
        return len(lay_out(self._paragraphs, width))


def lay_out(paragraphs: Sequence[Paragraph], width: int) -> list[Line]:
    """Wrap paragraphs to so many cells."""
    return [line for paragraph in paragraphs for line in _lines(paragraph, max(4, width))]


def _lines(paragraph: Paragraph, width: int) -> Iterator[Line]:
    label = paragraph.label.pad_left(paragraph.indent)
    beside = label.cell_length
    if len(paragraph.label) and width - beside < _NARROW and paragraph.wrap:
        yield Line(label.rstrip(), paragraph.target)
        label, beside = Content(" " * min(2, width - 2)), 2
    room = max(2, width - beside)
    pieces = paragraph.content.wrap(room) if paragraph.wrap else [_cut(paragraph.content, room)]
    blank = Content(" " * beside)
    for number, piece in enumerate(pieces or [Content("")]):
        matches = any(span.style == "match" for span in piece.spans)
        yield Line((label if number == 0 else blank) + piece, paragraph.target, matches)


def _cut(content: Content, width: int) -> Content:
    """A line cut to so many cells, between words where one ends near the edge."""
    if content.cell_length <= width:
        return content
    piece = content.truncate(width - 1)
    last = piece.plain.rfind(" ")
    if content.plain[len(piece) : len(piece) + 1] != " " and last > len(piece) * 2 // 3:
        piece = piece[:last]
    return piece.rstrip() + "…"
