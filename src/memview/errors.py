"""Everything that can go wrong, as one tree.

::

    MemviewError
    ├── StoreError                 something about the file
    │   ├── MissingStore           there is no file at that path
    │   ├── NotAStore              it is there, but it is no memory store
    │   │   ├── DamagedStore       it was one, and is broken
    │   │   └── NewerStore         a later memview wrote it
    │   ├── NoPermission           the file, or its folder, may not be read or written
    │   │   └── ReadOnlyStore      this handle only looks
    │   └── BusyStore              another process holds the lock
    └── RecordError                something about a fact, a turn or a link
        ├── NotFound               no such record in this scope (also a KeyError)
        ├── Invalid                a value that cannot be stored (also a ValueError)
        ├── Duplicate              another fact of the namespace already says exactly this
        └── Conflict               the record changed since it was read

Each error carries a *title*, one sentence that says what is wrong, a *hint* that says what to do next, and an
``exit_code``: the status a command ends with (3 not a store, 4 busy or no permission, 5 conflict, 1 other).
"""

from __future__ import annotations


class MemviewError(Exception):
    """The root of the tree.

    Args:
        title: one sentence that says what is wrong.
        hint: what a person can do next; may be empty.
    """

    exit_code = 1

    def __init__(self, title: str, hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.args, self.__dict__)

    def __str__(self) -> str:
        return f"{self.title} {self.hint}".rstrip()


def _again(kind: type[MemviewError], args: tuple[object, ...], state: dict[str, object]) -> MemviewError:
    """The error as another process raised it; its constructor may ask for more than ``args``."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class StoreError(MemviewError):
    """Something about the file as a whole."""

    exit_code = 3


class MissingStore(StoreError):
    """There is no file at that path."""


class NotAStore(StoreError):
    """The path holds something else than a memory store: a folder, a text, another program's database."""


class DamagedStore(NotAStore):
    """The file was a store and is broken."""


class NewerStore(NotAStore):
    """A later memview wrote the file; it is left untouched."""


class NoPermission(StoreError):
    """The file or its folder may not be read or written by this user."""

    exit_code = 4


class ReadOnlyStore(NoPermission):
    """A write was asked of a handle that only looks."""


class BusyStore(StoreError):
    """Another process holds the lock, and went on holding it for the whole timeout."""

    exit_code = 4


class RecordError(MemviewError):
    """Something about a fact, a turn or a link."""


class NotFound(RecordError, KeyError):
    """No such record in this scope."""


class Invalid(RecordError, ValueError):
    """A value that cannot be stored."""


class Duplicate(RecordError):
    """Another fact of the namespace already has exactly this text.

    Attributes:
        id: the fact that has it.
    """

    exit_code = 5

    def __init__(self, title: str, hint: str = "", *, id: str) -> None:
        super().__init__(title, hint)
        self.id = id


class Conflict(RecordError):
    """The record changed since it was read, so nothing was written.

    Attributes:
        id: the record.
        mine: what was to be written, by column.
        theirs: what the record holds now, by the same columns; empty when the record is gone.
    """

    exit_code = 5

    def __init__(
        self,
        title: str,
        hint: str = "",
        *,
        id: str,
        mine: dict[str, object] | None = None,
        theirs: dict[str, object] | None = None,
    ) -> None:
        super().__init__(title, hint)
        self.id = id
        self.mine = mine or {}
        self.theirs = theirs or {}
