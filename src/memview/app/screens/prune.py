"""Prune: a rule, what it would set aside, which facts are left out, and doing it in one step."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from sqlite3 import Connection

from textual import events, on
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from memview.app import prune_about, prune_lines, pruning
from memview.app.commands import BY_ID, Command
from memview.app.desk import Desk
from memview.app.keys import with_own_keys
from memview.app.loader import shown_rows
from memview.app.pruning import ORDERS, PRESETS, Ask, Seen, Stand
from memview.app.rows import Eye
from memview.app.scope import Scope
from memview.app.screens.pruning import PruneAll
from memview.app.screens.reviewing import ReviewScreen
from memview.app.widgets.header import Bar
from memview.app.widgets.layout import Laid
from memview.app.widgets.list_messages import CursorMoved, MarkToggled, Opened, PageWanted
from memview.app.widgets.record_list import RecordList
from memview.app.widgets.record_row import ListRow
from memview.app.widgets.steady import Steady
from memview.errors import Invalid
from memview.memory import looking
from memview.memory.looking import FactRow
from memview.review.prune import BASE, arrived

REST = 4.0
"""After looking for what came since, the next look waits so many times as long as that took."""
BREATH = 0.5
"""Seconds that it waits at least."""
_LEFT_OUT = "left out"
_CALM = ("prune.all", "prune.leave", "prune.accepted", "prune.edited", "prune.next", "prune.previous", "close", "undo")
"""What waits while a prune is under way."""


class PruneScreen(ReviewScreen):
    """Sets facts aside by a rule; gives the id of a fact or turn to go to.

    Args:
        desk: the store.
        scope: whose facts.
    """

    SCENE = "prune"
    AUTO_FOCUS = "RecordList"
    DEFAULT_CSS = """
    PruneScreen {
        #rule { height: 1; padding: 0 1; }
        #rule > .word { width: 6; color: $primary; text-style: bold; }
        #rule Input, #rule Input:focus {
            height: 1; width: 1fr; border: none; padding: 0; background: $background;
            background-tint: $background 0%;
        }
        #rule Input > .input--placeholder { color: $text-disabled; }
        #presets { width: auto; height: 1; padding-left: 2; }
        #told { margin-bottom: 1; }
        RecordList { height: 1fr; width: 1fr; }
        #about {
            display: none; width: 60; height: 1fr; border-left: solid $border-blurred; padding: 0 1 0 2; margin-left: 1;
            scrollbar-size-vertical: 1; scrollbar-color: $foreground 15%; scrollbar-background: $background;
        }
        &.-wide #about { display: block; }
        &.-one #presets { display: none; }
        &.-short #told { margin-bottom: 0; }
    }
    """

    def __init__(self, desk: Desk, scope: Scope) -> None:
        self._all = PruneAll(self)
        super().__init__(desk)
        self.ask = Ask()
        self.seen: Seen | None = None
        """What the rule would set aside; None while it is counted, or where the rule is wrong."""
        self.left: frozenset[int] = frozenset()
        """Facts that the person leaves out."""
        self.later = 0
        """How many facts came to match since."""
        self.ended: Stand | None = None
        """How the prune went that is shown; None before one."""
        self.scope = scope
        self._base = scope.narrow(BASE)
        self._wrong = ""
        self.lane = desk.lane()
        self._pages = count()
        self._comparing = self._again = False

    # What it shows

    def body(self) -> Iterable[Widget]:
        """The rule, what it comes to, and the facts."""
        with Horizontal(id="rule"):
            yield Static("rule  ", classes="word", markup=False)
            yield Input(self.ask.text, placeholder="strength<0.10 before:24h", select_on_focus=False)
            yield Steady(id="presets")
        yield Bar(id="told")
        with Horizontal():
            yield RecordList()
            with VerticalScroll(id="about", can_focus=False):
                yield Static(markup=False)

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands of this screen do."""
        listed = self._list
        return {
            "undo": lambda: self._take_back(super(PruneScreen, self)._undo),
            "redo": lambda: self._take_back(lambda: self.act(self.desk.editing.redo)),
            "refresh": self._count_again,
            "go.again": self._count_again,
            "open": self._open,
            "move.down": lambda: listed().action_cursor_down(),
            "move.up": lambda: listed().action_cursor_up(),
            "move.first": lambda: listed().action_first(),
            "move.last": lambda: listed().action_last(),
            "move.half_down": lambda: listed().action_half_page_down(),
            "move.half_up": lambda: listed().action_half_page_up(),
            "prune.all": self._all.ask,
            "prune.leave": self._leave,
            "prune.rule": lambda: self._input().focus(),
            "prune.list": lambda: listed().focus(),
            "prune.next": lambda: self._preset(1),
            "prune.previous": lambda: self._preset(-1),
            "prune.accepted": lambda: self._put(replace(self.ask, accepted=not self.ask.accepted)),
            "prune.edited": lambda: self._put(replace(self.ask, edited=not self.ask.edited)),
            "prune.origin": self._origin,
            "prune.sort": self._sort,
        }

    def _list(self) -> RecordList:
        return self.query_one(RecordList)

    def _input(self) -> Input:
        return self.query_one(Input)

    @property
    def going(self) -> int:
        """How many facts would go."""
        return len(self.seen.keys) - len(self.left.intersection(self.seen.keys)) if self.seen is not None else 0

    def reason(self, command: Command) -> str:
        """Why a command of the screen is not allowed now."""
        if command.id in ("prune.leave", "prune.all", "prune.origin", "prune.sort", "open") and not self._list().keys:
            return "nothing is listed" if not self._wrong else "mend the rule first"
        if command.id in ("prune.leave", "prune.all") and self.ended is not None:
            return with_own_keys("it is done · ctrl+l counts again", self.desk.table)
        if command.id == "prune.all" and not self.going:
            return "all of them are left out"
        return "it is under way · Esc stops" if self._all.going and command.id in _CALM else ""

    # Counting

    def reload(self) -> None:
        """Count anew what the rule would set aside; after a prune, show what became of the facts."""
        if self.ended is not None:
            self._list().refresh_rows()
            self._tell()
            return
        ask = self.ask

        def work(raw: Connection) -> Seen | Invalid:
            try:
                return pruning.look(raw, ask, self._base, self.desk.clock())
            except Invalid as error:
                return error

        self.read(work, self._show, slot="seen", lane=self.lane)
        self.lane.interrupt()

    def _show(self, found: Seen | Invalid) -> None:
        """Show what a rule comes to, or what is wrong with it."""
        same = self.seen is not None and not isinstance(found, Invalid)
        self.later = 0
        self._wrong = found.title if isinstance(found, Invalid) else ""
        self.seen = found if isinstance(found, Seen) else None
        listed = self._list()
        listed.empty = "" if self._wrong else "Nothing to prune by this rule."
        listed.replace(self.seen.keys if self.seen is not None else array("q"), keep="cursor" if same else "top")
        self._tell()
        if self.seen is not None and self.seen.order != self.ask.order:  # another one was chosen meanwhile
            self._order(self.seen)

    def _count_again(self) -> None:
        self.ended = None
        self.reload()

    def _take_back(self, way: Callable[[], object]) -> None:
        """Undo or redo, and count anew afterwards."""
        self.ended = None
        way()

    def store_changed(self) -> None:
        """Name what came to match since; the list stays as it was counted."""
        self._list().refresh_rows()
        if self._comparing or self.seen is None or self.ended is not None:
            self._again = self._comparing
            return
        self._comparing, self._again = True, False
        seen, started = self.seen, time.monotonic()

        def show(later: int) -> None:
            if self.seen is seen:
                self.later = later
                self._tell()
            rest()

        def rest() -> None:
            self.set_timer(max(BREATH, REST * (time.monotonic() - started)), self._rested)

        self.read(lambda raw: arrived(raw, seen.preview), show, slot="later", lane=self.lane, otherwise=rest)

    def _rested(self) -> None:
        self._comparing = False
        if self._again:
            self.store_changed()

    @on(PageWanted)
    def _page_wanted(self, message: PageWanted) -> None:
        kept = self.ended.gone if self.ended is not None else frozenset()
        eye, keys, question = Eye(self.desk.clock(), self.desk.me, kept), message.keys, message.question

        def put(rows: dict[int, ListRow]) -> None:
            self._list().put_rows({n: self._marked(row) for n, row in rows.items()}, question=question)

        self.read(lambda raw: shown_rows(raw, "facts", keys, eye), put, slot=f"rows {next(self._pages)}")

    def _marked(self, row: ListRow) -> ListRow:
        """A row that says whether its fact is left out."""
        return replace(row, dimmed=True, note=_LEFT_OUT) if row.key in self.left else row

    # The lines above

    def _tell(self) -> None:
        """Say what the rule comes to."""
        place = "" if self.scope == Scope("") else f" · {self.scope.name}"
        self.head(
            [Content.styled("Prune", "bold"), Content.styled(place, "$text-muted")], [prune_lines.since(self.later)]
        )
        told, order = self.query_one("#told", Bar), self.seen.order if self.seen is not None else self.ask.order
        told.parts = tuple(prune_lines.come_to(self.seen, self.going, self._wrong, self.ended))
        told.right = () if self.has_class("-one") else (prune_lines.order(order),)
        self.query_one("#presets", Steady).tell(prune_lines.presets(self.ask.text))
        self.show_footer()

    # The rule

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value != self.ask.text:
            self._put(replace(self.ask, text=event.value))

    def _put(self, ask: Ask) -> None:
        """Ask something else."""
        self.ask, self.ended = ask, None
        if self._input().value != ask.text:
            self._input().value = ask.text
        self.reload()

    def _preset(self, step: int) -> None:
        """Take the next rule of those that are offered."""
        texts = [text for _, text in PRESETS]
        here = texts.index(self.ask.text) if self.ask.text in texts else -1 if step > 0 else 0
        self._put(replace(self.ask, text=texts[(here + step) % len(texts)]))

    def on_click(self, event: events.Click) -> None:
        """Take the rule that was clicked."""
        at = event.style.meta.get("preset")
        if isinstance(at, int):
            self._put(replace(self.ask, text=PRESETS[at][1]))

    @on(Input.Submitted)
    def _to_list(self, event: Input.Submitted) -> None:
        event.stop()
        self._list().focus()

    def on_key(self, event: events.Key) -> None:
        """Down and Tab leave the rule for the list."""
        if isinstance(self.focused, Input) and event.key in ("down", "tab"):
            event.stop()
            event.prevent_default()
            self._list().focus()

    def step_back(self) -> None:
        """Stop what is under way; from the rule to the list, from there back."""
        if self._all.going:
            self._all.stop()
        elif isinstance(self.focused, Input):
            self._list().focus()
        else:
            self.dismiss(None)

    def _sort(self) -> None:
        """List in the next order."""
        order = ORDERS[(ORDERS.index(self.ask.order) + 1) % len(ORDERS)]
        self.ask = replace(self.ask, order=order)
        if self.seen is not None:
            self._order(self.seen)

    def _order(self, seen: Seen) -> None:
        """List what was counted in the order that is asked for."""
        order = self.ask.order

        def show(keys: array[int]) -> None:
            if self.seen is seen:
                self.seen = Seen(seen.preview, keys, order)
                self._list().replace(keys)
                self._tell()

        self.read(lambda raw: pruning.ordered(raw, seen.preview, order), show, slot="order", lane=self.lane)

    # One fact

    @on(CursorMoved)
    def _tell_about(self) -> None:
        """Tell beside the list what there is to know of the fact under the cursor."""
        key, me, now = self._list().cursor_key, self.desk.me, self.desk.clock()
        place = self.query_one("#about Static", Static)
        if key is None:
            place.update("")
        else:
            self.read(lambda raw: Laid(prune_about.about(raw, key, me, now)), place.update, slot="about")

    @on(MarkToggled)
    def _mark_clicked(self, message: MarkToggled) -> None:
        message.stop()
        if not self.reason(BY_ID["prune.leave"]):
            self._toggle(message.key)

    def _leave(self) -> None:
        """Leave the fact under the cursor out, or take it in again, and go on."""
        key = self._list().cursor_key
        if key is not None:
            self._toggle(key)
            self._list().action_cursor_down()

    def _toggle(self, key: int) -> None:
        """Leave a fact out, or take it in again."""
        self.left ^= {key}
        listed = self._list()
        row = listed.cursor_row
        if row is not None and row.key == key:
            plain = replace(row, dimmed=False, note="")
            listed.put_rows({key: self._marked(plain)})
        self._tell()

    @on(Opened)
    def _opened(self, message: Opened) -> None:
        message.stop()
        self._open()

    def _open(self) -> None:
        self._with_row(lambda row: self.dismiss(row.id))

    def _origin(self) -> None:
        """Go to the turn that the fact under the cursor came from."""

        def go(turns: list[str]) -> None:
            if turns:
                self.dismiss(turns[0])
            else:
                self.say("it names no turn it came from", "$text-muted")

        key = self._list().cursor_key
        if key is not None:
            self.read(lambda raw: pruning.turns(raw, key), go, slot="origin")

    def _with_row(self, then: Callable[[FactRow], object]) -> None:
        key = self._list().cursor_key

        def show(rows: dict[int, FactRow]) -> None:
            if key in rows:
                then(rows[key])

        if key is not None:
            self.read(lambda raw: looking.fact_rows(raw, [key]), show, slot="open")

    def on_unmount(self) -> None:
        """Close the file."""
        super().on_unmount()
        self.lane.close()
