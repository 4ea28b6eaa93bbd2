"""The handle that looks: it reads a store and leaves every file as it found it.

How the file is opened depends on what stands beside it (all of it was measured):

- no write-ahead log: ``immutable``, which makes no sidecar; what was read counts only if the file's stamp is the same
  before and after;
- a log with its shared memory: a writer is there or was; plain ``mode=ro``, in short reads;
- otherwise (a log without shared memory, in a folder that may not be written; a hot journal): a private copy.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Literal, TypeVar

from memview.errors import BusyStore, MissingStore, StoreError
from memview.store import files, within
from memview.text import one_line

T = TypeVar("T")
Mode = Literal["immutable", "shared", "copy"]
_TRIES = 50
_CACHED = 8_000
"""KiB of pages that a connection keeps, taken as they are read: the inner pages of a million facts' trees."""
_TICK = 20_000_000
"""Nanoseconds after which a file's time certainly differs; kernels tick each 1 to 10 milliseconds."""
_ABANDONED: list[object] = []
"""Connections inherited through a fork: never used, never closed."""


class Interrupted(Exception):
    """The read was stopped by :meth:`Looker.interrupt`; ask again if the answer is still wanted."""


class Looker:
    """A store's file, opened for looking. Threads may share one; they take turns.

    Args:
        path: the store.
        timeout: how many seconds to wait for another process's lock.
        cached: how many KiB of pages to keep; what reads a table from end to end needs few.

    Raises:
        StoreError: there is no store at the path that could be read; see :mod:`memview.errors`.
    """

    def __init__(self, path: Path, *, timeout: float = 5.0, cached: int = _CACHED) -> None:
        self.path = path
        self._cached = cached
        self._timeout = timeout
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._opened = 0
        self._interrupted = False
        self._mode: Mode = "immutable"
        self._stamp = files.Stamp(0, 0, 0, -1, False, False)
        self._copy: Callable[[], object] | None = None
        _LOOKERS.add(self)
        self.read(lambda connection: None)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What ``work`` reads, all of it as of one moment.

        It may be called again when the file changed under it, and must finish its cursors.

        Raises:
            Interrupted: :meth:`interrupt` was called meanwhile.
            StoreError: the file cannot be read.
        """
        with self._lock:
            for _ in range(_TRIES):
                connection = self._current()
                try:
                    with files.plainly(self.path), files.one_moment(connection):
                        result = work(connection)
                except Exception as error:
                    if "interrupted" in str(error.__cause__):
                        self._interrupted = True
                        raise Interrupted from None
                    if self._steady():
                        raise
                else:
                    if self._steady():
                        return result
            raise BusyStore(f"{files.shown(self.path)} keeps changing while it is read.", "Try again in a moment.")

    def token(self) -> Hashable:
        """Something that differs once anybody has committed, or the file was replaced. It costs microseconds.

        Raises:
            MissingStore: the file is gone.
            StoreError: it cannot be read any more.
        """
        with self._lock:
            connection = self._current()
            if self._mode != "shared":
                return self._stamp
            with files.plainly(self.path):
                (version,) = connection.execute("PRAGMA data_version").fetchone()
            return (self._stamp.inode, version, self._opened)

    def interrupt(self) -> None:
        """Stop the read that another thread is in, if any."""
        connection = self._connection
        if connection is not None:
            with contextlib.suppress(sqlite3.ProgrammingError):  # it was closed this instant: nothing to stop
                connection.interrupt()

    def close(self) -> None:
        """Close the file and remove the private copy, if there was one."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if self._copy is not None:
                self._copy()
                self._copy = None

    def _current(self) -> sqlite3.Connection:
        """A connection that fits what now stands on the disk."""
        if self._connection is None or not self._steady() or not self._recovered(self._connection):
            self._connection = self._opened_anew()
        return self._connection

    def _let_go(self) -> None:
        """In a forked child: no connection crosses a fork, and whoever was reading there is not in the child."""
        _ABANDONED.append((self._connection, self._copy))
        self._connection = self._copy = None
        self._lock = threading.RLock()

    def _recovered(self, connection: sqlite3.Connection) -> bool:
        """Whether a connection has got over its last interruption.

        The text index may be left inside a statement of its own; then SQLite never takes the interruption back, every
        later statement is interrupted too, and the transaction stays open.
        """
        if not self._interrupted:
            return True
        self._interrupted = False
        try:
            connection.execute("SELECT 1").fetchone()
        except sqlite3.OperationalError:
            return False
        return not connection.in_transaction

    def _opened_anew(self) -> sqlite3.Connection:
        """A new connection; tried again where a writer came, went or moved pages in that instant."""
        for _ in range(_TRIES):
            self.close()
            self._stamp, self._mode = self._settled(), "immutable"
            self._opened += 1
            try:
                with files.plainly(self.path):
                    return self._open()
            except StoreError:
                if self._steady():
                    raise
        raise BusyStore(f"{files.shown(self.path)} keeps changing while it is opened.", "Try again in a moment.")

    def _settled(self) -> files.Stamp:
        """A stamp that every later write will change: the times of files move in ticks of some milliseconds."""
        for _ in range(_TRIES):
            stamp = files.stamp(self.path)
            if stamp.shared or not 0 <= time.time_ns() - stamp.mtime < _TICK:
                break
            time.sleep(_TICK / 1e9)
        return stamp

    def _steady(self) -> bool:
        now = files.stamp(self.path)
        if self._mode == "shared":
            return now.inode == self._stamp.inode and now.shared
        return now == self._stamp

    def _open(self) -> sqlite3.Connection:
        files.examine(self.path)
        if self._stamp.inode == 0:
            raise MissingStore(f"{files.shown(self.path)} is gone.", "It was moved or deleted.")
        if self._stamp.shared:
            self._mode = "shared"
            try:
                return self._checked(files.uri(self.path, mode="ro"))
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise
        elif self._stamp.quiet:
            self._mode = "immutable"
            return self._checked(files.uri(self.path, mode="ro", immutable="1"))
        self._mode = "copy"
        return self._checked(files.uri(self._copied(), mode="rw"))

    def _checked(self, uri: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri,
            uri=True,
            timeout=self._timeout,
            isolation_level=None,
            check_same_thread=False,
            factory=within.Connection,
        )
        try:
            connection.text_factory = files.lenient
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(f"PRAGMA cache_size = -{self._cached}")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
            files.identify(self.path, connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _copied(self) -> Path:
        """A private copy of the store with its log or journal, taken while neither changed."""
        try:
            return self._copied_into(Path(tempfile.mkdtemp(prefix="memview-")))
        except OSError as error:
            raise StoreError(
                f"{files.shown(self.path)} can be read only from a copy, which could not be made: "
                f"{one_line(error.strerror or str(error), 200)}.",
                "Check its folder, and the space for temporary files ($TMPDIR).",
            ) from error

    def _copied_into(self, folder: Path) -> Path:
        self._copy = weakref.finalize(self, _remove, folder, os.getpid())
        copy = folder / "store.db"
        for _ in range(_TRIES):
            before = self._stamp
            for suffix in ("", "-wal", "-journal"):
                source, target = files.beside(self.path, suffix), files.beside(copy, suffix)
                target.unlink(missing_ok=True)
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(source, target)
                    target.chmod(0o600)
            self._stamp = files.stamp(self.path)
            if self._stamp == before:
                return copy
        raise BusyStore(f"{files.shown(self.path)} keeps changing while it is copied.", "Try again in a moment.")


def _remove(folder: Path, pid: int) -> None:
    """Remove a private copy; a forked child leaves its parent's alone."""
    if pid == os.getpid():
        with contextlib.suppress(FileNotFoundError):  # whoever tidies up temporary files was quicker
            shutil.rmtree(folder)


_LOOKERS: weakref.WeakSet[Looker] = weakref.WeakSet()


def _after_fork() -> None:
    for looker in list(_LOOKERS):
        looker._let_go()


os.register_at_fork(after_in_child=_after_fork)
