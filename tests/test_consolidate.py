"""Several facts become one, and which ones could."""

from __future__ import annotations

from itertools import combinations, count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memview import Duplicate, Fact, Invalid, Memory, MemoryStore, NotFound
from support import SettableClock, sql

SPACES = (f"space {number}" for number in count())


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


def contents(groups: list[list[Fact]]) -> list[set[str]]:
    return [{fact.content for fact in group} for group in groups]


def state(path: Path) -> list[object]:
    return [sql(path, f"SELECT * FROM {table}") for table in ("facts", "links", "changes")]


def test_E8_one_summary_takes_the_place_of_its_sources(memory: Memory, clock: SettableClock) -> None:
    one = memory.write(
        "They moved to Berlin", tags=["home", "move"], keywords=["berlin"], importance=3, category="life",
        memory_type="episodic", confidentiality="internal", turns=["t1", "t2"], session="s1", strength=0.3,
    )  # fmt: skip
    two = memory.write(
        "They live in Kreuzberg", tags=["home"], keywords=["kreuzberg", "berlin"], importance=8, category="life",
        confidentiality="confidential", turns=["t2", "t3"], session="s2",
    )  # fmt: skip
    clock.forward(hours=1)
    summary = memory.consolidate([one.id, two.id], "They moved to Kreuzberg in Berlin")
    assert memory.get(summary.id) == summary
    assert summary.id not in (one.id, two.id)
    assert (summary.memory_type, summary.importance, summary.confidentiality) == ("semantic", 8, "confidential")
    assert (summary.tags, summary.keywords) == (["home", "move"], ["berlin", "kreuzberg"])
    assert (summary.turns, summary.session, summary.category) == (["t1", "t2", "t3"], None, "life")
    assert (summary.agent, summary.strength, summary.status) == ("planner", 1.0, "active")
    ties = {(tie.source, tie.target, tie.kind) for tie in memory.links(summary.id)}
    assert ties == {(summary.id, one.id, "derived-from"), (summary.id, two.id, "derived-from")}
    assert {memory.get(fact.id).status for fact in (one, two)} == {"superseded"}
    assert [fact.id for fact in memory.list()] == [summary.id]
    assert [found.fact.id for found in memory.recall("Kreuzberg Berlin", limit=0)] == [summary.id]
    assert memory.write("They moved to Berlin").status == "superseded"


@pytest.mark.parametrize(
    ("origins", "origin"),
    [
        (("user", "user"), "user"), (("person", "user"), "user"), (("user", "assistant"), "assistant"),
        (("import", "assistant"), "assistant"), (("assistant", "extraction"), "extraction"),
        (("person", "tool", "user"), "tool"), (("person", None), None), ((None, "tool"), None),
    ],
)  # fmt: skip
def test_E8_trust_never_rises_by_being_summarised(
    memory: Memory, origins: tuple[str | None, ...], origin: str | None
) -> None:
    facts = memory.write_many([{"content": f"fact {n}", "origin": whose} for n, whose in enumerate(origins)])
    assert memory.consolidate([fact.id for fact in facts], "summary").origin == origin


def test_E8_the_strictest_confidentiality_holds(memory: Memory, path: Path) -> None:
    kinds = ("public", "restricted", "internal")
    facts = memory.write_many([{"content": kind, "confidentiality": kind} for kind in kinds])
    assert memory.consolidate([fact.id for fact in facts], "summary").confidentiality == "restricted"


def test_E8_a_pin_is_kept(memory: Memory) -> None:
    one, two = memory.write_many(["one", "two"])
    memory.pin(two.id)
    assert memory.consolidate([one.id, two.id], "both").pinned


def test_E8_it_is_one_step_for_undo(store: MemoryStore, memory: Memory) -> None:
    one, two = memory.write_many(["one", "two"])
    summary = memory.consolidate([one.id, two.id], "both")
    undone = store.undo()
    assert undone is not None
    assert undone.verb == "consolidate"
    assert {fact.id for fact in memory.list()} == {one.id, two.id}
    assert memory.links(one.id) == []
    store.redo()
    assert [fact.id for fact in memory.list()] == [summary.id]
    assert len(memory.links(summary.id)) == 2


def test_E8_what_cannot_be_consolidated_changes_nothing(store: MemoryStore, memory: Memory, path: Path) -> None:
    one, two, gone = memory.write_many(["one", "two", "gone"])
    other = store.memory("user:43").write("elsewhere")
    foreign = store.tenant("acme").memory("user:42").write("foreign")
    memory.forget(gone.id)
    before = state(path)
    for ids in ([], [one.id], [one.id, one.id], "ab"):
        with pytest.raises(Invalid):
            memory.consolidate(ids, "both")
    for missing in (other.id, foreign.id, "nothing"):
        with pytest.raises(NotFound, match=missing):
            memory.consolidate([one.id, missing, two.id], "both")
    with pytest.raises(Invalid, match=f"{gone.id} is forgotten"):
        memory.consolidate([one.id, gone.id], "both")
    with pytest.raises(Invalid, match="content is required"):
        memory.consolidate([one.id, two.id], "  ")
    for known in (one, gone):
        with pytest.raises(Duplicate) as refused:
            memory.consolidate([one.id, two.id], known.content)
        assert refused.value.id == known.id
    assert state(path) == before


# which could be


def test_E8_clusters_are_facts_whose_keywords_overlap(memory: Memory) -> None:
    for name, keywords in (
        ("a", ["Rust", "performance"]), ("b", ["rust", "safety"]), ("c", ["python", "ml"]), ("d", ["python", "data"]),
        ("e", ["data", "lake"]), ("f", ["cooking"]),
    ):  # fmt: skip
        memory.write(name, keywords=keywords)
    assert contents(memory.clusters()) == [{"c", "d", "e"}, {"a", "b"}]
    assert contents(memory.clusters(0.5)) == []
    assert [fact.content for fact in memory.clusters()[0]] == ["e", "d", "c"]


def test_E8_facts_without_keywords_go_by_their_words(memory: Memory) -> None:
    memory.write("Deploys are on Tuesday morning")
    memory.write("They deploy on Tuesday mornings")
    memory.write("Lunch is at noon")
    assert contents(memory.clusters()) == [{"Deploys are on Tuesday morning", "They deploy on Tuesday mornings"}]


def test_E8_clusters_are_of_active_facts_of_one_namespace(store: MemoryStore, memory: Memory) -> None:
    one, _ = memory.write_many([{"content": text, "keywords": ["k"]} for text in ("one", "two")])
    store.memory("user:43").write("elsewhere", keywords=["k"])
    store.tenant("acme").memory("user:42").write("foreign", keywords=["k"])
    assert contents(memory.clusters()) == [{"one", "two"}]
    memory.forget(one.id)
    assert memory.clusters() == []


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.frozensets(st.sampled_from("abcdefgh"), min_size=1, max_size=5), min_size=1, max_size=7),
    st.sampled_from([0.2, 0.3, 0.5, 1.0]),
)
def test_E8_clusters_are_all_that_the_overlap_ties(
    store: MemoryStore, sets: list[frozenset[str]], least: float
) -> None:
    memory = store.memory(next(SPACES))
    memory.write_many([{"content": str(n), "keywords": sorted(own)} for n, own in enumerate(sets)])
    groups = [{n} for n in range(len(sets))]
    for a, b in combinations(range(len(sets)), 2):
        if len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= least:
            one, other = (next(group for group in groups if n in group) for n in (a, b))
            if one is not other:
                one |= other
                groups.remove(other)
    expected = {frozenset(map(str, group)) for group in groups if len(group) > 1}
    assert {frozenset(group) for group in contents(memory.clusters(least))} == expected


@pytest.mark.parametrize("least", [0, -1, 1.1, float("nan"), True])
def test_E8_an_overlap_that_makes_no_sense_is_refused(memory: Memory, least: float) -> None:
    with pytest.raises(Invalid):
        memory.clusters(least)
