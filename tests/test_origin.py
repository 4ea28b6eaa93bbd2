"""Where a fact came from: stamped when it is written, and kept through whatever happens to it."""

from __future__ import annotations

from pathlib import Path

from memview import Fact, MemoryStore


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
