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


def test_records_without_a_history_are_named(path: Path, ids: dict[str, str]) -> None:
    sql(path, "DELETE FROM changes WHERE id = ?", (ids["Deploy"],))
    assert wrong(path) == {"feed": 1}
    told = cli("doctor", path)
    assert told.status == 1
    assert ids["Deploy"] in told.out


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
