"""Large stores with a fixed seed, made once and kept in a folder outside the repository."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from itertools import count as count_from
from pathlib import Path
from typing import Any

from benchmarks.measure import Bench
from benchmarks.texts import Texts
from memview import MemoryStore
from memview.store.schema import MIGRATIONS

NAMESPACES = 50
_AT_ONCE = 5_000
_RECALLED = "UPDATE facts SET access_count = 1 + n * 7919 % 40, strength = 0.5 + n * 7919 % 499 / 998.0 WHERE n % 3 = 0"


def facts(count: int) -> list[str]:
    """The texts of a store, in the order in which they were written."""
    return list(dict.fromkeys(Texts(1).facts(count)))


def namespace(place: int) -> str:
    """Where the text of this place in the order of `facts` stands."""
    return f"ns:{place // _AT_ONCE % NAMESPACES}"


def store_of(bench: Bench, count: int, *, one_namespace: bool = False) -> Path:
    """A store of so many facts, in 50 namespaces or in one; another schema, or other facts, make another one.

    Half of the facts have an importance of their own, and a third was recalled, up to 40 times.
    """
    shape = hashlib.sha256(repr((MIGRATIONS, Texts(1).fact(), _RECALLED)).encode()).hexdigest()[:8]
    path = bench.cache / f"facts-{count}{'-in-one' if one_namespace else ''}-{shape}.db"
    if not path.exists():
        print(f"making a store of {count:,} facts in {bench.cache} (once)", flush=True)
        _make(path, count, one_namespace)
    return path


def _make(path: Path, count: int, one_namespace: bool) -> None:
    unfinished = path.with_suffix(".part")
    for left in (unfinished, Path(f"{unfinished}-wal"), Path(f"{unfinished}-shm")):
        left.unlink(missing_ok=True)
    texts = facts(count)
    with MemoryStore(unfinished, synchronous="NORMAL") as store:
        for start in range(0, len(texts), _AT_ONCE):
            memory = store.memory(namespace(0 if one_namespace else start))
            memory.write_many(map(_draft, texts[start : start + _AT_ONCE], count_from(start)))
    _recall(unfinished)
    os.replace(unfinished, path)


def _draft(text: str, place: int) -> dict[str, Any]:
    return {"content": text, "importance": 5 if place % 2 else 1 + place // 2 % 10}


def _recall(path: Path) -> None:
    """Leave the facts as if some had been recalled, at the moment of their last change."""
    raw = sqlite3.connect(path)
    with raw:
        raw.execute(_RECALLED)
    raw.close()
