"""All reading that the screen does, off its thread.

Each kind of question has a lane, a connection of its own, so that a slow search holds up no row. A question is a
function of a connection that returns a message; the message is posted if it is still wanted by then.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Literal, TypeVar

from textual.app import App
from textual.message import Message

from memview.app import messages
from memview.app.merging import merge
from memview.app.rows import Eye, gone
from memview.app.widgets.record_row import ListRow
from memview.clock import Clock
from memview.errors import MemviewError
from memview.memory import looking
from memview.memory.looking import FactRow, Found, Interrupted, Looker, Query

T = TypeVar("T")

FIRST = 128
"""Records that a search reads first, so that its first rows stand before it has found them all."""


class Lane:
    """A connection that opens at its first question, and what is being asked of it.

    Args:
        path: the store.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._looker: Looker | None = None

    def read(self, work: Callable[[Connection], T]) -> T:
        """What a function reads; see `Looker.read`."""
        with self._lock:
            if self._looker is None:
                self._looker = Looker(self._path)
            looker = self._looker
        return looker.read(work)

    def interrupt(self) -> None:
        """Stop what is being read."""
        if self._looker is not None:
            self._looker.interrupt()

    def close(self) -> None:
        """Stop what is being read and close the file."""
        self.interrupt()
        with self._lock:
            if self._looker is not None:
                self._looker.close()


class Loader:
    """Asks the store for what the screen shows; the answers are messages.

    Args:
        app: runs the threads.
        path: the store.
        clock: tells the time.
        post: takes the answers; called from the threads.
    """

    def __init__(self, app: App[int], path: Path, clock: Clock, post: Callable[[Message], object]) -> None:
        self._app = app
        self._post = post
        self._clock = clock
        self._lookup = looking.Lookup()
        self._lanes = {name: Lane(path) for name in ("search", "rows", "detail", "counts")}
        self._newest: dict[str, int] = {}
        self._closed = False

    def search(self, generation: int, query: Query, eye: Eye) -> None:
        """Find the records of a query: a `Listed` with the first of them, then one with all."""
        self._ask("search", partial(self._listed, generation, query, eye), alone=True)

    def compare(self, generation: int, query: Query, shown: array[int], *, held: bool) -> None:
        """Find the records of a query again, and compare them with those shown: `Compared`."""
        self._ask("search", partial(self._compared, generation, query, shown, held), alone=True)

    def count(self, generation: int, query: Query) -> None:
        """Count the records of a query: `Counted`."""
        now = self._clock()
        self._ask(
            "counts", lambda raw: messages.Counted(generation, query.kind, looking.count(raw, query, now)), slot="count"
        )

    def spaces(self) -> None:
        """Count all namespaces: `SpacesRead`."""
        self._ask("counts", lambda raw: messages.SpacesRead(looking.spaces(raw)), slot="spaces")

    def rows(self, generation: int, kind: Literal["facts", "turns"], keys: Sequence[int], eye: Eye) -> None:
        """Read rows of the list: `RowsRead`. Those that are gone come as rows that say so."""

        def work(raw: Connection) -> Message:
            return messages.RowsRead(generation, shown_rows(raw, kind, keys, eye))

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

    def _ask(self, lane: str, work: Callable[[Connection], Message], *, slot: str = "", alone: bool = False) -> None:
        """Have a question answered in a thread.

        Args:
            lane: where it is asked.
            work: reads the answer.
            slot: a later question of the same slot makes this one void.
            alone: whether it is the lane's only kind of question, so that a later one stops it at work.
        """
        slot = lane if alone else slot
        number = self._newest[slot] = self._newest.get(slot, 0) + 1
        if alone:
            self._lanes[lane].interrupt()
        self._app.run_worker(
            partial(self._answer, self._lanes[lane], work, lambda: not slot or self._newest[slot] == number),
            thread=True,
            exit_on_error=False,
            group=lane,
        )

    def _answer(self, lane: Lane, work: Callable[[Connection], Message], wanted: Callable[[], bool]) -> None:
        """Answer a question, unless a later one has made it void."""
        while wanted() and not self._closed:
            try:
                answer = lane.read(work)
            except Interrupted:
                continue
            except MemviewError as error:
                answer = messages.Failed(error.title, error.hint, error)
            except Exception as error:
                answer = messages.Failed("The store could not be read.", str(error), error)
            if wanted() and not self._closed:
                self._post(answer)
            return

    def _listed(self, generation: int, query: Query, eye: Eye, raw: Connection) -> Message:
        """Answer a search; what comes first is posted on the way."""
        found = self._lookup.find(raw, replace(query, limit=FIRST), eye.now)
        first = shown_rows(raw, query.kind, found.keys[:64], eye)
        if len(found.keys) < FIRST:
            scoped = query.under is not None or query.namespace is not looking.ALL
            elsewhere = 0
            if not found.keys and scoped:
                wide = replace(query, under=None, namespace=looking.ALL)
                elsewhere = looking.count(raw, wide, eye.now)
            return messages.Listed(generation, found, True, first, elsewhere)
        self._post(messages.Listed(generation, found, False, first))
        return messages.Listed(generation, self._found(raw, query), True, {})

    def _found(self, raw: Connection, query: Query) -> Found:
        return self._lookup.find(raw, query, self._clock())

    def _compared(self, generation: int, query: Query, shown: array[int], held: bool, raw: Connection) -> Message:
        started = time.perf_counter()
        merged = merge(shown, self._found(raw, query).keys, held=held)
        return messages.Compared(generation, merged, time.perf_counter() - started)


def shown_rows(raw: Connection, kind: Literal["facts", "turns"], keys: Sequence[int], eye: Eye) -> dict[int, ListRow]:
    """The rows of the list for these records; those that are gone say so."""
    found: dict[int, ListRow] = {key: gone(key) for key in keys}
    if kind == "facts":
        found.update((n, eye.fact(row)) for n, row in looking.fact_rows(raw, keys).items())
    else:
        found.update((n, eye.turn(row)) for n, row in looking.turn_rows(raw, keys).items())
    return found


def _fact(raw: Connection, generation: int, key: int) -> Message:
    fact = looking.fact(raw, key)
    if fact is None:
        return messages.RecordGone(generation)
    return messages.FactRead(
        generation, fact, looking.sources(raw, fact.turns), looking.neighbours(raw, fact.row.id),
        looking.history(raw, fact.row.id),
    )  # fmt: skip


def _turn(raw: Connection, generation: int, key: int) -> Message:
    turn = looking.turn(raw, key)
    return messages.RecordGone(generation) if turn is None else messages.TurnRead(generation, turn)
