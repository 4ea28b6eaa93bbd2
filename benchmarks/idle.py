"""What the real program costs while nobody touches it."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.measure import Row
from memview import MemoryStore
from terminal import Terminal, memview

SECONDS = 10.0
"""How long it is watched."""


def idling(folder: Path) -> list[Row]:
    """The share of one core that an open program takes, with a writer's handle open beside it."""
    path = folder / "idle.db"
    with MemoryStore(path) as store, Terminal(memview(path)) as terminal:
        store.memory("user:42").write_many([f"Fact number {i}" for i in range(500)])
        terminal.wait_for("FACTS 500")
        terminal.settle(1.0)
        before, started = _cpu(terminal.process.pid), time.monotonic()
        while (watched := time.monotonic() - started) < SECONDS:
            terminal.pump(0.5)
        share = (_cpu(terminal.process.pid) - before) / watched
        terminal.press("ctrl+q")
        terminal.ended()
    return [Row("idle, share of a core", f"{share:.1%}", "", "")]


def _cpu(pid: int) -> float:
    """The processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100
