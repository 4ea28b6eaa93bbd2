"""Conflicts: facts of which only one can hold are found, and settled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from locomo import conversations, folder, load
from memview import Conflict, MemoryStore, NotFound, clock
from memview.memory.looking import ALL, Looker, Query
from memview.review import conflicts, settling
from memview.review.conflicts import Conflicts, Opposition
from support import integrity, sql


@pytest.fixture
def looker(store: MemoryStore, path: Path) -> Iterator[Looker]:
    looker = Looker(path)
    yield looker
    looker.close()


def find(looker: Looker, **scope: Any) -> Conflicts:
    return conflicts.find(looker, Query(**scope), clock.utc_now())


def only(looker: Looker, **scope: Any) -> Opposition:
    (pair,) = find(looker, **scope).pairs
    return pair


OPPOSED = [
    ("Deploys on Tuesday", "Deploys on Thursday", "weekday", ("thursday", "tuesday")),
    ("The staging cluster uses 14 workers", "staging cluster uses 16 workers!", "number", ("16", "14")),
    (
        "The deploy window is 14:00 to 16:00",
        "Deploy window is 15:00 to 17:00",
        "number",
        ("15 00 17 00", "14 00 16 00"),
    ),
    ("The office is in Oslo", "The office is in Bergen", "word", ("bergen", "oslo")),
    ("User lives in Oslo", "The user lives in New York now", "word", ("new york", "oslo")),
    ("Ana's birthday is May 3", "Ana's birthday is June 3", "date", ("june 3", "may 3")),
    ("Prefers tea", "Doesn't prefer tea", "negation", ("no", "yes")),
    ("Prefers tea in the morning", "Prefers coffee in the morning", "word", ("coffee", "tea")),
]
AT_PEACE = [
    ("Ana visited Paris", "Ana visited Rome"),
    ("Ana lives in Oslo", "Bob lives in Oslo"),
    ("Likes tea", "Likes coffee"),
    ("Server 1 uses 14 workers", "Server 2 uses 14 workers"),
    ("Lives in Berlin", "Lives in Berln"),
    ("Deploys on Tuesday", "deploys on tuesdays."),
    ("Deploys on Tuesday", "Reviews happen on Thursday"),
]


@pytest.mark.parametrize(("older", "newer", "kind", "values"), OPPOSED)
def test_another_value_for_the_same_thing_is_found(
    store: MemoryStore, looker: Looker, older: str, newer: str, kind: str, values: tuple[str, str]
) -> None:
    first, _, second = store.memory("u").write_many([older, "Something else altogether", newer])
    pair = only(looker)
    assert (pair.why, pair.kind, pair.values) == ("opposed", kind, values)
    assert (pair.older.n, pair.newer.n) == (first.n, second.n)


@pytest.mark.parametrize(("a", "b"), AT_PEACE)
def test_what_can_hold_together_is_left_alone(store: MemoryStore, looker: Looker, a: str, b: str) -> None:
    store.memory("u").write_many([a, b])
    assert find(looker).pairs == []


def test_a_list_of_things_is_no_conflict(store: MemoryStore, looker: Looker) -> None:
    store.memory("u").write_many(f"Invoice {number} was paid" for number in range(20))
    assert find(looker).pairs == []


def test_namespaces_and_tenants_are_kept_apart(store: MemoryStore, looker: Looker) -> None:
    store.memory("u").write("Deploys on Tuesday")
    store.memory("v").write("Deploys on Thursday")
    store.tenant("acme").memory("u").write_many(["Deploys on Tuesday", "Deploys on Thursday"])
    assert find(looker).pairs == []
    assert only(looker, tenant=ALL).tenant == "acme"


def test_linked_pairs_come_first(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    one, two, *_ = memory.write_many(["Likes tea", "Hates all drinks", "Deploys on Tuesday", "Deploys on Thursday"])
    memory.link(one.id, two.id, "contradicts")
    assert [pair.why for pair in find(looker).pairs] == ["linked", "opposed"]
    assert conflicts.spread(find(looker).pairs) == {"linked": 1, "weekday": 1}
    memory.forget(two.id)
    assert [pair.why for pair in find(looker).pairs] == ["opposed"]


def test_a_superseded_pair_of_which_both_or_neither_is_given(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    one, two = memory.write_many(["Deploys at noon", "Ships on Fridays"])
    memory.link(one.id, two.id, "supersedes")
    assert find(looker).pairs == []
    memory.restore(two.id)
    assert only(looker).why == "standing"
    settling.this_holds(store, only(looker).newer, only(looker).older)
    assert find(looker).pairs == []
    assert (memory.get(one.id).status, memory.get(two.id).status) == ("superseded", "active")


def test_this_holds_supersedes_the_other(store: MemoryStore, looker: Looker, path: Path) -> None:
    memory = store.memory("u")
    one, two = memory.write_many(["Deploys on Tuesday", "Deploys on Thursday"])
    memory.link(one.id, two.id, "contradicts")
    pair = only(looker)
    settling.this_holds(store, pair.older, pair.newer)
    assert [fact.content for fact in memory.list()] == ["Deploys on Tuesday"]
    assert [(tie.kind, tie.source, tie.target) for tie in memory.links(one.id)] == [("supersedes", one.id, two.id)]
    assert find(looker).pairs == []
    integrity(path)
    store.undo()
    assert memory.count() == 2
    assert [tie.kind for tie in memory.links(one.id)] == ["contradicts"]


def test_both_hold_is_remembered_and_can_be_taken_back(store: MemoryStore, looker: Looker, path: Path) -> None:
    store.memory("u").write_many(["Deploys on Tuesday", "Deploys on Thursday"])
    pair = only(looker)
    settling.both_hold(store, pair.newer, pair.older)
    settling.both_hold(store, pair.older, pair.newer)
    assert find(looker).pairs == []
    assert sql(path, "SELECT kind, reviewer FROM judgements") == [("both hold", "planner")]
    store.undo()
    assert only(looker) == pair


def test_what_changed_meanwhile_is_not_settled(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    memory.write_many(["Deploys on Tuesday", "Deploys on Thursday"])
    pair = only(looker)
    memory.update(memory.list()[0].id, tags=["seen"])
    with pytest.raises(Conflict):
        settling.this_holds(store, pair.older, pair.newer)
    with pytest.raises(NotFound):
        settling.this_holds(store.tenant("acme"), pair.older, pair.newer)
    assert memory.count() == 2


def test_a_search_can_be_stopped(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    one, two = memory.write_many(["Likes tea", "Hates all drinks"])
    memory.link(one.id, two.id, "contradicts")
    found = conflicts.find(looker, Query(), clock.utc_now(), lambda done, total: False)
    assert not found.complete
    assert [pair.why for pair in found.pairs] == ["linked"]


def test_judgements_are_exported_and_read_again(store: MemoryStore, looker: Looker, tmp_path: Path) -> None:
    store.memory("u").write_many(["Deploys on Tuesday", "Deploys on Thursday"])
    settling.both_hold(store, only(looker).newer, only(looker).older)
    with MemoryStore(tmp_path / "other.db") as other:
        assert other.load(store.export()).refused == []
        there = Looker(tmp_path / "other.db")
        assert find(there).pairs == []
        there.close()


@pytest.mark.skipif(folder() is None, reason="needs the LoCoMo conversations")
def test_real_observations_do_not_fill_the_list(store: MemoryStore, looker: Looker) -> None:
    place = folder()
    assert place is not None
    for name, data in conversations(place):
        load(data, store.tenant(name))
    found = find(looker, tenant=ALL)
    assert found.compared > 1_000
    assert len(found.pairs) <= 0.01 * found.compared
