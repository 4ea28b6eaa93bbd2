"""The length of what scrolls."""

from __future__ import annotations

from textual.geometry import Size
from textual.scroll_view import ScrollView


def measure(view: ScrollView, lines: int) -> None:
    """Tell a view how long it is. The screen is laid out anew only where the scrollbar comes or goes.

    Args:
        view: shows as many of its lines as fit.
        lines: how many it has.
    """
    new, height = Size(0, lines), view.size.height
    if height and (new.height > height) == (view.virtual_size.height > height):
        view.set_reactive(ScrollView.virtual_size, new)
        view.vertical_scrollbar.window_virtual_size = lines
    else:
        view.virtual_size = new
