"""``python -m benchmarks.junk [--conversations N] [--keep FOLDER]``: plant, find, clean by keys, and print both tables.

``MEMVIEW_LOCOMO`` names the folder with the conversations (tests/locomo.py); the terminal is that of the tests.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import locomo
from benchmarks.junk import cleaning, finding, making
from benchmarks.junk.making import Truth
from memview import clock


def main() -> None:
    """Do it all, in a folder that goes away unless one is named."""
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.junk")
    arguments.add_argument("--conversations", type=int, default=0, help="how many; all where it is 0")
    arguments.add_argument("--keep", type=Path, help="a folder for the store and the truth")
    arguments.add_argument("--find-only", action="store_true", help="do not clean")
    given = arguments.parse_args()
    place = locomo.folder()
    if place is None:
        arguments.exit(2, f"{locomo.SETTING} names no folder with the conversations\n")
    with tempfile.TemporaryDirectory(prefix="memview-junk-") as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "messy.db"
        truth = making.make(place, path, clock.utc_now(), limit=given.conversations)
        print(_table(("what", "planted", "found", "false"), _found(path, truth)))
        if not given.find_only:
            print(_table(("what", "planted", "gone", "left"), _cleaned(path, truth, Path(scratch))))


def _found(path: Path, truth: dict[str, Truth]) -> Iterable[Sequence[object]]:
    seen = finding.look(path, clock.utc_now())
    missed, false = finding.missed(truth, seen), finding.false(truth, seen)
    for kind, ids in missed.items():
        planted = sum(one.kind == kind for one in truth.values())
        yield kind, planted, planted - len(ids) if finding.MEANT[kind] else "not searched for", ""
    for measure, wrong in false.items():
        yield f"{measure}: pairs or facts that are no junk of its kind", "", "", len(wrong)


def _cleaned(path: Path, truth: dict[str, Truth], scratch: Path) -> Iterable[Sequence[object]]:
    clean = path.with_name("clean.db")
    shutil.copy(path, clean)
    begun = time.monotonic()
    keys: Counter[str] = cleaning.clean(clean, scratch)
    took = time.monotonic() - begun
    for line in cleaning.outcome(clean, truth):
        yield line.kind, line.planted, line.gone, len(line.left)
    for part, count in keys.items():
        yield f"keys: {part or 'quit'}", "", count, ""
    yield f"keys in all, in {took:.0f} s", "", sum(keys.values()), ""


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [" | ".join(map(str, row)) for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


if __name__ == "__main__":
    main()
