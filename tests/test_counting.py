"""A count is that of all rows, whichever way it is taken."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memview import MemoryStore
from memview.clock import utc_now
from memview.memory.looking import ALL, Looker, Query, count, find, parse
from memview.store import counting


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.db"
    with MemoryStore(path) as store:
        for tenant in (store, store.tenant("acme"), store.tenant("zoo")):
            for name in ("user:1", "user:2"):
                memory = tenant.memory(name)
                for number in range(6):
                    memory.write(f"the port of {name} number {number}")
                memory.forget(memory.list(1)[0].id)
                memory.correct(memory.list(1)[0].id, "a portable thing")
    return path


@pytest.mark.parametrize("queued", [False, True])
@pytest.mark.parametrize("groups", [0, 500])
def test_a_count_is_that_of_all_rows(path: Path, monkeypatch: pytest.MonkeyPatch, groups: int, queued: bool) -> None:
    monkeypatch.setattr(counting, "MOST_GROUPS", groups)
    if queued:
        other = sqlite3.connect(path)
        other.execute("INSERT INTO facts (tenant, namespace, content) VALUES ('acme', 'user:9', 'a port of others')")
        other.execute("DELETE FROM facts WHERE n = 2")
        other.execute("UPDATE facts SET status = 'pruned' WHERE n = 3")
        other.commit()
        other.close()
    looker = Looker(path)
    for text in (
        "port",
        "po",
        "p",
        "port -number",
        "port user",
        "nothing",
        "port ns:user:1",
        "port is:forgotten -is:active",
    ):
        for tenant in ("", "acme", ALL):
            for statuses in (("active",), ("active", "superseded"), ()):
                base = Query(tenant=tenant, statuses=statuses, prefix=True)
                query = parse(text, now=utc_now(), base=base).query
                rows, counted = looker.read(
                    lambda raw, query=query: (len(find(raw, query, utc_now()).keys), count(raw, query, utc_now()))  # type: ignore[misc]
                )
                assert counted == rows, (text, tenant, statuses)
    looker.close()


def test_a_count_leaves_out_other_tenants_and_states(path: Path) -> None:
    looker = Looker(path)
    query = Query(terms=parse("port", now=utc_now()).query.terms, prefix=True)
    assert looker.read(lambda raw: count(raw, query, utc_now())) == 10
    looker.close()
