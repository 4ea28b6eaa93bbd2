"""Notices that the store changed, whoever wrote.

Something wakes it; the store's token is the truth. A file that was replaced or deleted is a case of its own.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Hashable
from pathlib import Path
from sqlite3 import Connection

from textual.message import Message

from memview.app.messages import StoreChanged, StoreGone, StoreReplaced, failed
from memview.errors import StoreError
from memview.memory import looking
from memview.memory.looking import ChangeRow, Looker, Waking

AT_ONCE = 1_000
"""Changes read at a time; of more only the number is told."""


class Watch:
    """Looks for changes in a thread of its own and posts `StoreChanged`, `StoreReplaced` and `StoreGone`.

    Args:
        path: the store.
        post: takes the messages; called from the thread.
    """

    def __init__(self, path: Path, post: Callable[[Message], object]) -> None:
        self._path = path
        self._post = post
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._waking: Waking | None = None
        self._looker: Looker | None = None
        self._token: Hashable = None
        self._inode: object = None
        with contextlib.suppress(OSError):  # the first look says what is wrong
            self._inode = os.stat(path).st_ino  # before anything is read, which another file may soon replace
        self._seq = 0
        self._last: ChangeRow | None = None
        """The newest change that is known."""
        self._knows = False
        self._gone = False
        self._missed = False

    @property
    def watching(self) -> bool:
        """Whether it knows the store by now, so that it notices what comes next."""
        return self._knows

    def start(self) -> None:
        """Begin to watch; what is in the store now is known already."""
        self._thread = threading.Thread(target=self._run, name="memview-watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and close the file."""
        self._stop.set()
        with self._lock:
            if self._waking is not None:
                self._waking.end()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
        with self._lock:
            if self._looker is not None:
                self._looker.close()

    def missed(self) -> None:
        """Somebody else found the file gone: say when it stands there again, even if that was never seen here."""
        self._missed = True

    def check(self) -> None:
        """Look now, and post what is new. May be called from any thread."""
        self._check()

    def _check(self) -> bool:
        """Look now; whether anything was new."""
        with self._lock:
            if self._stop.is_set():
                return False
            before = self._token
            try:
                self._look()
            except StoreError as error:
                if not self._gone:
                    self._gone = True
                    self._post(StoreGone(failed(error, self._path).title))
            return before != self._token

    def _run(self) -> None:
        self._check()  # first of all, for what came before it is not noticed
        waking = Waking(self._path)
        with self._lock:
            self._waking = waking
        while not self._stop.is_set():
            waking.sleep(news=self._check())
        with self._lock:
            self._waking = None
            waking.close()

    def _look(self) -> None:
        if self._looker is None:
            self._looker = Looker(self._path)
        token = self._looker.token()
        away = self._gone or self._missed
        if token == self._token and not away:
            return
        self._token, inode, before = token, _inode(token), self._inode
        self._inode = inode
        if not self._knows or before != inode or away:
            self._looker.read(self._begin)
            first = not self._knows and not away and before in (None, inode)
            self._knows, self._gone, self._missed = True, False, False
            begun = StoreChanged((), 0, {}, first=True, seq=self._seq)
            self._post(begun if first else StoreReplaced(same=before in (None, inode)))
            return
        self._post(self._looker.read(self._news))

    def _begin(self, raw: Connection) -> None:
        """Know what is there now."""
        self._seq = looking.last_seq(raw)
        self._last = next(iter(looking.since(raw, self._seq - 1, 1)), None)

    def _news(self, raw: Connection) -> Message:
        """What came after the last look."""
        last, known = looking.last_seq(raw), next(iter(looking.since(raw, self._seq - 1, 1)), None)
        if last < self._seq or (known and self._last and known.seq == self._seq and known.at != self._last.at):
            self._begin(raw)  # a copy of another state was written over the file
            return StoreReplaced(same=False)
        changes = looking.since(raw, self._seq, AT_ONCE)
        keys: dict[str, int] = {}
        for kind in ("fact", "turn"):
            keys.update(looking.numbers_of(raw, kind, {change.id for change in changes if change.kind == kind}))
        count = last - self._seq
        self._begin(raw)
        return StoreChanged(changes, count, keys)


def _inode(token: Hashable) -> object:
    """The file that a token is about; the first part of each."""
    return token[0] if isinstance(token, tuple) else None
