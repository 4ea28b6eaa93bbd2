"""One session's turns, as an agent's loop uses them."""

from __future__ import annotations

import atexit
import logging
import math
import os
import queue
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from memview import clock
from memview.errors import Invalid
from memview.store import checks, turns
from memview.store.models import Turn
from memview.store.turns import Session

if TYPE_CHECKING:
    from memview.memory.store import MemoryStore

OnTrim = Callable[[list[Turn]], object]
"""Called once with the turns that are about to be dropped, oldest first.

It runs inside the write that drops them: nothing is recorded or dropped when it raises, and slow work is not for it.
"""
Turns = list[Turn]
Jobs = queue.Queue[Callable[[], object] | None]
log = logging.getLogger("memview")


@dataclass(slots=True)
class Pending:
    """A turn in the making; see :meth:`Conversation.turn`."""

    request: str
    response: str = ""
    meta: dict[str, Any] = field(default_factory=dict)


class Conversation:
    """The turns of one session in one namespace. Recording is by hand: nothing is stored unless ``record`` is called.

    Args:
        store: the open store, bound to a tenant.
        session_id: any text.
        namespace: None is a namespace of its own.
        depth: how many of the last turns ``load``, ``turns`` and ``to_messages`` give; None for all.
        enabled: False: neither reads nor writes.
        read_only: ``load`` works, ``record`` does nothing.
        on_trim: called once with the turns that ``max_turns`` is about to drop.
        max_turns: how many turns are kept: above it the oldest ``max(1, max_turns // 10)`` go. None keeps all.
        background: write from a worker thread; ``close`` (and the end of the interpreter) waits for it, and an error
            reaches the caller at the next call.
    """

    def __init__(
        self,
        store: MemoryStore,
        session_id: str,
        *,
        namespace: str | None = None,
        depth: int | None = None,
        enabled: bool = True,
        read_only: bool = False,
        on_trim: OnTrim | None = None,
        max_turns: int | None = None,
        background: bool = False,
    ) -> None:
        name = None if namespace is None else checks.text(namespace, "namespace")
        self.store = store
        self.session = Session(store.tenant_name, name, checks.text(session_id, "session_id"))
        self.depth = None if depth is None else checks.whole(depth, "depth", 0)
        self.enabled = enabled
        self.read_only = read_only
        self._on_trim = on_trim
        self._max_turns = None if max_turns is None else checks.whole(max_turns, "max_turns", 1)
        self._loaded: Turns | None = None
        self._cleared = False
        self._writer = _Writer() if background else None

    def __enter__(self) -> Conversation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def record(
        self, /, request: str = "", response: str = "", *, at: datetime | None = None, **meta: Any
    ) -> Turn | None:
        """Store one turn.

        Args:
            request: what was asked.
            response: what was answered.
            at: when; now unless given.
            **meta: anything that JSON can hold.

        Returns:
            The turn; None where nothing is stored now (not enabled, read-only, or in the background).

        Raises:
            Invalid: a value cannot be stored.
            StoreError: the file cannot be written.
        """
        self._surface()
        if not self.enabled or self.read_only:
            return None
        texts = checks.text(request, "request"), checks.text(response, "response")
        values = (*texts, checks.moment(at), checks.metadata(meta))
        if self._writer is not None:
            self._writer.put(lambda: self._record(*values))
            return None
        return self._record(*values)

    @contextmanager
    def turn(self, /, request: str, **meta: Any) -> Iterator[Pending]:
        """Record a turn when the block ends well, and nothing when it raises.

        ::

            with conversation.turn("hello") as turn:
                turn.response = agent.answer(turn.request)
        """
        pending = Pending(request, meta=dict(meta))
        yield pending
        self.record(pending.request, pending.response, **pending.meta)

    def load(self) -> Conversation:
        """Read the stored turns, the last ``depth`` of them, anew."""
        self._settle()
        self._cleared = False
        if self.enabled:
            self._loaded = self.store._read(lambda raw: turns.of_session(raw, self.session, self.depth))
        else:
            self._loaded = []
        return self

    def turns(self) -> Turns:
        """The loaded turns, oldest first; loads them if nothing was loaded yet."""
        self._settle()
        if self._loaded is None:
            self.load()
        loaded = list(self._loaded or ())
        return loaded if self.depth is None else loaded[max(0, len(loaded) - self.depth) :]

    def to_messages(
        self,
        *,
        filter: Callable[[Turn], bool] | None = None,
        since: datetime | None = None,
        token_budget: int | None = None,
        count_tokens: Callable[[str], int] | None = None,
        turn_ids: bool = False,
    ) -> list[dict[str, str]]:
        """The turns as chat messages, two a turn; an empty side is left out.

        In this order: ``filter``, ``since``, the last ``depth``, the budget.

        Args:
            filter: keeps the turns for which it is true.
            since: keeps turns at or after it, and those whose time cannot be read.
            token_budget: the most tokens; whole turns from the newest to the oldest, up to the first that does not
                fit. 0 or less gives nothing.
            count_tokens: tokens of a text; ``ceil(characters / 4)`` unless given, over request and response together.
            turn_ids: give each message the ``turn_id`` of its turn, for :class:`memview.MemoryExtractor`.
        """
        kept = self.turns() if filter is None and since is None else self._all()
        if filter is not None:
            kept = [turn for turn in kept if filter(turn)]
        moment = checks.moment(since, "since")
        if moment is not None:
            kept = [turn for turn in kept if turn.at == clock.EPOCH or turn.at >= moment]
        if self.depth is not None:
            kept = kept[max(0, len(kept) - self.depth) :]
        if token_budget is not None:
            kept = _within(kept, token_budget, count_tokens or _quarter)
        return [
            {"role": role, "content": text} | ({"turn_id": turn.id} if turn_ids else {})
            for turn in kept
            for role, text in (("user", turn.request), ("assistant", turn.response))
            if text
        ]

    def size(self) -> int:
        """How many turns are stored for this session and namespace, whatever ``depth``."""
        self._settle()
        return self.store._read(lambda raw: turns.size(raw, self.session)) if self.enabled else 0

    def clear(self) -> None:
        """Empty what is loaded; the file is not touched."""
        self._settle()
        self._loaded, self._cleared = [], True

    def delete(self) -> int:
        """Remove the stored turns of this session and namespace, and nothing else. Returns how many went."""
        self._settle()
        if not self.enabled or self.read_only:
            return 0
        with self.store._transaction("delete") as tx:
            gone = turns.delete(tx, self.session)
        self.clear()
        return gone

    def close(self) -> None:
        """Wait for background writes.

        Raises:
            MemviewError: one of them failed.
        """
        if self._writer is not None:
            self._writer.stop()
        self._surface()

    def _record(self, request: str, response: str, at: datetime | None, meta: dict[str, Any]) -> Turn:
        with self.store._transaction("record") as tx:
            turn = turns.record(tx, self.session, request, response, at, meta)
            self._trim(tx)
        if self._loaded is not None:
            self._loaded.append(turn)
        return turn

    def _trim(self, tx: Any) -> None:
        if self._max_turns is None or turns.size(tx.raw, self.session) <= self._max_turns:
            return
        count = max(1, self._max_turns // 10)
        if self._on_trim is not None:
            self._on_trim(turns.of_session(tx.raw, self.session)[:count])
        turns.delete(tx, self.session, count)
        if self._loaded is not None:
            kept = {turn.n for turn in turns.of_session(tx.raw, self.session)}
            self._loaded = [turn for turn in self._loaded if turn.n in kept]

    def _all(self) -> Turns:
        """All turns, whatever ``depth``, since filter and since come first; after ``clear`` those recorded since."""
        self._settle()
        if self._cleared or not self.enabled:
            return list(self._loaded or ())
        return self.store._read(lambda raw: turns.of_session(raw, self.session))

    def _settle(self) -> None:
        """Wait for what was recorded in the background, and raise what went wrong with it."""
        if self._writer is not None:
            self._writer.flush()
            self._writer.surface()

    def _surface(self) -> None:
        if self._writer is not None:
            self._writer.surface()


def _quarter(text: str) -> int:
    return math.ceil(len(text) / 4)


def _within(kept: Turns, budget: int, count: Callable[[str], int]) -> Turns:
    if not checks.is_number(budget):
        raise Invalid("token_budget is a number.")
    if budget <= 0:
        return []
    left = budget
    for place in range(len(kept) - 1, -1, -1):
        left -= count(kept[place].request + kept[place].response)
        if left < 0:
            return kept[place + 1 :]
    return kept


class _Writer:
    """Does one thing after another in a thread of its own, and keeps the first error for the next caller."""

    def __init__(self) -> None:
        self._renew()
        _WRITERS.add(self)

    def _renew(self) -> None:
        self._jobs: Jobs = queue.Queue()
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def put(self, job: Callable[[], object]) -> None:
        """Do this after all that came before."""
        with self._starting:
            if self._thread is None:
                before, self._jobs = self._jobs, queue.Queue()
                given = (self._jobs, before)
                self._thread = threading.Thread(target=self._work, args=given, name="memview-writer", daemon=True)
                self._thread.start()
            self._jobs.put(job)

    def flush(self) -> None:
        """Wait until everything is done."""
        self._jobs.join()

    def surface(self) -> None:
        """Raise the error that a job left, once."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def stop(self) -> None:
        """End the thread when everything is done; a later job starts another."""
        with self._starting:
            thread, self._thread = self._thread, None
            if thread is not None:
                self._jobs.put(None)
        if thread is not None:
            thread.join()
        self.flush()  # which another thread may have told it to end

    def report(self) -> None:
        """Say in the log what nobody will ask for any more."""
        if self._error is not None:
            log.error("a turn could not be recorded", exc_info=self._error)

    def _work(self, jobs: Jobs, before: Jobs) -> None:
        before.join()  # what another thread has still to do
        while (job := jobs.get()) is not None:
            try:
                job()
            except BaseException as error:  # handed to the caller by surface()
                if self._error is not None:
                    log.error("another turn could not be recorded", exc_info=error)
                self._error = self._error or error
            finally:
                jobs.task_done()
        jobs.task_done()


_WRITERS: weakref.WeakSet[_Writer] = weakref.WeakSet()


def _flush_all() -> None:
    for writer in list(_WRITERS):
        writer.flush()
        writer.report()


def _forget_all() -> None:
    """A forked child has none of its parent's threads, and what they were to write is its parent's."""
    for writer in list(_WRITERS):
        writer._renew()


atexit.register(_flush_all)
os.register_at_fork(after_in_child=_forget_all)
