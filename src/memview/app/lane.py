"""A connection for one kind of question, so that a slow one holds up no other kind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from memview.memory.looking import Interrupted, Looker

T = TypeVar("T")

CACHED, LITTLE = 6_000, 1_000
"""KiB of pages that a lane keeps: of the trees that a search goes down again and again, and of others."""


class Lane:
    """A connection that opens at its first question, and what is being asked of it.

    Args:
        path: the store.
        looker: the connection where it is open already.
        cached: see `Looker`.
    """

    def __init__(self, path: Path, looker: Looker | None = None, *, cached: int = CACHED) -> None:
        self._path = path
        self._cached = cached
        self._lock = threading.Lock()
        self._looker = looker
        self._closed = False

    def read(self, work: Callable[[Connection], T]) -> T:
        """What a function reads; see `Looker.read`. From a lane that was closed nothing is read any more.

        Raises:
            Interrupted: it was stopped, or came too late.
            StoreError: the file cannot be read.
        """
        with self._lock:
            if self._closed:
                raise Interrupted
            if self._looker is None:
                self._looker = Looker(self._path, cached=self._cached)
            looker = self._looker
        return looker.read(work)

    def interrupt(self) -> None:
        """Stop what is being read."""
        if self._looker is not None:
            self._looker.interrupt()

    def close(self) -> None:
        """Stop what is being read and close the file."""
        self._closed = True
        self.interrupt()
        with self._lock:
            if self._looker is not None:
                self._looker.close()
