"""A search of one namespace finds what a look at each fact's namespace finds, also right after a change."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memview import MemoryStore
from memview.clock import utc_now
from memview.memory.looking import Looker, Lookup, Query, find, parse
from memview.store import glimpse, ranking, relevance, select, weighing, within
from support import SettableClock

WORDS = ("port", "portable", "ports", "the", "then", "deploy", "user_name", "東京都", "café", "2beta")
TEXTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join),
        st.sampled_from(("user:1", "user:1", "user:2", "user:1:a")),
        st.sampled_from(("ours", "ours", "theirs")),
    ),
    min_size=1,
    max_size=14,
)
ASKED = st.lists(st.sampled_from((*WORDS, "po", "t", "東", "-the", '"the port"')), min_size=1, max_size=4).map(" ".join)
IN_ONE = (
    Query(tenant="ours", namespace="user:1", prefix=True),
    Query(tenant="ours", under="user:2", prefix=True),
    Query(tenant="ours", namespace="user:1", prefix=True, statuses=()),
    Query(tenant="ours", namespace="user:1", match="any"),
    Query(tenant="ours", namespace="user:1", prefix=True, order="oldest"),
    Query(tenant="ours", namespace="nobody", prefix=True),
)


def filled(path: Path, texts: list[tuple[str, str, str]]) -> None:
    with MemoryStore(path, synchronous="NORMAL", clock=SettableClock()) as handle:
        for tenant in ("ours", "theirs"):
            store = handle.tenant(tenant)
            for place, (text, namespace, whose) in enumerate(texts):
                if whose == tenant:
                    store.memory(namespace).write(f"{text} {place}")
            facts = store.memory("user:1").list(1)
            if facts:
                store.memory("user:1").forget(facts[0].id)


def answers(filled_path: Path, queries: list[str]) -> list[object]:
    path = Path(shutil.copy(filled_path, filled_path.with_name("copy.db")))  # a recall is noted
    looker, lookup = Looker(path), Lookup()
    looker.read(lambda raw: lookup.learn(raw, "facts"))
    found: list[object] = []
    for base in IN_ONE:
        for text in queries:
            for limit in (None, 2):
                query = parse(text, now=utc_now(), base=replace(base, limit=limit)).query
                for how in (find, lookup.find):
                    one = looker.read(lambda raw, how=how, query=query: how(raw, query, utc_now()))  # type: ignore[misc]
                    found.append((text, limit, list(one.keys), one.scores, one.why, one.how))
                found.append(looker.read(lambda raw, query=query: select.count(raw, query, utc_now())))  # type: ignore[misc]
    looker.close()
    with MemoryStore(path, synchronous="NORMAL", clock=SettableClock()) as handle:
        memory = handle.tenant("ours").memory("user:1")
        for text in queries:
            found += [[(fact.content, fact.score) for fact in memory.search(text, limit)] for limit in (0, 2)]
            found.append([one.fact.content for one in memory.recall(text)])
    return found


@given(texts=TEXTS, queries=st.lists(ASKED, min_size=1, max_size=2), longest=st.sampled_from((1, 4, 1 << 20)))
@settings(max_examples=15, deadline=None)
def test_marks_change_nothing_but_the_way(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str, str]], queries: list[str], longest: int
) -> None:
    path = tmp_path_factory.mktemp("within") / "a.db"
    filled(path, texts)
    both = []
    for most in (-1, 50_000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ranking, "RANKED", 3)
            patch.setattr(weighing, "COMMON", 0)
            patch.setattr(relevance, "EXACT", 0)
            patch.setattr(within, "MOST", most)
            patch.setattr(within, "LONGEST", longest)
            patch.setattr(within, "BLOCK", 2)
            patch.setattr(within, "MARKED", within.MARKED.replace(str((1 << 20) - 1), str(longest - 1)))
            both.append(answers(path, queries))
    assert both[0] == both[1]


@given(texts=TEXTS, queries=st.lists(ASKED, min_size=1, max_size=2))
@settings(max_examples=10, deadline=None)
def test_a_glimpse_at_the_newest_changes_nothing_but_the_way(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str, str]], queries: list[str]
) -> None:
    path = tmp_path_factory.mktemp("glimpse") / "a.db"
    filled(path, texts)
    both = []
    for large in (1_000, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ranking, "RANKED", 3)
            patch.setattr(glimpse, "LARGE", large)
            patch.setattr(glimpse, "LOOKED_AT", 3)
            both.append(answers(path, queries))
    assert both[0] == both[1]


def test_facts_that_stand_in_stretches_are_found_newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(within, "BLOCK", 2)
    monkeypatch.setattr(weighing, "COMMON", 0)
    monkeypatch.setattr(weighing, "TOLD_APART", 1)
    monkeypatch.setattr(ranking, "RANKED", 2)
    monkeypatch.setattr(ranking, "NEWEST", 4)
    with MemoryStore(tmp_path / "a.db") as store:
        for n in range(1, 19):
            store.memory("user:2" if (n - 1) // 3 % 2 else "user:1").write(f"port number {n}")
        looker, lookup = Looker(tmp_path / "a.db"), Lookup()
        looker.read(lambda raw: lookup.learn(raw, "facts"))
        for limit in (1, 3, 5, 20):
            query = parse("port", now=utc_now(), base=replace(IN_ONE[0], tenant="", limit=limit)).query
            found = looker.read(lambda raw, query=query: lookup.find(raw, query, utc_now()))  # type: ignore[misc]
            assert list(found.keys) == [15, 14, 13, 9, 8, 7, 3, 2, 1][:limit]
        looker.close()
        shown = [fact.content for fact in store.memory("user:1").search("port", 4)]
        assert shown == [f"port number {n}" for n in (15, 14, 13, 9)]


def by_another(sql: str) -> Callable[[Path, MemoryStore], object]:
    def work(path: Path, store: MemoryStore) -> None:
        other = sqlite3.connect(path)
        other.execute(sql)
        other.commit()
        other.close()

    return work


@pytest.mark.parametrize(
    "change",
    [
        lambda path, store: store.memory("user:1").write("another port"),
        by_another("INSERT INTO facts (namespace, content) VALUES ('user:1', 'another port')"),
        by_another("UPDATE facts SET namespace = 'user:1' WHERE content = 'their port'"),
        by_another("UPDATE facts SET n = 77 WHERE content = 'a port'"),
    ],
    ids=["ours", "insert", "move", "renumber"],
)
def test_marks_that_a_connection_keeps_go_with_the_next_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path, MemoryStore], object]
) -> None:
    monkeypatch.setattr(weighing, "COMMON", 0)
    path = tmp_path / "a.db"
    with MemoryStore(path) as store:
        store.memory("user:1").write("a port")
        store.memory("user:2").write("their port")
        looker = Looker(path)
        query = Query(tenant="", under="user:1", terms=parse("port", now=utc_now()).query.terms, prefix=True, limit=9)

        def found() -> tuple[int, int]:
            mine = store.memory("user:1").search("port")
            return len(mine), len(looker.read(lambda raw: find(raw, query, utc_now())).keys)

        assert found() == (1, 1)
        change(path, store)
        now = sqlite3.connect(path)
        (facts,) = now.execute("SELECT count(*) FROM facts WHERE namespace = 'user:1'").fetchone()
        now.close()
        assert found() == (facts, facts)
        looker.close()


@pytest.mark.parametrize("nested", [False, True])
def test_marks_that_were_made_amid_a_change_go_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nested: bool
) -> None:
    monkeypatch.setattr(weighing, "COMMON", 0)
    with MemoryStore(tmp_path / "a.db") as store:
        memory = store.memory("user:1")
        memory.write("a port")

        def given_up() -> None:
            with store._transaction("move") as tx:
                tx.raw.execute("UPDATE facts SET namespace = 'user:2'")
                assert memory.search("port") == []
                raise ZeroDivisionError

        with store._transaction("around") if nested else nullcontext(), pytest.raises(ZeroDivisionError):
            given_up()
        assert [fact.content for fact in memory.search("port")] == ["a port"]
