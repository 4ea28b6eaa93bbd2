"""The doctor: it finds what does not hold together, changes nothing unasked, and puts right what can be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import cli, fill
from memview import MemoryStore
from memview.review.doctor import examine, repair
from memview.store import backup
from support import SettableClock, integrity, plain, sql


def wrong(path: Path) -> dict[str, int]:
    with MemoryStore(path, read_only=True) as store:
        return {one.name: one.count for one in store._read(examine) if not one.well}


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


HARM = {
    "facts_index": "UPDATE facts_index SET content = 'something else' WHERE rowid = 1",
    "facts_index_content": "UPDATE facts_index_content SET c0 = 'something else' WHERE id = 1",
    "turns_index": "DELETE FROM turns_index",
    "identities": "UPDATE facts SET hash = x'00' WHERE n = 1",
    "queue": "INSERT INTO queue VALUES ('fact', 1)",
    "evidence": "DELETE FROM evidence",
    "schema": "DROP TRIGGER facts_feed_update",
    "foreign_keys": "DELETE FROM facts WHERE n = 2",
    "leftovers": "INSERT INTO replaced (kind, id) VALUES ('fact', 'x')",
}


def test_a_store_that_was_used_is_well(path: Path, ids: dict[str, str]) -> None:
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        memory.update(ids["Deploy"], tags=["déploy", 'a "quoted" one'], category="x")
        memory.correct(ids["Deploy"], "Deploy window is Monday")
        memory.write("Deploy window is Tuesday")
        store.undo()
        store.conversation("s7", namespace="user:42").delete()
        store.erase(ids=[memory.write("gone").id])
    assert wrong(path) == {}
    told = cli("doctor", path)
    assert (told.status, told.err) == (0, "All is well.\n")


def test_a_statement_of_another_program_that_came_to_nothing_is_no_harm(path: Path, ids: dict[str, str]) -> None:
    sql(path, "INSERT OR IGNORE INTO facts (id, content) SELECT id, 'another text' FROM facts LIMIT 1")
    assert sql(path, "SELECT count(*) FROM replaced") == [(1,)]
    assert set(wrong(path)) <= {"queue"}


@pytest.mark.parametrize("name", HARM)
def test_harm_is_found_without_a_change_and_put_right_after_a_copy(
    name: str, path: Path, ids: dict[str, str], clock: SettableClock
) -> None:
    sql(path, HARM[name])
    before = path.read_bytes()
    assert name.removesuffix("_content") in wrong(path)
    assert path.read_bytes() == before
    with MemoryStore(path, agent="person:ann", clock=clock) as store:
        done = repair(store)
    assert backup.copies(path) == [done.copy]
    assert done.did
    assert wrong(path) == {}
    integrity(path)
    assert cli("search", path, "French français").status in (0, 1)
    assert cli("search", path, "toujours").status == 0


BROKEN = {
    "words lost": ["DELETE FROM facts_index_data WHERE id > 10"],
    "words overwritten": ["UPDATE facts_index_data SET block = zeroblob(length(block)) WHERE id > 10"],
    "nothing left": ["DELETE FROM facts_index_data"],
    "settings lost": ["DELETE FROM facts_index_config"],
    "sizes lost": ["DELETE FROM facts_index_docsize WHERE id = 1"],
    "table gone": ["DROP TABLE facts_index"],
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_index_is_found_and_made_anew(name: str, path: Path, ids: dict[str, str]) -> None:
    with plain(path) as writer:
        for statement in BROKEN[name]:
            writer.execute(statement)
    looked = cli("doctor", path)
    assert looked.status == 1, looked.err
    assert "the text index of facts" in looked.err
    assert "--repair puts it right" in looked.err
    done = cli("doctor", path, "--repair", "--yes")
    assert (done.status, done.err.splitlines()[-1]) == (0, "All is well."), done.err
    assert "Made the text index of 4 records anew." in done.err
    found = cli("search", path, "toujours", "--json")
    assert [fact["id"] for fact in json.loads(found.out)] == [ids["Répond"]]
    with plain(path) as writer:
        writer.execute("INSERT INTO facts_index (facts_index) VALUES ('integrity-check')")


def test_a_history_with_gaps_is_completed(path: Path, ids: dict[str, str]) -> None:
    sql(path, "DELETE FROM changes WHERE id = ?", (ids["Deploy"],))
    (feed,) = sql(path, "SELECT sql FROM sqlite_schema WHERE name = 'facts_feed_delete'")
    sql(path, "DROP TRIGGER facts_feed_delete")
    sql(path, "DELETE FROM facts WHERE id = ?", (ids["Acme"],))
    sql(path, feed[0])
    told = cli("doctor", path)
    assert told.status == 1
    assert f"fact {ids['Deploy']}: no history" in told.out
    assert f"fact {ids['Acme']}: gone without an entry" in told.out
    done = cli("doctor", path, "--repair", "--yes")
    assert done.status == 0, done.err
    assert "Noted in the history what it did not know: 2 records." in done.err
    for id, op in ((ids["Deploy"], "insert"), (ids["Acme"], "delete")):
        rows = sql(path, "SELECT op, actor, action FROM changes WHERE id = ? ORDER BY seq", (id,))
        assert rows[-1][:2] == (op, None)
        assert rows[-1][2].startswith("repair:")


def test_an_entry_that_cannot_be_read_is_said_and_taken_out(path: Path, ids: dict[str, str]) -> None:
    cli("edit", path, ids["Deploy"], "--content", "Another text")
    sql(path, "UPDATE changes SET before = '{not json' WHERE op = 'update' AND id = ?", (ids["Deploy"],))
    assert wrong(path) == {"feed": 2}
    for asked in ((), (ids["Deploy"],)):
        told = cli("history", path, *asked)
        assert told.status == 3
        assert "memview doctor" in told.err
    assert cli("doctor", path, "--repair", "--yes").status == 0
    assert cli("history", path, ids["Deploy"]).status == 0
    assert wrong(path) == {}


def test_a_damaged_file_is_said_plainly(path: Path, ids: dict[str, str]) -> None:
    with plain(path) as writer:
        writer.execute("PRAGMA writable_schema = ON")
        writer.execute("UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'links_target'")
    told = cli("doctor", path)
    assert told.status in (1, 3)
    assert "damaged" in told.err


def test_from_the_command_line(path: Path, ids: dict[str, str]) -> None:
    sql(path, HARM["evidence"])
    looked = cli("doctor", path, "--json")
    assert looked.status == 1
    (found,) = [one for one in json.loads(looked.out)["findings"] if one["count"]]
    assert (found["name"], found["repairable"]) == ("evidence", True)
    assert "--repair" in looked.err
    assert cli("doctor", path, "--repair", "--dry-run").status == 1
    assert cli("doctor", path, "--repair").status == 1
    assert wrong(path) == {"evidence": 1}
    done = cli("doctor", path, "--repair", "--yes", "--json")
    assert done.status == 0
    assert json.loads(done.out)["repaired"] == ["Made 1 ways back from turns to facts anew."]
    assert cli("doctor", path.parent / "missing.db").status == 3
