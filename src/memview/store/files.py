"""What stands at a path, told before anything is opened: a store, or in one sentence why not.

Nothing here changes a file. Paths may hold bytes that are no UTF-8; messages show them escaped.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from memview.errors import (
    BusyStore,
    DamagedStore,
    MemviewError,
    MissingStore,
    NewerStore,
    NoPermission,
    NotAStore,
    StoreError,
)
from memview.store.header import APPLICATION_ID, VERSION
from memview.text import one_line

_MAGIC = b"SQLite format 3\0"
_DAMAGE = ("malformed", "not a database", "corrupt", "disk image", "no such table", "vtable constructor", "fts5")
"""Words of SQLite over a file that is damaged; its own class of error for that is not used for all of it."""


class Stamp(NamedTuple):
    """What tells one state of a store's files from another without opening them."""

    inode: int
    size: int
    mtime: int
    wal: int
    """The size of the write-ahead log beside the file; -1 when there is none."""
    shm: bool
    """Whether the log's shared memory stands there too."""
    journal: bool
    """Whether a rollback journal with anything in it stands there."""

    @property
    def shared(self) -> bool:
        """Whether a writer is there, or was there last and did not close."""
        return self.wal >= 0 and self.shm

    @property
    def quiet(self) -> bool:
        """Whether the main file alone holds everything."""
        return self.wal <= 0 and not self.journal


def stamp(path: Path) -> Stamp:
    """The present stamp of a store; its inode is 0 when it is gone or cannot be reached."""
    try:
        found = os.stat(path)
    except OSError:
        return Stamp(0, 0, 0, -1, False, False)
    name = _led_to(path)
    wal, shm, journal = _size(name + "-wal"), _size(name + "-shm"), _size(name + "-journal")
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns, wal, shm >= 0, journal > 0)


def beside(path: Path, suffix: str) -> Path:
    """The file that SQLite keeps beside a store: its name with ``-wal``, ``-shm`` or ``-journal``.

    Of a link to a store it is beside the store itself.
    """
    return Path(_led_to(path) + suffix)


def uri(path: Path, **parameters: str) -> str:
    """The SQLite URI of a path, whatever bytes its name holds."""
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return f"file:{quote(os.fsencode(os.path.abspath(path)))}?{query}"


def shown(path: Path) -> str:
    """A path's name as it may be shown to a person."""
    return one_line(path.name or str(path))


def examine(path: Path) -> None:
    """Refuse what cannot be a store, from its outside and its first page.

    The page is read through SQLite: this process loses all its locks on a file when it closes a descriptor of its own.

    Raises:
        MissingStore: nothing is there.
        NotAStore: a folder, a device, an empty file, a text, another program's database or none at all.
        DamagedStore: the file is shorter than its header says, or its first page is broken.
        NewerStore: a later memview wrote it.
        NoPermission: it may not be read.
    """
    name = shown(path)
    logged = _size(f"{_led_to(path)}-wal") > 0
    if _examine_outside(path, name) == 0:
        if not logged:
            raise NotAStore(f"{name} is an empty file.", "Fill it with --create, or name another file.")
        return
    if _size(f"{_led_to(path)}-journal") > 0:
        return  # somebody is making it, or died of it: whoever opens it waits, or recovers it
    try:
        with closing(sqlite3.connect(uri(path, mode="ro", immutable="1"), uri=True)) as probe:
            identify(path, probe)
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            raise _no_database(path, name) from None
        if "malformed" in str(error) and not logged:
            raise DamagedStore(f"{name} is cut short or damaged.", "Restore it from a backup.") from None


def _examine_outside(path: Path, name: str) -> int:
    """Refuse what is no readable file. Returns its size."""
    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            raise NotAStore(f"{name} is a folder, not a memory store.", "Name the store's file inside it.")
        if not stat.S_ISREG(found.st_mode):
            raise NotAStore(f"{name} is not a file.", "Name a memory store, such as agent.db.")
        if not os.access(path, os.R_OK):
            raise PermissionError
        return found.st_size
    except FileNotFoundError:
        if not os.path.isdir(path.parent):
            raise MissingStore(f"{name} does not exist, nor does its folder.", "Check the path.") from None
        raise MissingStore(f"{name} does not exist.", "Check the path, or create a new store with --create.") from None
    except NotADirectoryError:
        raise MissingStore(f"{name} does not exist: its folder is a file.", "Check the path.") from None
    except PermissionError:
        raise NoPermission(f"You may not read {name}.", "Ask its owner, or run as the user who owns it.") from None
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror}.", "Check the path.") from error


def _no_database(path: Path, name: str) -> NotAStore:
    """What a file is that SQLite does not take for a database."""
    with open(path, "rb") as file:
        head = file.read(4096)
    if head.startswith(_MAGIC):
        return DamagedStore(f"{name} is cut short or damaged.", "Restore it from a backup.")
    if _is_text(head):
        return NotAStore(f"{name} is a text file, not a memory store.", "Name a store's file, such as agent.db.")
    return NotAStore(
        f"{name} is not a SQLite database, or it is encrypted.", "memview opens unencrypted SQLite stores."
    )


def _is_text(head: bytes) -> bool:
    try:
        text = head[:4000].decode()
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4:
            return False
        text = head[: error.start].decode()
    return all(letter.isprintable() or letter in "\t\r\n\f\ufeff" for letter in text)


def identify(path: Path, connection: sqlite3.Connection) -> int:
    """The schema version of an open database.

    Raises:
        NotAStore: it is some other program's.
        NewerStore: a later memview wrote it.
    """
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    name = shown(path)
    if mark != APPLICATION_ID:
        tables = [t for (t,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' LIMIT 4")]
        held = f" (it holds {one_line(', '.join(map(str, tables)), 60)})" if tables else ""
        raise NotAStore(f"{name} is another program's database{held}.", "memview opens stores that it made itself.")
    if version > VERSION:
        raise NewerStore(
            f"{name} was written by a newer memview (schema {version}, this one knows {VERSION}).",
            "Upgrade with: pip install -U agent-memview. The file was not changed.",
        )
    return int(version)


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Turn what SQLite raises inside into one of our errors, in words."""
    try:
        yield
    except MemviewError:
        raise
    except (sqlite3.Error, UnicodeError, MemoryError) as error:  # SQLite runs out of memory over some damage
        raise explain(error, path) from error


def explain(error: BaseException, path: Path) -> MemviewError:
    """What a SQLite error means for a person."""
    name, words = shown(path), str(error).lower()
    if isinstance(error, MemoryError):
        return DamagedStore(f"{name} is damaged, or memory ran out.", "Restore it from a backup, or close programs.")
    if "locked" in words or "busy" in words:
        return BusyStore(f"{name} is locked by another process.", "Close the other program or wait, then try again.")
    if "readonly" in words or "read-only" in words or "attempt to write" in words:
        return NoPermission(f"You may not write to {name} or its folder.", "Open it with --read-only.")
    unreadable = isinstance(error, UnicodeDecodeError)  # SQLite's own message holds bytes of the damage
    if unreadable or type(error) is sqlite3.DatabaseError or any(sign in words for sign in _DAMAGE):
        return DamagedStore(f"{name} is damaged.", "Restore it from a backup; sqlite3's .recover may save part of it.")
    if "full" in words:
        return StoreError(f"The disk is full, so nothing was written to {name}.", "Free some space and try again.")
    if "i/o error" in words:
        return StoreError(f"The disk of {name} reports an error; nothing was written.", "Check the disk and its quota.")
    if "unable to open" in words or "authorization" in words:
        return NoPermission(f"{name} cannot be opened.", "Check the permissions of the file and its folder.")
    return StoreError(f"{name} could not be used: {one_line(str(error), 200)}.", "Please report this as a bug.")


@contextmanager
def one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Let all reads inside see the same state of the store, whatever others commit meanwhile."""
    if connection.in_transaction:
        yield
        return
    try:
        connection.execute("BEGIN")
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def lenient(value: bytes) -> str:
    """Stored text as a string; bytes that are no UTF-8 become lone surrogates, which are shown as escapes."""
    return value.decode("utf-8", "surrogateescape")


def chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, piece by piece.

    The descriptor is kept for good, one a file: closing it would take from this process all its locks on the file.
    """
    found = os.stat(path)
    key = (found.st_dev, found.st_ino)
    if key not in _HELD:
        _HELD[key] = os.open(path, os.O_RDONLY)
    place = 0
    while piece := os.pread(_HELD[key], _PIECE, place):
        yield piece
        place += len(piece)


_PIECE = 1 << 20
_HELD: dict[tuple[int, int], int] = {}


def _led_to(path: Path) -> str:
    """Where a path leads if it is a link, else the path."""
    return os.path.realpath(path) if os.path.islink(path) else os.fspath(path)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return -1
