"""Eight processes that write into one file at once, against one that writes alone."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.measure import Bench, Row, milliseconds, percentile
from memview import MemoryStore

WRITERS = 8
EACH = 250
_WRITER = """
import json, sys, time
from memview import MemoryStore
name, path, count, begin = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
times, errors = [], 0
with MemoryStore(path, agent=name) as store:
    memory = store.memory("shared")
    memory.count()
    time.sleep(max(0.0, begin - time.time()))
    start = time.perf_counter()
    for i in range(count):
        begun = time.perf_counter()
        try:
            memory.write(f"Writer {name} learnt that deploy number {i} of the staging database moved to Tuesday")
        except Exception:
            errors += 1
        times.append(time.perf_counter() - begun)
    print(json.dumps([time.perf_counter() - start, errors, times]))
"""


def rows(bench: Bench) -> list[Row]:
    """No error, nothing lost, and how fast all together are."""
    alone, _, _ = _run(bench.scratch / "alone.db", 1, EACH * 4)
    together, errors, times = _run(bench.scratch / "together.db", WRITERS, EACH)
    with MemoryStore(bench.scratch / "together.db", read_only=True) as store:
        lost = WRITERS * EACH - store.memory("shared").count()
    share = together / alone
    p99 = percentile(times, 0.99) * 1000
    return [
        Row(f"{WRITERS} writers, a second", f"{together:,.0f}/s", f"one writer {alone:,.0f}/s", f"{share:.2f}",
            ">= 0.55", share >= 0.55),
        Row(f"{WRITERS} writers, errors and losses", f"{errors} and {lost}", "", "", "0 and 0", errors == lost == 0),
        Row(f"{WRITERS} writers, a write", milliseconds(times), "", "", "p99 50 ms", p99 <= 50),
    ]  # fmt: skip


def _run(path: Path, writers: int, count: int) -> tuple[float, int, list[float]]:
    MemoryStore(path).close()
    begin = str(time.time() + 2 + writers)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, f"w{i}", str(path), str(count), begin], stdout=subprocess.PIPE, text=True
        )
        for i in range(writers)
    ]
    told = [json.loads(process.communicate()[0]) for process in running]
    slowest = max(took for took, _, _ in told)
    return writers * count / slowest, sum(errors for _, errors, _ in told), [t for *_, times in told for t in times]
