"""Copies of a store before many facts are changed at once: one a day, the last three, for the user alone.

They lie in the folder that memview keeps about the store (:mod:`memview.store.state`), are made by SQLite's own backup,
so that a writer in another process does no harm, and go as soon as they hold something that is erased.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from memview.store import files, state

KEPT = 3
"""How many copies stay."""

LAST_ERASE = "last erase"
"""The setting that tells which erase was the last, by its action."""


def copies(store: Path) -> list[Path]:
    """The backups of a store, oldest first."""
    return [path for path in state.kept(store) if path.name.startswith("backup-") and path.suffix == ".db"]


def before_bulk(store: Path, now: datetime) -> Path | None:
    """Make the copy of the day, unless there is one.

    Args:
        store: the store's file, which nobody in this thread has a transaction open on.
        now: the present moment.

    Returns:
        The new copy; None where this day has one.

    Raises:
        StoreError: the store cannot be read, or the disk is full.
    """
    day = now.astimezone(UTC).strftime("%Y-%m-%d")
    if any(path.name.startswith(f"backup-{day}") for path in copies(store)):
        return None
    return make(store, now)


def make(store: Path, now: datetime) -> Path:
    """Make a copy now, and drop the oldest beyond :data:`KEPT`. It holds nothing that is erased meanwhile.

    Raises:
        StoreError: the store cannot be read, or the disk is full.
    """
    folder = state.folder(store, make=True)
    target = folder / f"backup-{now.astimezone(UTC):%Y-%m-%dT%H%M%S.%f}.db"
    while not _made(store, target):
        pass
    for old in copies(store)[:-KEPT]:
        old.unlink(missing_ok=True)
    return target


def holding(store: Path, holds: Callable[[sqlite3.Connection], object]) -> list[Path]:
    """The backups of which something is true; one that cannot be read counts as well."""
    return [path for path in copies(store) if _is_true(path, holds)]


def having(ids: Iterable[str]) -> Callable[[sqlite3.Connection], bool]:
    """Whether a backup has one of some records, or a past wording of one."""
    wanted = json.dumps(list(ids))
    tables = ("facts", "turns", "changes")
    asked = " UNION ALL ".join(f"SELECT 1 FROM {t} WHERE id IN (SELECT value FROM json_each(?1))" for t in tables)
    return lambda raw: raw.execute(f"{asked} LIMIT 1", (wanted,)).fetchone() is not None


def drop(found: Iterable[Path]) -> None:
    """Remove backups."""
    for path in found:
        path.unlink(missing_ok=True)


def _made(store: Path, target: Path) -> bool:
    """Make a copy; False where something was erased meanwhile, which the copy may hold and nobody looked for in it."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix="backup-", suffix=".partial")
    os.close(handle)
    partial = Path(name)
    try:
        with files.plainly(store):
            erased = _copy(store, partial)
        try:
            os.replace(partial, target)
        except FileNotFoundError:  # an erase found it before it was whole
            return False
        with files.plainly(store), closing(_opened(store)) as source:
            if _last_erase(source) == erased:
                return True
    finally:
        partial.unlink(missing_ok=True)
    target.unlink(missing_ok=True)
    return False


def _copy(store: Path, target: Path) -> str | None:
    """Copy a store into a file; which erase was the last of which the copy knows."""
    with closing(_opened(store)) as source, closing(sqlite3.connect(target, isolation_level=None)) as copy:
        source.backup(copy)  # as of one moment; in a store with a log, writers go on meanwhile
        copy.execute("PRAGMA journal_mode = DELETE")  # a single file, with no log beside it
        return _last_erase(copy)


def _opened(store: Path) -> sqlite3.Connection:
    return sqlite3.connect(files.uri(store, mode="ro"), uri=True, isolation_level=None)


def _last_erase(raw: sqlite3.Connection) -> str | None:
    """Which erase was the last; None where there was none, or the file is too damaged to know of one."""
    try:
        row = raw.execute("SELECT value FROM settings WHERE name = ?", (LAST_ERASE,)).fetchone()
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise
        return None
    return None if row is None else str(row[0])


def _is_true(path: Path, holds: Callable[[sqlite3.Connection], object]) -> bool:
    try:
        with closing(sqlite3.connect(files.uri(path, mode="ro", immutable="1"), uri=True)) as copy:
            return bool(holds(copy))
    except sqlite3.DatabaseError:
        return True
