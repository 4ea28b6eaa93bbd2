"""Health: what repeats, fades, hangs in the air, is secret or gives orders; each number opens its list."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterable
from itertools import count
from sqlite3 import Connection

from textual import on
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from memview.app.desk import Desk
from memview.app.headlines import plural
from memview.app.loader import shown_rows
from memview.app.rows import Eye
from memview.app.screens.reviewing import ReviewScreen
from memview.app.wellness import ALARMS, Entry, Tab, bars, entries, numbers, size
from memview.app.widgets.header import Bar
from memview.app.widgets.lines import Line, Lines
from memview.app.widgets.list_messages import Opened, PageWanted
from memview.app.widgets.record_list import RecordList
from memview.memory import looking
from memview.review.health import Health, health
from memview.text import one_line

Go = Callable[[str, Tab, str], object]
"""Opens what a number is about: a search, facts or turns of it, and the name of the number."""


class Stopped(Exception):
    """The person stopped the measuring; what was known by then stands."""


class HealthScreen(ReviewScreen):
    """Measures a store; gives the id of a fact or turn to go to.

    Args:
        desk: the store.
        go: opens a list that another screen shows; called once this one is closed.
        elsewhere: the numbers whose lists another screen shows besides those with a search.
    """

    SCENE = "health"
    AUTO_FOCUS = "Lines"
    DEFAULT_CSS = """
    HealthScreen {
        #health { height: 1fr; }
        #numbers { width: 48; padding: 1 1 0 0; }
        #numbers Lines { max-height: 100%; }
        #more { height: auto; padding: 1 1 0 1; }
        #records { width: 1fr; border-left: solid $border-blurred; padding: 1 0 0 0; }
        #records:focus-within { border-left: heavy $primary; }
        #note { margin-bottom: 1; }
        RecordList { height: 1fr; }
        &.-wide #numbers { width: 60; }
        &.-one #numbers, &.-two #numbers { width: 1fr; }
        &.-one #records, &.-two #records { display: none; border: none; padding: 0; }
        &.-one.-opened #records, &.-two.-opened #records { display: block; }
        &.-one.-opened #numbers, &.-two.-opened #numbers { display: none; }
        &.-short #more { display: none; }
        &.-one #numbers { padding: 0; }
    }
    """

    def __init__(self, desk: Desk, go: Go, elsewhere: frozenset[str] = frozenset()) -> None:
        super().__init__(desk)
        self.found: Health | None = None
        """What is known so far."""
        self.whole = False
        """Whether all of it is."""
        self._go = go
        self._elsewhere = elsewhere
        self._tab: Tab = "facts"
        self._stop = threading.Event()
        self._lane = desk.lane()
        self._part = count(1)
        self._far = ""
        self._changed_since = False

    # What it shows

    def body(self) -> Iterable[Widget]:
        """The numbers at the left, the records of one at the right."""
        with Horizontal(id="health"):
            with Vertical(id="numbers"):
                yield Lines()
                yield Static(id="more", markup=False)
            with Vertical(id="records"):
                yield Bar(id="note")
                yield RecordList()

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands of this screen do."""
        return {
            "open": lambda: self._open_record() if self._list().has_focus else self._lines().action_select(),
            "move.down": lambda: self._list().action_cursor_down(),
            "move.up": lambda: self._list().action_cursor_up(),
            "move.first": lambda: self._focused().action_first(),
            "move.last": lambda: self._focused().action_last(),
            "move.half_down": lambda: self._list().action_half_page_down(),
            "move.half_up": lambda: self._list().action_half_page_up(),
            "health.kind": self._other_kind,
            "health.numbers": self._to_numbers,
            "health.records": self._to_records,
        }

    def _lines(self) -> Lines:
        return self.query_one(Lines)

    def _list(self) -> RecordList:
        return self.query_one(RecordList)

    def _focused(self) -> Lines | RecordList:
        return self._list() if self._list().has_focus else self._lines()

    @property
    def entry(self) -> Entry | None:
        """The line under the cursor."""
        at, shown = self._lines().highlighted, entries(self.found)
        return shown[at] if at is not None and at < len(shown) else None

    # Measuring

    def reload(self) -> None:
        """Measure anew."""
        self._stop.set()
        stop = self._stop = threading.Event()
        self.whole = self._changed_since = False
        self._far = "measuring"
        self._show_numbers()

        def progress(done: int, total: int) -> None:
            if stop.is_set():
                raise Stopped
            self._meanwhile(lambda: self._say_how_far(stop, done, total))

        def take(part: Health) -> None:
            self._meanwhile(lambda: self._take(part))

        def work(raw: Connection) -> Health | Stopped:
            try:
                progress(0, 0)
                return health(raw, self.desk.path, self.desk.clock(), progress, take)
            except Stopped as stopped:
                return stopped

        self.read(work, self._measured, slot="health", lane=self._lane)

    def _meanwhile(self, show: Callable[[], object]) -> None:
        """Show something that is known before the rest; called from the thread."""
        slot = f"part {next(self._part)}"
        self._newest[slot] = 1
        self.post_message(self.Answered(slot, 1, show))

    def _say_how_far(self, stop: threading.Event, done: int, total: int) -> None:
        if not self.whole and not stop.is_set():
            self._far = f"read {done:,} of {total:,} · Esc stops" if total else "measuring · Esc stops"
            self._show_head()

    def _take(self, part: Health) -> None:
        """Show what is known so far."""
        self.found = part
        self._show_numbers()

    def _measured(self, found: Health | Stopped) -> None:
        self._far = "stopped · ctrl+l measures again" if isinstance(found, Stopped) else ""
        if isinstance(found, Health):
            self.found, self.whole = found, True
        self._show_numbers()

    def store_changed(self) -> None:
        """Say that the numbers are of before; measuring again is for the person to ask."""
        self._changed_since = True
        self._show_head()

    def step_back(self) -> None:
        """Stop measuring; else from the records to the numbers; else back."""
        if self._far and not self._stop.is_set():
            self._stop.set()
            self._far = "stopping"
            self._show_head()
        elif self._list().has_focus:
            self._to_numbers()
        else:
            self.dismiss(None)

    def on_unmount(self) -> None:
        """Stop measuring and close the file."""
        super().on_unmount()
        self._stop.set()
        self.app.run_worker(self._lane.close, thread=True, exit_on_error=False)

    # The numbers

    def _show_head(self) -> None:
        parts = [Content.styled("Health", "bold")]
        if self.found is not None and self.whole:
            totals = f" · {plural(self.found.facts, 'fact')} · {plural(self.found.turns, 'turn')}"
            parts += [_muted(totals), _muted(f" · as of {self.found.at:%H:%M:%S} UTC")]
        again = "changed since · ctrl+l measures again" if self._changed_since and not self._far else ""
        note = Content.styled(self._far or again, "$text-muted")
        self.head(parts, [note.stylize(Style.from_meta({"command": "refresh"}))])

    def _show_numbers(self) -> None:
        """Draw the numbers; the cursor stays on its line."""
        lines, at = self._lines(), self._lines().highlighted
        options = [Option(_line(entry, bool(self._far))) for entry in entries(self.found)]
        lines.clear_options()
        lines.add_options(options)
        lines.highlighted = at or 0
        self.query_one("#more", Static).update(_more(self.found) if self.found is not None else Content())
        self._show_head()
        self._show_records()

    @on(OptionList.OptionHighlighted)
    def _moved(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._tab = "facts"
        self._show_records()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        entry = self.entry
        if entry is None or not entry.count:
            self.say((entry.note if entry is not None else "") or "nothing to list", "$text-muted")
        elif entry.query or entry.name in self._elsewhere:
            tab: Tab = entry.tabs[0]
            self.dismiss(None)
            self.app.call_later(self._go, entry.query, tab, entry.name)
        else:
            self._to_records()

    # The records of a number

    def _show_records(self) -> None:
        """Show the records of the line under the cursor."""
        entry = self.entry
        if entry is None:
            return
        if entry.tabs and self._tab not in entry.tabs:
            self._tab = entry.tabs[0]
        measure, listed = entry.of(self._tab), self._list()
        self.unask("keys")
        self.query_one("#note", Bar).parts = tuple(_about(entry, self._tab, bool(self._far)))
        if measure is None or not measure.count:
            listed.empty = "" if entry.count is None else "None."
            listed.clear()
            return

        def show(keys: array[int]) -> None:
            listed.clear()
            listed.replace(keys)

        now = self.desk.clock()
        self.read(lambda raw: numbers(raw, measure, now), show, slot="keys")

    @on(PageWanted)
    def _page_wanted(self, message: PageWanted) -> None:
        eye, keys, question, tab = Eye(self.desk.clock(), self.desk.me), message.keys, message.question, self._tab
        slot = f"part {next(self._part)}"
        put = self._list().put_rows
        self.read(lambda raw: shown_rows(raw, tab, keys, eye), lambda rows: put(rows, question=question), slot=slot)

    @on(Opened)
    def _opened(self, message: Opened) -> None:
        message.stop()
        self._open_record()

    def _open_record(self) -> None:
        """Go to the record under the cursor of the list."""
        key, tab = self._list().cursor_key, self._tab
        if key is None:
            return

        def read(raw: Connection) -> str | None:
            rows = looking.fact_rows(raw, [key]) if tab == "facts" else looking.turn_rows(raw, [key])
            return rows[key].id if key in rows else None

        self.read(read, self.dismiss, slot="open")

    def _other_kind(self) -> None:
        """From facts to turns, and back."""
        entry = self.entry
        if entry is not None and len(entry.tabs) > 1:
            self._tab = "turns" if self._tab == "facts" else "facts"
            self._show_records()
        else:
            self.say("there is but one kind here", "$text-muted")

    def _to_records(self) -> None:
        if self._list().keys or (self.entry is not None and self.entry.count):
            self.add_class("-opened")
            self._list().focus()

    def _to_numbers(self) -> None:
        self.remove_class("-opened")
        self._lines().focus()


def _muted(text: str) -> Content:
    return Content.styled(text, "$text-muted")


def _line(entry: Entry, measuring: bool) -> Line:
    """A number and what it counts."""
    number = "…" if not entry.measures and measuring else "-" if entry.count is None else f"{entry.count:,}"
    bad = bool(entry.count) and entry.name in ALARMS
    style = "$text-warning" if bad else "bold" if entry.count else "$text-muted"
    sign = "!" if bad else " "
    return Line(
        entry.words, "" if entry.count else "$text-muted",
        head=Content.assemble((f"{sign}{number:>9}", style), "  "),
    )  # fmt: skip


def _about(entry: Entry, tab: Tab, measuring: bool) -> list[Content]:
    """What is listed beside a number."""
    if not entry.measures:
        return [_muted(" not measured yet" if measuring else " not measured")]
    parts = []
    for kind in entry.tabs:
        one = entry.of(kind)
        words = plural((one.count if one is not None else 0) or 0, kind[:-1])
        style = "bold" if kind == tab else "$text-muted"
        parts.append(Content.styled(words, style).stylize(Style.from_meta({"command": "health.kind"})))
    told = [Content(" ") + _muted(" · ").join(parts)] if parts else []
    note = f" · {entry.note}" if parts and entry.note else f" {entry.note}" if entry.note else ""
    return [*told, _muted(note)]


def _more(found: Health) -> Content:
    """Growth by week, and sizes."""
    rows = [Content.styled("Each week", "bold")]
    for name, counts in (
        ("facts", [week.facts for week in found.growth]), ("turns", [week.turns for week in found.growth]),
    ):  # fmt: skip
        told = f"  {counts[-1]:,} this week" if counts else ""
        rows.append(Content.assemble((f"{name}  ", "$text-muted"), (bars(counts), "$secondary"), (told, "$text-muted")))
    rows += [Content(), Content.styled("Size", "bold")]
    rows += [
        Content.assemble((f"{size(count):>9}  ", ""), (one_line(name, 40), "$text-muted"))
        for name, count in found.sizes.items()
    ]
    return Content("\n").join(rows)
