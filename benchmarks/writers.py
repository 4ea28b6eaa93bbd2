"""Eight processes that write into one file at once, against one that writes alone and against sqlite3's own.

The peer writes the same rows into the same schema, by the same transactions and as durably, and leaves the waiting for
the lock to SQLite. A write's time includes that.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Bench, Row, milliseconds, percentile
from memview import MemoryStore

WRITERS = 8
EACH = 250
_OURS = """
from memview import MemoryStore
store = MemoryStore(path, agent=name)
memory = store.memory("shared")
memory.count()
write = memory.write
"""
_THEIRS = """
import sqlite3
from benchmarks.writing import by_sqlite
raw = sqlite3.connect(path, timeout=5.0, isolation_level=None)
for setting in ("foreign_keys = ON", "secure_delete = FAST", "synchronous = FULL"):
    raw.execute(f"PRAGMA {setting}")
def write(text):
    by_sqlite(raw, [text], 1)
"""
_WRITER = """
import json, sys, time
name, path, count, begin = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
{way}
times, errors = [], 0
time.sleep(max(0.0, begin - time.time()))
start = time.perf_counter()
for i in range(count):
    begun = time.perf_counter()
    try:
        write(f"Writer {{name}} learnt that deploy number {{i}} of the staging database moved to Tuesday")
    except Exception:
        errors += 1
    times.append(time.perf_counter() - begun)
print(json.dumps([time.perf_counter() - start, errors, times]))
"""


class _Run(NamedTuple):
    """What some writers did."""

    speed: float
    """Writes a second, all together."""
    errors: int
    lost: int
    """Writes that were acknowledged or refused and are not there."""
    times: list[float]
    """Seconds of each write."""


def rows(bench: Bench) -> list[Row]:
    """No error, nothing lost, and how fast all together are."""
    alone = _run(bench.scratch / "alone.db", _OURS, 1, EACH * 4)
    ours, theirs = (
        _run(bench.scratch / f"{name}.db", way, WRITERS, EACH) for name, way in (("ours", _OURS), ("theirs", _THEIRS))
    )
    share, beside = ours.speed / alone.speed, ours.speed / theirs.speed
    p99 = percentile(ours.times, 0.99) * 1000
    peer = f"sqlite3 {theirs.errors} and {theirs.lost}"
    return [
        Row(f"{WRITERS} writers, a second", f"{ours.speed:,.0f}/s", f"one writer {alone.speed:,.0f}/s", f"{share:.2f}",
            ">= 0.55", share >= 0.55),
        Row(f"{WRITERS} writers, a second, against sqlite3's", f"{ours.speed:,.0f}/s", f"{theirs.speed:,.0f}/s",
            f"{beside:.2f}"),
        Row(f"{WRITERS} writers, errors and losses", f"{ours.errors} and {ours.lost}", peer, "", "0 and 0",
            ours.errors == ours.lost == 0),
        Row(f"{WRITERS} writers, a write", milliseconds(ours.times), f"sqlite3 {milliseconds(theirs.times)}", "",
            "p99 50 ms", p99 <= 50),
        Row(f"{WRITERS} writers, the slowest write", f"{max(ours.times) * 1000:,.0f} ms",
            f"sqlite3 {max(theirs.times) * 1000:,.0f} ms"),
    ]  # fmt: skip


def _run(path: Path, way: str, writers: int, count: int) -> _Run:
    MemoryStore(path).close()
    begin = str(time.time() + 2 + writers)
    program = _WRITER.format(way=way)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, f"w{i}", str(path), str(count), begin], stdout=subprocess.PIPE, text=True
        )
        for i in range(writers)
    ]
    told = [json.loads(process.communicate()[0]) for process in running]
    slowest = max(took for took, _, _ in told)
    with MemoryStore(path, read_only=True) as store:
        lost = writers * count - store.stats().facts
    times = [t for *_, some in told for t in some]
    return _Run(writers * count / slowest, sum(errors for _, errors, _ in told), lost, times)
