"""Recall with scoring at 100,000 facts, against a program that loads every row into an object and scores it."""

from __future__ import annotations

import random

from benchmarks import stores
from benchmarks.measure import Bench, Row, at_most, milliseconds, percentile, seconds
from benchmarks.texts import Texts
from memview import Memory, MemoryStore
from memview.store import facts

FACTS = 100_000
QUESTIONS = 100


def rows(bench: Bench) -> list[Row]:
    """Ours with few words and with sentences, in one namespace and in fifty, and what reading all rows alone costs."""
    texts, pick = Texts(6), random.Random(6)
    meant = pick.sample(stores.facts(FACTS), QUESTIONS)
    few = [texts.query(fact) for fact in meant]
    sentences = [" ".join(fact.split()[: pick.randint(10, 20)]) for fact in meant]
    with MemoryStore(stores.store_of(bench, FACTS, one_namespace=True), read_only=True) as store:
        memory = store.memory(stores.namespace(0))
        whole, long = _timed(memory, few, None), _timed(memory, sentences, None)
        every = "status = 'active'"
        objects = seconds(lambda: store._read(lambda raw: facts.rows(raw, every, ())))
    with MemoryStore(stores.store_of(bench, FACTS), read_only=True) as store:
        memory = store.memory("ns:3")
        below, own = _timed(memory, few, "ns"), _timed(memory, few, None)
    ratio = f"{objects / percentile(whole, 0.5):.0f} times"
    return [
        at_most(f"recall, one namespace of {FACTS:,} facts", whole, 30, f"all rows to objects {objects * 1000:.0f} ms",
                ratio),
        at_most("the same, sentences of 10 to 20 words", long, 30),
        at_most(f"the same over {stores.NAMESPACES} namespaces", below, 30),
        Row(f"the same in one of {stores.NAMESPACES} namespaces", milliseconds(own)),
    ]  # fmt: skip


def _timed(memory: Memory, questions: list[str], prefix: str | None) -> list[float]:
    for question in questions[:5]:
        memory.recall(question, prefix=prefix, reinforce=False)
    return [
        seconds(lambda asked=question: memory.recall(asked, prefix=prefix, reinforce=False))  # type: ignore[misc]
        for question in questions
    ]
