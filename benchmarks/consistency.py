"""Whether records, index and searches still agree after very many random operations, by ours and by plain SQL in turn.

What is done, and what must hold, is that of the property test (``tests/churn.py``): writes, edits, corrections, what is
forgotten, restored, pruned and learnt again, undone and done again, merged, linked and erased, turns, and the inserts,
updates, deletes and REPLACEs of another program. Each process, of as many as there are cores, works on one store after
the other, each with a seed of its own; now and then, with rows waiting for the index, some words are looked for.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Bench, Row
from benchmarks.texts import Texts
from churn import ACTS, MARKS, TAGS, Churn, lost, problems

A_STORE = 10_000
"""Operations on one store."""
LOOKED_AFTER = 500
"""Operations between two looks while rows wait for the index."""
KEPT = 200
"""Facts in the namespace that keeps its newest alone."""
SENTENCES = 2_000
NUMBERS = 50_000
"""Different texts, so that some come again."""
_RARE = "erase"
"""It reads the whole file: once in so many operations, where each other is as frequent as any, and writing more so."""
_ONCE_IN = 5_000
_WRITES = 0.15


class Outcome(NamedTuple):
    """What came of one store."""

    held: int
    """Facts that it had at the end."""
    wrong: list[str]


def rows(bench: Bench) -> list[Row]:
    """A million operations on a hundred stores with ``--full``, or the hundredth part of it."""
    stores = 100 if bench.full else 1
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(stores, os.cpu_count() or 1), mp_context=spawned) as pool:
        outcomes = [*pool.map(partial(churned, bench.scratch), range(stores))]
    wrong = [told for outcome in outcomes for told in outcome.wrong]
    held, done = sum(outcome.held for outcome in outcomes), stores * A_STORE
    for told in wrong[:20]:
        print(f"  {told}", flush=True)
    told = f"{len(wrong)} wrong, {held:,} facts left"
    return [Row(f"index, searches, doctor after {done:,} operations", told, "", "", "0", not wrong)]


def churned(scratch: Path, seed: int, operations: int = A_STORE) -> Outcome:
    """Do so many operations on a new store, and look at it; what the library rightly refuses does not count."""
    pick, sentences = random.Random(seed), [*Texts(9).facts(SENTENCES)]
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(dir=scratch) as place, Churn(Path(place) / "churn.db", sentences, KEPT) as churn:
        done = 0
        for name in _names(pick):
            done += churn.act(name, pick.randrange(1 << 30), pick.randrange(NUMBERS))
            if done % LOOKED_AFTER == 0:
                wrong += lost(churn, [f"zq{pick.randrange(MARKS)}", f"zt{pick.randrange(TAGS)}"])
            if done >= operations:
                break
        wrong += problems(churn)
        (held,) = churn.other.execute("SELECT count(*) FROM facts").fetchone()
    return Outcome(held, [f"store {seed}: {told}" for told in wrong])


def _names(pick: random.Random) -> Iterator[str]:
    others = [name for name in ACTS if name != _RARE]
    while True:
        chance = pick.random()
        yield _RARE if chance < 1 / _ONCE_IN else "write" if chance < _WRITES else pick.choice(others)
