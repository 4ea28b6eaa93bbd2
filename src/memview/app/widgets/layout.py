"""Paragraphs to lines of a given width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

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
