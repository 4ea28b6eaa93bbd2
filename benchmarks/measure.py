"""Timing, and the table that is printed."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    item: str
    ours: str
    peer: str = ""
    """The peer's name and what it took in the same run."""
    ratio: str = ""
    asked: str = ""
    """What the figure should be."""
    met: bool | None = None
    """Whether it is; None where nothing is asked."""
    broken: bool = False
    """Whether there is no figure, for the measurement broke down."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What a measurement works with."""

    cache: Path
    """A folder whose stores are kept between runs."""
    scratch: Path
    """A folder that goes away."""
    full: bool = False
    """Whether to take the sizes that need an hour."""

    @property
    def facts(self) -> int:
        """How many facts a large store has."""
        return 1_000_000 if self.full else 100_000


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """How many seconds something takes: on the wall, and of this thread's processor time."""
    wall, cpu = time.perf_counter(), time.thread_time()
    work()
    return time.perf_counter() - wall, time.thread_time() - cpu


def percentile(values: Iterable[float], share: float) -> float:
    """A percentile of measured values; ``share`` is 0 to 1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def milliseconds(values: list[float]) -> str:
    """Median, p95 and p99 in milliseconds."""
    return " / ".join(f"{percentile(values, share) * 1000:.1f}" for share in (0.5, 0.95, 0.99)) + " ms"


def at_most(item: str, times: list[float], p95: float, peer: str = "", ratio: str = "") -> Row:
    """A line that asks for a 95th percentile of at most so many milliseconds."""
    met = percentile(times, 0.95) * 1000 <= p95
    return Row(item, milliseconds(times), peer, ratio, f"p95 {p95:g} ms", met)


def at_least(item: str, ours: str, peer: str, ratio: float, asked: float) -> Row:
    """A line that asks for at least so many times what the peer has."""
    return Row(item, ours, peer, f"{ratio:.2f}", f">= {asked:g}", ratio >= asked)


def report(found: Mapping[str, list[Row]]) -> int:
    """Print the table of all items' rows. Returns the exit status: 1 where an item broke down."""
    print(f"{machine()}\nTimes are median / p95 / p99.")
    table = [("item", "memview", "peer", "ratio", "asked", "")]
    rows = [row for some in found.values() for row in some]
    table += [(row.item, row.ours, row.peer, row.ratio, row.asked, _VERDICT[row.met]) for row in rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    return int(any(row.broken for row in rows))


def record(name: str, rows: list[Row], path: Path, *, full: bool) -> None:
    """Write what an item gave into a JSON file, whose other items stay: each has its day, machine and size.

    Args:
        name: the item.
        rows: what it gave; where it broke down, what the file says of it stays.
        path: the file; there need not be one.
        full: whether it was measured with a million facts.
    """
    if any(row.broken for row in rows):
        return
    known = json.loads(path.read_text()) if path.exists() else {}
    known[name] = {
        "day": date.today().isoformat(), "machine": machine(), "full": full, "rows": [asdict(row) for row in rows]
    }  # fmt: skip
    path.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")


def machine() -> str:
    """What the figures were measured on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}, {cores} cores"


_VERDICT = {None: "", True: "ok", False: "not reached"}
