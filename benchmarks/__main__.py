"""``python -m benchmarks [ITEM...] [--full] [--json FILE]``: measure, compare with named peers in the same run, print.

One module an item, each with ``rows(bench) -> list[Row]``; a new one joins by a line in `ITEMS`. Large stores are made
once, with a fixed seed, and kept in ``MEMVIEW_BENCH_CACHE`` or a folder beside other temporary files.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from benchmarks.duplicates import finding
from benchmarks.idle import idling
from benchmarks.live import following
from benchmarks.measure import Bench, Row, report

Rows = Callable[[Bench], list[Row]]


def _module(name: str) -> Rows:
    def rows(bench: Bench) -> list[Row]:
        found: list[Row] = import_module(f"benchmarks.{name}").rows(bench)
        return found

    return rows


ITEMS: dict[str, Rows] = {
    name: _module(name)
    for name in (
        "importing",
        "writing",
        "writers",
        "recall",
        "recalling",
        "costs",
        "keystroke",
        "consistency",
    )
} | {
    "duplicates": lambda bench: finding(bench.scratch),
    "idle": lambda bench: idling(bench.scratch),
    "live": lambda bench: following(bench.scratch),
}
SLOW = ("duplicates", "idle", "live")
"""Measured only when they are named, or with ``--full``: they need minutes, or a terminal to themselves."""


def main() -> None:
    """Run the measurements that were named, or all."""
    arguments = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure memview against its peers.")
    arguments.add_argument("items", nargs="*", metavar="ITEM", help=f"of {', '.join(ITEMS)}")
    arguments.add_argument("--full", action="store_true", help="a million facts, and everything that takes long")
    arguments.add_argument("--json", type=Path, help="also write the table here")
    given = arguments.parse_args()
    if unknown := set(given.items) - ITEMS.keys():
        arguments.error(f"there is no {', '.join(sorted(unknown))}")
    chosen = given.items or [name for name in ITEMS if given.full or name not in SLOW]
    rows: list[Row] = []
    for name in chosen:
        print(f"measuring {name}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="memview-bench-") as scratch:
            rows += ITEMS[name](Bench(_cache(), Path(scratch), given.full))
    report(rows, given.json)


def _cache() -> Path:
    named = os.environ.get("MEMVIEW_BENCH_CACHE")
    place = Path(named) if named else Path(tempfile.gettempdir()) / "memview-bench-stores"
    place.mkdir(parents=True, exist_ok=True)
    return place


if __name__ == "__main__":
    main()
