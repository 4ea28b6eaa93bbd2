"""What the list shows and why: scope, search, tab and order, the questions they make and the answers."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from textual.timer import Timer

from memview.app.abreast import Abreast
from memview.app.merging import Merged
from memview.app.messages import Compared, Listed, RowsRead, StoreChanged
from memview.app.rows import Eye, News, forgotten, repeated
from memview.app.view import ORDERS, Order, Place, Tab, View
from memview.app.widgets.list_messages import PageWanted
from memview.app.widgets.pages import PAGE
from memview.app.widgets.record_list import RecordList
from memview.app.widgets.record_row import ListRow
from memview.clock import Clock
from memview.memory.looking import Parsed, Query, parse

if TYPE_CHECKING:
    from memview.app.loader import Loader
    from memview.memory.looking import ChangeRow, Matcher, Term

PATIENCE = 0.1
"""Seconds that an answer may take until the screen says that it is waited for."""


@dataclass(slots=True)
class Answer:
    """What is known of the answer to the present question."""

    begun: bool = False
    """Whether its first records stand in the list."""
    unread: bool = False
    """Whether something could not be read since it was asked for."""
    whole: bool = False
    """Whether all records are known, not only the first."""
    how: str = "all"
    elsewhere: int = 0
    seq: int = 0
    """The newest change that it knows of."""
    kept: frozenset[int] = frozenset()
    """Rows that no longer belong and stay."""
    waiting: array[int] = field(default_factory=lambda: array("q"))
    """Records that belong and wait for the order to be let go."""
    wanted: int | None = None
    """The record on which the cursor is to be, until it is."""

    @property
    def settled(self) -> bool:
        """Whether there is nothing to wait for before a key may act on the list."""
        return self.unread or (self.begun and (self.whole or self.wanted is None))


class Listing:
    """Runs the list: asks for its records and rows, and takes the answers in.

    Args:
        list: the list.
        loader: reads.
        clock: tells the time.
        me: the actor that is "you".
        held: tells whether the order of the list must stay as it is.
        told: called when anything about the listing changed that is shown outside the list.
    """

    def __init__(
        self,
        list: RecordList,
        loader: Loader,
        clock: Clock,
        me: str,
        *,
        held: Callable[[], bool],
        told: Callable[[], None],
    ) -> None:
        self.list = list
        self.view = View()
        self.parsed = Parsed(Query())
        self.answer = Answer()
        self.matcher: Matcher | None = None
        self.lit: tuple[Term, ...] = ()
        """The words that are lit in list and detail."""
        self.generation = 0
        self.leaving: set[int] = set()
        """Facts that are being forgotten: they look so until it is known what became of that."""
        self._loader = loader
        self._clock = clock
        self._me = me
        self._held = held
        self._told = told
        self._news: dict[Tab, dict[int, News]] = {"facts": {}, "turns": {}}
        self._copies: frozenset[int] = frozenset()
        self._keep: Literal["cursor", "top"] = "top"
        self._left_on: int | None = None
        """Where the cursor was put last; from there only a person moves it."""
        self._abreast = Abreast(list, self.compare)
        self._compared: Merged | None = None
        """What the list was that is compared now, or was last; None where that was not this list."""
        self._failed = False
        """Whether something could not be read before all records were known."""
        self._asked_at = 0.0
        self._late: Timer | None = None
        self._changed: set[int] | None = set()

    # Asking

    def ask(self, view: View, *, keep: Literal["cursor", "top"] = "top", cursor_on: int | None = None) -> None:
        """Ask for what a view holds.

        Args:
            view: what to show.
            keep: where the cursor goes; see `RecordList.replace`.
            cursor_on: the number of a record on which the cursor is to be.
        """
        if view.tab != self.view.tab:
            self.list.clear()
        self._begin(view)
        self._keep, self.answer.wanted = keep, cursor_on
        self._loader.search(self.generation, self.parsed.query, self.eye(), self._in_view)
        self._late = self.list.set_timer(PATIENCE, self._told)

    def again(self, *, keep: Literal["cursor", "top"] = "cursor") -> None:
        """Ask for the same view anew: what no longer belongs leaves, what waits comes in."""
        self.ask(self.view, keep=keep)

    def count_other(self) -> None:
        """Have the tab counted that is not shown."""
        kind: Tab = "turns" if self.view.tab == "facts" else "facts"
        self._loader.count(self.generation, replace(self.parsed.query, kind=kind))

    def go_back(self, place: Place) -> None:
        """Show a place as it was left, and then what has changed there since."""
        self.list.clear()
        self._begin(place.view)
        self.answer = Answer(begun=True, whole=True, how=place.how)
        self.matcher = place.matcher
        self.list.replace(place.keys, matcher=self._spans())
        self.list.cursor = place.cursor
        self.list.scroll_to(y=place.top, animate=False, force=True)
        self._changed = None
        self.compare()
        self._told()

    def here(self, spot: str) -> Place:
        """This place, to come back to."""
        listed = self.list
        return Place(self.view, listed.keys, listed.cursor, listed.scroll_offset.y, self.matcher, self.answer.how, spot)

    def _begin(self, view: View) -> None:
        """Make another view the present one."""
        self.view = view
        base = view.scope.narrow(Query(kind=view.tab, prefix=True, order=view.order or "relevance"))
        self.parsed = parse(view.text, now=self._clock(), base=base)
        if self.order == "sessions":
            self.parsed = replace(self.parsed, query=replace(self.parsed.query, order="sessions"))
        self.generation += 1
        self._asked_at = time.perf_counter()
        self.answer = Answer()
        self._left_on = self.list.cursor_key
        self._changed, self._failed = set(), False
        self._compared, self._abreast.again = None, False
        self._abreast.end()
        if self._late is not None:
            self._late.stop()

    def eye(self) -> Eye:
        """Who looks at the rows, and what is known of them."""
        return Eye(self._clock(), self._me, self.answer.kept, self._news[self.view.tab])

    @property
    def _in_view(self) -> int:
        """How many rows are in view; a page before that is known."""
        return self.list.size.height or PAGE

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that make sense now, the natural one first."""
        words: tuple[Order, ...] = ("relevance",) if self.parsed.query.terms else ()
        return words + ORDERS[self.view.tab]

    @property
    def order(self) -> Order:
        """The order of the list."""
        chosen = self.view.order
        return chosen if chosen in self.orders else self.orders[0]

    def next_order(self) -> View:
        """The same view in the next order."""
        orders = self.orders
        return replace(self.view, order=orders[(orders.index(self.order) + 1) % len(orders)])

    @property
    def waits(self) -> bool:
        """Whether an answer is still to come, or a comparison after a rest."""
        return not self.answer.whole or self._abreast.at_work or self._loader.waits

    # Answers

    def listed(self, message: Listed) -> None:
        """Take in the records of the view: the first ones, or all."""
        if message.generation != self.generation:
            return
        self._failed = False
        if self._late is not None:
            self._late.stop()
        if message.rest:
            self._complete(message)
        elif message.found.keys or not self.answer.begun:
            self._install(message)
            self._loader.learn(message, self.parsed.query, self.eye(), self._in_view)
        # else it was answered before the words for corrections were known, and comes late
        if self.answer.whole and self._abreast.again:
            self._abreast.rest_long(0.0 if self._in_order else time.perf_counter() - self._asked_at)
        self._told()

    def _install(self, message: Listed) -> None:
        """Show the first answer to a question, or a better one, in which the cursor stays where a person put it."""
        found, keep = message.found, "cursor" if self.answer.begun and self._moved else self._keep
        if self._compared is not None:  # it may know less than the comparison with the list that stood here
            self._changed, self._compared, self._abreast.again = None, None, True
            self._abreast.end()
        terms = found.terms or self.view.lit
        self.lit, self.matcher = terms, _matcher(terms) if terms else None
        self.answer = Answer(
            begun=True, whole=message.whole, how=found.how, elsewhere=message.elsewhere, seq=message.seq,
            wanted=None if keep == "cursor" else self.answer.wanted,
        )  # fmt: skip
        self.list.replace(found.keys, keep=keep, matcher=self._spans(), rows=self._seen(message.rows))
        self._reach()

    def go_on(self, generation: int) -> None:
        """Ask for all records, where the first ones of many stand and were drawn: nothing is to hold that up."""
        if generation == self.generation and not self.answer.whole:
            self._loader.search_on(generation, self.parsed.query)

    def _complete(self, message: Listed) -> None:
        """Show all records where the first ones stand already; where the words mean something else by now, ask anew."""
        if message.found.how != self.answer.how:
            self.again()
            return
        self.answer.whole = True
        if self._moved:
            self.answer.wanted = None
        if message.found.keys:
            self.list.sync(message.found.keys)
        self._reach()

    def _reach(self) -> None:
        """Put the cursor on the record that is wanted, once it is there."""
        wanted = self.answer.wanted
        if wanted is not None and self.list.go_to(wanted):
            self.answer.wanted = None
        self._left_on = self.list.cursor_key

    @property
    def _moved(self) -> bool:
        """Whether a person moved the cursor since it was put somewhere."""
        return self.list.cursor_key != self._left_on

    def _spans(self) -> Callable[[str], list[tuple[int, int]]] | None:
        return None if self.matcher is None else self.matcher.spans

    def page_wanted(self, message: PageWanted) -> None:
        """Have rows read."""
        self._loader.rows(message.question, self.view.tab, message.keys, self.eye())

    def rows_read(self, message: RowsRead) -> None:
        """Take rows in."""
        self.list.put_rows(self._seen(message.rows), question=message.question)

    def leave(self, key: int) -> None:
        """Let the fact under the cursor look forgotten from now on, until its `outcome_known`."""
        self.leaving.add(key)
        row = self.list.cursor_row
        if row is not None:
            self.list.put_rows(self._seen({key: row}))

    def outcome_known(self, key: int, *, left: bool) -> None:
        """Show a fact as it is in the store again: an act on it was done, or could not be."""
        self.leaving.discard(key)
        if not left:
            self.list.refresh_rows()

    def _seen(self, rows: Mapping[int, ListRow]) -> Mapping[int, ListRow]:
        """Rows as they are shown: those being forgotten as if that were done, and copies with their sign."""
        if self.view.tab == "turns":
            return rows
        shown = {key: repeated(row) if key in self._copies else row for key, row in rows.items()}
        return {key: forgotten(row) if key in self.leaving else row for key, row in shown.items()}

    def copies_found(self, keys: frozenset[int]) -> None:
        """Show which facts say what another one says."""
        if keys != self._copies:
            self._copies = keys
            self.list.refresh_rows()

    # The store changed

    def changed(self, message: StoreChanged) -> None:
        """Note what others wrote, and find out what that means for the list."""
        for change in message.changes:
            self._note(change, message.keys.get(change.id))
        if message.count > len(message.changes) or (message.first and message.seq != self.answer.seq):
            self._changed = None
        if message.count or self._changed is None:
            self.compare()
        elif not message.first:
            self.list.refresh_rows()

    def _note(self, change: ChangeRow, key: int | None) -> None:
        """Note one change: what is new to this person, and which records of the list it is about."""
        tab: Tab = "turns" if change.kind == "turn" else "facts"
        if change.kind in ("fact", "turn") and key is not None and change.actor != self._me:
            if change.op == "insert":
                self._news[tab][key] = "new"
            else:
                self._news[tab].setdefault(key, "changed")
        if change.kind not in ("fact", "turn") or (tab == self.view.tab and key is None):
            self._changed = None
        elif tab == self.view.tab and key is not None and self._changed is not None:
            self._changed.add(key)

    def forget_news(self) -> None:
        """Forget all marks, before the same numbers come to mean other records."""
        self.leaving.clear()
        for news in self._news.values():
            news.clear()

    def compare(self) -> None:
        """Compare the list with the store, now or as soon as that costs little."""
        if self._failed:
            self._once_more()
            return
        if self._abreast.at_work or not self.answer.whole:
            self._abreast.again = True
            return
        self._abreast.begin()
        changed, self._changed = self._changed, set()
        self._compared = Merged(self.list.keys, self.answer.kept, self.answer.waiting)
        self._loader.compare(
            self.parsed.query, self._compared, self.eye(),
            changed=frozenset(changed) if changed is not None and self._in_order else None, held=self._held(),
        )  # fmt: skip

    @property
    def _in_order(self) -> bool:
        """Whether the list is in the order of its numbers, so that the records that changed are all to be looked at."""
        return self.order in ("newest", "oldest") and self.answer.how == "all"

    def compared(self, message: Compared) -> None:
        """Show what the comparison found."""
        if message.before is not self._compared:
            return
        keys, kept, waiting = message.merged
        self.answer.kept, self.answer.waiting = kept, waiting
        self.list.stale(message.changed)
        self.list.sync(keys, rows=self._seen(message.rows), follow=not self._held())
        self._abreast.rest(message.took)
        self._told()

    def could_not_read(self, *, locked: bool) -> None:
        """Wait for nothing that may have failed: it is asked for again at the next change, or once a lock may be gone.

        Args:
            locked: whether somebody held the lock.
        """
        self.answer.unread = True
        self._failed = not self.answer.whole
        self._changed = None
        self._abreast.end()
        if self._abreast.again or locked:
            self._abreast.again = True
            self._abreast.rest_long()

    def _once_more(self) -> None:
        """Ask again for records that could not be read; no key waits for that."""
        self._failed = False
        if self.answer.begun:
            self._abreast.again = True
            self._loader.search_on(self.generation, self.parsed.query)
        else:
            self.ask(self.view, keep="cursor" if self._moved else self._keep, cursor_on=self.answer.wanted)
            self.answer.unread = True


@lru_cache(8)
def _matcher(terms: tuple[Term, ...]) -> Matcher:
    """What finds these words in a text: the same for the same words, by which a list knows that nothing changed."""
    from memview.memory.looking import Matcher

    return Matcher(terms, prefix=True)
