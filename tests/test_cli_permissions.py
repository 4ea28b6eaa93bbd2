"""What this user may not read or write: read what can be read, refuse what cannot, and touch nothing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import terminal
from command import Ended, memview, python
from memview import MemoryStore
from memview.cli import access
from support import folder, plain


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, closed."""
    path = tmp_path_factory.mktemp("whole") / "agent.db"
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write("Deploy window is Tuesday")
    return path


def _id(path: Path) -> str:
    with MemoryStore(path, read_only=True) as store:
        return store.memory("user:42").list(1)[0].id


class Closed:
    """A folder with a store in which permissions were taken away."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = _id(path)

    def take(self, file: int, folder: int) -> None:
        """Set the permissions of every file, then of the folder."""
        for name in os.listdir(self.path.parent):
            os.chmod(self.path.parent / name, file)
        os.chmod(self.path.parent, folder)

    def run(self, *arguments: str) -> Ended:
        """Run a command on the store as somebody who obeys."""
        command, *rest = arguments
        return memview(command, self.path, *rest, obey=True)


@pytest.fixture
def closed(path: Path, whole: Path) -> Iterator[Closed]:
    shutil.copy(whole, path)
    yield Closed(path)
    os.chmod(path.parent, 0o755)


def test_a_file_that_may_not_be_read(closed: Closed) -> None:
    closed.take(0o000, 0o755)
    for command in (["list"], ["forget", closed.id]):
        ended = closed.run(*command)
        assert (ended.status, ended.raw) == (4, b"")
        assert ended.sentence == "memview: You may not read agent.db. Ask its owner, or run as the user who owns it."


@pytest.mark.parametrize(("file", "folder_"), [(0o444, 0o755), (0o644, 0o555), (0o444, 0o555)])
def test_what_may_not_be_written_is_read_and_left_alone(closed: Closed, file: int, folder_: int) -> None:
    closed.take(file, folder_)
    before = folder(closed.path)
    assert closed.run("list").status == 0
    ended = closed.run("forget", closed.id)
    assert (ended.status, ended.raw) == (4, b"")
    assert ended.sentence.startswith("memview: You may not write to agent.db or its folder.")
    assert folder(closed.path) == before


@pytest.mark.parametrize("kept", [("-wal", "-shm"), ("-wal",)])
def test_the_newest_rows_show_where_nothing_may_be_written(path: Path, whole: Path, kept: tuple[str, ...]) -> None:
    shutil.copy(whole, path)
    aside = path.parent / "aside"
    aside.mkdir()
    with plain(path) as writer:
        writer.execute("INSERT INTO facts (content) VALUES ('Only in the log')")
        for suffix in ("", *kept):
            shutil.copy(f"{path}{suffix}", aside)
    closed = Closed(aside / "agent.db")
    closed.take(0o444, 0o555)
    before = folder(closed.path)
    try:
        assert "Only in the log" in closed.run("list", "--limit", "1").out
        assert folder(closed.path) == before
    finally:
        os.chmod(aside, 0o755)


def test_nothing_is_made_in_a_folder_that_may_not_be_written(path: Path) -> None:
    os.chmod(path.parent, 0o555)
    ended = memview(path, "--create", obey=True)
    os.chmod(path.parent, 0o755)
    assert ended.status == 4
    assert ended.sentence.startswith("memview: You may not write to agent.db or its folder.")
    assert os.listdir(path.parent) == []


_LIBRARY = """
import os, sys
from memview import MemoryStore, NoPermission
try:
    MemoryStore(sys.argv[1]).memory("user:42").write("New")
except NoPermission as error:
    print(error.exit_code, error)
"""


_NOTE = """
import sys
from pathlib import Path
from memview.cli import access
print(access.read_only_note(Path(sys.argv[1])))
"""


def test_the_library_names_the_missing_permission(closed: Closed) -> None:
    closed.take(0o444, 0o555)
    before = folder(closed.path)
    assert python(_LIBRARY, closed.path, obey=True).out.startswith("4 You may not write to agent.db or its folder.")
    assert folder(closed.path) == before


def test_the_app_opens_read_only_what_may_not_be_written(closed: Closed) -> None:
    assert access.read_only_note(closed.path) is None
    closed.take(0o444, 0o755)
    told = python(_NOTE, closed.path, obey=True).out
    assert told == "agent.db opens read-only: you may not write to the file.\n"
    closed.take(0o644, 0o555)
    told = python(_NOTE, closed.path, obey=True).out
    assert told == "agent.db opens read-only: you may not write to its folder.\n"


_OBEYING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from command import obey_permissions
obey_permissions()
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_the_app_says_that_it_is_read_only_and_leaves_everything(closed: Closed) -> None:
    closed.take(0o444, 0o555)
    before = folder(closed.path)
    command = [sys.executable, "-c", _OBEYING, os.path.dirname(__file__)]
    with terminal.Terminal([*command, *terminal.memview(closed.path)]) as screen:
        screen.wait_for("Deploy window is Tuesday")
        screen.wait_for("read-only")
        screen.press("d", "q")
        assert screen.ended() == 0
    assert b"agent.db opens read-only: you may not write to the file." in screen.raw
    assert folder(closed.path) == before
