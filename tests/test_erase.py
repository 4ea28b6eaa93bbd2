"""Erase: no byte of an erased text is left in any file of the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memview import MemoryStore, NotFound, ReadOnlyStore
from memview.store import files, state
from support import Process, SettableClock, folder, integrity, sql

CANARY = "Zyxwvcanary"
FOREIGN = "Шифрпароль"
HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
cursor = connection.execute(sys.argv[2])
cursor.fetchone()
print("reading", flush=True)
sys.stdin.readline()
"""
WRITING = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
print("looking", flush=True)
sys.stdin.readline()
connection.execute("BEGIN IMMEDIATE")
print("writing", flush=True)
sys.stdin.readline()
"""


def forms(word: str) -> list[bytes]:
    """A word as a file may hold it, in small letters."""
    plain = word.lower().encode()
    return [plain, word.encode().hex().encode(), plain.hex().encode()]


def holding(path: Path, *words: str) -> list[str]:
    """The files of the folder in which one of the words stands, in any case, as itself or in hex."""
    names = []
    for name, data in folder(path).items():
        low = data.lower() + data.decode("utf-8", "ignore").lower().encode()
        if any(form in low for word in words for form in forms(word)):
            names.append(name)
    return names


def fill(store: MemoryStore, number: int = 200) -> None:
    """Other facts, so that pages move and the index has something to merge."""
    store.memory("crowd").write_many([f"Ordinary fact number {n} about deploys" for n in range(number)])


@pytest.fixture
def secret(store: MemoryStore) -> str:
    """The id of a fact that held the canary in every column and was written, changed, forgotten and brought back."""
    fill(store)
    memory = store.memory("user:42")
    fact = memory.write(
        f"The key is {CANARY} {FOREIGN}", metadata={CANARY: FOREIGN}, tags=[CANARY], keywords=[FOREIGN],
        summary=f"About {CANARY}", category=CANARY, session="s1",
    )  # fmt: skip
    memory.update(fact.id, f"The key was {CANARY}1 {FOREIGN}", tags=[f"{CANARY}2"])
    memory.forget(fact.id)
    memory.restore(fact.id)
    memory.link(fact.id, memory.write("An ordinary neighbour").id)
    memory.accept(fact.id)
    fill(store, 250)
    return fact.id


def test_an_erased_fact_is_in_no_file(store: MemoryStore, path: Path, secret: str) -> None:
    assert holding(path, CANARY, FOREIGN)
    erased = store.memory("user:42").erase(secret)
    assert erased.unreached == []
    assert erased.places == {"facts": 1, "turns": 0, "links": 1, "history": 3}
    assert holding(path, CANARY, FOREIGN) == []
    assert store.memory("user:42").search(CANARY) == []
    with pytest.raises(NotFound):
        store.memory("user:42").get(secret)
    assert len(store.memory("user:42").list()) == 1
    store.close()
    assert holding(path, CANARY, FOREIGN) == []
    integrity(path)


def test_the_feed_keeps_that_something_was_erased_and_no_text(store: MemoryStore, path: Path, secret: str) -> None:
    store.memory("user:42").erase(secret)
    rows = sql(path, "SELECT op, before FROM changes WHERE id = ? ORDER BY seq", (secret,))
    assert rows == [("insert", None), ("update", None), ("update", None), ("update", None), ("erase", None)]


def test_an_erased_text_may_be_learnt_again(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    fact = memory.write("learn me")
    memory.forget(fact.id)
    memory.erase(fact.id)
    again = memory.write("learn me")
    assert (again.blocked, again.id == fact.id, memory.count()) == (False, False, 1)


def test_an_erased_namespace_takes_its_name_along(store: MemoryStore, path: Path) -> None:
    fill(store)
    name = f"user:{CANARY}"
    store.memory(name, max_entries=5).write_many(["one", "two"])
    store.conversation("s1", namespace=name).record(request="hello", response="hi")
    erased = store.erase(namespace=name)
    assert (erased.places["facts"], erased.places["turns"], erased.unreached) == (2, 1, [])
    assert holding(path, CANARY) == []
    assert [space.namespace for space in store.namespaces()] == ["crowd"]


def test_an_erased_session_takes_facts_and_turns_along(store: MemoryStore, path: Path) -> None:
    fill(store)
    session, memory = f"session {CANARY}", store.memory("user:42")
    memory.write(f"learnt {FOREIGN}", session=session)
    kept = memory.write("learnt elsewhere", session="another")
    store.conversation(session).record(request=f"my password is {FOREIGN}", response="noted", note=CANARY)
    store.conversation("another").record(request="hello")
    erased = store.erase(session=session)
    assert (erased.places["facts"], erased.places["turns"], erased.unreached) == (1, 1, [])
    assert holding(path, CANARY, FOREIGN) == []
    assert memory.list() == [kept]
    assert store.conversation("another").size() == 1


@pytest.mark.parametrize("session", ["plain", "сессия"])
def test_what_was_deleted_before_is_erased_from_the_feed(store: MemoryStore, path: Path, session: str) -> None:
    fill(store)
    conversation = store.conversation(session)
    conversation.record(request=f"my password is {CANARY}", response=FOREIGN)
    conversation.delete()
    assert holding(path, CANARY, FOREIGN)
    assert store.erase(session=session).places["history"] == 1
    assert holding(path, CANARY, FOREIGN) == []
    with pytest.raises(NotFound):
        store.erase(session=session)


def test_what_an_undo_took_back_can_be_erased(store: MemoryStore, path: Path) -> None:
    fact = store.memory("user:42").write(f"The key is {CANARY}")
    store.undo()
    assert holding(path, CANARY)
    store.erase(ids=[fact.id])
    assert holding(path, CANARY) == []
    assert store.redo() is None


def test_a_dry_run_counts_exactly_and_changes_nothing(store: MemoryStore, path: Path, secret: str) -> None:
    before = folder(path)
    told = store.erase(ids=[secret], dry_run=True)
    assert folder(path) == before
    assert told.unreached == []
    assert store.erase(ids=[secret]).places == told.places


def test_erase_keeps_to_its_tenant_and_namespace(store: MemoryStore) -> None:
    theirs = store.tenant("acme").memory("n").write("theirs")
    mine = store.memory("n").write("mine")
    with pytest.raises(NotFound):
        store.erase(ids=[theirs.id])
    with pytest.raises(NotFound):
        store.memory("other").erase(mine.id)
    store.erase(namespace="n")
    assert store.tenant("acme").memory("n").list() == [theirs]
    assert store.memory("n").count() == 0


def test_facts_of_others_that_were_linked_stay(store: MemoryStore) -> None:
    one, other = store.memory("a").write("one"), store.memory("b").write("other")
    store.memory("a").link(one.id, other.id)
    assert store.erase(namespace="a").places["links"] == 1
    assert store.memory("b").list() == [other]
    assert store.memory("b").links(other.id) == []


def test_words_that_live_elsewhere_are_no_false_alarm(store: MemoryStore, path: Path) -> None:
    memory = store.memory("user:42")
    fact = memory.write(f"The {CANARY} deploys on Tuesday with integer accuracy")
    memory.write(f"Another one with {CANARY}s and deployment")
    store.conversation("s1").record(request=f"the {CANARY} again")
    erased = memory.erase(fact.id)
    assert erased.unreached == []
    assert holding(path, CANARY) == [path.name]


def test_words_in_others_metadata_and_names_are_no_false_alarm(store: MemoryStore) -> None:
    memory = store.memory(f"space:{CANARY}")
    fact = memory.write(f"Noted: {CANARY} {FOREIGN} insert update trigger", session="s1")
    memory.write("Another", metadata={"key": FOREIGN}, session="s1")
    assert memory.erase(fact.id).unreached == []


def test_nothing_to_erase_is_said(store: MemoryStore) -> None:
    with pytest.raises(NotFound):
        store.erase()
    with pytest.raises(NotFound):
        store.erase(ids=["missing"])
    with pytest.raises(NotFound):
        store.erase(namespace="missing", session="missing", dry_run=True)


def test_a_read_only_handle_erases_nothing(store: MemoryStore, path: Path, secret: str) -> None:
    with MemoryStore(path, read_only=True) as looking:
        assert looking.erase(ids=[secret], dry_run=True).places["facts"] == 1
        with pytest.raises(ReadOnlyStore):
            looking.erase(ids=[secret])


def test_a_reader_in_the_way_is_said_and_the_next_opening_finishes(
    store: MemoryStore, path: Path, secret: str, clock: SettableClock
) -> None:
    store.close()
    with MemoryStore(path, timeout=0.05) as writer, Process(HOLD, path, "SELECT content FROM facts") as reader:
        assert reader.line() == "reading"
        erased = writer.erase(ids=[secret])
        (sentence,) = erased.unreached
        assert "until another program lets go" in sentence
        assert CANARY not in sentence
        with pytest.raises(NotFound):
            writer.memory("user:42").get(secret)
        with MemoryStore(path, timeout=0.05) as second:
            assert len(second.unreached) == 1
        reader.tell()
        reader.finish()
    with MemoryStore(path) as third:
        assert third.unreached == []
    assert holding(path, CANARY, FOREIGN) == []
    with MemoryStore(path) as fourth:
        assert fourth.unreached == []


def test_a_writer_in_the_way_does_not_stop_the_next_opening(store: MemoryStore, path: Path, secret: str) -> None:
    store.close()
    with Process(WRITING, path) as other:
        assert other.line() == "looking"
        with MemoryStore(path, timeout=0.05) as writer, Process(HOLD, path, "SELECT * FROM changes") as reader:
            assert reader.line() == "reading"
            assert writer.erase(ids=[secret]).unreached
            reader.tell()
            reader.finish()
        other.tell()
        assert other.line() == "writing"
        with MemoryStore(path, timeout=0.05) as waiting:
            assert len(waiting.unreached) == 1
            assert len(waiting.memory("crowd").list(0)) == 250
        other.tell()
        other.finish()
    with MemoryStore(path) as last:
        assert last.unreached == []
    assert holding(path, CANARY, FOREIGN) == []


def test_what_another_program_takes_away_meanwhile_is_no_trouble(
    store: MemoryStore, path: Path, secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = state.folder(path, make=True) / "draft.json"
    draft.write_text(CANARY)
    read = files.chunks

    def taken(file: Path) -> Iterator[bytes]:
        if file == draft:
            draft.unlink()
        return read(file)

    monkeypatch.setattr(files, "chunks", taken)
    assert store.erase(ids=[secret]).unreached == []
    assert not draft.exists()


def test_an_erase_that_was_killed_is_finished_by_the_next_opening(store: MemoryStore, path: Path, secret: str) -> None:
    store.close()
    code = """
import os, signal, sys
from memview import MemoryStore
from memview.store import erase
erase.scrub = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
MemoryStore(sys.argv[1]).erase(ids=[sys.argv[2]])
"""
    with Process(code, path, secret) as killed, pytest.raises(AssertionError, match="the process ended"):
        killed.line()
    assert holding(path, CANARY)
    with MemoryStore(path) as after:
        assert after.unreached == []
    assert holding(path, CANARY, FOREIGN) == []


def test_the_text_of_an_erased_fact_is_not_in_what_another_program_left(store: MemoryStore, path: Path) -> None:
    fill(store)
    sql(path, "INSERT INTO facts (id, content) VALUES ('f1', ?)", (f"by hand {CANARY}",))
    sql(path, "INSERT OR IGNORE INTO facts (id, content) VALUES ('f1', 'ignored')")
    sql(path, "UPDATE facts SET content = ? WHERE id = 'f1'", (f"by hand {FOREIGN}",))
    store.erase(ids=["f1"])
    assert holding(path, CANARY, FOREIGN) == []


@pytest.mark.parametrize("value", [b"\x00\xffZyxwvcanary", "a\0Zyxwvcanary", 1234567890123])
def test_what_is_no_text_is_erased_too(store: MemoryStore, path: Path, value: object) -> None:
    sql(path, "INSERT INTO facts (id, content, summary) VALUES ('f1', ?, ?)", (value, value))
    sql(path, "UPDATE facts SET category = 'x' WHERE id = 'f1'")
    assert store.erase(ids=["f1"]).unreached == []
    assert holding(path, CANARY, "1234567890123") == []


def test_pages_that_moved_keep_nothing(store: MemoryStore, path: Path) -> None:
    memory, crowd = store.memory("user:42"), store.memory("crowd")
    secrets = []
    for number in range(12):
        crowd.write_many([f"ordinary {number} {other} " + "x" * (other * 37 % 900) for other in range(12)])
        secrets.append(memory.write(f"{CANARY} {number} " + "y" * (number * 211 % 1800)).id)
        for id in secrets[::3]:
            memory.update(id, f"{CANARY} {number} {id} " + "z" * (number * 97 % 2300))
        for fact in crowd.list(3):
            crowd.update(fact.id, f"{fact.id} {number} " + "w" * (number * 53 % 1100))
    assert store.erase(ids=secrets).unreached == []
    assert holding(path, CANARY) == []
