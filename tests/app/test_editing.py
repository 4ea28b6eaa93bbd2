from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memview import MemoryStore
from memview.app import erasing
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
    assert outcome.sentence == "linked 2 facts (supersedes) · agents no longer get the other · u takes it back"
    assert row(path, "Deploys go").status == "superseded"
    assert editing.link(new, old, "supersedes").records == ()
    assert "removed the link again" in editing.undo().sentence
    assert row(path, "Deploys go").status == "active"
    assert not editing.can_undo()
    assert editing.unlink(new, old).sentence == "there is no such link"


def test_the_kind_of_a_link_is_changed_in_one_step(path: Path, editing: Editing) -> None:
    new, old = row(path, "Deploy window"), row(path, "Deploys go")
    editing.link(new, old, "supersedes")
    (near,) = editing.links(new)
    assert editing.relink(new, near, "contradicts").sentence == (
        "changed the link (contradicts) · agents get both again · u takes it back"
    )
    assert row(path, "Deploys go").status == "active"
    assert "put the former link back" in editing.undo().sentence
    assert [(link.kind, link.outward) for link in editing.links(new)] == [("supersedes", True)]
    assert row(path, "Deploys go").status == "superseded"
    (far,) = editing.links(old)
    editing.relink(old, far, "derived-from")
    assert [(link.kind, link.outward) for link in editing.links(new)] == [("derived-from", True)]
    editing.undo()
    assert editing.unlink(new, row(path, "Deploys go")).sentence == (
        "removed the link · agents get both again · u puts it back"
    )


def test_a_correction_blocks_the_old_wording_and_takes_others_with_it(path: Path, editing: Editing) -> None:
    fact, other = row(path, "Deploy window"), row(path, "Deploys go")
    outcome = editing.correct(fact, "Deploy window is Monday", fact.version, [other.id])
    assert outcome.sentence == "corrected, forgot 1 with it · the old wording is blocked · u takes it back"
    with MemoryStore(path, agent="planner") as store:
        assert store.memory("user:42").write("Deploy window is Tuesday").blocked
    assert row(path, "Deploys go").status == "forgotten"
    assert editing.undo().sentence == "took back the correction in user:42 · U does it again"
    assert row(path, "Deploy window is Tuesday").id == fact.id
    assert row(path, "Deploys go").status == "active"
    assert editing.correct(row(path, "Deploy window"), "Deploy window is Tuesday", None).records == ()


def test_what_rests_on_a_wording_is_found(path: Path, editing: Editing) -> None:
    with MemoryStore(path, agent="planner", clock=lambda: NOON) as store:
        talk = store.conversation("s7", namespace="user:42")
        source = talk.record("Can we ship on Tuesday?", "Yes.")
        talk.record("So the deploy window is on Tuesday afternoon, right?", "It is.")
        talk.record("Lunch on Tuesday?", "Gladly.")
        memory = store.memory("user:42")
        assert source is not None
        fact = memory.write("The deploy window is on Tuesday afternoon", turns=[source.id])
        memory.write("deploy window: Tuesday afternoon!")
        memory.forget(memory.write("Deploy window: on tuesday afternoon").id)
        derived = memory.write("Tuesdays are busy")
        memory.link(derived.id, fact.id, "derived-from")
        store.memory("user:43").write("the deploy window is on tuesday afternoon.")
    detail = editing.read(fact.id)
    assert detail is not None
    found = editing.resting(detail)
    assert [other.content for other in found.derived] == ["Tuesdays are busy"]
    assert [other.content for other in found.same] == ["deploy window: Tuesday afternoon!", "Deploy window is Tuesday"]
    assert [turn.request for turn in found.turns] == [
        "Can we ship on Tuesday?",
        "So the deploy window is on Tuesday afternoon, right?",
    ]


def test_a_new_fact_is_the_persons_own_and_what_is_there_is_said(path: Path, editing: Editing) -> None:
    values = {"content": "Freeze from December 20", "tags": ["deploy"]}
    outcome = editing.learn("", "user:42", values)
    assert outcome.sentence == "wrote 1 in user:42 · u takes it back"
    written = row(path, "Freeze")
    assert (written.agent, written.origin, outcome.records) == (ME, "person", (("fact", written.id),))
    again = editing.learn("", "user:42", values)
    assert (again.sentence, again.there) == ("this was there already · e edits it", written.id)
    editing.forget(written)
    blocked = editing.learn("", "user:42", values)
    assert (blocked.sentence, blocked.there) == ("this was forgotten before · r brings it back", written.id)
    assert row(path, "Freeze").status == "forgotten"
    editing.undo()
    editing.undo()
    assert row(path, "Deploy window").status == "active"


def test_a_namespace_is_erased_and_the_other_ends_of_its_links_stay(path: Path, editing: Editing) -> None:
    with MemoryStore(path, agent="planner") as store:
        near, far = store.memory("user:42").list()[0], store.memory("team").write("Rollback is rehearsed monthly")
        store.memory("user:42").link(near.id, far.id)
    (target,) = erasing.targets(None, ("", "user:42"))
    counted = editing.count(target)
    assert counted.places == {"facts": 2, "turns": 0, "links": 1, "history": 0, "drafts": 0}
    places, unreached = editing.erase(target)
    assert (places["facts"], unreached) == (2, [])
    assert row(path, "Rollback is rehearsed").status == "active"
    assert editing.links(row(path, "Rollback is rehearsed")) == []


def test_what_an_erase_offers_is_taken_from_the_record(path: Path, editing: Editing) -> None:
    key = "ghp_Q7abcdEFGH1234567890zz"
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write(f"The key is {key}. Ask ana@example.org, not on 2026-03-01", session="s7")
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE facts SET access_count = 4 WHERE session = 's7'")
    connection.close()
    found = erasing.targets(editing.record("fact", row(path, "The key").n))
    assert [(target.what, target.shown) for target in found[1:]] == [
        ("every copy of", "ana@example.org"), ("every copy of", key), ("every copy of", "2026-03-01"),
        ("its session", "s7"), ("the same text", f"The key is {key}. Ask ana@example.org, not on 2026-03-01"),
    ]  # fmt: skip
    counted = editing.count(found[2])
    assert (counted.places["facts"], counted.recalled) == (1, 4)
    assert erasing.unreachable(counted).endswith("recalled 4 times")
    assert [erasing.like_a_key(value) for value in (key, "ana@example.org", "2026-03-01")] == [True, False, False]
    assert erasing.told({"facts": 2, "turns": 1, "links": 0}) == "2 facts, 1 turn"


def test_a_fact_that_vanished_is_told(path: Path, editing: Editing) -> None:
    fact = row(path, "Deploy window")
    with MemoryStore(path) as store:
        store.memory("user:42").erase(fact.id)
    with pytest.raises(NotFound):
        editing.forget(fact)


def test_asking_writes_nothing(path: Path, editing: Editing) -> None:
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
