"""What an agent gets to hear: which facts, in which order, why, and what being recalled does to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memview import Invalid, Memory, MemoryStore, ReadOnlyStore, Recalled, Weights, Why
from support import SettableClock, folder, plain, sql, together

SPACES = (f"space {number}" for number in count())
"""A namespace for each example of a property."""
SAME_STORE = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


def heard(found: list[Recalled]) -> list[str]:
    return [one.fact.content for one in found]


# E.1: filters


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({}, {"deploy a", "deploy b", "deploy c"}),
        ({"category": "ops"}, {"deploy a", "deploy b"}),
        ({"category": "Ops"}, set()),
        ({"tags": ["x"]}, {"deploy a"}),
        ({"tags": ["x", "y"]}, {"deploy a", "deploy b"}),
        ({"tags": []}, {"deploy a", "deploy b", "deploy c"}),
        ({"memory_type": "episodic"}, {"deploy b"}),
        ({"max_confidentiality": "public"}, {"deploy a"}),
        ({"max_confidentiality": "confidential"}, {"deploy a", "deploy b"}),
        ({"max_confidentiality": "restricted"}, {"deploy a", "deploy b", "deploy c"}),
        ({"min_strength": 0.3}, {"deploy a", "deploy b"}),
        ({"category": "ops", "tags": ("y",), "memory_type": "episodic", "min_strength": 0.5}, {"deploy b"}),
    ],
)
def test_E1_filters(memory: Memory, limits: dict[str, Any], expected: set[str]) -> None:
    memory.write("deploy a", category="ops", tags=["x"])
    memory.write("deploy b", category="ops", tags=["y"], memory_type="episodic", confidentiality="confidential")
    memory.write("deploy c", category="home", confidentiality="restricted", strength=0.2)
    memory.write("lunch", category="ops", tags=["x"])
    assert set(heard(memory.recall("deploy", **limits))) == expected


def test_E1_min_strength_is_about_what_is_left(memory: Memory, clock: SettableClock) -> None:
    memory.write("deploy old")
    clock.forward(days=7)
    memory.write("deploy new", strength=0.5)
    assert heard(memory.recall("deploy", min_strength=0.45, reinforce=False)) == ["deploy new"]
    assert set(heard(memory.recall("deploy", min_strength=0.4, reinforce=False))) == {"deploy old", "deploy new"}
    assert heard(memory.recall("deploy", min_strength=0.5, reinforce=False)) == ["deploy new"]


def test_E1_a_namespace_prefix_ends_at_a_colon(store: MemoryStore) -> None:
    for name in (
        "user:alice",
        "user:alice:notes",
        "user:alice:notes:old",
        "user:alice2",
        "user:alic",
        "user",
        "User:alice",
    ):
        store.memory(name).write(f"deploys of {name}")
    store.tenant("acme").memory("user:alice").write("deploys of acme")
    alice = store.memory("user:alice")
    assert heard(alice.recall("deploys")) == ["deploys of user:alice"]
    below = {"deploys of user:alice", "deploys of user:alice:notes", "deploys of user:alice:notes:old"}
    assert set(heard(alice.recall("deploys", prefix="user:alice"))) == below
    assert set(heard(store.memory("x").recall("deploys", prefix="user:alice"))) == below
    assert heard(store.memory("user:alice2").recall("deploys", prefix="user:alice:notes:old")) != []
    assert heard(store.tenant("acme").memory("x").recall("deploys", prefix="user:alice")) == ["deploys of acme"]
    assert store.tenant("other").memory("user:alice").recall("deploys") == []


def test_E1_only_active_facts_are_recalled(memory: Memory) -> None:
    kept, forgotten, old, new = memory.write_many([f"deploy {name}" for name in ("kept", "forgotten", "old", "new")])
    memory.forget(forgotten.id)
    memory.link(new.id, old.id, "supersedes")
    assert set(heard(memory.recall("deploy"))) == {"deploy kept", "deploy new"}
    memory.restore(forgotten.id)
    assert "deploy forgotten" in heard(memory.recall("deploy"))
    assert kept.id == memory.recall("kept")[0].fact.id


def test_E1_without_words_every_fact_within_the_limits_is_a_candidate(memory: Memory, clock: SettableClock) -> None:
    memory.write("one", importance=1, tags=["x"])
    clock.forward(hours=1)
    memory.write("two", importance=9)
    assert heard(memory.recall("", reinforce=False)) == heard(memory.recall("  \n", reinforce=False)) == ["two", "one"]
    assert {one.why.relevance for one in memory.recall()} == {0.0}
    assert heard(memory.recall("", tags=["x"])) == ["one"]
    assert memory.recall("nothing says this") == []


@pytest.mark.parametrize(
    "query", ['deploy" OR', "NEAR( deploy", "deploy*", "-deploy", "content: deploy", "deploy AND ("]
)
def test_E1_no_character_of_a_query_is_syntax(memory: Memory, query: str) -> None:
    memory.write("They deploy on Tuesday")
    memory.write("Lunch is at noon")
    assert heard(memory.recall(query)) == ["They deploy on Tuesday"]


def test_E1_signs_without_letters_are_found_as_they_stand(memory: Memory) -> None:
    memory.write("Shipped 🎉")
    memory.write("Shipped")
    assert heard(memory.recall("🎉")) == ["Shipped 🎉"]


@pytest.mark.parametrize(
    "limits",
    [
        {"limit": -1}, {"limit": 1.5}, {"min_strength": math.nan}, {"memory_type": "nonsense"}, {"tags": "x"},
        {"max_confidentiality": "secret"}, {"min_strength": "0.1"},
    ],
)  # fmt: skip
def test_E1_a_limit_that_makes_no_sense_is_refused(memory: Memory, limits: dict[str, Any]) -> None:
    memory.write("deploy")
    with pytest.raises(Invalid):
        memory.recall("deploy", **limits)


# E.2: what is left of strength


@SAME_STORE
@given(st.lists(st.tuples(st.floats(-1, 3), st.floats(-100, 5_000)), min_size=1, max_size=4))
def test_E2_strength_fades_by_the_formula(
    store: MemoryStore, path: Path, clock: SettableClock, facts: list[tuple[float, float]]
) -> None:
    memory = store.memory(next(SPACES))
    expected = {}
    for place, (strength, hours) in enumerate(facts):
        fact = memory.write(f"fact {place} {strength} {hours}", strength=strength)
        moment = clock.now.timestamp() - hours * 3600
        sql(path, "UPDATE facts SET last_accessed_at = strftime('%Y-%m-%dT%H:%M:%f000Z', ?, 'unixepoch') WHERE id = ?",
            (moment, fact.id))  # fmt: skip
        expected[fact.id] = min(1.0, max(0.0, strength * math.exp(-0.005 * max(0.0, hours))))
    found = memory.recall("fact", limit=0, reinforce=False)
    assert {one.fact.id: one.why.strength for one in found} == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("passed", "left"), [({"days": 7}, 0.432), ({"days": 30}, 0.027), ({"hours": 138.629}, 0.5)])
def test_E2_a_week_and_a_month(memory: Memory, clock: SettableClock, passed: dict[str, float], left: float) -> None:
    memory.write("deploy")
    clock.forward(**passed)
    assert memory.recall("deploy", reinforce=False)[0].why.strength == pytest.approx(left, abs=0.0005)


def test_E2_a_last_access_that_lies_ahead_does_not_fade(memory: Memory, clock: SettableClock) -> None:
    memory.write("deploy", strength=0.8)
    clock.forward(days=-30)
    why = memory.recall("deploy", reinforce=False)[0].why
    assert (why.strength, why.recency) == (0.8, 1.0)


# E.3: what is recalled grows stronger


def test_E3_a_recall_is_counted_and_strengthens(memory: Memory, clock: SettableClock) -> None:
    fact = memory.write("deploy", strength=0.5)
    strong = memory.write("lunch", strength=0.95)
    for times, strength in enumerate((0.7, 0.9, 1.0, 1.0), 1):
        clock.forward(hours=5)
        (found,) = memory.recall("deploy")
        assert found.fact == memory.get(fact.id)
        assert (found.fact.access_count, found.fact.last_accessed_at) == (times, clock.now)
        assert found.fact.strength == pytest.approx(strength)
    assert memory.recall("lunch")[0].fact.strength == 1.0
    assert memory.get(strong.id).access_count == 1


@SAME_STORE
@given(st.floats(-1, 2), st.integers(1, 5))
def test_E3_strength_grows_by_a_fifth_up_to_one(store: MemoryStore, strength: float, times: int) -> None:
    memory = store.memory(next(SPACES))
    fact = memory.write(f"deploy {strength}", strength=strength)
    expected = strength
    for _ in range(times):
        memory.recall("deploy", limit=0)
        expected = min(expected + 0.2, 1)
        assert memory.get(fact.id).strength == pytest.approx(expected)


def test_E3_being_recalled_is_no_change(memory: Memory, path: Path, store: MemoryStore, clock: SettableClock) -> None:
    fact = memory.write("deploy")
    feed = sql(path, "SELECT * FROM changes")
    clock.forward(hours=1)
    memory.recall("deploy")
    now = memory.get(fact.id)
    assert (now.version, now.updated_at) == (fact.version, fact.updated_at)
    assert sql(path, "SELECT * FROM changes") == feed
    assert memory.update(fact.id, "deploy on Tuesday", version=fact.version).version == 2
    for _ in range(2):
        store.undo()
    assert memory.list() == []


@pytest.mark.parametrize("read_only", [True, False])
def test_E3_without_reinforcing_nothing_at_all_is_touched(path: Path, store: MemoryStore, read_only: bool) -> None:
    one, two = store.memory("user:42").write_many(["deploy", "lunch"])
    store.memory("user:42").link(one.id, two.id)
    before = folder(path)
    with MemoryStore(path, read_only=read_only, clock=store.clock) as other:
        memory = other.memory("user:42")
        assert heard(memory.recall("deploy", reinforce=False)) == ["deploy", "lunch"]
        memory.search("deploy")
        memory.list()
    assert folder(path) == before


def test_E3_a_handle_that_only_looks_cannot_count(path: Path, store: MemoryStore) -> None:
    store.memory("a").write("deploy")
    with MemoryStore(path, read_only=True) as other, pytest.raises(ReadOnlyStore, match="reinforce=False"):
        other.memory("a").recall("deploy")


def at_once(work: Callable[[], object], count: int) -> None:
    barrier = Barrier(count)

    def start(_: int) -> object:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(count) as pool:
        list(pool.map(start, range(count)))


def test_E3_eight_threads_lose_no_count(memory: Memory) -> None:
    fact = memory.write("deploy", strength=0.0)
    at_once(lambda: [memory.recall("deploy") for _ in range(3)], 8)
    assert (memory.get(fact.id).access_count, memory.get(fact.id).strength) == (24, 1.0)


def test_E3_four_processes_lose_no_count(memory: Memory, path: Path) -> None:
    fact = memory.write("deploy", strength=0.0)
    code = """
import sys
from memview import MemoryStore
with MemoryStore(sys.argv[1], timeout=30) as store:
    start()
    for _ in range(5):
        assert store.memory('user:42').recall('deploy')
"""
    together(code, path, count=4)
    assert (memory.get(fact.id).access_count, memory.get(fact.id).strength) == (20, 1.0)


# E.4: the score


def bm25(path: Path, words: str) -> dict[int, float]:
    """FTS5's own, as another program asks it."""
    with plain(path) as connection:
        wanted = "SELECT rowid, -bm25(facts_index, 1.0, 0.6) FROM facts_index WHERE facts_index MATCH ?"
        return dict(connection.execute(wanted, (words,)).fetchall())


def test_E4_the_score_is_the_weighted_sum_of_its_parts(memory: Memory, path: Path, clock: SettableClock) -> None:
    texts = ["deploy deploy window", "the window of a deploy, told at some length", "deploy", "lunch", "noon", "tea"]
    for place, text in enumerate(texts):
        memory.write(text, importance=1 + 2 * place, strength=1 - place / 10)
        clock.forward(hours=30)
    fits = bm25(path, "deploy OR window")
    found = memory.recall("deploy window?", reinforce=False)
    assert {one.fact.n for one in found} == fits.keys()
    for one in found:
        fact = one.fact
        assert fact.n is not None
        hours = (clock.now - fact.created_at).total_seconds() / 3600
        parts = Why(
            math.exp(-0.01 * hours), (fact.importance - 1) / 9, fits[fact.n] / max(fits.values()),
            fact.strength * math.exp(-0.005 * hours),
        )  # fmt: skip
        shown = (one.why.recency, one.why.importance, one.why.relevance, one.why.strength)
        assert shown == pytest.approx((parts.recency, parts.importance, parts.relevance, parts.strength))
        assert one.score == pytest.approx(
            0.25 * parts.recency + 0.25 * parts.importance + 0.3 * parts.relevance + 0.2 * parts.strength
        )
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_E4_why_reads_as_a_sum(memory: Memory) -> None:
    memory.write("deploy", importance=10)
    said = "recency 0.25 x 1.000 + importance 0.25 x 1.000 + relevance 0.3 x 1.000 + strength 0.2 x 1.000"
    assert str(memory.recall("deploy")[0].why) == said


def test_E4_weights_can_be_set(memory: Memory, clock: SettableClock) -> None:
    memory.write("deploy deploy deploy", importance=1, strength=0.1)
    memory.write("deploy, as some say with many words", importance=10, strength=0.1)
    memory.write("to deploy is to live, or so they say", importance=1)
    clock.forward(days=3)
    memory.write("deploy late, though nobody wants to and few can", importance=1, strength=0.1)
    for weights, first in (
        (Weights(0, 1, 0, 0), "deploy, as some say with many words"),
        (Weights(0, 0, 1, 0), "deploy deploy deploy"),
        (Weights(0, 0, 0, 1), "to deploy is to live, or so they say"),
        (Weights(recency=1, importance=0, relevance=0, strength=0), "deploy late, though nobody wants to and few can"),
    ):
        assert heard(memory.recall("deploy", weights=weights, reinforce=False))[0] == first
    with pytest.raises(Invalid):
        Weights(recency=-1)


def test_E4_ties_are_the_newest_first(memory: Memory) -> None:
    memory.write_many([f"deploy {place}" for place in "abc"])
    assert heard(memory.recall("deploy")) == ["deploy c", "deploy b", "deploy a"]


@SAME_STORE
@given(st.lists(st.tuples(st.integers(1, 10), st.booleans()), min_size=1, max_size=8))
def test_E4_a_limit_is_the_beginning_of_all(store: MemoryStore, facts: list[tuple[int, bool]]) -> None:
    memory = store.memory(next(SPACES))
    known = memory.write_many(
        [
            {"content": f"{'deploy' if match else 'lunch'} {i} {n}", "importance": n}
            for i, (n, match) in enumerate(facts)
        ]
    )
    for one, other in pairwise(known):
        memory.link(one.id, other.id)
    every = memory.recall("deploy", limit=0, reinforce=False)
    assert len({one.fact.id for one in every}) == len(every)
    for limit in range(1, len(facts) + 2):
        assert memory.recall("deploy", limit=limit, reinforce=False) == every[:limit]


# E.5: one hop along links


def test_E5_a_link_brings_its_other_end(memory: Memory) -> None:
    one, two, three = memory.write_many([{"content": "deploy", "tags": ["x"]}, "lunch", "noon"])
    memory.link(two.id, one.id)
    memory.link(two.id, three.id, "derived-from")
    found = memory.recall("deploy", tags=["x"])
    assert heard(found) == ["deploy", "lunch"]
    assert (found[0].why.via, found[1].why.via, found[1].why.relevance) == (None, one.id, 0.0)
    assert str(found[1].why).endswith(f"by a link from {one.id}")
    assert found[1].fact.access_count == 1
    assert set(heard(memory.recall("lunch"))) == {"lunch", "deploy", "noon"}


def test_E5_what_a_link_brings_is_within_the_same_limits(store: MemoryStore, memory: Memory) -> None:
    start = memory.write("deploy")
    others = [
        store.memory("user:43").write("elsewhere"), memory.write("restricted", confidentiality="restricted"),
        memory.write("weak", strength=0.1), memory.write("forgotten"), memory.write("kept"),
    ]  # fmt: skip
    for other in others:
        memory.link(start.id, other.id)
    memory.forget(others[3].id)
    found = memory.recall("deploy", max_confidentiality="internal", min_strength=0.2, limit=0)
    assert set(heard(found)) == {"deploy", "kept"}
    assert set(heard(memory.recall("deploy", prefix="user", limit=0))) == {
        "deploy", "kept", "restricted", "weak", "elsewhere",
    }  # fmt: skip


def test_E5_no_fact_comes_twice_and_the_limit_counts_all(memory: Memory) -> None:
    one, two, three = memory.write_many(["deploy a", "deploy b", {"content": "lunch", "importance": 10}])
    for other in (two, three):
        memory.link(one.id, other.id)
        memory.link(one.id, other.id, "contradicts")
    assert len(memory.recall("deploy", limit=0)) == 3
    assert len(memory.recall("deploy", limit=2)) == 2
