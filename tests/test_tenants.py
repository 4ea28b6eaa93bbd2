"""Tenants never see each other, by whatever door."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memview import ALL, Fact, MemoryStore, NotFound
from support import SettableClock

Pair = tuple[MemoryStore, MemoryStore, Fact, Fact]


@pytest.fixture
def pair(store: MemoryStore) -> Pair:
    """Two tenants of one file, with the same fact in the same namespace, and the same session."""
    acme, zeta = store.tenant("acme"), store.tenant("zeta")
    facts = [tenant.memory("user:42").write("Deploy window is Tuesday") for tenant in (acme, zeta)]
    for tenant in (acme, zeta):
        tenant.conversation("s1").record(request=f"hello from {tenant.tenant_name}")
    return acme, zeta, facts[0], facts[1]


def test_E_the_same_text_is_a_fact_of_its_own_in_each_tenant(pair: Pair, store: MemoryStore) -> None:
    _, _, mine, theirs = pair
    assert mine.id != theirs.id
    assert (mine.tenant, theirs.tenant) == ("acme", "zeta")
    assert store.memory("user:42").count() == 0
    assert store.tenant("").memory("user:42").count() == 0
    assert store.namespaces() == []


def test_E_reading_and_searching_keep_to_the_tenant(pair: Pair) -> None:
    acme, zeta, mine, theirs = pair
    for tenant, fact in ((acme, mine), (zeta, theirs)):
        memory = tenant.memory("user:42")
        assert memory.count() == 1
        assert [found.id for found in memory.list()] == [found.id for found in memory.search("deploy")] == [fact.id]
        assert [turn.tenant for turn in tenant.search_turns("hello", namespace=ALL, session=ALL)] == [fact.tenant]
        assert [turn.tenant for turn in tenant.conversation("s1").turns()] == [fact.tenant]
        assert [(space.tenant, space.facts + space.turns) for space in tenant.namespaces()] == [(fact.tenant, 1)] * 2


def test_E6_anothers_id_is_not_found(pair: Pair) -> None:
    acme, _, mine, theirs = pair
    memory = acme.memory("user:42")
    acts: list[Callable[[], object]] = [
        lambda: memory.get(theirs.id), lambda: memory.update(theirs.id, "x"), lambda: memory.forget(theirs.id),
        lambda: memory.restore(theirs.id), lambda: memory.pin(theirs.id), lambda: memory.accept(theirs.id),
        lambda: memory.history(theirs.id), lambda: memory.links(theirs.id), lambda: memory.correct(theirs.id, "x"),
        lambda: memory.link(mine.id, theirs.id), lambda: memory.link(theirs.id, mine.id),
        lambda: memory.unlink(theirs.id, mine.id), lambda: memory.erase(theirs.id),
        lambda: acme.erase(ids=[theirs.id]), lambda: acme.erase(ids=[theirs.id], dry_run=True),
    ]  # fmt: skip
    for act in acts:
        with pytest.raises(NotFound):
            act()


def test_forgetting_undoing_and_erasing_keep_to_the_tenant(pair: Pair, clock: SettableClock) -> None:
    acme, zeta, mine, theirs = pair
    acme.memory("user:42").forget(mine.id)
    assert zeta.memory("user:42").get(theirs.id).status == "active"
    assert zeta.memory("user:42").trash() == []
    undone = zeta.undo()
    assert undone is not None
    assert undone.verb == "record"
    assert acme.conversation("s1").size() == 1
    assert zeta.redo() is not None
    assert acme.redo() is None
    assert acme.erase(session="s1").places["turns"] == 1
    assert acme.erase(namespace="user:42").places["facts"] == 1
    assert zeta.conversation("s1").size() == 1
    assert zeta.memory("user:42").get(theirs.id) == theirs
    assert zeta.memory("user:42").history(theirs.id)[0].namespace == "user:42"


def test_a_cap_belongs_to_one_tenants_namespace(pair: Pair) -> None:
    acme, zeta, _, _ = pair
    acme.memory("user:42", max_entries=1).write("newer")
    zeta.memory("user:42").write_many(["newer", "newest"])
    assert (acme.memory("user:42").count(), zeta.memory("user:42").count()) == (1, 3)


@pytest.mark.parametrize("name", ["a", "a:b", "", " ", "🦊", "a'--", "%"])
def test_any_text_names_a_tenant(store: MemoryStore, name: str) -> None:
    tenant = store.tenant(name)
    tenant.memory("n").write("one")
    store.tenant("another").memory("n").write("two")
    assert [fact.content for fact in tenant.memory("n").list()] == ["one"]
    assert [space.tenant for space in tenant.namespaces()] == [name]


def test_tenant_and_namespace_are_not_run_together(store: MemoryStore) -> None:
    one = store.tenant("a").memory("b:c").write("same")
    other = store.tenant("a:b").memory("c").write("same")
    assert one.id != other.id
