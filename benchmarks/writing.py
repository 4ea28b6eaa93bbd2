"""Writing: one fact a commit and many at once, against sqlite3 on the same schema and against other libraries.

All in the same run and at the same durability: ``synchronous=FULL`` and a write-ahead log, or as the line says. Ours
and the peer take turns in short rounds, so that a noisy disk is unfair to both; the median of the rounds' ratios
counts. Processor time is that of the whole process, all threads. The other libraries are the extra ``bench``; where one
is missing its line says so.
"""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.measure import Bench, Row
from benchmarks.texts import Texts
from memview import MemoryStore

COUNT = 100
"""Facts written one by one, in a round."""
BATCH = 1_000
"""Facts of one transaction, where many are written at once; a round is one."""
ROUNDS = 11
_AT = "2026-01-01T00:00:00.000000Z"
_COLUMNS = "id, hash, namespace, content, created_at, updated_at, last_accessed_at"
Work = Callable[[list[str]], object]


class _Peer(NamedTuple):
    """Another library's way of keeping a text."""

    item: str
    make: Callable[[Path], Work]
    batch: int
    asked: float | None


def rows(bench: Bench) -> list[Row]:
    """Every comparison."""
    found = []
    for durability in ("FULL", "NORMAL"):
        found.append(_against_sqlite(bench, f"write, one a commit, {durability}", durability, 1, 0.65))
    found.append(_against_sqlite(bench, f"write_many, {BATCH:,} a commit", "FULL", BATCH, 0.85))
    return [*found, *_against_peers(bench)]


def _against_sqlite(bench: Bench, item: str, durability: Any, batch: int, asked: float) -> Row:
    with (
        MemoryStore(bench.scratch / f"{item}.db", synchronous=durability) as store,
        MemoryStore(bench.scratch / f"{item} raw.db", synchronous=durability) as other,
    ):
        assert other._database is not None
        with other._database.exclusively() as raw:
            return _row(
                item, lambda texts: _ours(store, texts, batch), lambda texts: by_sqlite(raw, texts, batch), batch, asked
            )


def _against_peers(bench: Bench) -> Iterator[Row]:
    for number, peer in enumerate(_PEERS):
        try:
            put = peer.make(bench.scratch / f"peer {number}.db")
        except ModuleNotFoundError as missing:
            yield Row(peer.item, "", f"{missing.name} is missing (pip install agent-memview[bench])")
            continue
        with MemoryStore(bench.scratch / f"ours {number}.db") as store:
            yield _row(peer.item, lambda texts, store=store, batch=peer.batch: _ours(store, texts, batch), put,  # type: ignore[misc]
                       peer.batch, peer.asked)  # fmt: skip


def _row(item: str, ours: Work, theirs: Work, batch: int, asked: float | None) -> Row:
    """Both in turns; who begins alternates. The first round, which fills the caches, does not count."""
    count = max(COUNT, batch)
    wall: dict[Work, list[float]] = {ours: [], theirs: []}
    cpu: dict[Work, list[float]] = {ours: [], theirs: []}
    for number in range(ROUNDS + 1):
        some = _texts()[number * count : (number + 1) * count]
        for work in (ours, theirs) if number % 2 else (theirs, ours):
            before = time.perf_counter(), time.process_time()
            work(some)
            wall[work].append((time.perf_counter() - before[0]) / count)
            cpu[work].append((time.process_time() - before[1]) / count)
    ratio, busy = (median(b / a for a, b in list(zip(t[ours], t[theirs], strict=True))[1:]) for t in (wall, cpu))
    mine, other = (
        f"{1 / median(wall[work][1:]):,.0f}/s, CPU {median(cpu[work][1:]) * 1e6:,.0f} us" for work in (ours, theirs)
    )
    told = f"{ratio:.2f} (CPU {busy:.2f})"
    return Row(item, mine, other, told, f">= {asked:g}" if asked else "", ratio >= asked if asked else None)


@cache
def _texts() -> list[str]:
    most = (ROUNDS + 1) * BATCH
    return list(dict.fromkeys(Texts(5).facts(most + 500)))[:most]


def _ours(store: MemoryStore, texts: list[str], batch: int) -> None:
    memory = store.memory("bench")
    if batch > 1:
        memory.write_many(texts)
        return
    for text in texts:
        memory.write(text)


def by_sqlite(raw: sqlite3.Connection, texts: list[str], batch: int) -> None:
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


def _langgraph(path: Path, journal: str) -> Work:
    from langgraph.store.sqlite import SqliteStore

    raw = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    raw.execute(f"PRAGMA journal_mode = {journal}")
    raw.execute("PRAGMA synchronous = FULL")
    store = SqliteStore(raw)
    store.setup()

    def put(texts: list[str]) -> None:
        for text in texts:
            store.put(("bench",), random.randbytes(16).hex(), {"content": text})

    return put


def _openai_agents(path: Path) -> Work:
    """It sets the write-ahead log itself, and leaves ``synchronous`` at SQLite's FULL."""
    import asyncio

    from agents.memory import SQLiteSession

    session = SQLiteSession("bench", path)

    async def add(texts: list[str]) -> None:
        for text in texts:
            await session.add_items([{"role": "user", "content": text}])

    return lambda texts: asyncio.run(add(texts))


def _sqlite_utils(path: Path, many: bool) -> Work:
    """A table with a key and a full-text index that its triggers keep."""
    import sqlite_utils

    database = sqlite_utils.Database(path)
    database.enable_wal()
    database.execute("PRAGMA synchronous = FULL")
    table = database.table("facts", pk="id")
    table.insert({"id": "0", "content": "The first fact"})
    table.enable_fts(["content"], create_triggers=True)

    def insert(texts: list[str]) -> None:
        records = [{"id": random.randbytes(16).hex(), "content": text} for text in texts]
        if many:
            table.insert_all(records)
            return
        for record in records:
            table.insert(record)

    return insert


_PEERS = (
    _Peer("write against LangGraph put, WAL as ours", lambda path: _langgraph(path, "WAL"), 1, 2.0),
    _Peer("write against LangGraph put, its own journal", lambda path: _langgraph(path, "DELETE"), 1, 2.0),
    _Peer("write against OpenAI Agents add_items", _openai_agents, 1, 1.2),
    _Peer("write against sqlite-utils insert", lambda path: _sqlite_utils(path, many=False), 1, None),
    _Peer("write_many against sqlite-utils insert_all", lambda path: _sqlite_utils(path, many=True), BATCH, None),
)
