"""Timing, and the table that is printed."""

from __future__ import annotations

import json
import platform
import sqlite3
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    item: str
    ours: str
    peer: str
    ratio: str


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def percentile(values: Iterable[float], share: float) -> float:
    """A percentile of measured values; ``share`` is 0 to 1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def milliseconds(values: list[float]) -> str:
    """Median, p95 and p99 in milliseconds."""
    return " / ".join(f"{percentile(values, share) * 1000:.1f}" for share in (0.5, 0.95, 0.99)) + " ms"


def report(rows: list[Row], path: Path | None) -> None:
    """Print the table, and write it as JSON where a path is given."""
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.machine()}")
    table = [("item", "memview", "peer", "ratio"), *((row.item, row.ours, row.peer, row.ratio) for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(4)]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    if path is not None:
        path.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
