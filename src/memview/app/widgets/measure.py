"""The length of what scrolls, and the scrollbar that shows it."""

from __future__ import annotations

from math import ceil

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar

EIGHTHS = 8
"""The steps in which a scrollbar's thumb moves, of a line."""


def measure(view: ScrollView, lines: int) -> None:
    """Tell a view how long it is. The screen is laid out anew only where the scrollbar comes or goes.

    Args:
        view: shows as many of its lines as fit.
        lines: how many it has.
    """
    new, height = Size(0, lines), view.size.height
    if height and (new.height > height) == (view.virtual_size.height > height):
        view.set_reactive(ScrollView.virtual_size, new)
        show(view.vertical_scrollbar, lines=lines)
    else:
        view.virtual_size = new


def show(bar: ScrollBar, *, lines: int | None = None, position: float | None = None) -> None:
    """Tell a scrollbar where it is. It is drawn anew only where its thumb moves: in a long list a page moves nothing.

    Args:
        bar: the scrollbar.
        lines: how many lines there are; None for as many as before.
        position: the first line in view; None for the same as before.
    """
    before = _thumb(bar)
    if lines is not None:
        bar.set_reactive(ScrollBar.window_virtual_size, lines)
    if position is not None:
        bar.set_reactive(ScrollBar.position, bar.validate_position(position))
    if _thumb(bar) != before:
        bar.refresh()


def _thumb(bar: ScrollBar) -> tuple[int, int] | None:
    """Where the thumb of a scrollbar begins and ends, in eighths of a line, as Textual draws it; None without one."""
    height, lines, seen = bar.size.height, bar.window_virtual_size, bar.window_size
    if not (0 < seen < lines) or not height or height == lines:
        return None
    length = max(1, seen / (lines / height))
    start = int((height - length) * (bar.position / (lines - seen)) * EIGHTHS)
    return start, start + ceil(length * EIGHTHS)
