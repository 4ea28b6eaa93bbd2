"""Writing aside: what an agent captures is stored by one worker thread, so that no lock ever holds up its loop."""

from __future__ import annotations

import atexit
import logging
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable
from types import TracebackType

from memview.errors import MemviewError

Job = Callable[[], object]
log = logging.getLogger("memview")


class Recorder:
    """Does one thing after another in a thread of its own.

    A job that fails is logged and dropped, and the worker goes on. What is queued lives in memory: a killed process
    loses what was not written yet. The end of the interpreter closes every recorder.

    Args:
        flush_timeout: how many seconds :meth:`close` waits at most.
        ended: called by the worker when it ends, to put away what its jobs used.
    """

    _thread: threading.Thread | None

    def __init__(self, flush_timeout: float = 5.0, *, ended: Job | None = None) -> None:
        self.flush_timeout = flush_timeout
        self._ended = ended
        self._renew()
        _RECORDERS.add(self)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def put(self, job: Job) -> None:
        """Do this after all that came before, and return at once.

        Raises:
            MemviewError: the recorder was closed.
        """
        with self._lock:
            if self._closed:
                raise MemviewError("This recorder was closed.", "Make a new one, or close it later.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="memview-recorder", daemon=True)
                self._thread.start()
            self._pending += 1
            self._jobs.put(job)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything is done; at most so many seconds. Returns whether it is."""
        with self._idle:
            return self._idle.wait_for(lambda: self._pending == 0, timeout)

    def close(self) -> bool:
        """Wait for what is queued, at most ``flush_timeout`` seconds, and take nothing more. Closing twice is harmless.

        Returns:
            Whether everything was done; what was not is dropped, and the log says how much that is.
        """
        until = time.monotonic() + self.flush_timeout
        with self._lock:
            self._closed = True
        done = self.flush(self.flush_timeout)
        with self._lock:
            thread, self._thread, self._stopped = self._thread, None, True
            if not done and thread is not None:
                log.warning("a recorder was closed with %d of its jobs undone", self._pending)
        if thread is not None:
            self._jobs.put(None)
            thread.join(max(0.0, until - time.monotonic()))
        return done

    def _renew(self) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._pending = 0
        self._closed = self._stopped = False
        self._thread = None

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None and not self._stopped:
            self._do(job)
            with self._idle:
                self._pending -= 1
                self._idle.notify_all()
        if self._ended is not None:
            self._do(self._ended)

    @staticmethod
    def _do(job: Job) -> None:
        try:
            job()
        except Exception:
            log.exception("something could not be recorded, and was dropped")


_RECORDERS: weakref.WeakSet[Recorder] = weakref.WeakSet()


def _close_all() -> None:
    for recorder in list(_RECORDERS):
        recorder.close()


def _forget_all() -> None:
    """A forked child has none of its parent's threads, and what they were to write is its parent's."""
    for recorder in list(_RECORDERS):
        recorder._renew()


atexit.register(_close_all)
os.register_at_fork(after_in_child=_forget_all)
