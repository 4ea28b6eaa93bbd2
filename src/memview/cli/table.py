"""Tables for people: columns that line up whatever the script, cut to the width of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from unicodedata import category, east_asian_width

from memview.cli.output import Screen
from memview.text import ELLIPSIS, cut

GAP = "  "
_LEAST = 24
"""The fewest columns left for the text: where there are fewer, columns before it go, from the right."""


class Column(NamedTuple):
    """One column of a table but the last, which takes what is left."""

    title: str
    most: int = 40
    """Its widest, in columns of the terminal."""
    right: bool = False


def width(text: str) -> int:
    """How many columns of a terminal a text takes; it holds no control characters."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def fit(text: str, columns: int) -> str:
    """The text, or its beginning and an ellipsis, in at most this many columns."""
    if width(text) <= columns:
        return text
    room = columns - 1
    for end, letter in enumerate(text):
        room -= _cells(letter)
        if room < 0:
            return cut(text + " ", end + 1) if end else ELLIPSIS
    return text


def table(
    columns: Sequence[Column],
    last: str,
    rows: Sequence[Sequence[str]],
    on: Screen,
    paint: Callable[[str], str] = str,
) -> list[str]:
    """Lines of a table: with a heading and cut to fit on a terminal, plain and whole elsewhere.

    Args:
        columns: all but the last.
        last: the title of the last column, which is never padded.
        rows: the cells, already on one line and safe to show.
        on: what it is shown on.
        paint: makes parts of the last cell bold once it has been cut.
    """
    if not on.terminal:
        return [GAP.join(row) for row in rows]
    titles = [column.title for column in columns]
    widths = [
        min(column.most, max(width(cell) for cell in cells))
        for column, *cells in zip(columns, titles, *(row[:-1] for row in rows), strict=True)
    ]
    while len(widths) > 1 and _left(widths, on) < _LEAST:
        widths.pop()
    left = max(1, _left(widths, on))
    heading = _bold(_line(columns, widths, [*titles, last], left, str).rstrip(), on)
    return [heading, *(_line(columns, widths, row, left, paint) for row in rows)]


def _left(widths: Sequence[int], on: Screen) -> int:
    return on.width - sum(widths) - len(GAP) * len(widths)


def _line(
    columns: Sequence[Column], widths: Sequence[int], row: Sequence[str], left: int, paint: Callable[[str], str]
) -> str:
    cells = []
    for column, size, cell in zip(columns, widths, row, strict=False):
        shown = fit(cell, size)
        pad = " " * (size - width(shown))
        cells.append(pad + shown if column.right else shown + pad)
    return GAP.join([*cells, paint(fit(row[-1], left))])


def lit(text: str, spans: Sequence[tuple[int, int]], on: Screen) -> str:
    """The text with these places in bold, where the terminal may show it."""
    if not on.bold or not spans:
        return text
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at:start], _bold(text[start:end], on)]
        at = end
    return "".join([*parts, text[at:]])


def _bold(text: str, on: Screen) -> str:
    return f"\x1b[1m{text}\x1b[22m" if on.bold else text


def _cells(letter: str) -> int:
    """The columns of a character; of pictures that terminals disagree about the most, so that no line overflows."""
    if letter.isascii():
        return 1
    if category(letter) in ("Mn", "Me", "Cf") or "\u1160" <= letter <= "\u11ff":
        return 0
    return 2 if east_asian_width(letter) in "WF" or "\U0001f000" <= letter <= "\U0001faff" else 1
