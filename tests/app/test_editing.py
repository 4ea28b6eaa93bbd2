from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memview import MemoryStore
from memview.app.editing import Editing
from memview.errors import Conflict, Duplicate, NotFound
from memview.memory import looking
from memview.memory.looking import FactRow, Looker

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ME = "person:ada"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of two tenants in which an agent wrote."""
    path = tmp_path / "agent.db"
    with MemoryStore(path, agent="planner", clock=lambda: NOON - timedelta(days=2)) as store:
        store.memory("user:42").write("Deploy window is Tuesday", category="preference", tags=["deploy"])
        store.memory("user:42").write("Deploys go out on Thursday")
        store.tenant("acme").memory("user:43").write("Rollback needs two people")
    return path


@pytest.fixture
def editing(path: Path) -> Iterator[Editing]:
    editing = Editing(path, ME, lambda: NOON)
    yield editing
    editing.close()


def row(path: Path, text: str) -> FactRow:
    """The fact whose text begins so, as a list shows it."""

    def work(connection: sqlite3.Connection) -> FactRow:
        ((n,),) = connection.execute("SELECT n FROM facts WHERE content LIKE ?", (text + "%",)).fetchall()
        return looking.fact_rows(connection, [n])[n]

    looker = Looker(path)
    try:
        return looker.read(work)
    finally:
        looker.close()


def bytes_of(path: Path) -> list[tuple[object, ...]]:
    """Every column of every fact as it is stored."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT * FROM facts ORDER BY n").fetchall()
    finally:
        connection.close()


def test_forget_says_how_to_come_back_and_undo_does_it(path: Path, editing: Editing) -> None:
    before = row(path, "Deploy window")
    outcome = editing.forget(before)
    assert outcome.sentence == "forgot 1 in user:42 · u brings it back"
    assert outcome.records == (("fact", before.id),)
    assert row(path, "Deploy window").status == "forgotten"
    assert editing.undo().sentence == "brought back 1 fact in user:42 · U does it again"
    assert row(path, "Deploy window").status == "active"


def test_forgetting_again_and_again_is_one_step(path: Path, editing: Editing) -> None:
    fact = row(path, "Deploy window")
    editing.forget(fact)
    for _ in range(5):
        again = editing.forget(fact)
        assert again.records == ()
        assert "u " not in again.sentence
    editing.undo()
    assert row(path, "Deploy window").status == "active"
    assert not editing.can_undo()


def test_undo_is_the_persons_own_across_tenants(path: Path, editing: Editing) -> None:
    editing.forget(row(path, "Deploy window"))
    editing.forget(row(path, "Rollback"))
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write("A later fact of the agent")
    assert "in user:43" in editing.undo().sentence
    assert "in user:42" in editing.undo().sentence
    assert editing.undo().sentence == "nothing of yours to take back"
    assert row(path, "A later fact").status == "active"
    assert "forgot 1 fact again in user:42" in editing.redo().sentence
    assert "forgot 1 fact again in user:43" in editing.redo().sentence
    assert editing.redo().sentence == "nothing to do again"


def test_a_step_of_an_earlier_sitting_is_named_with_its_age(path: Path, editing: Editing) -> None:
    editing.forget(row(path, "Deploy window"))
    assert editing.earlier() is None
    later = Editing(path, ME, lambda: NOON + timedelta(days=3))
    try:
        assert later.earlier() == "Your last change was forgetting, 3d ago. Take it back?"
        assert later.undo().sentence == "brought back 1 fact in user:42, from 3d ago · U does it again"
    finally:
        later.close()


@pytest.mark.parametrize(
    ("act", "sentence", "undone"),
    [
        (Editing.pin, "pinned 1 in user:42 · u takes it back", "unpinned 1 fact again in user:42"),
        (Editing.accept, "accepted 1 in user:42 · u takes it back", "took back accepting 1 fact in user:42"),
    ],
)
def test_pin_and_accept(
    path: Path, editing: Editing, act: Callable[[Editing, FactRow], object], sentence: str, undone: str
) -> None:
    before = bytes_of(path)
    fact = row(path, "Deploy window")
    assert getattr(act(editing, fact), "sentence") == sentence  # noqa: B009
    assert getattr(act(editing, fact), "records") == ()  # noqa: B009
    assert undone in editing.undo().sentence
    after = row(path, "Deploy window")
    assert (after.pinned, after.accepted) == (False, False)
    assert [record[4:6] for record in bytes_of(path)] == [record[4:6] for record in before]


def test_edit_changes_what_is_given_and_nothing_when_nothing_is_new(path: Path, editing: Editing) -> None:
    before = bytes_of(path)
    fact = row(path, "Deploy window")
    assert editing.edit(fact, {}, fact.version).sentence == "nothing changed"
    assert editing.edit(fact, {"importance": 5, "tags": ["deploy"]}, fact.version).sentence == "nothing changed"
    assert bytes_of(path) == before
    outcome = editing.edit(fact, {"content": "Deploy window is Monday", "importance": 8}, fact.version)
    assert outcome.sentence == "saved 1 in user:42 · u takes it back"
    after = row(path, "Deploy window is Monday")
    assert (after.importance, after.category) == (8, "preference")
    editing.undo()
    assert row(path, "Deploy window is Tuesday").importance == 5


def test_what_someone_else_changed_is_a_conflict_and_can_be_overruled(path: Path, editing: Editing) -> None:
    fact = row(path, "Deploy window")
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").update(fact.id, "Deploy window is Friday")
    with pytest.raises(Conflict) as caught:
        editing.edit(fact, {"content": "Deploy window is Monday"}, fact.version)
    assert caught.value.theirs["content"] == "Deploy window is Friday"
    editing.edit(fact, {"content": "Deploy window is Monday"}, None)
    assert row(path, "Deploy window is Monday").id == fact.id


def test_the_text_of_another_fact_is_refused(path: Path, editing: Editing) -> None:
    fact = row(path, "Deploy window")
    with pytest.raises(Duplicate):
        editing.edit(fact, {"content": "Deploys go out on Thursday"}, fact.version)


def test_links_are_made_once_and_taken_back(path: Path, editing: Editing) -> None:
    new, old = row(path, "Deploy window"), row(path, "Deploys go")
    outcome = editing.link(new, old, "supersedes")
    assert outcome.sentence == "linked 2 facts (supersedes) · u takes it back"
    assert row(path, "Deploys go").status == "superseded"
    assert editing.link(new, old, "supersedes").records == ()
    assert "removed the link again" in editing.undo().sentence
    assert row(path, "Deploys go").status == "active"
    assert not editing.can_undo()
    assert editing.unlink(new, old).sentence == "there is no such link"


def test_a_fact_that_vanished_is_told(path: Path, editing: Editing) -> None:
    fact = row(path, "Deploy window")
    with MemoryStore(path) as store:
        store.memory("user:42").erase(fact.id)
    with pytest.raises(NotFound):
        editing.forget(fact)


def test_asking_and_warming_write_nothing(path: Path, editing: Editing) -> None:
    editing.warm()
    before = path.read_bytes()
    assert not editing.can_undo()
    assert not editing.can_redo()
    assert editing.earlier() is None
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["agent.db"]


def test_a_hostile_namespace_is_shown_safely(path: Path, editing: Editing) -> None:
    with MemoryStore(path, agent="planner") as store:
        store.memory("x\x1b]0;owned\x07[/red]").write("Hostile home")
    assert editing.forget(row(path, "Hostile home")).sentence.startswith(r"forgot 1 in x\x1b]0;owned\x07[/red] ·")
