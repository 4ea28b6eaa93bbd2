"""First rows: from starting the program in a pseudo-terminal to the first row of its list.

Against three panes of Textual's own widgets, and against itself on an empty store; all take turns.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks import stores
from benchmarks.measure import Bench, Row
from benchmarks.painting import Painted, on_store, peer, used
from memview import MemoryStore, clock
from memview.memory.looking import Looker, Query, fact_rows, find

ROUNDS = 15
AGAINST_BARE, AGAINST_EMPTY = 1.3, 1.1


def rows(bench: Bench) -> list[Row]:
    """The median of all rounds, by the clock on the wall and by processor time."""
    big, empty = stores.store_of(bench, bench.facts), bench.scratch / "empty.db"
    MemoryStore(empty).close()
    programs = {
        "bare": (peer("three_panes"), b"Bare row number 20"),
        "big": (on_store(big), _first_words(big)),
        "empty": (on_store(empty), b"This store is empty"),
    }
    for command, mark in programs.values():
        _once(command, mark)  # compiles and reads into the disk cache what all rounds need
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, (command, mark) in programs.items():
            taken[name].append(_once(command, mark))
    wall = {name: median(wall for wall, _ in times) * 1000 for name, times in taken.items()}
    cpu = {name: median(cpu for _, cpu in times) * 1000 for name, times in taken.items()}
    size = f"{bench.facts:,} facts"
    return [
        _row(f"first rows of {size}", wall, "bare", "three panes in Textual", AGAINST_BARE),
        _row(f"first rows of {size} against an empty store", wall, "empty", "an empty store", AGAINST_EMPTY),
        _row(f"first rows of {size}, processor time", cpu, "bare", "three panes in Textual", None),
    ]


def _row(item: str, taken: dict[str, float], against: str, name: str, asked: float | None) -> Row:
    ratio = taken["big"] / taken[against]
    wanted, met = ("", None) if asked is None else (f"<= {asked:g}", ratio <= asked)
    return Row(item, f"{taken['big']:.0f} ms", f"{name} {taken[against]:.0f} ms", f"{ratio:.2f}", wanted, met)


def _once(command: Sequence[str | os.PathLike[str]], mark: bytes) -> tuple[float, float]:
    with Painted(command) as painted:
        return painted.until(mark), used(painted.pid)


def _first_words(path: Path) -> bytes:
    """How the first row of the list begins."""
    looker = Looker(path)
    try:
        now = clock.utc_now()
        keys = looker.read(lambda raw: find(raw, Query(limit=1, prefix=True), now)).keys
        return " ".join(looker.read(lambda raw: fact_rows(raw, keys))[keys[0]].content.split()[:2]).encode()
    finally:
        looker.close()
