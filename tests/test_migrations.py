"""Migrations: numbered steps, each applied whole together with its record, by a handle that writes and by no other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memview import Fact, Link, MemoryStore, MemviewError, NewerStore, Turn
from memview.memory.looking import Looker, spaces
from memview.store import database, files, header, schema
from memview.store.header import VERSION
from memview.store.models import Change, Decision, Namespace
from memview.store.schema import MIGRATIONS, Migration
from support import folder, integrity, plain, run, sql

MOOD = Migration(VERSION + 1, "a mood for facts", (
    "ALTER TABLE facts ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
    "CREATE TABLE moods (name TEXT PRIMARY KEY)",
    "INSERT INTO moods VALUES ('calm')",
))  # fmt: skip


@pytest.fixture
def old(path: Path) -> Path:
    """A store of the present version, with one fact."""
    with MemoryStore(path) as store:
        store.memory("n").write("one")
    return path


def later(monkeypatch: pytest.MonkeyPatch, *migrations: Migration) -> None:
    """Make this program one that knows more migrations."""
    known = (*MIGRATIONS, *migrations)
    for module in (schema, database):
        monkeypatch.setattr(module, "MIGRATIONS", known)
    for module in (header, database, files):
        monkeypatch.setattr(module, "VERSION", known[-1].number)


def version(path: Path) -> int:
    ((number,),) = sql(path, "PRAGMA user_version")
    return int(number)


def test_an_older_store_is_brought_up_to_date_and_says_so(
    old: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    later(monkeypatch, MOOD)
    with MemoryStore(old) as store:
        assert [fact.content for fact in store.memory("n").list()] == ["one"]
        store.memory("n").write("two")
    assert version(old) == VERSION + 1
    assert sql(old, "SELECT content, mood FROM facts") == [("one", "calm"), ("two", "calm")]
    (message,) = caplog.messages
    assert "migrated to schema" in message
    assert MOOD.name in message
    caplog.clear()
    MemoryStore(old).close()
    assert caplog.messages == []
    integrity(old)


def test_a_new_store_gets_all_migrations(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch, MOOD)
    MemoryStore(path).close()
    assert version(path) == VERSION + 1
    assert sql(path, "SELECT * FROM moods") == [("calm",)]


def test_a_migration_that_fails_leaves_everything_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sql(old, "SELECT * FROM sqlite_schema")
    good = MOOD
    bad = Migration(VERSION + 2, "a bad one", ("CREATE TABLE half (x)", "INSERT INTO missing VALUES (1)"))
    later(monkeypatch, good, bad)
    with pytest.raises(MemviewError):
        MemoryStore(old)
    assert version(old) == VERSION + 1
    assert sql(old, "SELECT name FROM sqlite_schema WHERE name = 'half'") == []
    assert len(sql(old, "SELECT * FROM sqlite_schema")) > len(before)
    with pytest.raises(MemviewError):
        MemoryStore(old)
    assert sql(old, "SELECT content FROM facts") == [("one",)]
    integrity(old)


def test_a_new_store_whose_making_fails_is_none(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    later(monkeypatch, Migration(VERSION + 1, "a bad one", ("INSERT INTO missing VALUES (1)",)))
    with pytest.raises(MemviewError):
        MemoryStore(path)
    assert path.stat().st_size == 0
    monkeypatch.undo()
    with MemoryStore(path) as store:
        store.memory("n").write("one")


def test_a_looker_never_migrates(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = folder(old)
    later(monkeypatch, MOOD)
    looker = Looker(old)
    assert looker.read(spaces)[0].facts == 1
    looker.close()
    with MemoryStore(old, read_only=True) as store:
        assert store.memory("n").count() == 1
    assert folder(old) == before


@pytest.mark.parametrize("crashed", [False, True])
def test_a_newer_store_is_refused_and_untouched(old: Path, monkeypatch: pytest.MonkeyPatch, crashed: bool) -> None:
    later(monkeypatch, MOOD)
    MemoryStore(old).close()
    monkeypatch.undo()
    if crashed:
        run(
            "import os, sqlite3, sys\n"
            "c = sqlite3.connect(sys.argv[1]); c.execute('UPDATE facts SET pinned = 1'); c.commit(); os._exit(0)",
            old,
        )
    before = folder(old)
    assert len(before) == (3 if crashed else 1)
    for opening in (MemoryStore, Looker):
        with pytest.raises(NewerStore, match="newer memview") as refused:
            opening(old)
        assert "pip install -U" in refused.value.hint
    assert folder(old) == before


def test_the_numbers_follow_each_other() -> None:
    assert [migration.number for migration in MIGRATIONS] == list(range(1, VERSION + 1))
    assert len({migration.name for migration in MIGRATIONS}) == len(MIGRATIONS)


MODELS = [Fact, Turn, Link, Namespace, Decision, Change]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__tablename__)
def test_the_models_are_the_tables(old: Path, model: Any) -> None:
    with plain(old) as connection:
        told = connection.execute(f"PRAGMA table_info({model.__tablename__})").fetchall()
    stands = {name: (bool(notnull or pk), pk > 0, default) for _, name, _, notnull, default, pk in told}
    columns = {column.name: column for column in model.__table__.columns}
    assert list(columns) == list(stands)
    for name, (required, key, default) in stands.items():
        assert columns[name].nullable is not required, name
        assert columns[name].primary_key is key, name
        if default is not None and not default.startswith(("strftime", "lower")):
            field = model.model_fields["meta" if name == "metadata" else name]
            assert _plain(field.get_default(call_default_factory=True)) == default.strip("'"), name
    assert {column.name for column in columns.values() if column.unique} <= set(stands)


def _plain(value: object) -> str:
    """A default of the model as SQL's own literal."""
    return str(int(value)) if isinstance(value, bool) else str(value)
