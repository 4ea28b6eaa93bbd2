"""Opening: what is no store is refused in words and left untouched; any file name will do."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from memview import (
    DamagedStore,
    MemoryStore,
    MissingStore,
    NewerStore,
    NotAStore,
    NotFound,
)
from memview.memory import looking
from memview.memory.looking import Looker, Query
from support import Process, SettableClock, folder, sql

NOW = SettableClock()()
WRITER = """
import sys
from memview import MemoryStore
store = MemoryStore(sys.argv[1], agent="writer")
memory = store.memory("n")
memory.write("written by the other process")
print("open", flush=True)
for line in sys.stdin:
    exec(line)
    print("done", flush=True)
store.close()
print("closed", flush=True)
"""


@pytest.fixture
def made(path: Path, clock: SettableClock) -> Path:
    """A store with three facts, which nobody has open: one file."""
    with MemoryStore(path, agent="planner", clock=clock) as store:
        store.memory("n").write_many(["one", "two", "three"])
    assert os.listdir(path.parent) == [path.name]
    return path


@pytest.fixture
def looker(made: Path) -> Iterator[Looker]:
    looker = Looker(made)
    yield looker
    looker.close()


@pytest.fixture
def writer(made: Path) -> Iterator[Process]:
    """Another process that has the store open for writing and added one fact."""
    with Process(WRITER, made) as process:
        assert process.line() == "open"
        yield process


def texts(looker: Looker) -> list[str]:
    """All facts, newest first, by the light rows."""

    def work(connection: sqlite3.Connection) -> list[str]:
        keys = looking.find(connection, Query(), NOW).keys
        rows = looking.fact_rows(connection, keys)
        return [rows[n].content for n in keys]

    return looker.read(work)


# what is no store


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", NotAStore), (b"just a text\n", NotAStore), ("ein Text mit ü\n".encode(), NotAStore),
        (bytes(range(256)) * 20, NotAStore), (b"SQLite format 3\0", DamagedStore),
        (b"SQLite format 3\0" + b"\xff" * 5000, NotAStore),
    ],
)  # fmt: skip
def test_what_is_no_store_is_refused_in_words_and_untouched(path: Path, content: bytes, error: type[NotAStore]) -> None:
    path.write_bytes(content)
    with pytest.raises(error) as refused:
        Looker(path)
    assert path.name in refused.value.title
    assert refused.value.hint
    if content:
        with pytest.raises(error):
            MemoryStore(path)
    assert folder(path) == {path.name: content}


def test_a_store_that_is_cut_short_is_damaged(made: Path) -> None:
    os.truncate(made, 3 * 4096)
    before = folder(made)
    for opening in (Looker, MemoryStore):
        with pytest.raises(DamagedStore):
            opening(made)
    assert folder(made) == before


def test_other_things_at_the_path_are_refused(tmp_path: Path, path: Path) -> None:
    for opening in (Looker, MemoryStore):
        with pytest.raises(NotAStore, match="folder"):
            opening(tmp_path)
        with pytest.raises(NotAStore, match="not a file"):
            opening(Path("/dev/null"))
        with pytest.raises(MissingStore, match="folder"):
            opening(Path(__file__) / "agent.db")
    with pytest.raises(MissingStore):
        Looker(path)
    with pytest.raises(MissingStore, match="folder"):
        MemoryStore(path.parent / "missing" / "agent.db")
    sql(path, "CREATE TABLE notes (text)")
    before = folder(path)
    for opening in (Looker, MemoryStore):
        with pytest.raises(NotAStore, match="another program's database"):
            opening(path)
    assert folder(path) == before


def test_a_store_of_a_newer_memview_is_refused_and_untouched(made: Path) -> None:
    sql(made, "PRAGMA user_version = 99")
    before = folder(made)
    for opening in (Looker, MemoryStore):
        with pytest.raises(NewerStore):
            opening(made)
    assert folder(made) == before


@pytest.mark.parametrize("name", ["a?b#c%.db", "ein ü.db", "-wal", "file:x", "back\\slash", b"bytes \xff.db"])
def test_any_file_name_will_do(path: Path, name: str | bytes) -> None:
    place = path.parent / os.fsdecode(name)
    with MemoryStore(place) as store:
        fact = store.memory("n").write("one")
        with pytest.raises(NotFound):
            store.memory("n").get("missing")
    looker = Looker(place)
    assert texts(looker) == ["one"]
    looker.close()
    assert os.listdir(path.parent) == [place.name]
    assert fact.content == "one"
