"""What is no store, or may not be used: one plain sentence, the documented status, and every file as it was."""

from __future__ import annotations

import os
import random
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command import cli, memview
from memview import (
    BusyStore,
    DamagedStore,
    MemoryStore,
    MissingStore,
    NewerStore,
    NotAStore,
    StoreError,
)
from memview.clock import utc_now
from memview.memory.looking import Looker, fact_rows, find, parse, stats
from support import Process, folder, plain

PAGE = 4096
NAME = "we\nird \x1b]0;x\x07 \u202e[red]\udcff.db"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of many pages, closed."""
    path = tmp_path_factory.mktemp("whole") / "agent.db"
    with MemoryStore(path, agent="planner", synchronous="NORMAL") as store:
        store.memory("user:42").write_many(f"Fact {n} about {'deploy ' * 9}" for n in range(400))
    return path


def _missing(at: Path, whole: Path) -> Path:
    return at / "nothing.db"


def _no_folder(at: Path, whole: Path) -> Path:
    return at / "no" / "such.db"


def _file_as_folder(at: Path, whole: Path) -> Path:
    (at / "file").write_text("x")
    return at / "file" / "agent.db"


def _dangling(at: Path, whole: Path) -> Path:
    (at / "link.db").symlink_to("gone")
    return at / "link.db"


def _folder(at: Path, whole: Path) -> Path:
    (at / "memories").mkdir()
    return at / "memories"


def _empty(at: Path, whole: Path) -> Path:
    (at / "empty.db").touch()
    return at / "empty.db"


def _filled(data: bytes) -> Callable[[Path, Path], Path]:
    def make(at: Path, whole: Path) -> Path:
        (at / "agent.db").write_bytes(data)
        return at / "agent.db"

    return make


def _cut(size: float) -> Callable[[Path, Path], Path]:
    def make(at: Path, whole: Path) -> Path:
        data = whole.read_bytes()
        (at / "agent.db").write_bytes(data[: int(size if size > 1 else len(data) * size)])
        return at / "agent.db"

    return make


def _overwritten(at: Path, whole: Path) -> Path:
    data = bytearray(whole.read_bytes())
    for start in range(PAGE, len(data), 2 * PAGE):
        data[start : start + PAGE] = b"\xa5" * PAGE
    (at / "agent.db").write_bytes(data)
    return at / "agent.db"


def _marked(pragma: str) -> Callable[[Path, Path], Path]:
    def make(at: Path, whole: Path) -> Path:
        shutil.copy(whole, at / "agent.db")
        with plain(at / "agent.db") as connection:
            connection.execute(pragma)
        return at / "agent.db"

    return make


def _others(at: Path, whole: Path) -> Path:
    with plain(at / "checkpoints.db") as connection:
        connection.execute("CREATE TABLE store (prefix TEXT, key TEXT, value TEXT)")
        connection.execute("CREATE TABLE [\x1b[31mred] (x)")
    return at / "checkpoints.db"


def _pipe(at: Path, whole: Path) -> Path:
    os.mkfifo(at / "pipe")
    return at / "pipe"


def _device(at: Path, whole: Path) -> Path:
    return Path("/dev/null")


def _socket(at: Path, whole: Path) -> Path:
    here = os.getcwd()
    os.chdir(at)  # the address of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket")
    finally:
        os.chdir(here)
    return at / "socket"


def _loop(at: Path, whole: Path) -> Path:
    (at / "loop").symlink_to("loop")
    return at / "loop"


def _long(at: Path, whole: Path) -> Path:
    return at / ("x" * 300)


def _strange(at: Path, whole: Path) -> Path:
    return at / NAME


_RANDOM = random.Random(7).randbytes(4 * PAGE)
CASES: list[tuple[Callable[[Path, Path], Path], type[StoreError], str]] = [
    (_missing, MissingStore, "nothing.db does not exist. Check the path, or create a new store with --create."),
    (_no_folder, MissingStore, "such.db does not exist, nor does its folder."),
    (_file_as_folder, MissingStore, "agent.db does not exist: its folder is a file."),
    (_dangling, MissingStore, "link.db does not exist."),
    (_folder, NotAStore, "memories is a folder, not a memory store."),
    (_empty, NotAStore, "empty.db is an empty file. Fill it with --create"),
    (_filled(b"Deploy window is Tuesday\n" * 9), NotAStore, "is a text file"),
    (_filled("Zeitfenster für Überführungen\r\n".encode() * 900), NotAStore, "is a text file"),
    (_filled(b'{"id": 1}\n'), NotAStore, "is a text file"),
    (_filled(_RANDOM), NotAStore, "is not a SQLite database, or it is encrypted."),
    (_filled(b"\0" * PAGE), NotAStore, "is not a SQLite database, or it is encrypted."),
    (_filled(b"SQLite format 3\0"), DamagedStore, "is cut short"),
    (_cut(99), DamagedStore, "is cut short"),
    (_cut(100), DamagedStore, "is cut short"),
    (_cut(0.5), DamagedStore, "is cut short"),
    (_overwritten, DamagedStore, "is damaged. Restore it from a backup"),
    (_others, NotAStore, r"checkpoints.db is another program's database (it holds store, \x1b[31mred)."),
    (_marked("PRAGMA application_id = 1"), NotAStore, "is another program's database"),
    (_marked("PRAGMA user_version = 999"), NewerStore, "was written by a newer memview (schema 999"),
    (_pipe, NotAStore, "pipe is not a file"),
    (_device, NotAStore, "null is not a file"),
    (_socket, NotAStore, "socket is not a file"),
    (_loop, StoreError, "loop cannot be read: Too many levels of symbolic links"),
    (_long, StoreError, "cannot be read: File name too long"),
    (_strange, MissingStore, r"we ↵ ird \x1b]0;x\x07 \u202e[red]\udcff.db does not exist."),
]
NAMES = [f"{words[:24]} {number}" for number, (_, _, words) in enumerate(CASES)]
_ONE_OF_EACH = (_missing, _folder, _empty, _overwritten, _others, _strange)
IN_ITS_OWN_PROCESS = [case for case in CASES if case[0] in _ONE_OF_EACH] + [CASES[at] for at in (6, 9, 14, 18)]
"""One of each kind: a process takes its time."""
WRITABLE = (_missing, _dangling, _empty, _strange, _overwritten)
"""What a handle that writes would fill, or cannot tell from a store without reading all of it."""


def listing(path: Path) -> dict[str, object]:
    """Everything in a folder, with the bytes of what has bytes."""
    return {
        name: (path / name).read_bytes() if (path / name).is_file() else None for name in os.listdir(path)
    }  # fmt: skip


@pytest.mark.parametrize(("make", "error", "words"), IN_ITS_OWN_PROCESS)
def test_what_is_no_store_is_told_in_one_sentence(
    make: Callable[[Path, Path], Path], error: type[StoreError], words: str, path: Path, whole: Path
) -> None:
    bad = make(path.parent, whole)
    before = listing(path.parent)
    ended = memview("list", bad)
    assert (ended.status, ended.raw) == (3, b"")
    assert ended.sentence.startswith("memview: ")
    assert words in ended.sentence
    assert ended.sentence.isprintable()
    assert listing(path.parent) == before


@pytest.mark.parametrize(("make", "error", "words"), CASES, ids=NAMES)
def test_every_command_and_the_library_say_the_same(
    make: Callable[[Path, Path], Path], error: type[StoreError], words: str, path: Path, whole: Path
) -> None:
    bad = make(path.parent, whole)
    before = listing(path.parent)
    commands = [[str(bad)], *([command, str(bad)] for command in ("stats", "history", "watch"))]
    commands += [[command, str(bad), "x"] for command in ("search", "show", "forget", "restore")]
    for command in commands:
        told = cli(*command)
        assert (told.status, told.out) == (3, ""), command
        assert words in told.err
    with pytest.raises(error) as caught:
        MemoryStore(bad, read_only=True)
    assert words in str(caught.value)
    assert listing(path.parent) == before


@pytest.mark.parametrize(("make", "error", "words"), [case for case in CASES if case[0] not in WRITABLE])
def test_a_handle_that_writes_refuses_it_too(
    make: Callable[[Path, Path], Path], error: type[StoreError], words: str, path: Path, whole: Path
) -> None:
    bad = make(path.parent, whole)
    before = listing(path.parent)
    with pytest.raises(StoreError):
        MemoryStore(bad)
    assert listing(path.parent) == before


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_overwritten_pages_are_damage_or_not_noticed(data: st.DataObject, whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    content = bytearray(whole.read_bytes())
    for page in data.draw(st.lists(st.integers(0, len(content) // PAGE - 1), min_size=1, max_size=6)):
        at = page * PAGE + data.draw(st.integers(0, PAGE - 1)) * (page > 0) + 100 * (page == 0)
        junk = data.draw(st.sampled_from([b"\0", b"\xff", b"\xa5", b"\x0d\x00"])) * 2_000
        content[at : min(at + len(junk), (page + 1) * PAGE)] = junk[: (page + 1) * PAGE - at]
    path.write_bytes(content)
    try:
        looker = Looker(path)
        now = utc_now()
        for words in ("", "deploy"):
            query = parse(words, now=now).query
            found = looker.read(partial(find, query=query, now=now))
            looker.read(partial(fact_rows, numbers=found.keys))
        looker.read(partial(stats, path=path))
        looker.close()
    except NotAStore:
        pass
    assert path.read_bytes() == content


@pytest.fixture
def locked(path: Path, whole: Path) -> Iterator[Path]:
    """A store on which another process holds every lock."""
    shutil.copy(whole, path)
    code = """
import sqlite3, sys
c = sqlite3.connect(sys.argv[1], isolation_level=None)
c.execute("PRAGMA locking_mode = EXCLUSIVE")
c.execute("BEGIN EXCLUSIVE")
c.execute("UPDATE facts SET category = 'held' WHERE n = 1")
print("locked", flush=True)
sys.stdin.readline()
"""
    with Process(code, path) as holder:
        assert holder.line() == "locked"
        yield path


def test_a_lock_is_waited_for_and_then_told(locked: Path) -> None:
    before = folder(locked)
    ended = memview("forget", locked, _id(locked), "--wait", "0.2")
    assert ended.status == 4
    assert "agent.db is locked by another process. Close the other program or wait" in ended.sentence
    with pytest.raises(BusyStore):
        MemoryStore(locked, timeout=0.05)
    assert folder(locked) == before


def test_a_store_that_is_being_written_can_be_read(path: Path, whole: Path) -> None:
    shutil.copy(whole, path)
    with plain(path) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("DELETE FROM facts")
        assert memview("stats", path).status == 0
        assert memview("forget", path, _id(path), "--wait", "0.1").status == 4


def _id(path: Path) -> str:
    with MemoryStore(path, read_only=True) as store:
        return store.memory("user:42").list(1)[0].id


def test_a_store_of_any_name_is_a_store(path: Path, whole: Path) -> None:
    strange = path.with_name(NAME)
    shutil.copy(whole, strange)
    ended = memview("stats", strange)
    assert ended.status == 0
    assert ended.out.splitlines()[0].isprintable()
    assert r"we ↵ ird \x1b]0;x\x07 \u202e[red]\udcff.db" in ended.out.splitlines()[0]


def test_read_only_refuses_to_change(path: Path, whole: Path) -> None:
    shutil.copy(whole, path)
    before = folder(path)
    for command in ("forget", "restore"):
        assert cli(command, path, _id(path), "--read-only").status == 4
    assert folder(path) == before


def test_sqlite_errors_keep_their_cause(path: Path, whole: Path) -> None:
    assert _overwritten(path.parent, whole) == path
    with pytest.raises(DamagedStore) as caught:
        MemoryStore(path, read_only=True)
    assert isinstance(caught.value.__cause__, sqlite3.DatabaseError)
