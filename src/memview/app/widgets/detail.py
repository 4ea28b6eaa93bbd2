"""One record whole: its text, where it comes from, its links and its history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from memview.app.describe import About, Paragraph, Target, tell_fact, tell_turn
from memview.app.messages import CommandWanted, GoTo
from memview.app.widgets.layout import Line, lay_out
from memview.app.widgets.measure import measure
from memview.app.widgets.record_list import RIGHT_BUTTON
from memview.memory.looking import FactDetail
from memview.review import masking

if TYPE_CHECKING:
    from memview.memory.looking import ChangeRow, Matcher, Neighbour, Source, TurnDetail

GUTTER = 1
"""Cells at the left, in which the cursor stands."""
_PARTS = ("text", "title", "muted", "match", "struck", "gone", "came", "good", "warning", "bold", "italic", "code")


class DetailPane(ScrollView, can_focus=True):
    """Shows one fact or turn, and lets go to what it is tied to.

    Up and down move between the places that Enter opens (sources, links, facts of a turn) and scroll in between.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"detail--{part}" for part in (*_PARTS, "cursor", "pointer")}

    DEFAULT_CSS = """
    DetailPane {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        scrollbar-color: $foreground 15%;
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
        & > .detail--text { color: $foreground; }
        & > .detail--title { color: $foreground; text-style: bold; }
        & > .detail--bold { text-style: bold; }
        & > .detail--italic { text-style: italic; }
        & > .detail--code { color: $text-accent; }
        & > .detail--match { text-style: bold underline; }
        & > .detail--muted { color: $text-muted; }
        & > .detail--struck, & > .detail--gone { color: $text-muted; text-style: strike; }
        & > .detail--came { color: $foreground; text-style: underline; }
        & > .detail--good { color: $text-success; }
        & > .detail--warning { color: $text-warning; }
        & > .detail--pointer { color: $primary; text-style: bold; }
        & > .detail--cursor { background: $foreground 10%; }
        &:ansi > .detail--muted { text-style: dim; }
        &:ansi > .detail--struck, &:ansi > .detail--gone { text-style: dim strike; }
        &:ansi > .detail--cursor { background: ansi_default; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor_up", "Up", show=False, id="entry.up", tooltip="To what can be opened above"),
        Binding("down,j", "cursor_down", "Down", show=False, id="entry.down", tooltip="To what can be opened below"),
        Binding("enter", "open", "Open", show=False, id="entry.open", tooltip="Go to what is under the cursor"),
        Binding("pageup", "page_up", "Page up", show=False, id="entry.page_up", tooltip="One page up"),
        Binding("pagedown", "page_down", "Page down", show=False, id="entry.page_down", tooltip="One page down"),
        Binding("home", "first", "First", show=False, id="entry.first", tooltip="To the beginning"),
        Binding("end", "last", "Last", show=False, id="entry.last", tooltip="To the end"),
    ]

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._paragraphs: Sequence[Paragraph] = ()
        self._lines: list[Line] = []
        self._width = 0
        self._shown: tuple[str, str] = ("", "")
        self._record: tuple[FactDetail | TurnDetail, About] | None = None
        self._markdown = False
        self._unfolded = False
        self._bare: tuple[str, str] | None = None
        """Of which record the secrets are shown."""
        self._entry: Target | None = None
        self._looks: dict[tuple[str, bool], Style] = {}

    # What it shows

    def show_fact(
        self,
        detail: FactDetail,
        sources: list[Source],
        neighbours: list[Neighbour],
        history: list[ChangeRow],
        matcher: Matcher | None,
        now: datetime,
        me: str | None,
    ) -> None:
        """Show a fact. The same one again keeps its place on the screen.

        Args:
            detail: the fact.
            sources: the turns it came from.
            neighbours: its links.
            history: its changes, oldest first.
            matcher: finds what answers the search.
            now: the present time.
            me: the actor that is "you".
        """
        about = About(now, me, matcher, sources, neighbours, history)
        self._record = (detail, about)
        self._tell(("fact", detail.row.id))

    def show_turn(self, detail: TurnDetail, matcher: Matcher | None, now: datetime, me: str | None) -> None:
        """Show a turn; see :meth:`show_fact`."""
        key = ("turn", detail.row.id)
        self._unfolded = self._unfolded and key == self._shown
        self._record = (detail, About(now, me, matcher))
        self._tell(key)

    def toggle_markdown(self) -> bool:
        """Show texts as Markdown, or as they were written again; whether it is Markdown now."""
        self._markdown = not self._markdown
        if self._record is not None:
            self._show(self._shown, self._told())
        return self._markdown

    def toggle_secrets(self) -> str:
        """Show the secrets of this record, or hide them again; what it did in words, empty where it has none."""
        if self._record is None or masking.hidden(self._record) == self._record:
            return ""
        self._bare = None if self._bare else self._shown
        self._show(self._shown, self._told())
        return "its secrets are shown until you move on" if self._bare else "its secrets are hidden again"

    def _tell(self, key: tuple[str, str]) -> None:
        """Show the record; the secrets of another one are hidden."""
        if key != self._bare:
            self._bare = None
        self._show(key, self._told())

    def _told(self) -> Sequence[Paragraph]:
        """The paragraphs of what is shown."""
        if self._record is None:
            return ()
        detail, about = self._record if self._bare else masking.hidden(self._record)
        about = replace(about, markdown=self._markdown)
        if isinstance(detail, FactDetail):
            return tell_fact(detail, about)
        return tell_turn(detail, about, unfolded=self._unfolded)

    def clear(self, hint: str = "") -> None:
        """Show nothing but a hint, which is taken literally."""
        self._record = self._bare = None
        self._show(("", ""), [Paragraph(), Paragraph(Content.assemble((hint, "muted")))])

    @property
    def entry(self) -> Target | None:
        """What Enter would open."""
        return self._entry

    def _show(self, key: tuple[str, str], paragraphs: Sequence[Paragraph]) -> None:
        same, self._shown = key == self._shown, key
        self._paragraphs = paragraphs
        if not same:
            self._entry = None
        self._lay_out()
        if not same:
            self.scroll_to(y=0, animate=False, force=True, immediate=True)
        self._place_hardware_cursor()

    def _lay_out(self) -> None:
        """Wrap all paragraphs to the present width."""
        width, before, entry = self.scrollable_content_region.width, self._lines, self._entry
        same, self._width = width == self._width, width
        self._lines = lay_out(self._paragraphs, self._width - GUTTER) if self._width else []
        targets = self._targets()
        if self._entry not in targets:
            self._entry = next(iter(targets), None)
        measure(self, len(self._lines))
        if same and (self._entry == entry or not self.has_focus):
            self._draw(before)
        else:
            self.refresh()

    def _draw(self, before: Sequence[Line]) -> None:
        """Have those lines drawn anew that say something else than before."""
        for place, (old, new) in enumerate(zip_longest(before, self._lines)):
            if old is None or new is None or not (old.content.is_same(new.content) and old.target == new.target):
                self.refresh_lines(place)

    def _targets(self) -> dict[Target, int]:
        """What can be opened, each with its first line."""
        found: dict[Target, int] = {}
        for place, line in enumerate(self._lines):
            if line.target is not None:
                found.setdefault(line.target, place)
        return found

    # Moving

    def action_cursor_down(self) -> None:
        """Go to the next place that can be opened, or scroll towards it."""
        self._step(1)

    def action_cursor_up(self) -> None:
        """Go to the place before, or scroll towards it."""
        self._step(-1)

    def _step(self, by: int) -> None:
        top, height = self.scroll_offset.y, max(1, self.size.height)
        here = self._entry_line()
        start = here if here is not None else top - 1 if by > 0 else top + height
        ahead = [(line, target) for target, line in self._targets().items() if (line - start) * by > 0]
        line, target = min(ahead, key=lambda place: abs(place[0] - start), default=(-9, None))
        if top - 1 <= line <= top + height:
            self._entry = target
            self._scroll(min(0, line - top) or max(0, line - top - height + 1))
        else:
            self._scroll(by)

    def _entry_line(self) -> int | None:
        """The line of what is under the cursor, if it is in view."""
        line = self._targets().get(self._entry) if self._entry else None
        top = self.scroll_offset.y
        return line if line is not None and top <= line < top + self.size.height else None

    def _scroll(self, lines: int) -> None:
        """Scroll, and take the cursor along to what can be opened in view."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, force=True, immediate=True)
        if self._entry_line() is None:
            top, height = self.scroll_offset.y, self.size.height
            in_view = [target for target, line in self._targets().items() if top <= line < top + height]
            if in_view:
                self._entry = in_view[0 if lines >= 0 else -1]
        self.refresh()
        self._place_hardware_cursor()

    def action_scroll_down(self) -> None:
        """Scroll three lines down."""
        self._scroll(3)

    def action_scroll_up(self) -> None:
        """Scroll three lines up."""
        self._scroll(-3)

    def action_page_down(self) -> None:
        """Scroll one page down."""
        self._scroll(max(1, self.size.height - 1))

    def action_page_up(self) -> None:
        """Scroll one page up."""
        self._scroll(-max(1, self.size.height - 1))

    def action_half_page_down(self) -> None:
        """Scroll half a page down."""
        self._scroll(max(1, self.size.height // 2))

    def action_half_page_up(self) -> None:
        """Scroll half a page up."""
        self._scroll(-max(1, self.size.height // 2))

    def action_first(self) -> None:
        """Go to the beginning."""
        self._scroll(-len(self._lines))

    def action_last(self) -> None:
        """Go to the end."""
        self._scroll(len(self._lines))

    def next_match(self, by: int = 1) -> bool:
        """Scroll to the next line that answers the search, or (-1) to the one before; False if there is none."""
        top = self.scroll_offset.y
        places = [place for place, line in enumerate(self._lines) if line.matches and (place - top) * by > 0]
        if places:
            self._scroll((places[0] if by > 0 else places[-1]) - top)
        return bool(places)

    def action_open(self) -> None:
        """Ask to go to what is under the cursor, or fold and unfold it."""
        if self._entry is None or self._entry_line() is None:
            return
        if self._entry.kind == "fold":
            self._unfolded = not self._unfolded
            self._show(self._shown, self._told())
        elif self._entry.kind == "turn":
            self.post_message(GoTo("turn", self._entry.id))
        else:
            self.post_message(GoTo("fact", self._entry.id))

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is in view.

        Args:
            y: the line, from the top of the view.
        """
        place = self.scroll_offset.y + y
        width = self.scrollable_content_region.width
        if place >= len(self._lines):
            return Strip.blank(width, self._look("text").rich_style)
        line = self._lines[place]
        on = self.has_focus and line.target is not None and line.target == self._entry
        first = on and (place == 0 or self._lines[place - 1].target != line.target)
        base = self._look("text", on)
        pointer = Segment(">" if first else " ", self._look("pointer", on).rich_style)
        return Strip([pointer, *self._segments(line, place, on)]).adjust_cell_length(width, base.rich_style)

    def _segments(self, line: Line, place: int, on: bool) -> list[Segment]:
        """The pieces of a line, each with its place, by which Textual finds what the mouse selects."""
        content = line.content
        span = None if self.text_selection is None else self.text_selection.get_span(place)
        if span is not None:
            content = content.stylize("selection", span[0], len(content) if span[1] == -1 else span[1])
        segments, x = [], 0
        for text, style in content.render(
            self._look("text", on), end="", parse_style=lambda part: self._look(part, on)
        ):
            segments.append(Segment(text, style.rich_style + RichStyle.from_meta({"offset": (x, place)})))
            x += len(text)
        return segments

    def _look(self, part: str | Style, on: bool = False) -> Style:
        """The look of a part by its name, on the line under the cursor or elsewhere."""
        if isinstance(part, Style):
            return part
        if (part, on) not in self._looks:
            if part == "selection":
                look = Style.from_rich_style(self.screen.get_component_rich_style("screen--selection"))
            else:
                look = self.get_visual_style(*(["detail--cursor"] if on else []), f"detail--{part}")
            self._looks[part, on] = look
        return self._looks[part, on]

    def notify_style_update(self) -> None:
        """Forget the looks, when theme or focus changed the styles."""
        self._looks.clear()
        super().notify_style_update()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text."""
        return selection.extract("\n".join(line.content.plain for line in self._lines)), "\n"

    # What happens to the widget

    def on_resize(self) -> None:
        """Wrap anew when the width changed."""
        if self.scrollable_content_region.width != self._width:
            self._lay_out()
        self._place_hardware_cursor()

    def on_focus(self) -> None:
        """Take the terminal's own cursor along, for screen readers and magnifiers."""
        self._place_hardware_cursor()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Keep the terminal's own cursor on its line."""
        super().watch_scroll_y(old_value, new_value)
        self._place_hardware_cursor()

    def _place_hardware_cursor(self) -> None:
        """Put the terminal's own cursor on the line under the cursor, or on the first in view."""
        if self.has_focus:
            place = self._entry_line()
            line = 0 if place is None else place - self.scroll_offset.y
            self.app.cursor_position = self.content_region.offset + Offset(0, line)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where it was clicked; a second click opens, the right button asks for the menu."""
        if event.button == RIGHT_BUTTON:
            self.post_message(CommandWanted("menu"))
            return
        at = event.get_content_offset(self)
        place = self.scroll_offset.y + at.y if at is not None else -1
        if not 0 <= place < len(self._lines) or self._lines[place].target is None:
            return
        self._entry = self._lines[place].target
        self.refresh()
        if event.chain == 2:
            self.action_open()
