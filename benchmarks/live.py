"""How soon what another process commits is known, and painted: the real program in a real pseudo-terminal.

Three look at the same commits: the part of the app that notices changes, alone in a process; ``watchfiles.awatch`` with
its defaults, which most programs would use; and the app, of whose screen the new row is read.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import Bench, Row, at_least, at_most, milliseconds, percentile
from benchmarks.painting import Painted, on_store
from memview import MemoryStore

COMMITS = 120
KNOWN, PAINTED, FASTER = 25, 60, 4
OLD = 2_000
"""Facts that were there before; nobody may have touched them afterwards."""
_WRITER = """
import random, sys, time
from memview import MemoryStore
gaps = random.Random(8)
with MemoryStore(sys.argv[1], agent="planner") as store:
    memory = store.memory("live")
    for i in range(int(sys.argv[2])):
        time.sleep(gaps.uniform(0.15, 0.45))
        memory.write(f"zq{i:04d}x was written just now")
        print(time.monotonic(), flush=True)
"""
_KNOWING = """
import sys, time
from pathlib import Path
from memview.app.live import Watch
def tell(message):
    print(time.monotonic(), *(change.id for change in getattr(message, "changes", ())), flush=True)
watch = Watch(Path(sys.argv[1]), tell)
watch.start()
sys.stdin.read()
watch.stop()
"""
_AWATCH = """
import asyncio, sys, time
from watchfiles import awatch
async def main():
    print(time.monotonic(), flush=True)
    async for _ in awatch(sys.argv[1]):
        print(time.monotonic(), flush=True)
asyncio.run(main())
"""


def rows(bench: Bench) -> list[Row]:
    """Commit to known, beside the peer, and commit to painted row."""
    path = bench.scratch / "live.db"
    with MemoryStore(path, synchronous="NORMAL") as store:
        store.memory("live").write_many([f"Old fact number {i} about deploys" for i in range(OLD)])
    before = _old(path)
    count = COMMITS * (3 if bench.full else 1)
    with (
        _watching(_KNOWING, path) as knowing,
        _watching(_AWATCH, path.parent) as awatch,
        Painted(on_store(path)) as app,
    ):
        app.until(b"Old fact number")
        app.quiet()
        drawn = len(app.terminal.raw)
        committed = _write(path, count, app)
        shown = _shown(app, drawn, count)
        app.leave()
        known, noticed = (_delays(committed, _told(process)) for process in (knowing, awatch))
    if _old(path) != before:
        raise AssertionError("the viewer changed a row")
    delays = [at - committed[i] for i, at in shown.items()]
    ratio = percentile(noticed, 0.5) / percentile(known, 0.5)
    peer = f"awatch {milliseconds(noticed)}"
    return [
        at_most("commit to known", known, KNOWN, peer),
        at_least("commit to known against awatch", milliseconds(known), peer, ratio, FASTER),
        at_most("commit to painted row", delays, PAINTED, f"{len(delays) / count:.0%} of rows seen"),
    ]


@contextmanager
def _watching(code: str, place: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _told(process: subprocess.Popen[str]) -> list[float]:
    """When a process told of something; it ends."""
    process.kill()
    told, _ = process.communicate()
    return [float(line.split()[0]) for line in told.splitlines()]


def _write(path: Path, count: int, painted: Painted) -> list[float]:
    """Commit facts from another process; when each was committed."""
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(path), str(count)], stdout=subprocess.PIPE, text=True)
    while writer.poll() is None:
        painted.terminal.pump(0.05)
    painted.quiet()
    assert writer.stdout is not None
    return [float(line) for line in writer.stdout.read().splitlines()]


def _delays(committed: list[float], told: list[float]) -> list[float]:
    """From each commit to the first that was told after it, which may be a moment before the writer reads the time."""
    ahead = 0.005
    return [max(0.0, next(at for at in told if at > when - ahead) - when) for when in committed]


def _shown(painted: Painted, start: int, count: int) -> dict[int, float]:
    """When each row's marker was first among the bytes that the program wrote."""
    found: dict[int, float] = {}
    raw = bytes(painted.terminal.raw)
    for i in range(count):
        at = raw.find(f"zq{i:04d}x".encode(), start)
        if at >= 0:
            found[i] = next(when for when, size in painted.terminal.seen_at if size > at)
    return found


def _old(path: Path) -> object:
    sql = "SELECT sum(n), sum(version), sum(access_count), count(*) FROM facts WHERE n <= ?"
    with MemoryStore(path, read_only=True) as store:
        return store._read(lambda raw: raw.execute(sql, (OLD,)).fetchone())
