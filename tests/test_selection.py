"""Bulk actions: exactly the records that were counted, in one step that can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memview import Invalid, MemoryStore
from support import plain


def test_all_that_match_are_forgotten_and_brought_back_by_one_undo(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    memory.write_many([f"Asked about the weather, {i}" for i in range(30)] + ["Lives in Hamburg"])
    chosen = store.select("weather ns:user:42")
    assert len(chosen) == 30
    assert [fact.content for fact in chosen.samples()] == [f"Asked about the weather, {i}" for i in (29, 28, 27)]
    done = chosen.forget()
    assert (done.changed, done.same, done.moved, done.gone) == (30, 0, [], [])
    assert memory.count() == 1
    undone = store.undo()
    assert undone is not None
    assert len(undone.records) == 30
    assert memory.count() == 31
    assert len(memory.search("weather", limit=0)) == 30


def test_thousands_in_one_step(store: MemoryStore) -> None:
    memory = store.memory("big")
    memory.write_many([f"fact number {i}" for i in range(4_000)])
    told: list[int] = []
    assert store.select("fact").forget(told.append).changed == 4_000
    assert memory.count() == 0
    assert told == [1_000, 2_000, 3_000, 4_000]
    store.undo()
    assert memory.count() == 4_000


def test_what_changed_or_went_meanwhile_is_left_alone_and_named(store: MemoryStore, path: Path) -> None:
    memory = store.memory("user:42")
    stays, moves, goes = memory.write_many(["stays as it is", "moves on", "goes away"])
    chosen = store.select("ns:user:42")
    memory.update(moves.id, "moved on already")
    with plain(path) as connection:
        connection.execute("DELETE FROM facts WHERE id = ?", (goes.id,))
    done = chosen.forget()
    assert (done.changed, done.moved, done.gone) == (1, [moves.n], [goes.n])
    assert memory.get(stays.id).status == "forgotten"
    assert memory.get(moves.id).status == "active"


def test_an_undo_leaves_what_others_changed_since(store: MemoryStore, path: Path) -> None:
    first, second = store.memory("u").write_many(["first of two", "second of two"])
    store.select("two").forget()
    with MemoryStore(path, agent="scribe") as other:
        other.memory("u").restore(first.id)
        other.memory("u").update(first.id, tags=["theirs"])
        other.memory("u").forget(first.id)
        other.memory("u").pin(second.id)
        other.memory("u").restore(second.id)
    undone = store.undo()
    assert undone is not None
    assert undone.left == [second.id]
    assert store.memory("u").get(first.id).status == "active"
    assert store.memory("u").get(first.id).tags == ["theirs"]


def test_tags_pins_and_acceptance_for_all(store: MemoryStore) -> None:
    memory = store.memory("u")
    memory.write_many([{"content": f"rule {i}", "tags": ["old", "keep"]} for i in range(3)])
    assert store.select("rule").tag(add=["new"], remove=["old"]).changed == 3
    assert {tuple(fact.tags) for fact in memory.list()} == {("keep", "new")}
    assert len(store.select("tag:new")) == 3
    assert len(memory.search("new")) == 3, "the index follows"
    assert store.select("rule").tag(add=["new"]).same == 3
    assert store.select("rule").pin().changed == 3
    assert len(store.select("is:pinned")) == 3
    assert store.select("rule").accept().changed == 3
    assert len(store.select("is:accepted")) == 3
    for _ in range(3):
        store.undo()
    assert {tuple(fact.tags) for fact in memory.list()} == {("old", "keep")}
    assert len(store.select("is:pinned")) == len(store.select("is:accepted")) == 0
    assert memory.search("new") == []


def test_it_can_be_given_up(store: MemoryStore) -> None:
    memory = store.memory("u")
    memory.write_many([f"fact {i}" for i in range(3_000)])

    def enough(done: int) -> None:
        if done >= 2_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.select("fact").forget(enough)
    assert memory.count() == 3_000
    assert store.select("fact").forget().changed == 3_000


def test_a_query_that_is_not_understood_chooses_nothing(store: MemoryStore) -> None:
    store.memory("u").write("one fact")
    with pytest.raises(Invalid, match="is: takes"):
        store.select("is:nonsense")


@pytest.mark.parametrize("query", ["", "  ", "tag:", 'ns:"', "is:", "tag: ns:"])
def test_a_query_that_limits_nothing_chooses_nothing(store: MemoryStore, query: str) -> None:
    store.memory("u").write("one fact")
    with pytest.raises(Invalid, match="every fact"):
        store.select(query)


def test_it_keeps_to_its_tenant(store: MemoryStore) -> None:
    store.memory("u").write("shared words")
    store.tenant("acme").memory("u").write("shared words")
    assert store.tenant("acme").select("shared").forget().changed == 1
    assert store.memory("u").count() == 1
