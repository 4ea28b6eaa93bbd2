"""How a list of records looks, and which keys move in it."""

from __future__ import annotations

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.widget import Widget

PARTS = ["accepted", "bar", "cursor", "danger", "dimmed", "mark", "muted", "new", "pinned", "pointer", "struck", "text"]
"""The parts of a row that have a style of their own, each as the component class ``record-list--PART``."""

CSS = """
RecordList {
    overflow-x: hidden;
    overflow-y: auto;
    scrollbar-size-vertical: 1;
    scrollbar-gutter: stable;
    scrollbar-color: $foreground 15%;
    scrollbar-background: $background;
    scrollbar-background-hover: $background;
    scrollbar-background-active: $background;
    & > .record-list--text { color: $foreground; }
    & > .record-list--pointer { color: $text-muted; }
    & > .record-list--mark, & > .record-list--new, & > .record-list--pinned { color: $primary; }
    & > .record-list--accepted { color: $text-success; }
    & > .record-list--danger { color: $text-error; }
    & > .record-list--muted, & > .record-list--dimmed { color: $text-muted; }
    & > .record-list--bar { color: $text-disabled; }
    & > .record-list--struck { color: $text-muted; text-style: strike; }
    &:focus > .record-list--cursor { background: $foreground 10%; }
    &:focus > .record-list--pointer { color: $primary; text-style: bold; }
    &:ansi { scrollbar-color: ansi_bright_black; }
    &:ansi > .record-list--muted, &:ansi > .record-list--dimmed, &:ansi > .record-list--bar { text-style: dim; }
    &:ansi > .record-list--struck { text-style: dim strike; }
    &:focus:ansi > .record-list--cursor { background: ansi_default; text-style: bold; }
}
"""

KEYS: list[BindingType] = [
    Binding("up", "cursor_up", "Up", show=False, id="list.up", tooltip="One row up"),
    Binding("down", "cursor_down", "Down", show=False, id="list.down", tooltip="One row down"),
    Binding("pageup", "page_up", "Page up", show=False, id="list.page_up", tooltip="One page up"),
    Binding("pagedown", "page_down", "Page down", show=False, id="list.page_down", tooltip="One page down"),
    Binding("home", "first", "First", show=False, id="list.first", tooltip="To the first row"),
    Binding("end", "last", "Last", show=False, id="list.last", tooltip="To the last row"),
]


class Looks:
    """The styles of the parts of a row, each worked out once until `clear`.

    Args:
        widget: the list.
    """

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._known: dict[tuple[str, bool], Style] = {}

    def clear(self) -> None:
        """Forget them: theme or focus changed."""
        self._known.clear()

    def plain(self, part: str) -> Style:
        """The style of a part of a row."""
        return self._known.get((part, False)) or self._found(part, False)

    def on_cursor(self, part: str) -> Style:
        """The style of a part of the row under the cursor."""
        return self._known.get((part, True)) or self._found(part, True)

    def _found(self, part: str, on_cursor: bool) -> Style:
        if part == "selection":
            look = self._widget.screen.get_component_rich_style("screen--selection")
        else:
            under = ("record-list--cursor",) if on_cursor else ()
            look = self._widget.get_visual_style(*under, f"record-list--{part}").rich_style
        self._known[part, on_cursor] = look
        return look
