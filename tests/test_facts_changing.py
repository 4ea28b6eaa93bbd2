"""Changing durable facts: edits, decisions, the trash, links, and handles that may not change any."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest

from memview import Conflict, Duplicate, Fact, Invalid, Memory, MemoryStore, NotFound, ReadOnlyStore
from support import SettableClock, plain, run, sql

T = TypeVar("T")


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


def at_once(work: Callable[[int], T], count: int = 8) -> list[T]:
    """The results of as many threads, which all start at the same moment."""
    barrier = Barrier(count)

    def start(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


def stored(path: Path) -> list[Any]:
    return sql(path, "SELECT * FROM facts ORDER BY n")


def contents(facts: list[Fact]) -> list[str]:
    return [fact.content for fact in facts]


# updating


def test_E6_an_update_keeps_everything_else(memory: Memory, clock: SettableClock) -> None:
    fact = memory.write("They live in Berlin", tags=["home"], metadata={"k": 1}, session="s", turns=["t"], summary="x")
    clock.forward(hours=2)
    changed = memory.update(fact.id, "They live in Hamburg")
    assert (changed.content, changed.version) == ("They live in Hamburg", 2)
    assert changed.updated_at == changed.last_accessed_at == clock.now
    keep = ("id", "n", "tags", "meta", "session", "turns", "summary", "created_at", "agent", "status")
    assert [getattr(changed, name) for name in keep] == [getattr(fact, name) for name in keep]
    assert memory.get(fact.id) == changed
    assert memory.search("berlin") == []
    assert contents(memory.search("hamburg")) == ["They live in Hamburg"]
    assert memory.write("They live in Berlin").id != fact.id


def test_an_update_that_says_nothing_new_leaves_the_row_bit_for_bit(
    memory: Memory, path: Path, clock: SettableClock
) -> None:
    fact = memory.write("They live in Berlin", tags=["a"], metadata={"k": [1.5, None]})
    before, changes = stored(path), sql(path, "SELECT count(*) FROM changes")
    clock.forward(days=1)
    memory.update(fact.id, fact.content, tags=fact.tags, category=None, summary=None, metadata={"k": [1.5, None]})
    memory.update(fact.id)
    memory.update(fact.id, fact.content, version=99)
    memory.pin(fact.id, False)
    assert stored(path) == before
    assert sql(path, "SELECT count(*) FROM changes") == changes


def test_beyond_a_changed_record_is_a_conflict_with_both_texts(memory: Memory, path: Path) -> None:
    fact = memory.write("They live in Berlin")
    run(
        "import sys; from memview import MemoryStore\n"
        "with MemoryStore(sys.argv[1]) as s: s.memory('user:42').update(sys.argv[2], 'They live in Bonn')",
        path, fact.id,
    )  # fmt: skip
    with pytest.raises(Conflict) as refused:
        memory.update(fact.id, "They live in Hamburg", version=fact.version)
    assert refused.value.id == fact.id
    assert refused.value.mine == {"content": "They live in Hamburg"}
    assert refused.value.theirs == {"content": "They live in Bonn"}
    assert memory.get(fact.id).content == "They live in Bonn"
    assert memory.update(fact.id, "They live in Hamburg", version=2).version == 3


def test_an_edit_by_plain_sql_is_a_conflict_too(memory: Memory, path: Path) -> None:
    fact = memory.write("They live in Berlin")
    sql(path, "UPDATE facts SET content = 'They live in Bonn' WHERE id = ?", (fact.id,))
    with pytest.raises(Conflict):
        memory.update(fact.id, "They live in Hamburg", version=fact.version)
    assert memory.write("They live in Bonn").id == fact.id
    assert memory.write("They live in Berlin").id != fact.id


def test_A9_an_update_to_anothers_text_is_a_duplicate_that_names_it(memory: Memory) -> None:
    one, two = memory.write_many(["one", "two"])
    memory.forget(two.id)
    with pytest.raises(Duplicate) as refused:
        memory.update(one.id, "two")
    assert refused.value.id == two.id
    assert two.id in refused.value.title
    assert memory.get(one.id).content == "one"


def test_beyond_of_eight_threads_that_edit_one_version_one_does(memory: Memory) -> None:
    fact = memory.write("start")

    def edit(number: int) -> bool:
        try:
            memory.update(fact.id, f"edit {number}", version=1)
        except Conflict:
            return False
        return True

    assert sorted(at_once(edit)) == [False] * 7 + [True]
    assert memory.get(fact.id).version == 2


# accepting, pinning, trash


def test_accepting_notes_the_version_and_changes_no_fact(memory: Memory, path: Path) -> None:
    fact = memory.write("one")
    before = stored(path)
    memory.accept(fact.id)
    memory.accept(fact.id)
    memory.accept(fact.id, reviewer="ada")
    assert stored(path) == before
    assert sql(path, "SELECT reviewer, version, decision FROM decisions ORDER BY reviewer") == [
        ("ada", 1, "accepted"),
        ("planner", 1, "accepted"),
    ]


def test_the_trash_shows_the_last_to_go_first(memory: Memory, clock: SettableClock) -> None:
    facts = memory.write_many(["one", "two", "three"])
    for fact in (facts[1], facts[0]):
        clock.forward(minutes=1)
        memory.forget(fact.id)
    assert contents(memory.trash()) == ["one", "two"]
    assert contents(memory.trash(limit=1)) == ["one"]


# links


def test_E6_a_link_is_seen_from_both_ends_and_is_made_once(memory: Memory) -> None:
    one, two = memory.write_many(["one", "two"])
    link = memory.link(one.id, two.id)
    assert memory.link(two.id, one.id) == link
    assert memory.links(one.id) == memory.links(two.id) == [link]
    assert memory.unlink(two.id, one.id) is True
    assert memory.unlink(two.id, one.id) is False
    assert memory.links(one.id) == []


def test_E6_a_directed_link_keeps_its_direction(memory: Memory) -> None:
    one, two = memory.write_many(["one", "two"])
    link = memory.link(two.id, one.id, "derived-from")
    assert (link.source, link.target) == (two.id, one.id)
    assert memory.link(one.id, two.id, "derived-from") != link


def test_E6_a_link_needs_two_facts_and_a_known_kind(memory: Memory) -> None:
    one, two = memory.write_many(["one", "two"])
    for bad in (("missing", one.id), (one.id, "missing")):
        with pytest.raises(NotFound):
            memory.link(*bad)
    with pytest.raises(Invalid):
        memory.link(one.id, one.id)
    with pytest.raises(Invalid):
        memory.link(one.id, two.id, "adores")
    assert memory.links(one.id) == []


def test_E10_of_facts_that_supersede_each_other_the_last_word_counts(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    a, b, c = (memory.write(f"The office is in {town}").id for town in ("Oslo", "Bergen", "Molde"))

    def given() -> set[str]:
        return {fact.id for fact in memory.list()}

    memory.link(a, b, "supersedes")
    memory.link(b, a, "supersedes")
    assert given() == {b, c}
    assert [(link.source, link.target) for link in memory.links(a)] == [(b, a)]
    store.undo()
    assert given() == {a, c}
    store.redo()
    memory.link(a, c, "supersedes")
    assert given() == {b}
    memory.link(c, b, "supersedes")
    assert given() == {c}


def test_E10_a_superseded_fact_leaves_default_reads_until_unlinked(memory: Memory) -> None:
    old, new = memory.write_many(["They live in Berlin", "They live in Hamburg"])
    memory.link(new.id, old.id, "supersedes")
    assert contents(memory.list()) == contents(memory.search("live")) == ["They live in Hamburg"]
    again = memory.write("They live in Berlin")
    assert (again.id, again.status, again.blocked) == (old.id, "superseded", False)
    assert memory.unlink(new.id, old.id)
    assert memory.count() == 2


# handles


def test_a_read_only_handle_reads_and_never_writes(store: MemoryStore, path: Path) -> None:
    fact = store.memory("user:42").write("one")
    with MemoryStore(path, agent="planner", read_only=True) as looking:
        memory = looking.memory("user:42")
        assert looking.read_only
        assert memory.list() == memory.search("one") == [fact]
        assert (memory.count(), memory.get(fact.id), len(memory.history(fact.id))) == (1, fact, 1)
        for act in (lambda: memory.write("two"), lambda: memory.forget(fact.id), looking.undo):
            with pytest.raises(ReadOnlyStore):
                act()
    store.memory("user:42").forget(fact.id)


def test_a_fact_tells_its_history(memory: Memory, clock: SettableClock) -> None:
    fact = memory.write("one")
    memory.update(fact.id, "two")
    memory.forget(fact.id)
    changes = memory.history(fact.id)
    assert [change.op for change in changes] == ["insert", "update", "update"]
    assert [(change.actor, (change.action or "").split(":")[0]) for change in changes] == [
        ("planner", "write"), ("planner", "edit"), ("planner", "forget"),
    ]  # fmt: skip
    assert changes[1].before is not None
    assert changes[1].after is not None
    assert (changes[1].before["content"], changes[1].after["content"]) == ("one", "two")
    assert (changes[0].after or {})["content"] == "one"
    assert (changes[2].before or {})["status"] == "active"


def test_a_closed_store_says_so_and_closes_twice(path: Path) -> None:
    store = MemoryStore(path)
    store.close()
    store.close()
    with pytest.raises(ValueError, match="closed"):
        store.memory("x").count()


def test_a_store_lives_in_a_file() -> None:
    for name in ("", ":memory:"):
        with pytest.raises(Invalid):
            MemoryStore(name)


def test_others_rows_are_read_leniently(store: MemoryStore, path: Path) -> None:
    memory = store.memory("user:42")
    memory.write("mine")
    with plain(path) as connection:
        connection.executescript(
            "INSERT INTO facts (namespace, content, tags, metadata, created_at) VALUES"
            "('user:42', 12, 'x', 'not json', 'never'), ('user:42', 1.5, '{}', '[1]', 7),"
            "('user:42', x'00ff', x'ff', x'fe', ''), ('user:42', CAST(x'ff41' AS TEXT), '[1]', '', 'x');"
        )
    facts = memory.list()
    assert len(facts) == memory.count() == 5
    assert facts[-1].content == "mine"
    assert contents(memory.search("mine 12")) != []
    for fact in facts:
        assert memory.get(fact.id).content == fact.content
        memory.pin(fact.id)
        assert memory.forget(fact.id)
    assert memory.count() == 0
