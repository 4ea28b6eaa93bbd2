"""``python -m benchmarks [ITEM...] [--full] [--json FILE]``: measure, and compare with named peers in the same run.

One module an item, each with ``rows(bench) -> list[Row]``; a new one joins by its name in `ITEMS`. Large stores are
made once, with a fixed seed, and kept in ``MEMVIEW_BENCH_CACHE`` or a folder beside other temporary files. An item that
breaks down is reported, and the others go on.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from importlib import import_module
from pathlib import Path

from benchmarks.measure import Bench, Row, record, report

ITEMS = {
    "importing": "what import memview costs",
    "starting": "first rows of the app",
    "pressing": "a key through the screen, alone and among fifty writers",
    "moving": "to the end, by pages, into another order",
    "memory": "the most memory that the app needs",
    "live": "a commit elsewhere, known and painted",
    "idle": "the app while nobody touches it",
    "checkpoints": "whether an open app holds up a checkpoint",
    "keystroke": "a search without the screen",
    "consistency": "whether index, searches and records agree",
    "writing": "one fact a commit, and many",
    "writers": "eight processes at once",
    "recall": "whether the right fact is recalled",
    "recalling": "the speed of that",
    "costs": "writes, searches and recalls by size",
    "nearby": "whether a text is known already, before it is written",
    "duplicates": "copies among many facts",
}
"""What is measured, in the order of the table."""
SLOW = ("duplicates",)
"""Measured only where it is named, or with ``--full``."""


def main() -> int:
    """Measure what was named, or all. Returns the exit status: 1 where an item broke down."""
    given = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that an item ends the programs that it started
    chosen = given.items or [name for name in ITEMS if given.full or name not in SLOW]
    found: dict[str, list[Row]] = {}
    for name in chosen:
        print(f"measuring {name}", file=sys.stderr, flush=True)
        started = time.monotonic()
        found[name] = _measured(name, given.full)
        print(f"  {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        if given.json is not None:
            record(name, found[name], given.json, full=given.full)
    return report(found)


def _arguments() -> argparse.Namespace:
    told = "\n".join(f"  {name:<12} {what}" for name, what in ITEMS.items())
    arguments = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure memview against its peers.",
        epilog=f"items:\n{told}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    arguments.add_argument("items", nargs="*", metavar="ITEM", help="one of those below; all where none is named")
    arguments.add_argument("--full", action="store_true", help="a million facts, and everything that takes long")
    arguments.add_argument("--json", type=Path, help="also write the table here, beside what it has of other items")
    given = arguments.parse_args()
    if unknown := set(given.items) - ITEMS.keys():
        arguments.error(f"there is no {', '.join(sorted(unknown))}")
    return given


def _measured(name: str, full: bool) -> list[Row]:
    """The rows of an item, or one that says why there are none."""
    try:
        with tempfile.TemporaryDirectory(prefix="memview-bench-", ignore_cleanup_errors=True) as scratch:
            rows: list[Row] = import_module(f"benchmarks.{name}").rows(Bench(_cache(), Path(scratch), full))
            return rows
    except Exception as error:
        traceback.print_exc()
        return [Row(name, "", f"broke down: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}",
                    met=False, broken=True)]  # fmt: skip


def _cache() -> Path:
    named = os.environ.get("MEMVIEW_BENCH_CACHE")
    place = Path(named) if named else Path(tempfile.gettempdir()) / "memview-bench-stores"
    place.mkdir(parents=True, exist_ok=True)
    return place


if __name__ == "__main__":
    sys.exit(main())
