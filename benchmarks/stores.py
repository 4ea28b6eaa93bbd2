"""Large stores with a fixed seed, made once and kept in a folder outside the repository."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from benchmarks.measure import Bench
from benchmarks.texts import Texts
from memview import MemoryStore
from memview.store.schema import MIGRATIONS

NAMESPACES = 50
_AT_ONCE = 5_000


def facts(count: int) -> list[str]:
    """The texts of a store, in the order in which they were written."""
    return list(dict.fromkeys(Texts(1).facts(count)))


def namespace(place: int) -> str:
    """Where the text of this place in the order of `facts` stands."""
    return f"ns:{place // _AT_ONCE % NAMESPACES}"


def store_of(bench: Bench, count: int) -> Path:
    """A store of so many facts in 50 namespaces; another schema, or other texts, make another one."""
    shape = hashlib.sha256(repr((MIGRATIONS, Texts(1).fact())).encode()).hexdigest()[:8]
    path = bench.cache / f"facts-{count}-{shape}.db"
    if not path.exists():
        print(f"making a store of {count:,} facts in {bench.cache} (once)", flush=True)
        _make(path, count)
    return path


def _make(path: Path, count: int) -> None:
    unfinished = path.with_suffix(".part")
    for left in (unfinished, Path(f"{unfinished}-wal"), Path(f"{unfinished}-shm")):
        left.unlink(missing_ok=True)
    texts = facts(count)
    with MemoryStore(unfinished, synchronous="NORMAL") as store:
        for start in range(0, len(texts), _AT_ONCE):
            store.memory(namespace(start)).write_many(texts[start : start + _AT_ONCE])
    os.replace(unfinished, path)
