"""What a write, a search and a recall cost in stores of 1,000 and 100,000 facts, and with ``--full`` of a million."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks import stores
from benchmarks.measure import Bench, Row, milliseconds, spent
from benchmarks.texts import Texts
from memview import MemoryStore

SIZES = (1_000, 100_000)
MILLION = 1_000_000
TIMES = 100
"""How often each is done."""


def rows(bench: Bench) -> list[Row]:
    """Two lines, on the wall and on the processor, for each of the three and each size."""
    found: list[Row] = []
    for count in (*SIZES, MILLION) if bench.full else SIZES:
        path = shutil.copy(stores.store_of(bench, count), bench.scratch / f"{count}.db")
        found += costs(Path(path), count, random.Random(7).choices(stores.facts(count), k=TIMES))
    return found


def costs(path: Path, count: int, known: Sequence[str]) -> list[Row]:
    """What each costs in a store of so many facts, some of which are ``known``: a write survives a power cut, a search
    looks at one namespace, a recall at all of them and is counted.

    Of the facts only these few are in memory: a list of a million costs whoever is measured tens of milliseconds when
    Python looks for garbage.
    """
    texts = Texts(7)
    new = [f"{texts.fact()} (noted as number {number})" for number in range(TIMES)]
    asked = [texts.query(fact) for fact in known]
    with MemoryStore(path) as store:
        memory = store.memory("ns:0")
        memory.search(asked[0])  # the first reads of a file are the disk's cost
        return [
            *_rows(f"write, {count:,} facts", [spent(partial(memory.write, text)) for text in new]),
            *_rows(f"search, {count:,} facts", [spent(partial(memory.search, query)) for query in asked]),
            *_rows(f"recall, {count:,} facts", [spent(partial(memory.recall, query, prefix="ns")) for query in asked]),
        ]


def _rows(item: str, times: list[tuple[float, float]]) -> list[Row]:
    wall, cpu = zip(*times, strict=True)
    return [Row(item, milliseconds([*wall])), Row(f"{item}, CPU", milliseconds([*cpu]))]
