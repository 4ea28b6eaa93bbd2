"""Whether the text index still agrees with the records after many random operations, by ours and by plain SQL."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
from collections.abc import Callable

from benchmarks.measure import Bench, Row
from benchmarks.texts import Texts
from memview import Conflict, Duplicate, MemoryStore
from memview.store.words import prepare


def rows(bench: Bench) -> list[Row]:
    """A thousand operations, or a hundred thousand with ``--full``."""
    count = 100_000 if bench.full else 1_000
    path = bench.scratch / "consistency.db"
    pick, texts = random.Random(9), Texts(9)
    with MemoryStore(path, synchronous="NORMAL") as store, sqlite3.connect(path, isolation_level=None) as other:
        for _ in range(count):
            _step(store, other, pick, texts)
        store.memory("a").write("The queue is drained by whoever writes next")
        while other.execute("SELECT 1 FROM queue").fetchone():
            store.memory("a").write(texts.fact())
        wrong = disagreements(other)
        held = other.execute("SELECT count(*) FROM facts").fetchone()[0]
    other.close()
    return [
        Row(f"index against {held:,} rows after {count:,} operations", f"{len(wrong)} differ", "", "", "0", not wrong)
    ]


def _step(store: MemoryStore, other: sqlite3.Connection, pick: random.Random, texts: Texts) -> None:
    memory = store.memory(pick.choice("abc"))
    known = [fact.id for fact in memory.list(20)]
    if len(known) < 5 or pick.random() < 0.4:
        memory.write(texts.fact(), tags=pick.sample(["release", "billing", "on_call"], pick.randrange(3)))
        return
    id = pick.choice(known)
    acts: list[Callable[[], object]] = [
        lambda: memory.update(id, texts.fact()),
        lambda: memory.update(id, tags=[pick.choice(["moved", "kept"])]),
        lambda: memory.forget(id),
        lambda: memory.correct(id, texts.fact()),
        lambda: store.undo(),
        lambda: store.redo(),
        lambda: memory.write_many(texts.facts(3)),
        lambda: other.execute("UPDATE facts SET content = ? WHERE id = ?", (texts.fact(), id)),
        lambda: other.execute("INSERT INTO facts (namespace, content) VALUES ('a', ?)", (texts.fact(),)),
        lambda: other.execute("DELETE FROM facts WHERE id = ?", (id,)),
    ]
    with contextlib.suppress(Duplicate, Conflict):
        pick.choice(acts)()


def disagreements(raw: sqlite3.Connection) -> list[int]:
    """The numbers of facts whose index row is missing, left over or not made of their words.

    Raises:
        sqlite3.DatabaseError: the index is damaged in itself.
    """
    raw.execute("INSERT INTO facts_index (facts_index) VALUES ('integrity-check')")
    held = {n: (content, extra) for n, content, extra in raw.execute("SELECT rowid, content, extra FROM facts_index")}
    wrong = []
    for n, content, *beside in raw.execute("SELECT n, content, tags, keywords, category, summary FROM facts"):
        words, extra = held.pop(n, (None, None))
        if words != prepare(content) or set((extra or "").split()) != _beside(*beside):
            wrong.append(n)
    return [*wrong, *held]


def _beside(tags: str, keywords: str, category: str | None, summary: str | None) -> set[str]:
    parts = [*json.loads(tags), *json.loads(keywords), category or "", summary or ""]
    return {word for part in parts for word in prepare(part).split()}
