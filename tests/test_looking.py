"""Looking: whoever reads a store leaves every file and the folder as they were, and sees the newest rows."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from memview import (
    MemoryStore,
    MemviewError,
    MissingStore,
    NoPermission,
)
from memview.memory import looking
from memview.memory.looking import Looker, Query, parse
from support import Process, SettableClock, folder, integrity, run

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


def look_at_everything(looker: Looker) -> None:
    """Every light read there is."""

    def work(c: sqlite3.Connection) -> None:
        keys = looking.find(c, Query(), NOW).keys
        for text in ("one", "writen", "tag:x", "*", "kind:turns"):
            query = parse(text, now=NOW).query
            looking.Lookup().find(c, query, NOW)
            looking.count(c, query, NOW)
        looking.spaces(c), looking.fact_rows(c, keys), looking.turn_rows(c, keys), looking.stats(c, looker.path)
        detail = looking.fact(c, keys[0])
        assert detail is not None
        id = detail.row.id
        looking.sources(c, ["t"]), looking.neighbours(c, id), looking.history(c, id), looking.since(c, 0)
        looking.undoable(c, "planner"), looking.redoable(c, "planner")

    looker.read(work)
    looker.token()


# no writer


def test_a_quiet_store_and_its_folder_stay_as_they_are(made: Path) -> None:
    before = folder(made)
    modified = os.stat(made).st_mtime_ns
    looker = Looker(made)
    look_at_everything(looker)
    assert texts(looker) == ["three", "two", "one"]
    assert folder(made) == before
    looker.close()
    assert folder(made) == before
    assert os.stat(made).st_mtime_ns == modified


def test_a_read_only_store_leaves_everything_as_it_is(made: Path) -> None:
    before = folder(made)
    with MemoryStore(made, read_only=True) as store:
        memory = store.memory("n")
        (found,) = memory.search("one")
        memory.list(), memory.get(found.id), memory.history(found.id), memory.trash(), memory.links(found.id)
        store.stats(), store.namespaces(), store.search_turns("x"), store.conversation("s").load()
    assert folder(made) == before


def test_the_light_reads_load_no_sqlmodel(made: Path) -> None:
    code = """
import sys
from pathlib import Path
from memview.memory.looking import Looker, spaces
print(Looker(Path(sys.argv[1])).read(spaces)[0].facts)
print(*[name for name in ("sqlmodel", "sqlalchemy", "pydantic", "textual") if name in sys.modules])
"""
    assert run(code, made) == ["3", ""]


# a writer


def test_a_live_writers_log_stays_as_it_is_and_its_rows_show(made: Path, writer: Process) -> None:
    before = folder(made)
    assert set(before) == {made.name, made.name + "-wal", made.name + "-shm"}
    looker = Looker(made)
    look_at_everything(looker)
    assert texts(looker)[0] == "written by the other process"
    looker.close()
    assert folder(made) == before
    writer.tell("memory.write('and still it writes')")
    assert writer.line() == "done"


def test_a_looker_follows_a_writer_that_comes_and_goes(made: Path, looker: Looker) -> None:
    assert texts(looker)[0] == "three"
    with Process(WRITER, made) as writer:
        assert writer.line() == "open"
        assert texts(looker)[0] == "written by the other process"
        writer.tell("memory.write('four')")
        assert writer.line() == "done"
        assert texts(looker)[0] == "four"
        writer.finish()
    assert texts(looker)[0] == "four"
    with Process(WRITER, made) as writer:
        writer.line()
        writer.tell("memory.write('five')")
        writer.line()
        assert texts(looker)[0] == "five"
    assert len(texts(looker)) == 6


def test_a_killed_writers_rows_show_and_nothing_is_recovered(made: Path, writer: Process) -> None:
    writer.kill()
    before = folder(made)
    assert before[made.name + "-wal"]
    looker = Looker(made)
    look_at_everything(looker)
    assert texts(looker)[0] == "written by the other process"
    looker.close()
    assert folder(made) == before
    with MemoryStore(made) as store:
        assert store.memory("n").count() == 4
    integrity(made)


def test_a_log_without_shared_memory_shows_its_rows(made: Path, writer: Process) -> None:
    writer.kill()
    os.remove(str(made) + "-shm")
    before = folder(made)
    looker = Looker(made)
    look_at_everything(looker)
    assert texts(looker)[0] == "written by the other process"
    assert folder(made) == before
    looker.close()
    assert folder(made) == before


def test_rows_that_are_in_the_log_alone_show(path: Path) -> None:
    code = """
import os, signal, sys
from memview import MemoryStore
store = MemoryStore(sys.argv[1])
store.memory("n").write_many(["one", "two"])
print("written", flush=True)
sys.stdin.readline()
"""
    with Process(code, path) as process:
        process.line()
        copy = path.parent / "copy"
        copy.mkdir()
        for suffix in ("", "-wal"):
            shutil.copy(str(path) + suffix, copy / (path.name + suffix))
    looker = Looker(copy / path.name)
    assert texts(looker) == ["two", "one"]
    looker.close()
    assert sorted(os.listdir(copy)) == [path.name, path.name + "-wal"]


def test_the_private_copy_is_private_and_goes_away(
    made: Path, writer: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    writer.kill()
    os.remove(str(made) + "-shm")
    looker = Looker(made)
    (copy,) = tmp_path.glob("memview-*")
    assert copy.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o077 for file in copy.iterdir()} <= {0}
    looker.close()
    assert list(tmp_path.glob("memview-*")) == []


@pytest.mark.parametrize("sidecars", ["none", "both", "log"])
@pytest.mark.parametrize("seal", ["folder", "everything"])
def test_a_folder_that_may_not_be_written_is_read(made: Path, sidecars: str, seal: str) -> None:
    if sidecars != "none":
        with Process(WRITER, made) as process:
            process.line()
            process.kill()
    if sidecars == "log":
        os.remove(str(made) + "-shm")
    before = folder(made)
    newest = "three" if sidecars == "none" else "written by the other process"
    assert _as_nobody(made, seal) == [newest]
    assert folder(made) == before


def _as_nobody(path: Path, seal: str) -> list[str]:
    """The newest fact, as a user sees it who may not write the folder (and, if sealed, no file in it)."""
    code = """
import os, sys
from pathlib import Path
from memview.memory.looking import Looker, find, fact_rows, Query
from datetime import datetime, timezone
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
now = datetime.now(timezone.utc)
looker = Looker(Path(sys.argv[1]))
def newest(c):
    (n,) = find(c, Query(limit=1), now).keys
    return fact_rows(c, [n])[n].content
print(looker.read(newest))
looker.token()
looker.close()
"""
    opened = [parent for parent in path.parents if parent != Path("/") and not os.stat(parent).st_mode & 0o001]
    modes = {place: os.stat(place).st_mode for place in [path.parent, *path.parent.iterdir()]}
    try:
        for place in opened:
            place.chmod(0o755)
        for file in path.parent.iterdir():
            file.chmod(0o444 if seal == "everything" else 0o666)
        path.parent.chmod(0o555)
        return run(code, path)
    finally:
        for place, mode in modes.items():
            place.chmod(mode)


# what happens meanwhile


def test_a_writer_that_vacuums_and_checkpoints_meanwhile_is_no_trouble(made: Path, looker: Looker) -> None:
    code = """
import sqlite3, sys
from memview import MemoryStore
number = 0
while True:
    with MemoryStore(sys.argv[1], synchronous="NORMAL") as store:
        memory = store.memory("n")
        for _ in range(5):
            number += 1
            memory.write(f"{number} " + "x" * 3000)
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("DELETE FROM facts WHERE content LIKE '% xxx%' AND n % 2")
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    print("written", flush=True)
"""
    with Process(code, made) as process:
        seen = set()
        for _ in range(10):
            process.line()  # it goes on at once
            for _ in range(6):
                found = texts(looker)
                assert found[-3:] == ["three", "two", "one"]
                seen.add(found[0])
                again = Looker(made)
                assert texts(again)[-1] == "one"
                again.close()
        assert len(seen) > 1
        process.kill()
    integrity(made)


def test_all_reads_of_one_call_see_one_moment(made: Path, looker: Looker, writer: Process) -> None:
    def work(connection: sqlite3.Connection) -> tuple[int, int]:
        first = looking.count(connection, Query(), NOW)
        writer.tell("memory.write('meanwhile')")
        assert writer.line() == "done"
        return first, looking.count(connection, Query(), NOW)

    assert looker.read(work) == (4, 4)
    assert looker.read(lambda c: looking.count(c, Query(), NOW)) == 5


@pytest.mark.parametrize("act", ["look", "open", "erase"])
def test_no_lock_is_lost_when_the_same_process_looks(made: Path, act: str) -> None:
    with MemoryStore(made) as store:
        gone = store.memory("n").write("gone")
        if act == "look":
            Looker(made).close()
        elif act == "open":
            MemoryStore(made).close()
        else:
            assert store.erase(ids=[gone.id]).unreached == []
        with Process(WRITER, made) as other:
            other.line()
            other.finish()
        assert os.path.exists(str(made) + "-wal"), "the other process took itself for the last one"
        store.memory("n").write("not lost")
    with MemoryStore(made) as store:
        assert store.memory("n").search("not lost", match="all")


def test_a_replaced_file_is_seen(made: Path, looker: Looker, tmp_path: Path) -> None:
    token = looker.token()
    with MemoryStore(tmp_path / "other.db") as other:
        other.memory("n").write("from the other file")
    os.replace(tmp_path / "other.db", made)
    assert looker.token() != token
    assert texts(looker) == ["from the other file"]


def test_a_deleted_file_is_said_and_a_new_one_is_seen(made: Path, looker: Looker) -> None:
    os.remove(made)
    for act in (looker.token, lambda: texts(looker)):
        with pytest.raises(MissingStore):
            act()
    with MemoryStore(made) as store:
        store.memory("n").write("new")
    assert texts(looker) == ["new"]


def test_a_file_deleted_under_a_writer_is_said(made: Path, looker: Looker, writer: Process) -> None:
    assert len(texts(looker)) == 4
    for name in os.listdir(made.parent):
        os.remove(made.parent / name)
    with pytest.raises(MissingStore):
        texts(looker)


def test_a_read_that_fails_leaves_the_looker_usable(looker: Looker) -> None:
    with pytest.raises(ZeroDivisionError):
        looker.read(lambda connection: 1 // 0)
    with pytest.raises(MemviewError):
        looker.read(lambda connection: connection.execute("SELECT * FROM missing").fetchall())
    with pytest.raises(NoPermission):
        looker.read(lambda connection: connection.execute("DELETE FROM settings"))
    assert len(texts(looker)) == 3
