"""``python -m benchmarks [--facts N] [--terminal] [--json FILE]``: measure, compare with peers in the same run, print.

The peers: sqlite3 itself on the same tables and triggers for writing; rapidfuzz's ``token_set_ratio`` over all texts
for searching; ``python -c pass`` for importing. Times are median / p95 / p99.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.idle import idling
from benchmarks.live import following
from benchmarks.measure import Row, milliseconds, percentile, report, seconds
from benchmarks.texts import Texts
from memview import MemoryStore, clock
from memview.memory.looking import Looker, Lookup, Query, fact_rows, parse

_INSERT = "INSERT INTO facts (id, hash, namespace, content, created_at, updated_at, last_accessed_at)"


def main() -> None:
    """Run every measurement."""
    arguments = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure memview against its peers.")
    arguments.add_argument("--facts", type=int, default=20_000, help="facts in the searched store (20,000)")
    arguments.add_argument("--json", type=Path, help="also write the table here")
    arguments.add_argument("--terminal", action="store_true", help="also the program in a terminal (a minute)")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="memview-bench-") as folder:
        rows = [*importing(), *writing(Path(folder)), *searching(Path(folder), given.facts)]
        if given.terminal:
            rows += [*following(Path(folder)), *idling(Path(folder))]
    report(rows, given.json)


def importing() -> list[Row]:
    """What ``import memview`` adds to a bare interpreter."""

    def wall(code: str) -> float:
        runs = [seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True)) for _ in range(9)]
        return percentile(runs, 0.5)

    bare, ours = wall("pass"), wall("import memview")
    return [
        Row("import memview", f"{ours * 1000:.0f} ms", f"python -c pass {bare * 1000:.0f} ms", f"{ours / bare:.2f}")
    ]


def writing(folder: Path) -> list[Row]:
    """Writes a second, one commit each and in batches, against sqlite3 on the same schema."""
    found = []
    for durability in ("FULL", "NORMAL"):
        ours = _rate(folder, durability, _write_one, 1_000)
        raw = _rate(folder, durability, _insert_one, 1_000)
        found.append(Row(f"write, {durability}", f"{ours:,.0f}/s", f"sqlite3 {raw:,.0f}/s", f"{ours / raw:.2f}"))
    ours, raw = _rate(folder, "FULL", _write_many, 10_000), _rate(folder, "FULL", _insert_many, 10_000)
    return [*found, Row("write_many, by 1,000", f"{ours:,.0f}/s", f"executemany {raw:,.0f}/s", f"{ours / raw:.2f}")]


def _rate(folder: Path, durability: str, work: Callable[[MemoryStore, list[str]], None], count: int) -> float:
    texts = list(dict.fromkeys(Texts(count).facts(count)))
    path = folder / f"{work.__name__}-{durability}.db"
    with MemoryStore(path, synchronous="NORMAL" if durability == "NORMAL" else "FULL") as store:
        return len(texts) / seconds(lambda: work(store, texts))


def _write_one(store: MemoryStore, texts: list[str]) -> None:
    memory = store.memory("bench")
    for text in texts:
        memory.write(text)


def _write_many(store: MemoryStore, texts: list[str]) -> None:
    memory = store.memory("bench")
    for start in range(0, len(texts), 1_000):
        memory.write_many(texts[start : start + 1_000])


def _insert_one(store: MemoryStore, texts: list[str]) -> None:
    _insert(store, [[text] for text in texts])


def _insert_many(store: MemoryStore, texts: list[str]) -> None:
    _insert(store, [texts[start : start + 1_000] for start in range(0, len(texts), 1_000)])


def _insert(store: MemoryStore, batches: list[list[str]]) -> None:
    """What the library stores for a fact, by sqlite3 alone: row with hash, index row, change row."""
    assert store._database is not None
    with store._database.exclusively() as raw:
        n = 0
        for batch in batches:
            raw.execute("BEGIN IMMEDIATE")
            raw.execute("INSERT INTO context VALUES (1, 'bench', 'write:x', '2026-01-01T00:00:00.000000Z')")
            at = "2026-01-01T00:00:00.000000Z"
            rows = [(f"{n + i:026d}", random.randbytes(16), "bench", text, at, at, at) for i, text in enumerate(batch)]
            raw.executemany(f"{_INSERT} VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            words = [(n + i + 1, text.lower(), "") for i, text in enumerate(batch)]
            raw.executemany("INSERT INTO facts_index (rowid, content, extra) VALUES (?, ?, ?)", words)
            raw.execute("DELETE FROM context")
            raw.execute("COMMIT")
            n += len(batch)


def searching(folder: Path, count: int) -> list[Row]:
    """A keystroke: query to rows; and how often the text that was meant is among the first ten."""
    from rapidfuzz import fuzz, process

    texts = Texts(1)
    facts = list(dict.fromkeys(texts.facts(count)))
    path = folder / "search.db"
    with MemoryStore(path, synchronous="NORMAL") as store:
        memory = store.memory("bench")
        for start in range(0, len(facts), 5_000):
            memory.write_many(facts[start : start + 5_000])
    looker, lookup = Looker(path), Lookup()
    asked = [(texts.query(fact), fact) for fact in random.Random(2).sample(facts, 96)]
    found: list[str] = []

    def ours(text: str) -> None:
        query = parse(text, now=clock.utc_now(), base=Query(prefix=True, limit=300)).query
        keys = looker.read(lambda c: lookup.find(c, query, clock.utc_now())).keys[:50]
        found[:] = [row.content for row in looker.read(lambda c: fact_rows(c, keys)).values()][:10]

    def peer(text: str) -> None:
        found[:] = [hit[0] for hit in process.extract(text, facts, scorer=fuzz.token_set_ratio, limit=10)]

    ours("warm")
    times: dict[str, list[float]] = {}
    hits = {"ours": 0, "peer": 0}
    for name, search, sample in (("ours", ours, asked), ("peer", peer, asked)):
        for text, fact in sample:
            times.setdefault(name, []).append(seconds(lambda search=search, text=text: search(text)))  # type: ignore[misc]
            hits[name] += fact in found
    looker.close()
    ratio = percentile(times["peer"], 0.5) / percentile(times["ours"], 0.5)
    better = hits["ours"] / max(hits["peer"], 1)
    return [
        Row(f"keystroke at {len(facts):,}", milliseconds(times["ours"]),
            f"rapidfuzz token_set {milliseconds(times['peer'])}", f"{ratio:.0f} times faster"),
        Row("meant text in the first ten", f"{hits['ours']} of {len(asked)}", f"token_set {hits['peer']}",
            f"{better:.1f}"),
    ]  # fmt: skip


if __name__ == "__main__":
    main()
