"""All reading that the screen does, off its thread.

Each kind of question has a lane, a connection of its own, so that a slow search holds up no row. A question is a
function of a connection that returns a message; the message is posted if it is still wanted by then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Literal

from textual.app import App
from textual.message import Message

from memview.app import heap, messages
from memview.app.lane import LITTLE, Lane
from memview.app.merging import Merged, merge, merge_changed
from memview.app.pace import Pace
from memview.app.rows import Eye, gone
from memview.app.widgets.record_row import ListRow
from memview.clock import Clock
from memview.errors import MemviewError
from memview.memory import looking
from memview.memory.looking import FactRow, Found, Interrupted, Looker, Query

FIRST = 300
"""Records that a search reads first, so that its first rows stand before it has found them all."""

FEW = 200_000
"""Up to so many facts are compared with each other unasked, which takes a second."""

AT_ONCE = 128
"""Rows that come along where the store changed; more are read when they come into view."""


class Loader:
    """Asks the store for what the screen shows; the answers are messages.

    Args:
        app: runs the threads.
        path: the store.
        clock: tells the time.
        post: takes the answers; called from the threads.
        looker: the store where it is open already, for the first search.
    """

    def __init__(
        self,
        app: App[int],
        path: Path,
        clock: Clock,
        post: Callable[[Message], object],
        looker: Looker | None = None,
    ) -> None:
        self._app = app
        self._post = post
        self._clock = clock
        self._path = path
        self._lookup = looking.Lookup(learns=False, scored=False)
        self._lanes = {
            "search": Lane(path, looker),
            **{
                name: Lane(path, cached=LITTLE)
                for name in ("rows", "detail", "count", "spaces", "words", "values", "inbox", "copies")
            },
        }
        self._newest: dict[str, int] = {}
        self._counted = 0
        self._valued: tuple[Connection, int] | None = None
        """As of when the values of operators are known."""
        self._learning = False
        self._to_learn: Callable[[Connection], Message | None] | None = None
        """What the words are learnt for next."""
        self._pace = Pace(app, self._count)
        self._closed = False

    @property
    def waits(self) -> bool:
        """Whether something is still to be counted."""
        return bool(self._pace.waiting)

    def search(self, generation: int, query: Query, eye: Eye, rows: int) -> None:
        """Find the records of a query: a `Listed` with all of them, or with the first of many; see `search_on`.

        Args:
            generation: names the question.
            query: what is looked for.
            eye: who looks.
            rows: how many rows come along.
        """
        self._pace.searched()
        self._ask("search", partial(self._listed, generation, query, eye, rows), alone=True)

    def learn(self, answer: messages.Listed, query: Query, eye: Eye, rows: int) -> None:
        """Learn the words for corrections behind the first answer to a query: a `Listed` where they change it.

        Args:
            answer: the first answer; words that know enough of the store as of then are kept.
            query: what is looked for.
            eye: who looks.
            rows: how many rows come along.
        """
        if query.terms and not (answer.knew and self._lookup.knows(query.kind, answer.seq)):
            self._to_learn = partial(self._learnt, answer, query, eye, rows)
            if not self._learning:
                self._learn()

    def _learn(self) -> None:
        """Learn for the newest answer, and then for the newest by then: letters typed meanwhile take no threads."""
        work, self._to_learn = self._to_learn, None
        self._learning = work is not None and not self._closed
        if work is not None and self._learning:
            self._ask("words", work, then=lambda took: self._app.call_later(self._learn))

    def search_on(self, generation: int, query: Query) -> None:
        """Find all records of a query whose first ones stand on the screen: a `Listed` with all of them."""
        self._ask("search", partial(self._all, generation, query), alone=True)

    def compare(self, query: Query, before: Merged, eye: Eye, *, changed: frozenset[int] | None, held: bool) -> None:
        """Find out what a list shows now that the store changed: `Compared`.

        Args:
            query: what the list shows.
            before: what it showed until now.
            eye: who looks.
            changed: numbers of the records that changed, for a list in the order of its numbers; None searches anew.
            held: whether the order stays as it is.
        """
        work = self._searched_again if changed is None else partial(self._looked_again, changed)
        self._ask("search", partial(work, query, before, eye, held), alone=True)

    def count(self, generation: int, query: Query) -> None:
        """Count the records of a query: `Counted`."""
        now = self._clock()
        fresh, self._counted = generation != self._counted, generation
        self._pace.ask(
            "count", lambda raw: messages.Counted(generation, query.kind, looking.count(raw, query, now)), at_once=fresh
        )

    def tally(self, generation: int, queries: Sequence[Query]) -> None:
        """Count the records of several queries: `Tallied`."""
        now = self._clock()

        def work(raw: Connection) -> Message:
            return messages.Tallied(generation, [looking.count(raw, query, now) for query in queries])

        self._ask("detail", work, slot="tally")

    def spaces(self, *, own: bool = True) -> None:
        """Count all namespaces: `SpacesRead`.

        Args:
            own: whether this person asks; what others write is counted behind its rows, and seldom.
        """
        if own:
            self._pace.hurry()
        self._pace.ask("spaces", lambda raw: messages.SpacesRead(looking.spaces(raw)), behind=not own)

    def waiting(self, reviewer: str) -> None:
        """Count what waits in a reviewer's inbox: `Waiting`."""

        def work(raw: Connection) -> Message:
            from memview.review import sitting

            return messages.Waiting(sitting.waiting(raw, reviewer))

        self._pace.ask("inbox", work)

    def copies(self) -> None:
        """Find the facts that say what another one says: `CopiesFound`."""

        def work(raw: Connection) -> Message:
            many = raw.execute("SELECT coalesce(max(n), 0) FROM facts").fetchone()[0] > FEW
            return messages.CopiesFound(frozenset() if many else looking.copies(raw))

        self._pace.ask("copies", work)

    def values(self, then: Callable[[dict[str, Sequence[str]]], object]) -> None:
        """Read the values that search operators have in the store, unless nothing changed since they were read.

        Args:
            then: takes them by operator, the most frequent first; called from the thread.
        """

        def work(raw: Connection) -> None:
            state = (raw, looking.last_seq(raw))
            if state != self._valued:
                then({field: looking.known(raw, field) for field in ("tag", "cat", "agent", "session")})
                self._valued = state

        self._ask("values", work, alone=True)

    def rows(self, question: int, kind: Literal["facts", "turns"], keys: Sequence[int], eye: Eye) -> None:
        """Read rows of the list: `RowsRead`. Those that are gone come as rows that say so."""

        def work(raw: Connection) -> Message:
            return messages.RowsRead(question, shown_rows(raw, kind, keys, eye))

        self._ask("rows", work)

    def detail(self, generation: int, kind: messages.Kind, key: int) -> None:
        """Read one record whole: `FactRead`, `TurnRead` or `RecordGone`."""
        read = _fact if kind == "fact" else _turn
        self._ask("detail", lambda raw: read(raw, generation, key), slot="detail")

    def locate(self, id: str, *kinds: messages.Kind) -> None:
        """Find a record of one of some kinds by its id: `Located`."""

        def work(raw: Connection) -> Message:
            for kind in kinds:
                key = looking.number_of(raw, kind, id)
                if key is not None:
                    found = looking.fact_rows(raw, [key]) if kind == "fact" else looking.turn_rows(raw, [key])
                    return messages.Located(found.get(key))
            return messages.Located(None)

        self._ask("detail", work)

    def fact(self, key: int) -> FactRow | None:
        """The fact of a number as it is now; waits for the file, so it belongs in a thread."""
        return self._lanes["detail"].read(lambda raw: looking.fact_rows(raw, [key])).get(key)

    def facts_like(self, fact: FactRow, words: str, most: int = 50) -> list[FactRow]:
        """Other facts of the same namespace that a search finds; waits for the file, so it belongs in a thread."""
        base = Query(tenant=fact.tenant, namespace=fact.namespace, prefix=True, limit=most + 1)
        query = looking.parse(words, now=self._clock(), base=base).query

        def work(raw: Connection) -> list[FactRow]:
            keys = [key for key in self._found(raw, query).keys if key != fact.n][:most]
            found = looking.fact_rows(raw, keys)
            return [found[key] for key in keys if key in found]

        return self._lanes["detail"].read(work)

    def close(self) -> None:
        """Stop all reading and close the file."""
        self._closed = True
        for lane in self._lanes.values():
            lane.close()

    # In the threads

    def _ask(
        self,
        lane: str,
        work: Callable[[Connection], Message | None],
        *,
        slot: str = "",
        alone: bool = False,
        then: Callable[[float], object] | None = None,
    ) -> None:
        """Have a question answered in a thread.

        Args:
            lane: where it is asked.
            work: reads the answer.
            slot: a later question of the same slot makes this one void.
            alone: whether it is the lane's only kind of question, so that a later one stops it at work.
            then: told in the thread how many seconds it took, whatever came of it.
        """
        slot = lane if alone else slot
        number = self._newest[slot] = self._newest.get(slot, 0) + 1
        if alone:
            self._lanes[lane].interrupt()

        def answered() -> None:
            started = time.perf_counter()
            try:
                self._answer(self._lanes[lane], work, lambda: not slot or self._newest[slot] == number)
            finally:
                if then is not None:
                    then(time.perf_counter() - started)

        self._app.run_worker(answered, thread=True, exit_on_error=False, group=lane)

    def _count(self, lane: str, work: Callable[[Connection], Message], then: Callable[[float], object]) -> None:
        if not self._closed:
            self._ask(lane, work, alone=True, then=then)

    def _answer(self, lane: Lane, work: Callable[[Connection], Message | None], wanted: Callable[[], bool]) -> None:
        """Answer a question, unless a later one has made it void."""
        while wanted() and not self._closed:
            answer: Message | None
            try:
                answer = lane.read(work)
            except Interrupted:
                continue
            except MemviewError as error:
                answer = messages.failed(error, self._path)
            except Exception as error:
                answer = messages.Failed("The store could not be read.", str(error), error)
            if answer is not None and wanted() and not self._closed:
                self._post(answer)
            return

    def _listed(self, generation: int, query: Query, eye: Eye, rows: int, raw: Connection) -> messages.Listed:
        """Answer a search with all records, or with the first ones of many."""
        seq = looking.last_seq(raw)
        knew = self._lookup.knows(query.kind)
        found = self._lookup.find(raw, replace(query, limit=FIRST), eye.now)
        first = shown_rows(raw, query.kind, found.keys[:rows], eye)
        read = _fact if query.kind == "facts" else _turn
        top = read(raw, 0, found.keys[0]) if found.keys else None
        if len(found.keys) < FIRST:
            elsewhere = 0 if found.keys else self._elsewhere(raw, query, eye)
            return messages.Listed(generation, found, True, first, elsewhere, seq, top, knew=knew)
        return messages.Listed(generation, found, False, first, seq=seq, top=top, knew=knew)

    def _all(self, generation: int, query: Query, raw: Connection) -> Message:
        """All records of a search."""
        heap.hold_no_lists()
        seq = looking.last_seq(raw)
        return messages.Listed(generation, self._found(raw, query), True, {}, seq=seq, rest=True)

    def _elsewhere(self, raw: Connection, query: Query, eye: Eye) -> int:
        """How many records all namespaces have of a query that is about some."""
        if query.under is None and query.namespace is looking.ALL:
            return 0
        return looking.count(raw, replace(query, under=None, namespace=looking.ALL), eye.now)

    def _learnt(
        self, answer: messages.Listed, query: Query, eye: Eye, rows: int, raw: Connection
    ) -> messages.Listed | None:
        """Learn the words that corrections come from, and answer a search anew that found nothing without them."""
        self._lookup.learn(raw, query.kind)
        if answer.knew or looking.find(raw, replace(query, limit=1), eye.now).keys:
            return None
        return self._listed(answer.generation, query, eye, rows, raw)

    def _found(self, raw: Connection, query: Query) -> Found:
        return self._lookup.find(raw, query, self._clock())

    def _searched_again(self, query: Query, before: Merged, eye: Eye, held: bool, raw: Connection) -> Message:
        """Compare a list with its query's records."""
        started = time.perf_counter()
        merged = merge(before.keys, self._found(raw, query).keys, held=held)
        return messages.Compared(before, merged, time.perf_counter() - started)

    def _looked_again(
        self,
        changed: frozenset[int],
        query: Query,
        before: Merged,
        eye: Eye,
        held: bool,
        raw: Connection,
    ) -> Message:
        """Compare a list with the records that changed."""
        started = time.perf_counter()
        belong = looking.among(raw, query, eye.now, changed)
        merged = merge_changed(before, changed, belong, held=held, newest=query.order != "oldest")
        rows = shown_rows(raw, query.kind, sorted(changed)[-AT_ONCE:], replace(eye, kept=merged.kept))
        return messages.Compared(before, merged, time.perf_counter() - started, changed, rows)


def shown_rows(raw: Connection, kind: Literal["facts", "turns"], keys: Sequence[int], eye: Eye) -> dict[int, ListRow]:
    """The rows of the list for these records; those that are gone say so."""
    found: dict[int, ListRow] = {key: gone(key) for key in keys}
    if kind == "facts":
        found.update((n, eye.fact(row)) for n, row in looking.fact_rows(raw, keys).items())
    else:
        found.update((n, eye.turn(row)) for n, row in looking.turn_rows(raw, keys).items())
    return found


def _fact(raw: Connection, generation: int, key: int) -> messages.FactRead | messages.RecordGone:
    fact = looking.fact(raw, key)
    if fact is None:
        return messages.RecordGone(generation)
    return messages.FactRead(
        generation, fact, looking.sources(raw, fact.turns), looking.neighbours(raw, fact.row.id),
        looking.history(raw, fact.row.id),
    )  # fmt: skip


def _turn(raw: Connection, generation: int, key: int) -> messages.TurnRead | messages.RecordGone:
    turn = looking.turn(raw, key)
    return messages.RecordGone(generation) if turn is None else messages.TurnRead(generation, turn)
