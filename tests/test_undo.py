"""Undo and redo: every action of an agent can be taken back exactly, and never at the cost of another's change."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memview import Conflict, Duplicate, Fact, Memory, MemoryStore
from support import SettableClock, integrity, plain, sql, together

Records = dict[str, list[Any]]
KEPT = (
    "id, hash, tenant, namespace, content, category, tags, keywords, summary, importance, memory_type, created_at, "
    "updated_at, status, pinned, confidentiality, agent, session, turns, origin, metadata"
)


def records(path: Path) -> Records:
    """All that an undo must put back; versions, recalls and insertion numbers are not among it."""
    with plain(path) as connection:
        return {
            name: connection.execute(statement).fetchall()
            for name, statement in {
                "facts": f"SELECT {KEPT} FROM facts ORDER BY id",
                "turns": "SELECT * FROM turns ORDER BY id",
                "links": "SELECT * FROM links ORDER BY id",
                "decisions": "SELECT * FROM decisions ORDER BY id",
                "evidence": "SELECT * FROM evidence ORDER BY turn, fact",
                "facts index": "SELECT f.id, i.* FROM facts_index i LEFT JOIN facts f ON f.n = i.rowid ORDER BY 1",
                "turns index": "SELECT t.id, i.* FROM turns_index i LEFT JOIN turns t ON t.n = i.rowid ORDER BY 1",
                "queue": "SELECT * FROM queue",
            }.items()
        }


class Agent:
    """Does one thing after another to a store, with whatever facts are there."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.memory = store.memory("user:42", max_entries=3)
        self.chat = store.conversation("s1")

    def fact(self, number: int) -> Fact | None:
        facts = sorted([*self.memory.list(0), *self.memory.trash(0)], key=lambda fact: fact.n or 0)
        return facts[number % len(facts)] if facts else None

    def do(self, verb: str, a: int, b: int) -> None:
        """One action; where it is impossible, nothing."""
        if verb == "write":
            self.memory.write(f"text {a}", tags=[f"tag{b}"], turns=[f"t{b}"])
        elif verb == "write_many":
            self.memory.write_many([f"text {a}", f"many {b}", f"text {b}", "東京 straße"])
        elif verb == "record":
            self.chat.record(request=f"question {a}", response=f"answer {b}")
        elif verb == "delete":
            self.chat.delete()
        elif (one := self.fact(a)) is not None and (other := self.fact(b)) is not None:
            self.act(verb, one, other, b)

    def act(self, verb: str, one: Fact, other: Fact, b: int) -> None:
        acts: dict[str, Callable[[], object]] = {
            "forget": lambda: self.memory.forget(one.id),
            "restore": lambda: self.memory.restore(one.id),
            "pin": lambda: self.memory.pin(one.id),
            "unpin": lambda: self.memory.pin(one.id, False),
            "accept": lambda: self.memory.accept(one.id),
            "edit": lambda: self.memory.update(one.id, f"{one.content} edited", tags=[f"tag{b}"], metadata={"b": b}),
            "correct": lambda: self.memory.correct(one.id, f"{one.content} corrected"),
            "importance": lambda: self.memory.update(one.id, importance=b, category=None),
            "link": lambda: one.id == other.id or self.memory.link(one.id, other.id),
            "supersede": lambda: one.id == other.id or self.memory.link(one.id, other.id, "supersedes"),
            "unlink": lambda: self.memory.unlink(one.id, other.id),
        }
        with suppress(Duplicate):
            acts[verb]()


VERBS = [
    "write", "write", "write_many", "record", "delete", "forget", "restore", "pin", "unpin", "accept", "edit",
    "correct", "importance", "link", "supersede", "unlink",
]  # fmt: skip
ACTIONS = st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=10)


@given(ACTIONS, st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_actions_undone_one_by_one_restore_every_record(
    actions: list[tuple[str, int, int]], reopened: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, clock = Path(folder) / "agent.db", SettableClock()
        with MemoryStore(path, agent="planner", clock=clock, synchronous="NORMAL") as store:
            agent = Agent(store)
            states = [records(path)]
            for verb, a, b in actions:
                clock.forward(minutes=1)
                agent.do(verb, a, b)
                if (state := records(path)) != states[-1]:
                    states.append(state)
            if not reopened:
                _back_and_forth(store, path, states)
        if reopened:
            with MemoryStore(path, agent="planner", clock=clock) as store:
                _back_and_forth(store, path, states)
        assert records(path) in states
        integrity(path)


def _back_and_forth(store: MemoryStore, path: Path, states: list[Records]) -> None:
    for state in states[-2::-1]:
        assert store.undo() is not None
        assert records(path) == state
    assert store.undo() is None
    for state in states[1:]:
        assert store.redo() is not None
        assert records(path) == state
    assert store.redo() is None
    for state in states[-2::-1]:
        assert store.undo() is not None
        assert records(path) == state


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


def test_an_undo_says_what_it_did(store: MemoryStore, memory: Memory) -> None:
    one, two = memory.write_many(["one", "two"])
    memory.forget(one.id)
    undone = store.undo()
    assert undone is not None
    assert (undone.verb, undone.records) == ("forget", [("fact", one.id, "user:42")])
    assert undone.at == "2026-03-01T09:30:00.000000Z"
    assert memory.get(one.id).status == "active"
    undone = store.undo()
    assert undone is not None
    assert undone.verb == "write"
    assert {id for _, id, _ in undone.records} == {one.id, two.id}
    assert memory.list() == memory.trash() == []
    assert store.undo() is None


def test_the_version_only_grows(store: MemoryStore, memory: Memory) -> None:
    fact = memory.write("one")
    versions = [memory.update(fact.id, "two").version]
    for step in (store.undo, store.redo, store.undo):
        step()
        versions.append(memory.get(fact.id).version)
    assert versions == sorted(set(versions))


def test_an_undo_leaves_recalls_alone(store: MemoryStore, memory: Memory, path: Path) -> None:
    fact = memory.write("one")
    memory.update(fact.id, "two")
    sql(path, "UPDATE facts SET access_count = 7, strength = 0.4")
    store.undo()
    assert (memory.get(fact.id).access_count, memory.get(fact.id).strength) == (7, 0.4)


def test_a_new_action_ends_redo(store: MemoryStore, memory: Memory) -> None:
    memory.write("one")
    store.undo()
    memory.write("two")
    assert store.redo() is None
    store.undo()
    assert store.redo() is not None
    assert [fact.content for fact in memory.list()] == ["two"]


def test_only_the_agents_own_actions_are_undone(store: MemoryStore, memory: Memory, path: Path) -> None:
    memory.write("mine")
    with MemoryStore(path, agent="critic") as critic:
        critic.memory("user:42").write("theirs")
        sql(path, "INSERT INTO facts (namespace, content) VALUES ('user:42', 'by hand')")
        undone = store.undo()
        assert undone is not None
        assert store.undo() is None
        assert {fact.content for fact in memory.list()} == {"theirs", "by hand"}
        assert critic.undo() is not None
        assert critic.undo() is None
    assert [fact.content for fact in memory.list()] == ["by hand"]


def test_an_edit_that_another_touched_is_a_conflict_and_nothing_is_lost(
    store: MemoryStore, memory: Memory, path: Path
) -> None:
    fact = memory.write("one")
    memory.update(fact.id, "two")
    with MemoryStore(path, agent="critic") as critic:
        critic.memory("user:42").update(fact.id, "theirs")
    before = records(path)
    with pytest.raises(Conflict) as refused:
        store.undo()
    assert refused.value.id == fact.id
    assert (refused.value.mine["content"], refused.value.theirs["content"]) == ("one", "theirs")
    assert records(path) == before


def test_an_edit_of_other_columns_is_no_conflict(store: MemoryStore, memory: Memory, path: Path) -> None:
    fact = memory.write("one")
    memory.update(fact.id, "two")
    with MemoryStore(path, agent="critic") as critic:
        critic.memory("user:42").update(fact.id, tags=["theirs"])
    store.undo()
    assert (memory.get(fact.id).content, memory.get(fact.id).tags) == ("one", ["theirs"])


def test_a_text_that_exists_again_is_a_conflict(store: MemoryStore, memory: Memory, path: Path) -> None:
    fact = memory.write("one")
    memory.update(fact.id, "two")
    with MemoryStore(path, agent="critic") as critic:
        critic.memory("user:42").write("one")
    with pytest.raises(Conflict):
        store.undo()
    assert {fact.content for fact in memory.list()} == {"one", "two"}


@pytest.mark.parametrize("tie", ["link", "accept", "edit"])
def test_a_write_that_others_built_on_is_a_conflict(store: MemoryStore, memory: Memory, path: Path, tie: str) -> None:
    other = memory.write("other")
    fact = memory.write("one")
    with MemoryStore(path, agent="critic") as critic:
        theirs = critic.memory("user:42")
        if tie == "link":
            theirs.link(other.id, fact.id)
        elif tie == "accept":
            theirs.accept(fact.id)
        else:
            theirs.update(fact.id, tags=["theirs"])
    before = records(path)
    with pytest.raises(Conflict):
        store.undo()
    assert records(path) == before


def test_a_row_replaced_by_plain_sql_is_a_conflict(store: MemoryStore, memory: Memory, path: Path) -> None:
    fact = memory.write("one")
    sql(path, "INSERT OR REPLACE INTO facts (id, namespace, content) VALUES (?, 'user:42', 'theirs')", (fact.id,))
    with pytest.raises(Conflict):
        store.undo()
    assert memory.get(fact.id).content == "theirs"


def test_a_row_deleted_by_plain_sql_is_a_conflict(store: MemoryStore, memory: Memory, path: Path) -> None:
    fact = memory.write("one")
    memory.forget(fact.id)
    sql(path, "DELETE FROM facts")
    with pytest.raises(Conflict):
        store.undo()


def test_an_edit_of_a_fact_that_plain_sql_moved_is_taken_back_where_it_is_now(
    store: MemoryStore, memory: Memory, path: Path
) -> None:
    fact = memory.write("one")
    memory.update(fact.id, "two")
    sql(path, "UPDATE facts SET namespace = 'user:43'")
    store.undo()
    assert store.memory("user:43").write("one").id == fact.id
    assert memory.write("one").id != fact.id


def test_undo_keeps_to_its_tenant(store: MemoryStore) -> None:
    acme, default = store.tenant("acme").memory("n"), store.memory("n")
    acme.write("theirs")
    default.write("ours")
    acme.write("theirs too")
    assert store.undo() is not None
    assert store.undo() is None
    assert acme.count() == 2
    assert store.tenant("acme").undo() is not None
    assert (acme.count(), default.count()) == (1, 0)


def test_an_erase_cannot_be_undone_and_does_not_stand_in_the_way(store: MemoryStore, memory: Memory) -> None:
    first = memory.write("first")
    gone, other = memory.write_many(["gone", "other"])
    memory.link(gone.id, other.id)
    memory.forget(gone.id)
    memory.erase(gone.id)
    undone = store.undo()
    assert undone is not None
    assert undone.records == [("fact", other.id, "user:42")]
    assert [fact.id for fact in memory.list()] == [first.id]
    assert store.undo() is not None
    assert store.undo() is None
    assert memory.list() == memory.trash() == []


def test_what_eight_processes_undo_is_undone_once_each(store: MemoryStore, memory: Memory, path: Path) -> None:
    for number in range(24):
        memory.write(f"fact {number}")
    code = """
import sys
from memview import MemoryStore
with MemoryStore(sys.argv[1], agent="planner", timeout=30) as store:
    start()
    for _ in range(2):
        print(store.undo().action)
"""
    actions = [line for lines in together(code, path) for line in lines]
    assert len(set(actions)) == 16
    assert memory.count() == 8
    integrity(path)


def test_what_eight_threads_undo_is_undone_once_each(store: MemoryStore, memory: Memory) -> None:
    for number in range(12):
        memory.write(f"fact {number}")
    with ThreadPoolExecutor(8) as pool:
        undone = list(pool.map(lambda _: store.undo(), range(16)))
    assert len({one.action for one in undone if one}) == 12
    assert undone.count(None) == 4
    assert memory.count() == 0


def test_a_pruning_is_undone_with_the_write_that_caused_it(store: MemoryStore) -> None:
    memory = store.memory("small", max_entries=2)
    memory.write_many(["one", "two"])
    memory.write("three")
    store.undo()
    assert [fact.content for fact in memory.list()] == ["two", "one"]
    assert memory.trash() == []
