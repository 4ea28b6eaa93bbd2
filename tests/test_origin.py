"""Where a fact came from: stamped when it is written, and kept through whatever happens to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memview import Fact, Memory, MemoryStore


def stamp(fact: Fact) -> tuple[str | None, str | None, list[str], str | None]:
    return fact.agent, fact.session, fact.turns, fact.origin


def test_beyond_origin_is_stamped_and_survives_edits(store: MemoryStore, path: Path) -> None:
    turn = store.conversation("s1", namespace="user:42").record("we deploy on Tuesdays", "noted")
    assert turn is not None
    fact = store.memory("user:42").write("Deploys on Tuesdays", session="s1", turns=[turn.id], origin="user")
    stamped = ("planner", "s1", [turn.id], "user")
    with MemoryStore(path, agent="person:ann") as other:
        memory = other.memory("user:42")
        assert stamp(memory.get(fact.id)) == stamped
        assert stamp(memory.update(fact.id, "Deploys on Tuesday")) == stamped
        assert stamp(memory.correct(fact.id, "Deploys on Monday")) == stamped
        assert stamp(memory.write("Deploys on Tuesday")) == stamped  # the old wording, blocked
        assert stamp(memory.write("Deploys on Monday", session="s2", origin="assistant")) == stamped
        other.undo()
        memory.forget(fact.id)
        memory.restore(fact.id)
    assert stamp(store.memory("user:42").get(fact.id)) == stamped


def test_beyond_tools_and_extension_say_whose_words_they_are(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    assert not memory.tools(session="s1").call("write", {"content": "Ada is in Berlin"}).is_error
    (fact,) = memory.list()
    assert stamp(fact) == ("planner", "s1", [], "assistant")


def origins(memory: Memory) -> list[str | None]:
    return [fact.origin for fact in reversed(memory.list())]


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("person", "assistant"), ("user", "assistant"), ("import", "assistant"), ("assistant", "assistant"),
        ("extraction", "extraction"), ("tool", "tool"), (None, None),
    ],
)  # fmt: skip
def test_beyond_a_model_that_rewords_a_fact_says_it_itself(
    store: MemoryStore, was: str | None, becomes: str | None
) -> None:
    memory = store.memory("user:42")
    fact = memory.write("Deploys on Tuesdays", session="s1", turns=["t1"], origin=was)
    tools = memory.tools(session="s2")
    assert not tools.call("update", {"id": fact.id, "tags": ["deploy"], "importance": 9}).is_error
    assert not tools.call("update", {"id": fact.id, "content": "Deploys on Tuesdays"}).is_error
    assert stamp(memory.get(fact.id)) == ("planner", "s1", ["t1"], was)  # the words are still the old ones
    assert not tools.call("update", {"id": fact.id, "content": "Deploys on Mondays"}).is_error
    assert stamp(memory.get(fact.id)) == ("planner", "s1", ["t1"], becomes)
    store.undo()
    assert (memory.get(fact.id).content, memory.get(fact.id).origin) == ("Deploys on Tuesdays", was)


def test_beyond_a_model_that_sums_up_says_it_itself(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    for origin in ("person", "tool"):
        facts = memory.write_many([{"content": f"{origin} {number}", "origin": origin} for number in "ab"])
        ids = [fact.id for fact in facts]
        assert not memory.tools().call("consolidate", {"ids": ids, "content": f"all of {origin}"}).is_error
    assert origins(memory) == ["assistant", "tool"]


def test_beyond_a_persons_edit_raises_no_trust(store: MemoryStore, path: Path) -> None:
    fact = store.memory("user:42").write("Deploys on Tuesdays", origin="tool")
    with MemoryStore(path, agent="person:ann") as other:
        assert other.memory("user:42").update(fact.id, "Deploys on Mondays", origin="person").origin == "tool"
