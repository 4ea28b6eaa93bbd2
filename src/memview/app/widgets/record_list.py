"""A list of records that may be a million long: only the rows in view are read and drawn.

The list is given the numbers of all records in shown order, and asks by `PageWanted` for the rows it
needs; whoever owns it answers with `RecordList.put_rows`. It knows no database.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Offset, Region
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.visual import Visual

from memview.app.widgets.edged import EdgedLines
from memview.app.widgets.list_messages import CursorMoved, MarkToggled, MenuWanted, Opened, PageWanted
from memview.app.widgets.measure import measure, show
from memview.app.widgets.pages import RowCache, around, as_array, find, new_place, runs
from memview.app.widgets.record_look import CSS, KEYS, PARTS, Looks
from memview.app.widgets.record_row import MARK_CELLS, ListRow, Matcher, RowState, Spans, draw_row, shown_text

Line = tuple[ListRow | None, RowState, Matcher | None] | Content | str | None
"""What a line of the view shows: a row, what an empty list says, or nothing."""

RIGHT_BUTTON = 3


class RecordList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of records with a cursor and marks, in any number."""

    ALLOW_SELECT = True
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"record-list--{part}" for part in PARTS}
    DEFAULT_CSS = CSS
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    cursor: reactive[int] = reactive(0, repaint=False)
    """Index of the row under the cursor; 0 when the list is empty."""

    marks: reactive[frozenset[int]] = reactive(frozenset())
    """Numbers of the marked records, also of those not in the list at the moment. The owner assigns it."""

    empty: reactive[Content | str] = reactive[Content | str]("")
    """What an empty list shows; a string is taken literally."""

    def __init__(self, *, empty: Content | str = "", id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._styles_cache = EdgedLines(self.paint_line)
        self.set_reactive(RecordList.empty, empty)
        self.keys = array("q")
        """Numbers of all records in shown order. Change it by `replace` and `sync` alone."""
        self._rows: RowCache[ListRow] = RowCache()
        self._matcher: Matcher | None = None
        self._looks = Looks(self)
        self._strips: LRUCache[tuple[ListRow | None, RowState, int], Strip] = LRUCache(512)
        self._drawn: dict[int, Line] = {}
        self._told: int | None = None

    # What the list shows

    def replace(
        self,
        keys: Iterable[int],
        *,
        keep: Literal["cursor", "top"] = "top",
        matcher: Matcher | None = None,
        rows: Mapping[int, ListRow] | None = None,
    ) -> None:
        """Show another result. Rows already here stand until their fresh versions come.

        Args:
            keys: numbers of the records in the order to show; an ``array("q")`` is taken as it is.
            keep: "cursor" stays on the record under the cursor, or near its place; "top" begins at the first row.
            matcher: finds what to emphasise in each shown text.
            rows: those already read, so that they are not asked for.
        """
        self._matcher = matcher
        self._strips.clear()
        self._rows.stale()
        self._rows.put(rows or {})
        self._install(as_array(keys), keep)

    def sync(self, keys: Iterable[int], *, rows: Mapping[int, ListRow] | None = None, follow: bool = False) -> None:
        """Take records in or out of the same result: the cursor stays on its record and the record on its line.

        Args:
            keys: numbers of the records in the order to show.
            rows: those already read, so that they are not asked for.
            follow: whether a view that is at the top stays there, and so shows what comes in above.
        """
        self._rows.put(rows or {})
        self._install(as_array(keys), "view" if follow and self.scroll_offset.y == 0 else "cursor")

    def put_rows(self, rows: Mapping[int, ListRow], *, question: int | None = None) -> None:
        """Take in rows: the answer to `PageWanted`, or newer versions of rows already here.

        Args:
            rows: each row under its record's number.
            question: the one that they answer; those that changed or left the list since it was asked are ignored.
        """
        if question is None:
            self._rows.put(rows)
        else:
            self._rows.answer(question, rows)
        self._draw()

    def stale(self, keys: Iterable[int] | None = None) -> None:
        """Have rows whose records changed, or all, asked for again when they are next looked at."""
        self._rows.stale(keys)

    def refresh_rows(self) -> None:
        """Ask again for all rows; the old ones stand until the answer comes."""
        self.stale()
        self._ask()

    def clear(self) -> None:
        """Show nothing and forget all rows, before the same numbers come to mean other records."""
        self._rows.clear()
        self.replace(())

    @property
    def cursor_key(self) -> int | None:
        """The number of the record under the cursor; None when the list is empty."""
        return self.keys[self.cursor] if self.keys else None

    @property
    def cursor_row(self) -> ListRow | None:
        """The row under the cursor; None when the list is empty or the row is still being read."""
        return None if self.cursor_key is None else self._rows.get(self.cursor_key)

    def go_to(self, key: int) -> bool:
        """Put the cursor on a record.

        Returns:
            Whether the record is in the list.
        """
        index = find(self.keys, key, self.cursor)
        if index is not None:
            self.cursor = index
        return index is not None

    def _install(self, keys: array[int], keep: Literal["cursor", "top", "view"]) -> None:
        """Put a new order in place, keeping what the eye is on where it is."""
        top, cursor = self.scroll_offset.y, 0
        if keep == "top" or not (self.keys and keys):
            top = 0
        else:
            cursor = new_place(self.keys, keys, self.cursor)
            if keep == "cursor":
                in_view = top <= self.cursor < top + self.size.height
                top += cursor - self.cursor if in_view else new_place(self.keys, keys, top) - top
        self.keys = keys
        self.set_reactive(RecordList.cursor, cursor)
        measure(self, len(keys))
        self.scroll_to(y=top, animate=False, force=True)
        self._draw()
        self._tell()
        self._ask()
        self._place_hardware_cursor()

    def entitle(self, title: Content) -> None:
        """Put a title on the border. Only its line is drawn anew, where assigning `border_title` draws all."""
        self._border_title = title
        self.refresh(Region(-1, -1, self.outer_size.width, 1))

    def _ask(self) -> None:
        """Ask for the rows missing in view, then for their neighbours."""
        if self.size:
            for keys in around(self.keys, self.scroll_offset.y, self.size.height):
                if wanted := self._rows.ask(keys):
                    self.post_message(PageWanted(self, self._rows.question, wanted))

    def _tell(self) -> None:
        """Say which record the cursor is on, if that is news."""
        if self.cursor_key != self._told:
            self._told = self.cursor_key
            self.post_message(CursorMoved(self, self.cursor_key, self.cursor))

    # Moving

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor within the list."""
        return max(0, min(cursor, len(self.keys) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Draw the rows left and entered, and bring the cursor into view."""
        self.refresh_lines(old)
        self.refresh_lines(new)
        top, height = self.scroll_offset.y, max(1, self.size.height)
        if not top <= new < top + height:
            self.scroll_to(y=new if new < top else new - height + 1, animate=False, force=True)
        self._tell()
        self._place_hardware_cursor()

    def _move(self, rows: int) -> None:
        """Move cursor and view together."""
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False, force=True)
        self.cursor += rows

    def action_cursor_down(self) -> None:
        """Move one row down."""
        self.cursor += 1

    def action_cursor_up(self) -> None:
        """Move one row up."""
        self.cursor -= 1

    def action_page_down(self) -> None:
        """Move one page down; the last row in view becomes the first."""
        self._move(max(1, self.size.height - 1))

    def action_page_up(self) -> None:
        """Move one page up."""
        self._move(-max(1, self.size.height - 1))

    def action_half_page_down(self) -> None:
        """Move half a page down."""
        self._move(max(1, self.size.height // 2))

    def action_half_page_up(self) -> None:
        """Move half a page up."""
        self._move(-max(1, self.size.height // 2))

    def action_first(self) -> None:
        """Move to the first row."""
        self.cursor = 0

    def action_last(self) -> None:
        """Move to the last row."""
        self.cursor = len(self.keys) - 1

    # Drawing

    def _draw(self) -> None:
        """Have those lines drawn anew that show something else than before."""
        width, height = self.scrollable_content_region.size
        changed = [y for y in range(height) if self._drawn.get(y, ...) != self._shows(y)]
        if changed:
            self.refresh(*(Region(0, y, width, rows) for y, rows in runs(changed)))

    def _shows(self, y: int) -> Line:
        """What a line of the view is about; a line of which this stays the same looks the same."""
        index = self.scroll_offset.y + y
        if not self.keys:
            return self.empty
        if index >= len(self.keys):
            return None
        key = self.keys[index]
        row, marked = self._rows.get(key), key in self.marks
        leads, selected = self._leads(row, index, y), self._selected_span(index)
        return row, RowState(index == self.cursor, marked, leads, selected), self._matcher

    def paint_line(self, y: int) -> Strip:
        """Draw one line of what is in view, as it is painted: it says nothing of what the mouse would select.

        Args:
            y: the line, from the top of the view.
        """
        width = self.scrollable_content_region.width
        line = self._drawn[y] = self._shows(y)
        if not isinstance(line, tuple):
            return self._plain_line(line, y, width)
        row, state, _ = line
        strip = self._strips.get((row, state, width))
        if strip is None:
            strip = self._strips[row, state, width] = self._row_line(row, state, width)
        return strip

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is in view, by which Textual finds what the mouse selects.

        Args:
            y: the line, from the top of the view.
        """
        width, line = self.scrollable_content_region.width, self._shows(y)
        if not isinstance(line, tuple):
            return self._plain_line(line, y, width)
        row, state, _ = line
        return self._row_line(row, state, width, self.scroll_offset.y + y)

    def _row_line(self, row: ListRow | None, state: RowState, width: int, index: int | None = None) -> Strip:
        """Draw a row; with its place in the list its pieces carry their own."""
        look = self._looks.on_cursor if state.cursor else self._looks.plain
        return draw_row(row, state, width, look, self._matches(row), index)

    def _plain_line(self, line: Content | str | None, y: int, width: int) -> Strip:
        """Draw a line without a row."""
        return Strip.blank(width, self._looks.plain("text")) if line is None else self._empty_line(y, width)

    def _leads(self, row: ListRow | None, index: int, y: int) -> bool:
        """Whether a row is the first of its group, or stands at the top of what is in view."""
        if row is None or row.group is None or y == 0:
            return True
        before = self._rows.get(self.keys[index - 1])
        return before is None or before.group != row.group

    def _matches(self, row: ListRow | None) -> Spans:
        """What of a row's text answers the search."""
        return [] if row is None or self._matcher is None else self._matcher(shown_text(row.text))

    def notify_style_update(self) -> None:
        """Forget what was drawn, when theme or focus changed the styles."""
        self._looks.clear()
        self._strips.clear()
        super().notify_style_update()

    def _empty_line(self, y: int, width: int) -> Strip:
        """One line of what an empty list shows, below a blank one and set in like the rows' text."""
        content = self.empty if isinstance(self.empty, Content) else Content(self.empty)
        style = self.get_visual_style("record-list--muted")
        lines = Visual.to_strips(self, content, max(1, width - 4), None, style, apply_selection=False)
        blank = Strip.blank(width, self._looks.plain("text"))
        if not 0 < y <= len(lines):
            return blank
        return Strip.join([blank.crop(0, 2), lines[y - 1]]).adjust_cell_length(width, self._looks.plain("text"))

    # Selecting text by mouse

    def _selected_span(self, index: int) -> tuple[int, int] | None:
        """The part of a row's text that is selected."""
        selection = self.text_selection
        return None if selection is None else selection.get_span(index)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text of the rows, as far as they have been read."""
        top = self.scroll_offset.y
        first = top if selection.start is None else selection.start.y
        last = top + self.size.height - 1 if selection.end is None else selection.end.y
        lines = [self._selected_text(index, selection) for index in range(first, min(last + 1, len(self.keys)))]
        return "\n".join(lines), "\n"

    def _selected_text(self, index: int, selection: Selection) -> str:
        """The selected part of one row's text."""
        row = self._rows.get(self.keys[index])
        start, stop = selection.get_span(index) or (0, 0)
        text = "" if row is None else shown_text(row.text)
        return text[start:] if stop == -1 else text[start:stop]

    def text_select_all(self) -> None:
        """Select nothing: a double click opens a row."""

    # What happens to the widget

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for what came into view."""
        if self.show_vertical_scrollbar:
            show(self.vertical_scrollbar, position=new_value)
        if round(old_value) != round(new_value):
            self.refresh(self.scrollable_content_region.size.region)
        self._ask()
        self._place_hardware_cursor()

    def on_resize(self) -> None:
        """Keep the cursor in view, and ask for what came into it."""
        self.watch_cursor(self.cursor, self.cursor)
        self._ask()

    def on_focus(self) -> None:
        """Take the terminal's own cursor along, for screen readers and magnifiers."""
        self._place_hardware_cursor()

    def _place_hardware_cursor(self) -> None:
        """Put the terminal's own cursor on the current row, if the list has the focus."""
        if self.has_focus:
            line = max(0, min(self.cursor - self.scroll_offset.y, self.size.height - 1))
            self.app.cursor_position = self.content_region.offset + Offset(0, line)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor, mark, open, or ask for the menu."""
        at = event.get_content_offset(self)
        index = self.scroll_offset.y + at.y if at is not None else -1
        if at is None or not 0 <= index < len(self.keys):
            return
        event.stop()
        self.cursor = index
        self._clicked(self.keys[index], at.x, event)

    def _clicked(self, key: int, x: int, event: events.Click) -> None:
        """Say what a click on a row asks for."""
        if event.button == RIGHT_BUTTON:
            self.post_message(MenuWanted(self, key, event.screen_offset))
        elif x in MARK_CELLS:
            self.post_message(MarkToggled(self, key))
        elif event.chain == 2:
            self.post_message(Opened(self, key))
