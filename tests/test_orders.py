"""The first records of a list are those with which all of it begins, whatever the order, the scope and the filter."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memview import MemoryStore
from memview.clock import to_text
from memview.memory.looking import ALL, Looker, Query, find, parse
from memview.store import leading
from support import plain

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SPACES = ("user", "user:1", "user/1", "user:1:x", "user-1", "users", "team")
ODD = ("never", "", "2026-03-01", "2026-03-01 13:00:00", "2026-03-01T02:00:00-11:00", "2026-02-28T23:00:00+09:00")
SEARCHES = (
    "",
    "strength<0.6",
    "importance>=5",
    "recalled:0",
    "is:pinned",
    "-ns:user:1",
    "is:pruned is:active",
    "kind:x",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 3,000 facts and some that another program wrote, with gaps."""
    path = tmp_path_factory.mktemp("orders") / "agent.db"
    with MemoryStore(path, synchronous="NORMAL") as store:
        store.memory("user").write("The first.")
    with plain(path) as raw:
        raw.executemany(
            "INSERT INTO facts (tenant, namespace, content, importance, access_count, strength, last_accessed_at, "
            "pinned, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            list(_facts(random.Random(3), 3_000)),
        )
        raw.execute("DELETE FROM facts WHERE n % 7 = 0")
        raw.commit()
    return path


def _facts(pick: random.Random, count: int) -> Iterator[tuple[object, ...]]:
    for number in range(count):
        used = to_text(NOW - timedelta(hours=pick.choice((0, 1, 24, 24, pick.uniform(-5, 900)))))
        yield (
            pick.choice(("", "", "", "acme")), pick.choice(SPACES), f"Fact {number}.",
            pick.choice((5, 5, 5, 1, 8, 10, "high", 4.5)), pick.choice((0, 0, 0, 1, 2, 40, "many")),
            pick.choice((1.0, 1.0, 0.5, 0.0, -1.0, 1.7, "strong", round(pick.random(), 2))),
            pick.choice(ODD) if pick.random() < 0.1 else used, number % 11 == 0,
            pick.choice(("active",) * 8 + ("pruned",)),
        )  # fmt: skip


@pytest.fixture
def looker(made: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Looker]:
    """Looks at the store as if it were large."""
    monkeypatch.setattr(leading, "LARGE", 1_000)
    monkeypatch.setattr(leading, "AT_AN_END", 400)
    looker = Looker(made)
    yield looker
    looker.close()


@pytest.mark.parametrize("order", ["newest", "oldest", "importance", "recalled", "strength", "relevance"])
def test_the_first_are_the_beginning_of_all(looker: Looker, order: str) -> None:
    for text in SEARCHES:
        for tenant in (ALL, "", "acme"):
            for under in (None, "user", "user:1", "nowhere"):
                base = Query(order=order, tenant=tenant, under=under)  # type: ignore[arg-type]
                _compare(looker, parse(text, now=NOW, base=base).query)


def _compare(looker: Looker, query: Query) -> None:
    def work(raw: sqlite3.Connection) -> None:
        whole = list(find(raw, query, NOW).keys)
        for limit in (1, 5, 100, 399, 2_500):
            limited = replace(query, limit=limit)
            assert list(find(raw, limited, NOW).keys) == whole[:limit], (query, limit)

    looker.read(work)
