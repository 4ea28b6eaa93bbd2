"""The text index follows the rows, whoever writes them, and no row of it outlives its record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from churn import ACTS, Churn, lost, problems
from memview import Memory, MemoryStore
from memview.memory import looking
from memview.memory.looking import ALL, Looker, Query
from memview.store.words import terms
from support import SettableClock, folder, integrity, plain, sql

NOW = SettableClock()()


@pytest.fixture
def looker(store: MemoryStore, path: Path) -> Iterator[Looker]:
    looker = Looker(path)
    yield looker
    looker.close()


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("n")


def found(looker: Looker, text: str, kind: Any = "facts") -> list[int]:
    """The numbers of all records that have the words, oldest first; each once, and as many as are counted."""
    query = Query(kind=kind, tenant=ALL, terms=terms(text), statuses=())

    def work(connection: Any) -> list[int]:
        keys = list(looking.find(connection, query, NOW).keys)
        assert looking.count(connection, query, NOW) == len(keys) == len(set(keys))
        return sorted(keys)

    return looker.read(work)


def agree(path: Path) -> None:
    """Fail unless the index has exactly the rows, and every word of each leads to it."""
    with plain(path) as connection:
        for table in ("facts", "turns"):
            rows = connection.execute(f"SELECT n FROM {table} ORDER BY n").fetchall()
            assert connection.execute(f"SELECT rowid FROM {table}_index ORDER BY rowid").fetchall() == rows
        assert connection.execute("SELECT * FROM queue").fetchall() == []
    looker = Looker(path)
    for n, content in sql(path, "SELECT n, content FROM facts WHERE typeof(content) = 'text'"):
        if terms(content) and not terms(content)[0].literal:
            assert n in found(looker, content)
    looker.close()
    integrity(path)


SENTENCES = ("red", "green !", "blue deploys", "Straße", "東京都", "get_user_name")
STEPS = st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 6), st.integers(0, 11)), max_size=12)


@given(STEPS)
@settings(max_examples=40, deadline=None)
def test_index_and_rows_agree_whoever_writes(steps: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as place, Churn(Path(place) / "agent.db", SENTENCES, keep=3) as churn:
        for name, number, text in [("write many", 2, 0), ("write many", 2, 4), ("record", 0, 1), *steps]:
            churn.act(name, number, text)
            assert lost(churn, ["red", "green", "deploys", "東京", "zt1"]) == []
        assert problems(churn) == []
        assert churn.store.memory("a").search("drains queue")
        agree(churn.path)


@pytest.mark.parametrize("broken", ["an edit forgets the index", "a trigger is gone", "what is gone stays indexed"])
def test_a_disagreement_is_told(path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    with Churn(path, SENTENCES, keep=3) as churn:
        for number in range(4):
            assert churn.act("write", number, number)
        assert problems(churn) == []
        if broken == "a trigger is gone":
            churn.other.execute("DROP TRIGGER facts_queue_update")
            churn.act("update", 1, 9)
        elif broken == "an edit forgets the index":
            monkeypatch.setattr("memview.store.index.put", lambda *_, **__: None)
            churn.act("edit", 1, 9)
        else:
            monkeypatch.setattr("memview.store.index.drop", lambda *_: None)
            churn.act("delete", 1, 9)
        told = problems(churn)
        assert any("is indexed as" in one or "still indexed" in one for one in told), told
        assert any("wrong of the text index of facts" in one for one in told), told


# rows of other programs


def test_a_looker_sees_others_rows_at_once_and_changes_no_byte(looker: Looker, path: Path, memory: Memory) -> None:
    fact = memory.write("mine about pottery")
    with plain(path) as other:
        other.execute("INSERT INTO facts (namespace, content) VALUES ('n', 'theirs about pottery')")
        other.execute("INSERT INTO turns (session, request, response) VALUES ('s', 'hello', 'pottery')")
        before = folder(path)
        assert found(looker, "pottery") == [1, 2]
        assert len(found(looker, "pottery", "turns")) == 1
        other.execute("UPDATE facts SET content = 'mine about weaving' WHERE id = ?", (fact.id,))
        assert found(looker, "pottery") == [2]
        assert found(looker, "weaving") == [1]
        other.execute("DELETE FROM facts WHERE n = 2")
        other.execute("UPDATE turns SET response = 'weaving'")
        assert (found(looker, "pottery"), found(looker, "pottery", "turns")) == ([], [])
        assert len(found(looker, "weaving", "turns")) == 1
        queued = other.execute("SELECT count(*) FROM queue").fetchone()
        assert queued == (3,)
        assert before.keys() == folder(path).keys()
    memory.write("a writer drains")
    assert sql(path, "SELECT * FROM queue") == []
    assert (found(looker, "weaving"), found(looker, "pottery")) == ([1], [])
    agree(path)


def test_a_reading_agent_sees_others_rows_too(store: MemoryStore, path: Path) -> None:
    sql(path, "INSERT INTO facts (namespace, content) VALUES ('n', 'theirs about pottery')")
    with MemoryStore(path, read_only=True) as reading:
        assert [fact.content for fact in reading.memory("n").search("pottery")] == ["theirs about pottery"]
    assert sql(path, "SELECT count(*) FROM queue") == [(1,)]
    assert [fact.content for fact in store.memory("n").search("pottery")] == ["theirs about pottery"]


def test_many_rows_of_others_are_drained_over_several_writes(store: MemoryStore, path: Path) -> None:
    with plain(path) as other:
        other.execute("BEGIN")
        other.executemany(
            "INSERT INTO facts (namespace, content) VALUES ('n', ?)", [(f"row {number}",) for number in range(4500)]
        )
        other.execute("COMMIT")
    memory = store.memory("n")
    assert len(memory.search("row", limit=0)) == 4500
    for number in range(3):
        memory.write(f"mine {number}")
        assert len(memory.search("row", limit=0)) == 4500
    assert sql(path, "SELECT count(*) FROM queue UNION ALL SELECT count(*) FROM facts_index") == [(0,), (4503,)]


def test_others_rows_get_their_identity_from_the_next_writer(store: MemoryStore, path: Path) -> None:
    sql(path, "INSERT INTO facts (id, namespace, content) VALUES ('f1', 'n', 'theirs'), ('f2', 'm', 'moved')")
    memory = store.memory("n")
    assert memory.write("theirs").id == "f1"
    sql(path, "UPDATE facts SET namespace = 'n' WHERE id = 'f2'")
    assert memory.write("moved").id == "f2"
    assert memory.count() == 2


# nothing of the index outlives its record


def test_no_index_row_is_left_of_what_was_edited_forgotten_and_erased(memory: Memory, path: Path) -> None:
    fact = memory.write("first wording")
    memory.update(fact.id, "second wording")
    assert memory.search("first") == []
    memory.forget(fact.id)
    memory.erase(fact.id)
    assert memory.search("wording") == []
    assert sql(path, "SELECT count(*) FROM facts_index") == [(0,)]


def test_an_id_used_again_brings_no_old_text(memory: Memory, path: Path, looker: Looker) -> None:
    fact = memory.write("old pottery")
    memory.write("keeps the number in use")
    sql(path, "DELETE FROM facts WHERE id = ?", (fact.id,))
    sql(path, "INSERT INTO facts (n, id, namespace, content) VALUES (?, ?, 'n', 'new weaving')", (fact.n, fact.id))
    for _ in range(2):
        assert (found(looker, "pottery"), found(looker, "weaving")) == ([], [fact.n])
        assert [one.id for one in memory.search("weaving")] == [fact.id]
        assert memory.search("pottery") == []
        memory.write("drains")


def test_a_new_namespace_after_the_last_was_erased_is_empty(store: MemoryStore, path: Path) -> None:
    store.memory("n", max_entries=2).write("old pottery")
    store.erase(namespace="n")
    memory = store.memory("n")
    memory.write_many(["one", "two", "three"])
    assert (memory.search("pottery"), memory.count()) == ([], 3)
    agree(path)


# what is no text, and what is too much of it


def test_values_that_are_no_text_disturb_nobody(memory: Memory, path: Path, looker: Looker) -> None:
    memory.write("a good neighbour")
    with plain(path) as other:
        for value in (42, 1.5, b"\x00\xffblob", b""):
            other.execute(
                "INSERT INTO facts (namespace, content, tags, category, summary) VALUES ('n', ?, ?, ?, NULL)",
                (value, value, value),
            )
        other.execute("INSERT INTO turns (session, request, response) VALUES ('s', 7, x'ff')")
    for drained in range(2):
        assert len(memory.list()) == 5 + drained
        assert found(looker, "neighbour") == [1]
        assert found(looker, "42") == [2]
        assert len(looker.read(lambda c: looking.fact_rows(c, range(1, 6)))) == 5
        assert looker.read(lambda c: looking.fact(c, 4)) is not None
        assert looker.read(lambda c: looking.turn(c, 1)) is not None
        memory.write("drains")
    for fact in memory.list():
        assert memory.forget(fact.id)
        assert memory.erase(fact.id).places["facts"] == 1
    assert found(looker, "neighbour") == []


def test_a_line_of_five_megabytes_is_found_and_read_in_part(memory: Memory, looker: Looker) -> None:
    memory.write("pottery " + "clay" * 1_250_000)
    memory.write("short pottery")
    assert found(looker, "pottery") == [1, 2]
    rows = looker.read(lambda c: looking.fact_rows(c, [1, 2]))
    assert len(rows[1].content) < 1_000, "a list reads its beginning alone"
    assert memory.get(memory.search("pottery")[1].id).content.startswith("pottery clay")
