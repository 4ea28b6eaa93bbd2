"""One row of a record list: what it holds, which columns fit, how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memview.text import ELLIPSIS, cut, one_line

Look = Callable[[str], Style]
"""Gives the style for the name of a part, such as ``muted``."""

Spans = list[tuple[int, int]]
"""Stretches of a text, each by the index of its first character and of the one after its last."""

Matcher = Callable[[str], Spans]
"""Finds in a shown text what answers the search."""

PREFIX = 6
"""Cells before the text: cursor, blank, mark, state, flag, blank."""

MARK_CELLS = range(1, 3)
"""Cells in which a click marks the row; the sign stands in the second."""

_MATCH = Style(bold=True, underline=True)
_PIECE = Style.from_meta({"part": "text"})
"""Keeps the text apart from blanks that look the same, where a line is saved as a picture in as few pieces as go."""
_BEFORE_MATCH = 12
"""Characters shown at most before a match to which a row was moved."""
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_BAR = 3


@dataclass(frozen=True, slots=True)
class ListRow:
    """What a list shows of one record."""

    key: int
    """The record's number."""
    text: str
    """What it says, as stored; the list makes it safe to show."""
    state: str = " "
    """The sign of its state, one cell."""
    state_name: str = ""
    """The state in a word: new, changed, accepted, superseded, pruned, forgotten; or empty."""
    flag: str = " "
    """The sign of its flag, one cell."""
    who: str = ""
    """Who wrote it."""
    whose: str = ""
    """Whose words it came from: user, asst, tool."""
    age: str = ""
    """How old it is, in a few cells: 2h, 3d, 11mo."""
    version: int = 0
    """The version of the record that is shown."""
    strength: float | None = None
    """Effective strength from 0 to 1; None draws no bar."""
    dimmed: bool = False
    """It stays in place though it no longer belongs here."""
    struck: bool = False
    """It no longer holds."""
    note: str = ""
    """Says in a word why the row is dimmed; stands in place of who wrote it."""
    group: str | None = None
    """What it is a part of, such as a session; shown on the first row of each. None has no such column."""
    aside: int | None = None
    """Where in the shown text its second half begins, which is muted: an answer after a question."""
    id: str = ""
    """The record's id, by which it is known in another file; empty where nothing is done to it."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The widths of one row's columns, in cells; a column of width 0 is left out."""

    group: int
    text: int
    state: int
    who: int
    whose: int
    age: int
    bar: int


@lru_cache(64)
def columns_for(width: int, grouped: bool = False) -> Columns:
    """Share out the width of a row: the narrower it is, the fewer columns besides the text.

    Args:
        width: cells of the whole row.
        grouped: whether it has a group, and neither strength nor somebody whose words it was.
    """
    state = 10 if width >= 110 and not grouped else 0
    who, whose = (12, 6) if width >= 90 else (7, 4) if width >= 59 and not grouped else (0, 0)
    age = 4 if width >= 26 else 0
    bar = _BAR if width >= 44 else 0
    group = 0 if not grouped or width < 40 else 16 if width >= 90 else 9
    if grouped:
        whose = bar = 0
    beside = sum(column + 1 for column in (group, state, who, whose, age, bar) if column) + grouped
    return Columns(group, max(0, width - PREFIX - beside), state, who, whose, age, bar)


@lru_cache(2048)
def shown_text(text: str) -> str:
    """The text of a record as its row shows it, before it is cut to the width."""
    return one_line(text)


def cells(text: str) -> int:
    """How many cells a safe text takes; most texts are ASCII, and cost nothing to measure."""
    if text.isascii():
        return len(text)
    return len(text) if text[-1] == ELLIPSIS and text[:-1].isascii() else cell_len(text)


def fit(text: str, width: int) -> str:
    """Cut a safe text to a number of cells, between words where one ends near the edge.

    Args:
        text: one line, already safe to show.
        width: the most cells it may take.
    """
    if width <= 0:
        return ""
    if len(text) <= width and (text.isascii() or cell_len(text) <= width):
        return text
    limit = width if text.isascii() else min(len(text), 2 * width)
    while (over := cells(cut(text, limit)) - width) > 0 and limit > 1:
        limit -= max(1, over // 2)
    piece = cut(text, limit)
    return piece if piece == text else _at_word_end(text, piece[: -len(ELLIPSIS)]) + ELLIPSIS


def _at_word_end(text: str, head: str) -> str:
    """Take a broken word off the end of a beginning of a text, unless too little would be left."""
    if text[len(head) : len(head) + 1] == " ":
        return head
    last = head.rfind(" ")
    return head[:last].rstrip() if last > len(head) * 2 // 3 else head


def bar(strength: float | None) -> str:
    """Draw a strength from 0 to 1 in eighths of three cells; anything above 0 shows."""
    if strength is None:
        return " " * _BAR
    eighths = round(min(1.0, max(0.0, strength)) * 8 * _BAR) or (strength > 0)
    return "".join(_EIGHTHS[min(8, max(0, eighths - 8 * cell))] for cell in range(_BAR))


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Fit a text into exactly so many cells, at their left, or right if asked."""
    text = fit(text, width)
    blank = " " * (width - cells(text))
    return blank + text if right else text + blank


@dataclass(frozen=True, slots=True)
class RowState:
    """What the list knows of a row beyond its record."""

    cursor: bool = False
    """The cursor is on it."""
    marked: bool = False
    """It is marked."""
    leads: bool = True
    """It is the first row of its group."""
    selected: tuple[int, int] | None = None
    """The part selected by mouse; -1 as its end means to the end of the line."""


def draw_row(
    row: ListRow | None, state: RowState, width: int, look: Look, matches: Spans, index: int | None = None
) -> Strip:
    """Draw one row, exactly as wide as asked.

    Args:
        row: the record; None if it is still being read.
        state: what the list knows of it.
        width: cells.
        look: gives the style of each part.
        matches: what of the shown text answers the search.
        index: its place in the list; then each piece of its text carries its own place, by which Textual finds what the
            mouse selects. Without it rows that look alike share their styles, and cost half.
    """
    if row is None:
        segments = [*_signs(ListRow(0, ""), state, look), Segment("·", look("muted"))]
    else:
        segments = _segments(row, state, columns_for(width, row.group is not None), look, matches, index)
    length = sum(cells(segment.text) for segment in segments)
    strip = Strip(segments, length)
    return strip if length == width else strip.adjust_cell_length(width, look("text"))


def _segments(
    row: ListRow, state: RowState, columns: Columns, look: Look, matches: Spans, index: int | None
) -> list[Segment]:
    """All columns of a row."""
    note = _note(row, columns)
    text_width = max(0, columns.text - (cell_len(note) if not columns.who else 0))
    segments = [
        *_signs(row, state, look),
        *_group(row, state, columns, look),
        *_text(row, state, text_width, look, matches, index),
        Segment(_beside(row.state_name, row.who, row.whose, row.age, columns, note), look("muted")),
    ]
    if columns.bar:
        segments.append(Segment(" " + bar(row.strength), look("bar")))
    return segments


def _signs(row: ListRow, state: RowState, look: Look) -> list[Segment]:
    """Cursor, mark, state and flag, each in a cell of its own, and the blanks around them in as few pieces as go."""
    pieces = _pieces(state.cursor, state.marked, row.state, row.state_name, row.flag)
    return [Segment(signs, look(part)) for signs, part in pieces]


@lru_cache(256)
def _pieces(cursor: bool, marked: bool, state: str, state_name: str, flag: str) -> list[tuple[str, str]]:
    """The cells before a row's text, neighbours that look alike together, each with the name of its part."""
    signs = (
        (">" if cursor else " ", "pointer"),
        (" ", "text"),
        ("x" if marked else " ", "mark"),
        (pad(state, 1), _STATES.get(state_name, "muted")),
        (pad(flag, 1), _FLAGS.get(flag, "muted")),
        (" ", "text"),
    )
    pieces = [(sign, "text" if sign == " " else part) for sign, part in signs]
    return [("".join(sign for sign, _ in run), part) for part, run in groupby(pieces, key=lambda piece: piece[1])]


_STATES = {"new": "new", "changed": "new", "accepted": "accepted"}
_FLAGS = {"!": "danger", "?": "danger", "^": "pinned"}


def _group(row: ListRow, state: RowState, columns: Columns, look: Look) -> Iterator[Segment]:
    """What the row is a part of, if it is the first of it."""
    if columns.group:
        shown = one_line(row.group or "", 40) if state.leads else ""
        yield Segment(pad(shown, columns.group) + " ", look("muted"))


def _text(
    row: ListRow, state: RowState, width: int, look: Look, matches: Spans, index: int | None
) -> Iterator[Segment]:
    """The text in exactly `width` cells, its matches and its selected part told apart."""
    whole = shown_text(row.text)
    first = _first_shown(whole, width, matches)
    head = ELLIPSIS if first else ""
    shown = head + fit(whole[first:], width - len(head))
    shift = first - len(head)
    base = look("struck" if row.struck else "dimmed" if row.dimmed else "text")
    end = len(shown) - (len(ELLIPSIS) if shown[len(head) :] != whole[first:] else 0)
    matches = _shifted(matches, shift, end)
    selected = _shifted(_selected(state.selected, len(whole)), shift, len(shown))
    aside = len(shown) if row.aside is None else max(0, min(row.aside - shift, len(shown)))
    cuts = sorted({0, aside, len(shown), *(at for span in [*matches, *selected] for at in span)})
    for start, stop in pairwise(cuts):
        half = base if start < aside else look("muted")
        style = half + _MATCH if _within(start, matches) else half
        style = style + look("selection") if _within(start, selected) else style
        place = _PIECE if index is None else Style.from_meta({"offset": (max(0, start + shift), index)})
        yield Segment(shown[start:stop], style + place)
    yield Segment(" " * (width - cells(shown)), look("text"))


def _first_shown(whole: str, width: int, matches: Spans) -> int:
    """Where a text begins in its row: at its beginning, or a little before its first match if that would be cut off."""
    if not matches or width < 2 * _BEFORE_MATCH or cells(whole[: matches[0][1]]) < width:
        return 0
    start = max(0, min(matches[0][0] - _BEFORE_MATCH, len(whole) - width + 1))
    return whole.find(" ", start, matches[0][0]) + 1 or matches[0][0]


def _shifted(spans: Spans, shift: int, end: int) -> Spans:
    """Spans of a text as spans of the part of it that is shown, which starts later and ends somewhere."""
    moved = [(max(0, start - shift), min(stop - shift, end)) for start, stop in spans]
    return [(start, stop) for start, stop in moved if start < stop]


def _selected(span: tuple[int, int] | None, length: int) -> Spans:
    """The selected part of a text of a given length, as spans."""
    if span is None:
        return []
    start, stop = span
    stop = length if stop == -1 else min(stop, length)
    return [(start, stop)] if start < stop else []


def _within(at: int, spans: Spans) -> bool:
    """Tell whether a character belongs to one of the spans."""
    return any(start <= at < stop for start, stop in spans)


def _note(row: ListRow, columns: Columns) -> str:
    """The note of a row with its leading blank, in the place of who wrote it; empty if there is none or no room."""
    if not row.note or (columns.state and row.note == row.state_name):
        return ""
    if columns.who:
        return " " + pad(row.note, columns.who + 1 + columns.whose)
    return " " + row.note if columns.text - len(row.note) - 1 >= 8 else ""


@lru_cache(1024)
def _beside(state_name: str, who: str, whose: str, age: str, columns: Columns, note: str) -> str:
    """The muted columns to the right of the text, up to the bar."""
    parts = []
    if columns.state:
        parts.append(" " + pad(state_name, columns.state))
    if note:
        parts.append(note)
    elif columns.who:
        parts.append(" " + pad(one_line(who, 40), columns.who) + " " + pad(one_line(whose, 40), columns.whose))
    if columns.age:
        parts.append(" " + pad(age, columns.age, right=True))
    return "".join(parts)
