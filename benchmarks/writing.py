"""Writing: one fact a commit and many at once, against sqlite3 on the same schema and against other libraries.

All at the same durability: WAL, ``synchronous=FULL`` (or NORMAL where the line says so). The other libraries are the
extra ``bench``; where one is missing its line says so.
"""

from __future__ import annotations

import importlib.util
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import Bench, Row, at_least, seconds
from benchmarks.texts import Texts
from memview import MemoryStore

COUNT = 500
"""Facts written one by one, in a round."""
MANY = 10_000
ROUNDS = 5
"""Ours and the peer take turns, so that a noisy machine is unfair to both; the median ratio counts."""
_AT = "2026-01-01T00:00:00.000000Z"
_COLUMNS = "id, hash, namespace, content, created_at, updated_at, last_accessed_at"
Work = Callable[[list[str]], object]


def rows(bench: Bench) -> list[Row]:
    """Every comparison."""
    found = []
    for durability in ("FULL", "NORMAL"):
        found.append(_against_sqlite(bench, f"write, one a commit, {durability}", durability, COUNT, 1, 0.65))
    found.append(_against_sqlite(bench, "write_many, 1,000 a commit", "FULL", MANY, 1_000, 0.85))
    return [*found, *_peers(bench)]


def _against_sqlite(bench: Bench, item: str, durability: Any, count: int, batch: int, asked: float) -> Row:
    with (
        MemoryStore(bench.scratch / f"{item}.db", synchronous=durability) as store,
        MemoryStore(bench.scratch / f"{item} raw.db", synchronous=durability) as other,
    ):
        assert other._database is not None
        with other._database.exclusively() as raw:
            return _row(
                item,
                lambda texts: _ours(store, texts, batch),
                "sqlite3",
                lambda texts: _raw(raw, texts, batch),
                count,
                asked,
            )


def _peers(bench: Bench) -> Iterator[Row]:
    for item, module, make, asked in (
        ("write against LangGraph SqliteStore.put", "langgraph.store.sqlite", _langgraph, 2.0),
        ("write against OpenAI Agents add_items", "agents.memory", _openai_agents, 1.2),
    ):
        try:
            known = importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:
            known = False
        if not known:
            yield Row(item, "", f"{module} is not installed (pip install agent-memview[bench])", "", f">= {asked:g}")
            continue
        with MemoryStore(bench.scratch / f"{module}.db") as store:
            put = make(bench.scratch / f"{module} peer.db")
            yield _row(item, lambda texts, store=store: _ours(store, texts, 1), "it", put, COUNT, asked)  # type: ignore[misc]


def _row(item: str, ours: Work, name: str, theirs: Work, count: int, asked: float) -> Row:
    texts = list(dict.fromkeys(Texts(5).facts(count * ROUNDS)))
    rates: dict[str, list[float]] = {"ours": [], "theirs": []}
    for start in range(0, count * ROUNDS, count):
        some = texts[start : start + count]
        for who, work in (("ours", ours), ("theirs", theirs)):
            rates[who].append(len(some) / seconds(lambda: work(some)))  # noqa: B023
    ratio = median(a / b for a, b in zip(rates["ours"], rates["theirs"], strict=True))
    return at_least(item, f"{median(rates['ours']):,.0f}/s", f"{name} {median(rates['theirs']):,.0f}/s", ratio, asked)


def _ours(store: MemoryStore, texts: list[str], batch: int) -> None:
    memory = store.memory("bench")
    if batch == 1:
        for text in texts:
            memory.write(text)
        return
    for start in range(0, len(texts), batch):
        memory.write_many(texts[start : start + batch])


def _raw(raw: sqlite3.Connection, texts: list[str], batch: int) -> None:
    """What the library stores for a fact, by sqlite3 alone: row with hash, index row, change row."""
    for start in range(0, len(texts), batch):
        some = texts[start : start + batch]
        raw.execute("BEGIN IMMEDIATE")
        raw.execute("INSERT INTO context VALUES (1, 'bench', 'write:x', ?)", (_AT,))
        (n,) = raw.execute("SELECT coalesce(max(n), 0) FROM facts").fetchone()
        rows = [(f"{n + i:026d}", random.randbytes(16), "bench", text, _AT, _AT, _AT) for i, text in enumerate(some, 1)]
        raw.executemany(f"INSERT INTO facts ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        words = [(n + i, text.lower(), "") for i, text in enumerate(some, 1)]
        raw.executemany("INSERT INTO facts_index (rowid, content, extra) VALUES (?, ?, ?)", words)
        raw.execute("DELETE FROM context")
        raw.execute("COMMIT")


def _langgraph(path: Path) -> Work:
    from langgraph.store.sqlite import SqliteStore

    raw = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    store = SqliteStore(raw)
    store.setup()

    def put(texts: list[str]) -> None:
        for text in texts:
            store.put(("bench",), random.randbytes(16).hex(), {"content": text})

    return put


def _openai_agents(path: Path) -> Work:
    import asyncio

    from agents.memory import SQLiteSession

    session = SQLiteSession("bench", path)

    async def add(texts: list[str]) -> None:
        for text in texts:
            await session.add_items([{"role": "user", "content": text}])

    return lambda texts: asyncio.run(add(texts))
