"""How soon the screen shows what another process commits: the real program in a real pseudo-terminal."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from benchmarks.measure import Row, milliseconds, percentile
from memview import MemoryStore
from terminal import Terminal, memview

_WRITER = """
import sys, time
from memview import MemoryStore
with MemoryStore(sys.argv[1], agent="planner") as store:
    memory = store.memory("live")
    due = time.monotonic()
    for i in range(int(sys.argv[2])):
        memory.write(f"zq{i:04d}x was written just now")
        print(i, time.monotonic(), flush=True)
        due += 1 / float(sys.argv[3])
        time.sleep(max(0, due - time.monotonic()))
"""


def following(folder: Path, count: int = 600, rate: float = 20.0) -> list[Row]:
    """Commit to painted row, while a second process writes, and keystroke to painted list meanwhile."""
    path = folder / "live.db"
    with MemoryStore(path, synchronous="NORMAL") as store:
        store.memory("live").write_many([f"Old fact number {i} about deploys" for i in range(2_000)])
        before = store._read(lambda raw: raw.execute("SELECT sum(n), sum(version), count(*) FROM facts").fetchone())
    with Terminal(memview(path)) as terminal:
        terminal.wait_for("Old fact number")
        terminal.press("1")
        terminal.settle()
        start = len(terminal.raw)
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(count), str(rate)], stdout=subprocess.PIPE, text=True
        )
        while writer.poll() is None:
            terminal.pump(0.05)
        terminal.settle()
        assert writer.stdout is not None
        committed = {int(i): float(at) for i, at in (line.split() for line in writer.stdout.read().splitlines())}
        painted = _painted(terminal, start, count)
        keys = _keystrokes(terminal)
        terminal.press("ctrl+q")
        terminal.ended()
    with MemoryStore(path, read_only=True) as store:
        sql = "SELECT sum(n), sum(version), count(*) FROM facts WHERE n <= 2000"
        assert store._read(lambda raw: raw.execute(sql).fetchone()) == before, "the viewer changed a row"
    delays = [painted[i] - at for i, at in committed.items() if i in painted]
    share = len(delays) / count
    return [
        Row(f"commit to painted row, {rate:.0f}/s", milliseconds(delays), f"{share:.0%} of rows seen", ""),
        Row("keystroke to painted list, in a terminal", milliseconds(keys), "", f"{percentile(keys, 0.5) * 1000:.0f}"),
    ]


def _painted(terminal: Terminal, start: int, count: int) -> dict[int, float]:
    """When each row's marker was first among the bytes that the program wrote."""
    found: dict[int, float] = {}
    raw = bytes(terminal.raw)
    for i in range(count):
        at = raw.find(f"zq{i:04d}x".encode(), start)
        if at >= 0:
            found[i] = next(when for when, size in terminal.seen_at if size > at)
    return found


def _keystrokes(terminal: Terminal) -> list[float]:
    """From a key typed into the search to the last byte of what it drew."""
    terminal.press("/")
    terminal.settle()
    times = []
    for letter in "old number deploys":
        sent = time.monotonic()
        terminal.press(letter)
        terminal.settle(quiet=0.15)
        drawn = [when for when, _ in terminal.seen_at if when > sent]
        if drawn:
            times.append(drawn[-1] - sent)
    return times
