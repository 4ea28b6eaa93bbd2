"""A memory store: the file, opened once, and the handles made from it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from memview import clock as clocks
from memview.errors import Invalid, NotFound, ReadOnlyStore
from memview.memory.conversation import Conversation
from memview.memory.memory import Memory
from memview.memory.selection import Selection
from memview.store import backup, blanking, checks, erase, exchange, select, turns, undo
from memview.store.acting import refusal
from memview.store.conditions import ALL, Every, Query
from memview.store.database import Database, Synchronous, Transaction
from memview.store.erase import Erased
from memview.store.exchange import Loaded
from memview.store.files import shown
from memview.store.looking import Looker
from memview.store.models import Turn, attach
from memview.store.query import parse
from memview.store.rows import Space, spaces
from memview.store.stats import Stats, stats
from memview.store.undo import Step, Undone
from memview.store.words import terms

if TYPE_CHECKING:
    from memview.memory.conversation import OnTrim

T = TypeVar("T")
_PATIENCE = 60.0
"""Seconds that a thread which nobody waits for waits for a lock."""


class MemoryStore:
    """A SQLite file in which agents remember. A context manager; threads, processes and forks may share the file.

    ::

        with MemoryStore("agent.db", agent="planner") as store:
            memory = store.memory("user:42")
            memory.write("Deploy window is Tuesday")
            memory.search("When can we deploy?")

    Args:
        path: the file; made when it does not exist.
        agent: who writes; stamped on what is written and named in the change feed.
        read_only: look and never write; the file must exist.
        synchronous: ``"FULL"``: what was acknowledged survives a power cut; ``"NORMAL"``: it survives a crash of the
            program, is faster, and may lose the last writes in a power cut.
        timeout: how many seconds to wait for another process's lock.
        clock: tells the time.

    Raises:
        StoreError: the path cannot be a store; see :mod:`memview.errors`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        agent: str | None = None,
        *,
        read_only: bool = False,
        synchronous: Synchronous = "FULL",
        timeout: float = 5.0,
        clock: clocks.Clock = clocks.utc_now,
    ) -> None:
        self.path = _file(path)
        checks.tells_time(clock)
        timeout = checks.seconds(timeout, "timeout")
        self.agent = agent if agent is None else checks.text(agent, "agent")
        self.clock = clock
        self.tenant_name = ""
        self.unreached: list[str] = []
        """What an earlier erase could not reach and still cannot, one sentence each."""
        self._database: Database | None = None
        self._looker: Looker | None = None
        if read_only:
            self._looker = Looker(self.path, timeout=timeout)
        else:
            self._database = Database(self.path, actor=self.agent, synchronous=synchronous, timeout=timeout, now=clock)
            self.unreached = erase.finish(self._database)

    def __enter__(self) -> MemoryStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"MemoryStore({shown(self.path)!r})"

    @property
    def read_only(self) -> bool:
        """Whether this handle only looks."""
        return self._database is None

    def close(self) -> None:
        """Close the file, for all handles made from this one. Closing twice is harmless."""
        for file in (self._looker, self._database):
            if file is not None:
                file.close()

    def tenant(self, name: str) -> MemoryStore:
        """A handle on the same open file that sees one tenant and nothing else. The empty name is the default one."""
        handle = object.__new__(MemoryStore)
        handle.__dict__.update(self.__dict__)
        handle.tenant_name = checks.text(name, "tenant")
        return handle

    def _aside(self) -> MemoryStore:
        """The same tenant through a connection of its own, for a thread that may wait long for a lock: to be closed."""
        if self._database is None:
            return MemoryStore(self.path, self.agent, read_only=True, clock=self.clock).tenant(self.tenant_name)
        synchronous = self._database._synchronous
        other = MemoryStore(self.path, self.agent, synchronous=synchronous, timeout=_PATIENCE, clock=self.clock)
        return other.tenant(self.tenant_name)

    def memory(self, namespace: str, max_entries: int | None = None) -> Memory:
        """The durable facts of a namespace.

        Args:
            namespace: any text; ``user:42`` and ``project/atlas`` are shown as trees.
            max_entries: how many active facts the namespace keeps: after a write the oldest beyond are pruned, pinned
                ones excepted. It is kept with the namespace, for every handle; None leaves it as it is. A handle that
                would make it cut what is there warns before it does.
        """
        return Memory(self, namespace, max_entries)

    def conversation(
        self,
        session_id: str,
        namespace: str | None = None,
        depth: int | None = None,
        enabled: bool = True,
        read_only: bool = False,
        on_trim: OnTrim | None = None,
        max_turns: int | None = None,
        background: bool = False,
    ) -> Conversation:
        """The turns of one session; see :class:`memview.Conversation`."""
        return Conversation(
            self, session_id, namespace=namespace, depth=depth, enabled=enabled,
            read_only=read_only or self.read_only, on_trim=on_trim, max_turns=max_turns, background=background,
        )  # fmt: skip

    def select(self, query: str | Query) -> Selection:
        """The facts of this tenant that a query has now, to do something with all of them.

        Args:
            query: in the language of the search (``tag:deploy strength<0.1``), all words counting; or a query value.

        Raises:
            Invalid: a part of the text could not be understood, or it limits nothing: nothing is guessed where many
                facts are at stake. A query value is taken as it is.
        """
        if isinstance(query, str):
            parsed = parse(query, now=self.clock())
            if reason := refusal(query, parsed, Query()):
                raise Invalid(reason, "Mend the query first.")
            query = parsed.query
        elif not isinstance(query, Query):
            raise Invalid("A query is a text or a Query.")
        asked = replace(query, tenant=self.tenant_name, kind="facts")
        return Selection(self, self._read(lambda raw: select.aims(raw, asked, self.clock())))

    def namespaces(self) -> list[Space]:
        """The namespaces of this tenant, each with its exact counts of active facts and of turns."""
        return [space for space in self._read(spaces) if space.tenant == self.tenant_name]

    def stats(self) -> Stats:
        """The whole file in numbers, all tenants included."""
        return self._read(lambda raw: stats(raw, self.path))

    def search_turns(
        self,
        query: str,
        namespace: str | Every | None = ALL,
        session: str | Every = ALL,
        limit: int = 10,
        context: bool = True,
    ) -> list[Turn]:
        """The turns of this tenant that match one of the words of a text, best first.

        Args:
            query: what to look for; no character is syntax.
            namespace: one namespace, None for the turns without one, or :data:`ALL`.
            session: one session or :data:`ALL`.
            limit: the most to return; 0 means all.
            context: whether words of the turns before and after help to find a turn.

        Returns:
            Turns with ``score`` (higher is better) and ``why``.
        """
        wanted, most = terms(checks.asked(query)), checks.limit(limit)
        if not wanted:
            return []
        asked = Query(
            kind="turns", tenant=self.tenant_name, namespace=namespace, terms=wanted, match="any", order="relevance",
            sessions=() if isinstance(session, Every) else (session,), limit=most, context=context,
        )  # fmt: skip

        def work(raw: sqlite3.Connection) -> list[Turn]:
            found = select.find(raw, asked, self.clock())
            known = turns.by_numbers(raw, found.keys)
            for turn in known:
                attach(turn, score=found.scores.get(turn.n or 0), why=found.why.get(turn.n or 0, ""))
            return known

        return self._read(work)

    def export(self, namespace: str | None = None, *, every_tenant: bool = False) -> Iterator[str]:
        """The records of this tenant as JSON lines, as of one moment and with nothing lost; :meth:`load` reads them.

        The first line names the format; each other is one turn, fact, link, decision or namespace with its columns.
        Forgotten facts are among them, so that they stay forgotten; the history is not.

        Args:
            namespace: this one alone; links that lead out of it stay behind.
            every_tenant: the whole file, all tenants included.

        Yields:
            Lines without their ends.
        """
        tenant = None if every_tenant else self.tenant_name
        yield from self._read(lambda raw: list(exchange.lines(raw, tenant, namespace)))

    def load(self, lines: Iterable[str], *, every_tenant: bool = False, dry_run: bool = False) -> Loaded:
        """Add the records of JSON lines that :meth:`export` made, in one step for undo. What is there is never changed.

        Args:
            lines: with their ends or without; blank ones do not count.
            every_tenant: let records into the tenants they name; otherwise those of other tenants are refused.
            dry_run: count, and change nothing.

        Returns:
            How many were added and how many were there already, and the lines that were refused, by number.
        """
        given = list(lines)  # before the lock is taken: they may come slowly
        tenant = None if every_tenant else self.tenant_name
        with suppress(_GivenUp), self._transaction("import") as tx:
            loaded = exchange.load(tx, given, tenant)
            if dry_run:
                raise _GivenUp
        return loaded

    def undo(self) -> Undone | None:
        """Take back the newest standing action of this agent in this tenant, over restarts too; None if there is none.

        Raises:
            Conflict: someone else changed a record of it since; nothing is taken back.
        """
        return self._take_back("undo", undo.undoable)

    def redo(self) -> Undone | None:
        """Do again what the last :meth:`undo` took back; None if there is nothing, or something was done since."""
        return self._take_back("redo", undo.redoable)

    def erase(
        self,
        *,
        ids: Iterable[str] = (),
        session: str | None = None,
        namespace: str | None = None,
        value: str | None = None,
        dry_run: bool = False,
    ) -> Erased:
        """Remove every copy of records from every file of the store. There is no undo.

        An erased text may be learnt again: nothing of it is kept to prevent that.

        Args:
            ids: facts and turns.
            session: everything that was learnt or said in it.
            namespace: everything in it.
            value: every copy of this text, at least four characters, wherever it stands: a record that is nothing else
                goes whole, any other keeps ``[erased]`` in its place. Not together with the others.
            dry_run: count, and change nothing.

        Raises:
            NotFound: none of that exists in this tenant.
        """
        named = checks.texts(ids, "ids")
        for name, given in (("session", session), ("namespace", namespace)):
            if given is not None:
                checks.text(given, name)
        if value is not None:
            if named or session is not None or namespace is not None:
                raise Invalid("Erase a value alone, or records by id, session or namespace.")
            return self._erase_value(value, dry_run)
        return self._erase_records(named, session, namespace, dry_run)

    def _erase_records(self, ids: list[str], session: str | None, namespace: str | None, dry_run: bool) -> Erased:
        def choose(raw: sqlite3.Connection) -> erase.Victims:
            found = erase.chosen(raw, self.tenant_name, ids=ids, session=session, namespace=namespace)
            if not found:
                raise NotFound("There is nothing of that to erase.", "Check the id, and which tenant it belongs to.")
            return found

        def copies(victims: erase.Victims) -> list[Path]:
            return backup.holding(self.path, backup.having(victims.all))

        if dry_run:
            victims = self._read(choose)
            return Erased(_with_copies(self._read(lambda raw: erase.places(raw, victims)), copies(victims)))
        with self._transaction("erase") as tx:
            victims = choose(tx.raw)
            counts = _with_copies(erase.places(tx.raw, victims), found := copies(victims))
            backup.drop(found)
            needles = erase.remove(tx, victims, tenant=self.tenant_name, namespace=namespace)
        backup.drop(copies(victims))  # of before, made meanwhile
        assert self._database is not None
        return Erased(counts, erase.scrub(self._database, needles))

    def _erase_value(self, value: str, dry_run: bool) -> Erased:
        def choose(raw: sqlite3.Connection) -> blanking.Holders:
            found = blanking.holders(raw, self.tenant_name, value)
            if not found:
                raise NotFound("That value stands nowhere in this store.", "Check its spelling: every letter counts.")
            return found

        def copies() -> list[Path]:
            return backup.holding(self.path, lambda copy: blanking.holders(copy, self.tenant_name, value))

        if dry_run:
            return Erased(_with_copies(self._read(choose).places, copies()))
        with self._transaction("erase") as tx:
            found = choose(tx.raw)
            places = _with_copies(found.places, gone := copies())
            backup.drop(gone)
            blanking.blank(tx, found, value)
            erase.remember(tx)
        backup.drop(copies())  # of before, made meanwhile
        assert self._database is not None
        named = [f"It is also part of the name of a {name}, which stays." for name in found.names]
        needles = [] if named else erase.forms(value)
        return Erased(places, [*erase.scrub(self._database, needles, backups=True), *named])

    def _take_back(
        self, verb: str, choose: Callable[[sqlite3.Connection, str | None, str | None], Step | None]
    ) -> Undone | None:
        def chosen(raw: sqlite3.Connection) -> Step | None:
            return choose(raw, self.agent, self.tenant_name)

        while (step := self._read(chosen)) is not None:
            with self._transaction(verb, of=step.action) as tx:
                if chosen(tx.raw) == step:  # else another process was quicker
                    return undo.take_back(tx, step)
        return None

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        file = self._database or self._looker
        assert file is not None
        return file.read(work)

    def _transaction(self, verb: str, *, of: str = "") -> AbstractContextManager[Transaction]:
        if self._database is None:
            raise ReadOnlyStore(f"{shown(self.path)} was opened read-only.", "Open it without read_only to change it.")
        return self._database.transaction(verb, of=of)


def _file(path: str | os.PathLike[str]) -> Path:
    """The path of a store, which must be one that a file can have."""
    if os.fspath(path) in ("", ":memory:"):
        raise Invalid("A store lives in a file.", "For a passing one, use a path in a temporary folder.")
    try:
        if b"\0" not in os.fsencode(path):
            return Path(path)
    except UnicodeEncodeError:
        pass
    raise Invalid("No file can have that name.", "It holds NUL, or half a surrogate pair.")


def _with_copies(places: dict[str, int], copies: list[Path]) -> dict[str, int]:
    """The places of an erase with the backups that go with it, where there are any."""
    return {**places, "backups": len(copies)} if copies else places


class _GivenUp(Exception):
    """Ends a transaction that was only a trial."""
