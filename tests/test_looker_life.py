"""A looker at rest: it knows that something was committed, holds nothing, and can be stopped, shared and forked."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memview import (
    MemoryStore,
    StoreError,
)
from memview.memory import looking
from memview.memory.looking import Interrupted, Looker, Query, parse
from support import LIMIT, Process, SettableClock, plain, run

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


# tokens


def test_the_token_moves_with_each_commit_and_only_then(made: Path, looker: Looker, writer: Process) -> None:
    seen = [looker.token()]
    for line in ("memory.write('four')", "memory.pin(memory.list()[0].id)", "memory.forget(memory.list()[0].id)"):
        assert looker.token() == seen[-1]
        look_at_everything(looker)
        assert looker.token() == seen[-1]
        writer.tell("memory.list(); memory.search('four'); store.stats()")
        writer.line()
        assert looker.token() == seen[-1]
        writer.tell(line)
        writer.line()
        seen.append(looker.token())
    assert len(set(seen)) == 4


def test_the_token_moves_when_another_program_recalls(made: Path, looker: Looker) -> None:
    with plain(made) as other:
        other.execute("UPDATE facts SET access_count = 1")
        token = looker.token()
        other.execute("UPDATE facts SET access_count = 2")
        assert looker.token() != token
    token = looker.token()
    with plain(made) as other:
        other.execute("UPDATE facts SET access_count = 3")
    assert looker.token() != token


def test_another_look_does_not_move_the_token(made: Path, looker: Looker) -> None:
    token = looker.token()
    other = Looker(made)
    look_at_everything(other)
    other.close()
    assert looker.token() == token


def test_an_idle_looker_holds_nothing(made: Path, looker: Looker, writer: Process) -> None:
    look_at_everything(looker)
    with plain(made) as outside:
        assert outside.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        outside.execute("BEGIN IMMEDIATE")
        outside.execute("ROLLBACK")
    assert os.path.getsize(str(made) + "-wal") == 0
    assert len(texts(looker)) == 4
    with MemoryStore(made) as store:
        store.memory("n").list()
        with plain(made) as outside:
            assert outside.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


def test_a_looker_never_waits_for_a_writer(made: Path, looker: Looker) -> None:
    with plain(made) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM facts")
        assert len(texts(looker)) == 3
        other.execute("ROLLBACK")


def test_threads_share_a_looker(looker: Looker) -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.extend(len(texts(looker)) for _ in range(20))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert found == [3] * 160


# stopped and forked


def test_an_interrupted_read_says_so_and_the_next_one_works(made: Path, looker: Looker) -> None:
    started = threading.Event()
    stopped: list[BaseException] = []

    def slow(connection: sqlite3.Connection) -> None:
        def begun() -> int:
            started.set()
            return 1

        connection.create_function("begun", 0, begun)
        connection.execute(
            "WITH RECURSIVE t (x) AS (SELECT begun() UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t"
        ).fetchall()

    def read() -> None:
        try:
            looker.read(slow)
        except BaseException as error:
            stopped.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    assert started.wait(LIMIT)
    looker.interrupt()
    thread.join(LIMIT)
    assert [type(error) for error in stopped] == [Interrupted]
    assert len(texts(looker)) == 3


def test_an_interruption_does_not_last(looker: Looker, writer: Process) -> None:
    left: list[sqlite3.Cursor] = []

    def stopped(connection: sqlite3.Connection) -> None:
        left.append(connection.execute("SELECT n FROM facts"))  # as the text index may be left: inside a statement
        looker.interrupt()
        connection.execute("SELECT 1")

    with pytest.raises(Interrupted):
        looker.read(stopped)
    assert len(texts(looker)) == 4


def test_a_child_of_a_fork_reads_by_its_own_connection(looker: Looker, made: Path, writer: Process) -> None:
    assert len(texts(looker)) == 4
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(into, str(len(texts(looker))).encode())
            looker.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(out, 10) == b"4"
    writer.tell("memory.write('more')")
    writer.line()
    assert len(texts(looker)) == 5
    os.close(out)
    os.close(into)


def test_a_copy_that_cannot_be_made_is_said_and_made_once_it_can_be(
    made: Path, writer: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.kill()
    os.remove(str(made) + "-shm")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "full"))
    with pytest.raises(StoreError, match="can be read only from a copy, which could not be made: No such file"):
        Looker(made)
    (tmp_path / "full").mkdir()
    looker = Looker(made)
    assert texts(looker)[0] == "written by the other process"
    (copy,) = (tmp_path / "full").iterdir()
    shutil.rmtree(copy)  # as a tidy system does it
    looker.close()


_FORKED_WHILE_READ = """
import os, signal, sys, threading, warnings
from pathlib import Path
from memview.memory.looking import Looker
warnings.simplefilter("ignore")  # newer Pythons warn of forks beside threads
looker = Looker(Path(sys.argv[1]))
inside, go_on = threading.Event(), threading.Event()
def work(connection):
    inside.set()
    go_on.wait()
thread = threading.Thread(target=looker.read, args=(work,))
thread.start()
inside.wait()
child = os.fork()
if child == 0:
    signal.alarm(int(sys.argv[2]))
    print(*looker.read(lambda c: c.execute("SELECT count(*) FROM facts").fetchone()), flush=True)
    os._exit(0)
os.waitpid(child, 0)
go_on.set()
thread.join()
looker.close()
"""


def test_a_child_of_a_fork_does_not_wait_for_a_thread_of_its_parent(made: Path) -> None:
    assert run(_FORKED_WHILE_READ, made, LIMIT // 2) == ["3"]
