"""Recall with scoring at 100,000 facts, against a program that loads every row into an object and scores it."""

from __future__ import annotations

import random

from benchmarks import stores
from benchmarks.measure import Bench, Row, at_most, milliseconds, percentile, seconds
from benchmarks.texts import Texts
from memview import MemoryStore
from memview.store import facts

FACTS = 100_000
QUESTIONS = 100


def rows(bench: Bench) -> list[Row]:
    """Ours, and what reading all rows alone costs."""
    texts = Texts(6)
    asked = [texts.query(fact) for fact in random.Random(6).sample(stores.facts(FACTS), QUESTIONS)]
    with MemoryStore(stores.store_of(bench, FACTS), read_only=True) as store:
        memory = store.memory("ns:3")
        whole = [seconds(lambda q=q: memory.recall(q, prefix="ns", reinforce=False)) for q in asked]  # type: ignore[misc]
        own = [seconds(lambda q=q: memory.recall(q, reinforce=False)) for q in asked]  # type: ignore[misc]
        every = "status = 'active'"
        objects = seconds(lambda: store._read(lambda raw: facts.rows(raw, every, ())))
    ratio = f"{objects / percentile(whole, 0.5):.0f} times"
    return [
        at_most(f"recall, {FACTS:,} facts", whole, 30, f"all rows to objects {objects * 1000:.0f} ms", ratio),
        Row(f"recall, one namespace of {stores.NAMESPACES}", milliseconds(own)),
    ]
