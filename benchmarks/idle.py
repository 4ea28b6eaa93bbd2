"""What the real program costs while nobody touches it, beside three panes of Textual's own widgets."""

from __future__ import annotations

import time

from benchmarks.measure import Bench, Row
from benchmarks.painting import Painted, on_store, peer, used
from memview import MemoryStore

SECONDS = 20.0
"""How long each is watched."""
ASKED = 0.005
"""The share of one core."""


def rows(bench: Bench) -> list[Row]:
    """The share of one core that an open program takes, with a writer's handle open beside it."""
    path = bench.scratch / "idle.db"
    with MemoryStore(path) as store:
        store.memory("user:42").write_many([f"Fact number {i}" for i in range(500)])
        with Painted(on_store(path)) as painted:
            painted.until(b"Fact number")
            ours = _share(painted)
            painted.leave()
    with Painted(peer("three_panes")) as painted:
        painted.until(b"Bare row")
        theirs = _share(painted)
    return [
        Row("idle, share of a core", f"{ours:.2%}", f"three panes in Textual {theirs:.2%}", "", f"<= {ASKED:.1%}",
            ours <= ASKED)
    ]  # fmt: skip


def _share(painted: Painted) -> float:
    painted.quiet(3.0)
    before, started = used(painted.pid), time.monotonic()
    while (watched := time.monotonic() - started) < SECONDS:
        painted.terminal.pump(0.5)
    return (used(painted.pid) - before) / watched
