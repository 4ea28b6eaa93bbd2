"""What a write, a search and a recall cost in stores of 1,000 and 100,000 facts, and with ``--full`` of a million."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from benchmarks import stores
from benchmarks.measure import Bench, Row, milliseconds, seconds
from benchmarks.texts import Texts
from memview import Memory, MemoryStore

SIZES = (1_000, 100_000)
MILLION = 1_000_000
TIMES = 50
"""How often each is done."""


def rows(bench: Bench) -> list[Row]:
    """A line for each of the three and each size; the write is one that survives a power cut."""
    found: list[Row] = []
    for count in (*SIZES, MILLION) if bench.full else SIZES:
        path = shutil.copy(stores.store_of(bench, count), bench.scratch / f"{count}.db")
        found += _costs(Path(path), count)
    return found


def _costs(path: Path, count: int) -> list[Row]:
    texts = Texts(7)
    new = [f"{texts.fact()} (noted as number {number})" for number in range(TIMES)]
    asked = [texts.query(fact) for fact in random.Random(7).choices(stores.facts(count), k=TIMES)]
    with MemoryStore(path) as store:
        memory = store.memory("ns:0")
        memory.search(asked[0])  # the first reads of a file are the disk's cost
        return [
            Row(f"write, {count:,} facts", milliseconds([_write(memory, text) for text in new])),
            Row(f"search, {count:,} facts", milliseconds([_search(memory, query) for query in asked])),
            Row(f"recall, {count:,} facts", milliseconds([_recall(memory, query) for query in asked])),
        ]


def _write(memory: Memory, text: str) -> float:
    return seconds(lambda: memory.write(text))


def _search(memory: Memory, query: str) -> float:
    return seconds(lambda: memory.search(query))


def _recall(memory: Memory, query: str) -> float:
    return seconds(lambda: memory.recall(query, prefix="ns"))
