"""The handle that writes: one connection, one explicit transaction at a time, safe in threads, processes and forks.

A transaction begins IMMEDIATE, so that it waits for the lock before it reads anything, and nothing outside
:meth:`Database.transaction` ever commits.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from memview import clock
from memview.errors import MissingStore, NotAStore
from memview.store import files, index, within
from memview.store.header import APPLICATION_ID, VERSION
from memview.store.ids import new_id
from memview.store.orm import Connection, DBAPIError, NullPool, create_engine
from memview.store.schema import MIGRATIONS

T = TypeVar("T")
Synchronous = Literal["FULL", "NORMAL"]
log = logging.getLogger("memview")


@dataclass(slots=True)
class Transaction:
    """What a write works with while its transaction is open."""

    connection: Connection
    """For Core statements on the tables of :mod:`memview.store.models`."""
    raw: sqlite3.Connection
    """The same connection, for plain SQL."""
    at: Any
    """The time of the action, an aware datetime."""
    stamp: str
    """The same as it is stored."""
    actor: str | None
    action: str
    """``<verb>:<id>``; every row of the change feed that this transaction makes carries it."""


class Database:
    """A store's file, opened for writing.

    Args:
        path: the file; created, with its tables, when it is missing or empty.
        actor: who writes, for the change feed.
        synchronous: ``FULL``: what was acknowledged survives a power cut. ``NORMAL``: it survives a crash of the
            program, and the last writes may be lost in a power cut.
        timeout: how many seconds to wait for another process's lock.
        now: the clock.

    Raises:
        StoreError: the file cannot be a store, or cannot be written; see :mod:`memview.errors`.
    """

    def __init__(
        self,
        path: Path,
        *,
        actor: str | None = None,
        synchronous: Synchronous = "FULL",
        timeout: float = 5.0,
        now: clock.Clock = clock.utc_now,
    ) -> None:
        if synchronous not in ("FULL", "NORMAL"):
            raise ValueError('synchronous is "FULL" or "NORMAL"')
        self.path = path
        self.actor = actor
        self.now = now
        self._synchronous = synchronous
        self._timeout = self._patience = timeout
        self._lock = threading.RLock()
        self._core: Connection | None = None
        self._raw: sqlite3.Connection | None = None
        """The same connection, as SQLite's own."""
        self._pid = 0
        self._open = True
        self._inside: Transaction | None = None
        with self._lock:
            _OPEN.add(self)  # before it opens, so that a fork waits until it has
            self._connected()

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What ``work`` reads from the connection, all of it as of one moment; it must finish its cursors.

        Raises:
            StoreError: the file cannot be read.
        """
        with self._lock, files.plainly(self.path):
            raw = self._patient(self._timeout)
            with files.one_moment(raw):
                return work(raw)

    @contextmanager
    def transaction(self, verb: str, *, of: str = "", actor: str | None = None) -> Iterator[Transaction]:
        """One write, all or nothing. Inside another one of the same thread it is a part of that one.

        Args:
            verb: what is done, e.g. ``forget``; it names the action in the change feed.
            of: the action that an undo or redo takes back.
            actor: who does it, when that is not the handle's own.

        Raises:
            BusyStore: another process held the lock for the whole timeout.
            StoreError: the file cannot be written; nothing was.
        """
        with self._lock, _Plainly(self.path):
            if self._inside is not None:
                with _savepoint(self._inside.raw):
                    yield self._inside
                return
            raw = self._patient(0)
            core = self._connected()
            try:
                _lock(raw, self._timeout)
                at = self.now()
                action = f"{verb}:{new_id(at)}" + (f":{of}" if of else "")
                self._inside = Transaction(core, raw, at, clock.to_text(at), actor or self.actor, action)
                self._begin(self._inside)
                yield self._inside
                self._mine(core)
                raw.execute("DELETE FROM context")
                raw.commit()
                core.commit()
            except BaseException:
                if core is self._core:
                    core.rollback()
                    raw.rollback()
                    within.forget(raw)
                raise
            finally:
                self._inside = None

    @staticmethod
    def _begin(tx: Transaction) -> None:
        tx.raw.execute("INSERT INTO context VALUES (1, ?, ?, ?)", (tx.actor, tx.action, tx.stamp))
        index.drain(tx.raw)

    def _mine(self, core: Connection) -> None:
        """A child that was forked inside a transaction must not commit it: it is its parent's."""
        if core is not self._core:
            raise RuntimeError("this transaction belongs to the process that forked")

    def close(self) -> None:
        """Close the file. Closing twice is harmless."""
        with self._lock:
            self._open = False
            self._disconnect()
            _OPEN.discard(self)

    @contextmanager
    def exclusively(self) -> Iterator[sqlite3.Connection]:
        """The bare connection, outside a transaction, for work such as VACUUM that allows none."""
        with self._lock, _Plainly(self.path):
            yield self._patient(self._timeout)

    def _patient(self, seconds: float) -> sqlite3.Connection:
        """The connection, in which SQLite itself waits so long for a lock."""
        self._connected()
        raw = self._raw
        assert raw is not None
        if self._patience != seconds:
            raw.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
            self._patience = seconds
        return raw

    def _connected(self) -> Connection:
        if not self._open:
            raise ValueError("this store is closed")
        if self._core is None:
            with _Plainly(self.path):
                self._core = self._connect()
                self._raw = _raw(self._core)
                self._patience = self._timeout
            self._pid = os.getpid()
        return self._core

    def _connect(self) -> Connection:
        _may_open(self.path)
        raw = sqlite3.connect(
            files.uri(self.path, mode="rwc"),
            uri=True,
            timeout=self._timeout,
            isolation_level=None,
            check_same_thread=False,
            factory=within.Connection,
        )
        try:
            raw.text_factory = files.lenient
            _prepare(self.path, raw)
            raw.execute("PRAGMA foreign_keys = ON")
            raw.execute("PRAGMA secure_delete = FAST")
            raw.execute(f"PRAGMA synchronous = {self._synchronous}")
        except BaseException:
            raw.close()
            raise
        engine = create_engine("sqlite://", creator=lambda: raw, poolclass=NullPool, json_serializer=to_json)
        return engine.connect()

    def _disconnect(self) -> None:
        if self._core is not None:
            self._core.close()
        self._core = self._raw = None

    # A SQLite connection must not cross a fork: it is closed before, and opened again on both sides when next used.
    # Inside a transaction it stays open for the parent; the child lets go of it without a word.

    def _before_fork(self) -> None:
        if self._inside is None:
            self._disconnect()

    def _after_fork(self) -> None:
        if self._core is not None and self._pid != os.getpid():
            _ABANDONED.append(self._core)
            self._core = self._raw = self._inside = None
        self._lock.release()


def _lock(raw: sqlite3.Connection, timeout: float) -> None:
    """Begin a write transaction, waiting so many seconds for another process's lock.

    SQLite itself would wait ever longer between its tries, up to a tenth of a second: of many busy writers some would
    starve, since the lock is never free for long. Here whoever has waited for some time tries more often than those
    who came after, and less often again where one holds the lock for long.
    """
    begun = time.monotonic()
    while True:
        try:
            raw.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            waited = time.monotonic() - begun
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited >= timeout:
                raise
            pause = next(pause for least, pause in _PAUSES if waited >= least)
            time.sleep(min(pause, timeout - waited))
        else:
            return


_PAUSES = ((2.0, 0.005), (0.015, 0.0005), (0.0, 0.003))
"""From how many seconds of waiting on one pauses for how many between two tries for the lock."""


@contextmanager
def _savepoint(raw: sqlite3.Connection) -> Iterator[None]:
    """A part of a transaction that can fail alone."""
    raw.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        if raw.in_transaction:  # SQLite itself rolls all of it back when the disk is full
            raw.execute("ROLLBACK TO part")
            raw.execute("RELEASE part")
            within.forget(raw)
        raise
    raw.execute("RELEASE part")


def _may_open(path: Path) -> None:
    """Refuse what is there and no store; a missing or empty file will be filled."""
    before = files.stamp(path)
    try:
        files.examine(path)
    except MissingStore:
        if not path.parent.is_dir():
            raise MissingStore(f"The folder of {files.shown(path)} does not exist.", "Create it first.") from None
    except NotAStore:
        if path.is_file() and path.stat().st_size == 0:
            return
        if files.stamp(path) == before:
            raise
        files.examine(path)  # another process made it in this instant


def _prepare(path: Path, raw: sqlite3.Connection) -> None:
    """Make the tables of a new store, or bring an older store up to this version."""
    if raw.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
        raw.execute("BEGIN EXCLUSIVE")
        if raw.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
            raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            for migration in MIGRATIONS:
                _apply(raw, migration.number, migration.statements)
        raw.execute("COMMIT")
    version = files.identify(path, raw)
    if raw.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        raw.execute("PRAGMA journal_mode = WAL")
    for migration in MIGRATIONS[version:]:
        raw.execute("BEGIN IMMEDIATE")
        if raw.execute("PRAGMA user_version").fetchone()[0] == migration.number - 1:
            _apply(raw, migration.number, migration.statements)
            log.warning(
                "%s was migrated to schema %d (%s); programs older than this one can no longer open it.",
                files.shown(path),
                migration.number,
                migration.name,
            )
        raw.execute("COMMIT")


def _apply(raw: sqlite3.Connection, number: int, statements: tuple[str, ...]) -> None:
    for statement in statements:
        raw.execute(statement)
    raw.execute(f"PRAGMA user_version = {number}")


class _Plainly:
    """Like :func:`files.plainly`, for what SQLAlchemy wraps as well; every write passes here."""

    __slots__ = ("path",)

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DBAPIError):
            raise files.explain(error.orig or error, self.path) from error
        if isinstance(error, (sqlite3.Error, UnicodeError, MemoryError)):
            raise files.explain(error, self.path) from error


def _raw(core: Connection) -> sqlite3.Connection:
    driver: Any = core.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def to_json(value: object) -> str:
    """A JSON column as it is stored: compact, nothing escaped that need not be."""
    return _ENCODER.encode(value)


_OPEN: weakref.WeakSet[Database] = weakref.WeakSet()
_FORKING: list[Database] = []
_STUCK = 0.2
"""Seconds after which a fork that waits for one store lets go of the others."""
_ABANDONED: list[object] = []
"""Connections inherited through a fork inside a transaction: never used, never closed."""


def _before_fork() -> None:
    _FORKING.clear()
    while found := [database for database in list(_OPEN) if database not in _FORKING]:
        for database in found:
            if not database._lock.acquire(timeout=_STUCK):
                _let_go()  # who has it may be writing into several stores, and wait for one of those
                database._lock.acquire()
            _FORKING.append(database)
            database._before_fork()  # before it is looked whether a thread opened another one meanwhile


def _let_go() -> None:
    while _FORKING:
        _FORKING.pop()._lock.release()


def _after_fork() -> None:
    for database in _FORKING:
        database._after_fork()
    _FORKING.clear()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
assert MIGRATIONS[-1].number == VERSION == len(MIGRATIONS)
