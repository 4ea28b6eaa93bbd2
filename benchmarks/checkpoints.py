"""An app left open holds up nobody: a TRUNCATE checkpoint from outside succeeds, and the write-ahead log stays small.

The peer is the same store with the same writers and no app. Among writers a checkpoint may find one of their own under
way: SQLite then refuses it at once, without the patience that it has for other locks, and it is tried again.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from pathlib import Path

from benchmarks import stores
from benchmarks.measure import Bench, Row
from benchmarks.painting import Painted, on_store
from benchmarks.pressing import PROCESSES, WRITERS, agents

ATTEMPTS = 20
EVERY = 1.0
"""Seconds from one attempt to the next."""
PATIENCE = 5.0
"""Seconds that an attempt waits for the locks of others, as any program would."""
AGAIN = 0.005
"""Seconds until a checkpoint is tried again that another one was in the way of."""


def rows(bench: Bench) -> list[Row]:
    """How many attempts succeeded, and how large the log was at most and in the end."""
    attempts = ATTEMPTS * (3 if bench.full else 1)
    path = bench.scratch / "open.db"
    shutil.copy(stores.store_of(bench, bench.facts), path)
    with agents(path):
        alone, _ = _attempted(path, attempts)
    with Painted(on_store(path)) as painted:
        painted.until(b"live")
        with agents(path):
            done, most = _attempted(path, attempts, painted)
        _attempted(path, 1, painted)
        left = Path(f"{path}-wal").stat().st_size
        painted.leave()
    told = f"without the app {alone} of {attempts}; {WRITERS} writers in {PROCESSES} processes"
    return [
        Row("TRUNCATE checkpoints while the app is open", f"{done} of {attempts}", told, "", "all", done == attempts),
        Row("write-ahead log a second after one", f"at most {most / 1000:,.0f} kB"),
        Row("write-ahead log once the writers have gone", f"{left / 1000:,.0f} kB", "", "", "0 kB", left == 0),
    ]


def _attempted(path: Path, attempts: int, painted: Painted | None = None) -> tuple[int, int]:
    """How many checkpoints succeeded, and the most bytes that the log had before one."""
    outside = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    log = Path(f"{path}-wal")
    done = most = 0
    try:
        for _ in range(attempts):
            until = time.monotonic() + EVERY
            while (left := until - time.monotonic()) > 0:
                time.sleep(left) if painted is None else painted.terminal.pump(left)
            most = max(most, log.stat().st_size)
            done += _checkpointed(outside)
        return done, most
    finally:
        outside.close()


def _checkpointed(outside: sqlite3.Connection) -> bool:
    """Whether a checkpoint emptied the log; not so where somebody kept reading what was there before."""
    until = time.monotonic() + PATIENCE
    while True:
        busy, frames, _ = outside.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy or frames >= 0 or time.monotonic() > until:
            return not busy
        time.sleep(AGAIN)
