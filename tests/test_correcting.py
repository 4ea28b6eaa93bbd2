"""Correct: a wording put right for good."""

from __future__ import annotations

import pytest

from memview import Conflict, Duplicate, Invalid, MemoryStore, NotFound


def test_beyond_the_old_wording_comes_back_blocked(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    fact = memory.write("User lives in Berlin", tags=["home"], origin="user", session="s1")
    right = memory.correct(fact.id, "User lives in Hamburg", version=fact.version)
    assert (right.id, right.content, right.tags, right.origin) == (fact.id, "User lives in Hamburg", ["home"], "user")
    again = memory.write("User lives in Berlin")
    assert again.blocked
    assert again.status == "forgotten"
    assert [found.content for found in memory.list()] == ["User lives in Hamburg"]
    assert memory.search("Berlin") == []
    assert [(tie.kind, tie.source, tie.target) for tie in memory.links(fact.id)] == [("supersedes", fact.id, again.id)]


def test_it_is_one_step_for_undo(store: MemoryStore) -> None:
    memory = store.memory("u")
    fact = memory.write("User lives in Berlin")
    memory.correct(fact.id, "User lives in Hamburg")
    store.undo()
    assert memory.get(fact.id).content == "User lives in Berlin"
    assert memory.trash() == []
    assert not memory.write("User lives in Berlin").blocked
    store.redo()
    assert memory.get(fact.id).content == "User lives in Hamburg"
    assert memory.write("User lives in Berlin").blocked


def test_what_rests_on_the_old_wording_goes_in_the_same_step(store: MemoryStore) -> None:
    memory, other = store.memory("u"), store.memory("trips")
    fact, alike = memory.write_many(["User lives in Berlin", "The user lives in Berlin."])
    derived = other.write("Flies from BER")
    memory.correct(fact.id, "User lives in Hamburg", also_forget=[alike.id, derived.id])
    assert [found.content for found in memory.list()] == ["User lives in Hamburg"]
    assert other.list() == []
    store.undo()
    assert (memory.count(), other.count()) == (2, 1)
    with pytest.raises(NotFound):
        memory.correct(fact.id, "User lives in Hamburg", also_forget=["nobody"])
    with pytest.raises(NotFound):
        memory.correct(fact.id, "User lives in Hamburg", also_forget=[store.tenant("x").memory("u").write("y").id])
    assert memory.get(fact.id).content == "User lives in Berlin"


def test_beyond_lifting_the_block(store: MemoryStore) -> None:
    memory = store.memory("u")
    fact = memory.write("User lives in Berlin")
    memory.correct(fact.id, "User lives in Hamburg")
    memory.restore(memory.trash()[0].id)
    assert not memory.write("User lives in Berlin").blocked
    assert memory.count() == 2


def test_the_same_wording_changes_nothing(store: MemoryStore) -> None:
    memory = store.memory("u")
    fact = memory.write("User lives in Berlin")
    assert memory.correct(fact.id, "User lives in Berlin").version == fact.version
    assert memory.trash() == []


def test_what_cannot_be_corrected_is_said(store: MemoryStore) -> None:
    memory = store.memory("u")
    fact, other = memory.write_many(["User lives in Berlin", "User lives in Hamburg"])
    with pytest.raises(Duplicate) as duplicate:
        memory.correct(fact.id, other.content)
    assert duplicate.value.id == other.id
    memory.update(fact.id, tags=["seen"])
    with pytest.raises(Conflict):
        memory.correct(fact.id, "User lives in Bremen", version=fact.version)
    with pytest.raises(Invalid):
        memory.correct(fact.id, "  ")
    assert memory.get(fact.id).content == "User lives in Berlin"
