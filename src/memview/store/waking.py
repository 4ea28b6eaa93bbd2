"""Says when it is worth looking whether a store changed: when something happened to its files, whoever did it.

Linux tells at once, and costs nothing while nothing happens (inotify). Elsewhere watchfiles is asked, which looks every
few milliseconds. A commit can be read a moment after its bytes were written, so further looks follow, ever less often.
Where the folder cannot be watched, and on network mounts, which wake nobody, a slow look is the net under all. What it
finds was missed: the store is in another folder by now, or can be watched by now, so it is watched anew.
"""

from __future__ import annotations

import os
import select
import struct
import sys
import threading
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Protocol

POLL = 0.5
"""Seconds between two looks where nothing wakes us."""

SOON = 0.001
"""Seconds until the next look after a wake."""

SLOWER = 1.5
"""Each further look that finds nothing comes so many times later."""

FRAME = 0.016
"""Seconds from one change to the look for the next: what a screen draws at once is told at once."""

STEP = 10
"""Milliseconds between two looks of watchfiles."""

_EVENTS = 0x2 | 0x40 | 0x80 | 0x100 | 0x200
"""Of ``inotify(7)``: written, moved away, moved here, created, deleted."""
_EVENT = struct.Struct("iIII")
"""What stands before the name in an event: watch, mask, cookie, the name's length."""


class Waking:
    """Sleeps between looks, in one thread; another one may end that.

    Args:
        path: the store; it need not be there.
        native: whether to ask the system itself, not watchfiles.
    """

    def __init__(self, path: Path, *, native: bool = sys.platform == "linux") -> None:
        self._path = path
        self._native = native
        self._lock = threading.Lock()
        self._ended = False
        self._sleeper = _sleeper(path, native=native)
        self._gap = POLL
        self._woken = False
        self._overslept = False

    def sleep(self, *, news: bool) -> bool:
        """Sleep until it is worth looking again.

        Args:
            news: whether the last look found any.

        Returns:
            Whether something happened to the files; else it is time for a look in any case, or the sleep was ended.
        """
        if news:
            self._gap = FRAME
            if self._overslept:
                self._watch_anew()
        else:
            self._gap = SOON if self._woken else min(SLOWER * self._gap, POLL)
        if self._gap > FRAME:
            self._woken = self._sleeper.sleep(self._gap)
            self._overslept = not self._woken
        else:  # not to be woken by each of many pages that somebody writes
            self._woken = self._overslept = False
            time.sleep(self._gap)
        return self._woken

    def end(self) -> None:
        """End the sleep, and each later one at once."""
        with self._lock:
            self._ended = True
            self._sleeper.end()

    def close(self) -> None:
        """Watch no longer. For the thread that slept."""
        self._sleeper.close()

    def _watch_anew(self) -> None:
        """Watch the folder in which the store is now."""
        with self._lock:
            self._sleeper.close()
            self._sleeper = _sleeper(self._path, native=self._native)
            if self._ended:
                self._sleeper.end()


class _Sleeper(Protocol):
    """Sleeps until something happens to some files."""

    def sleep(self, seconds: float) -> bool:
        """Sleep, at most so long; whether anything happened."""

    def end(self) -> None:
        """End the sleep, and each later one at once."""

    def close(self) -> None:
        """Watch no longer."""


def _sleeper(path: Path, *, native: bool) -> _Sleeper:
    """What is woken by whatever happens to a store and to what SQLite keeps beside it."""
    folder, name = os.path.split(os.path.realpath(path))
    names = [name + suffix for suffix in ("", "-wal", "-journal")]
    try:
        return _Inotify(folder, names) if native else _Watchfiles(folder, names)
    except (OSError, ImportError):  # no watches left in the system, the folder is gone, or Python has no ctypes
        return _Unwoken()


class _Inotify:
    """Asks Linux. The standard library has no door to this, so it is called by ctypes."""

    def __init__(self, folder: str, names: Collection[str]) -> None:
        self._names = {b"", *map(os.fsencode, names)}
        self._ended = os.eventfd(0)
        try:
            self._events = _watched(folder)
        except BaseException:
            os.close(self._ended)
            raise
        self._poll = select.poll()
        for each in (self._events, self._ended):
            self._poll.register(each, select.POLLIN)

    def sleep(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            ready = dict(self._poll.poll(max(0.0, left) * 1000))
            if self._ended in ready or not ready:
                return False
            if any(name in self._names for name in _named(os.read(self._events, 1 << 16))):
                return True
            if left <= 0:
                return False
            time.sleep(FRAME)  # not to be woken by each of many other files in the folder

    def end(self) -> None:
        os.eventfd_write(self._ended, 1)

    def close(self) -> None:
        os.close(self._events)
        os.close(self._ended)


def _watched(folder: str) -> int:
    """A descriptor that tells what happens in a folder."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    events: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    if events < 0 or libc.inotify_add_watch(events, os.fsencode(folder), _EVENTS) < 0:
        number = ctypes.get_errno()
        if events >= 0:
            os.close(events)
        raise OSError(number, os.strerror(number), folder)
    return events


def _named(events: bytes) -> Iterator[bytes]:
    """The name of the file that each event is about; none where it is about the folder, or some events were lost."""
    at = 0
    while at < len(events):
        *_, length = _EVENT.unpack_from(events, at)
        at += _EVENT.size + length
        yield events[at - length : at].rstrip(b"\0")


class _Unwoken:
    """Is told nothing."""

    def __init__(self) -> None:
        self._ended = threading.Event()

    def sleep(self, seconds: float) -> bool:
        self._ended.wait(seconds)
        return False

    def end(self) -> None:
        self._ended.set()

    def close(self) -> None:
        self.end()


class _Watchfiles(_Unwoken):
    """Asks watchfiles."""

    def __init__(self, folder: str, names: Collection[str]) -> None:
        from watchfiles import watch

        super().__init__()
        self._happened = watch(
            folder, watch_filter=lambda _, changed: os.path.basename(changed) in names, debounce=STEP, step=STEP,
            stop_event=self._ended, rust_timeout=int(POLL * 1000), yield_on_timeout=True, recursive=False,
        )  # fmt: skip

    def sleep(self, seconds: float) -> bool:
        if seconds >= POLL:
            try:
                return bool(next(self._happened))
            except (StopIteration, OSError):  # it was ended, or cannot watch the folder: then it is told nothing
                pass
        return super().sleep(seconds)
