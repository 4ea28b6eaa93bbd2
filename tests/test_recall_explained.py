"""A recall of what other programs wrote and of very many facts, and the account of what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from memview import Memory, MemoryStore, Recalled, Weights
from memview.memory.looking import ALL, Ask, Explained, Looker, explain
from memview.store import relevance
from support import SettableClock, folder, sql


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


@pytest.fixture
def looker(store: MemoryStore, path: Path) -> Iterator[Looker]:
    looker = Looker(path)
    yield looker
    looker.close()


def heard(found: list[Recalled]) -> list[str]:
    return [one.fact.content for one in found]


# what another program wrote, and very many hits


def test_a_row_that_another_program_wrote_is_recalled(memory: Memory, path: Path) -> None:
    memory.write("deploy on Tuesday")
    sql(path, "INSERT INTO facts (namespace, content) VALUES ('user:42', 'They deploy at night')")
    with MemoryStore(path, read_only=True) as other:
        found = other.memory("user:42").recall("deploy at night", reinforce=False)
    assert set(heard(found)) == {"They deploy at night", "deploy on Tuesday"}
    assert max(found, key=lambda one: one.why.relevance).fact.content == "They deploy at night"
    assert set(heard(memory.recall("night"))) == {"They deploy at night"}


def test_nonsense_that_another_program_left_is_survived(memory: Memory, path: Path) -> None:
    memory.write("deploy")
    sql(
        path,
        "UPDATE facts SET strength = 'x', importance = x'00', created_at = 'never', last_accessed_at = '', tags = 'x'",
    )
    assert [one.fact.content for one in memory.recall("deploy")] == ["deploy"]
    assert [one.fact.content for one in memory.recall("", tags=["y"])] == []


def test_where_words_hit_very_many_the_rare_and_the_most_words_come_first(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relevance, "EXACT", 10)
    monkeypatch.setattr(relevance, "NEWEST", 4)
    memory.write_many(["deploy window of the zebra", "window to deploy", *(f"deploy {n}" for n in range(20))])
    memory.write_many(f"window {n}" for n in range(20))
    assert heard(memory.recall("deploy window zebra", weights=Weights(0, 0, 1, 0), reinforce=False))[:2] == [
        "deploy window of the zebra", "window to deploy",
    ]  # fmt: skip
    assert len(memory.recall("deploy window", limit=0, reinforce=False)) == 42


# the account


def told(looker: Looker, ask: Ask, now: datetime, most: int = 50) -> Explained:
    return looker.read(lambda raw: explain(raw, ask, now, most))


def test_what_is_left_out_says_why(
    store: MemoryStore, memory: Memory, looker: Looker, path: Path, clock: SettableClock
) -> None:
    names = ("best", "good", "old", "new", "gone", "pruned", "secret", "weak", "home", "untagged", "reflection")
    asked = {"category": "ops", "tags": ["x"], "memory_type": "semantic"}
    facts = {name: memory.write(f"deploy {name}", **asked) for name in names}  # type: ignore[arg-type]
    elsewhere = store.memory("user:43").write("deploy elsewhere")
    store.tenant("acme").memory("user:42").write("deploy of acme")
    memory.write("lunch")
    memory.update(facts["best"].id, importance=10)
    memory.update(facts["good"].id, importance=7)
    memory.link(facts["new"].id, facts["old"].id, "supersedes")
    memory.forget(facts["gone"].id)
    sql(path, "UPDATE facts SET status = 'pruned' WHERE id = ?", (facts["pruned"].id,))
    memory.update(facts["secret"].id, confidentiality="restricted")
    memory.update(facts["weak"].id, strength=0.1)
    memory.update(facts["home"].id, category="home")
    memory.update(facts["untagged"].id, tags=[])
    memory.update(facts["reflection"].id, memory_type="reflection")
    ask = Ask(
        "deploy", namespace="user:42", category="ops", tags=("x",), memory_type="semantic", min_strength=0.2,
        max_confidentiality="internal", limit=2,
    )  # fmt: skip
    before = folder(path)
    found = told(looker, ask, clock.now)
    assert [one.id for one in found.recalled] == [facts["best"].id, facts["good"].id]
    assert {one.id: one.reason for one in found.left_out} == {
        facts["new"].id: "limit", facts["old"].id: "superseded", facts["gone"].id: "forgotten",
        facts["pruned"].id: "pruned", facts["secret"].id: "confidential", facts["weak"].id: "weak",
        facts["home"].id: "category", facts["untagged"].id: "tags", facts["reflection"].id: "memory_type",
        elsewhere.id: "namespace",
    }  # fmt: skip
    assert (found.left_out[0].reason, found.left_out[-1].detail) == ("limit", "in namespace user:43")
    assert folder(path) == before


def test_the_account_gives_what_the_agent_gets(memory: Memory, looker: Looker, clock: SettableClock) -> None:
    facts = memory.write_many([{"content": f"deploy {n}", "importance": n} for n in range(1, 9)])
    memory.link(facts[0].id, memory.write("lunch").id)
    for text in ("deploy", "deploy 3", "", "nothing"):
        for limit in (1, 3, 0):
            found = told(looker, Ask(text, namespace="user:42", limit=limit), clock.now)
            given = memory.recall(text, limit=limit, reinforce=False)
            assert [(one.id, one.score) for one in found.recalled] == [(one.fact.id, one.score) for one in given]
            assert not {one.id for one in found.recalled} & {one.id for one in found.left_out}


def test_of_very_many_left_out_the_account_names_some(memory: Memory, looker: Looker, clock: SettableClock) -> None:
    memory.write_many(f"deploy {n}" for n in range(12))
    found = told(looker, Ask("deploy", namespace=ALL, limit=2), clock.now, most=4)
    assert (len(found.recalled), len(found.left_out), found.more) == (2, 4, 6)
