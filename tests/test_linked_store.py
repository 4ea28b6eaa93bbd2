"""A store that is opened by a symbolic link: what SQLite keeps beside the store belongs to it all the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memview import MemoryStore
from memview.memory.looking import Looker
from support import Process, folder

WRITER = """
import sys
from memview import MemoryStore
store = MemoryStore(sys.argv[1], agent="writer")
store.memory("n").write("kept in the log")
print("open", flush=True)
sys.stdin.readline()
store.memory("n").write("written since")
print("written", flush=True)
sys.stdin.readline()
"""
COUNT = "SELECT count(*) FROM facts"


@pytest.fixture
def link(path: Path, tmp_path: Path) -> Path:
    """A link of another name in another folder; the store itself is made later."""
    (tmp_path / "links").mkdir()
    found = tmp_path / "links" / "linked.db"
    found.symlink_to(path)
    return found


def test_what_a_writer_left_in_the_log_shows_and_what_it_writes_is_noticed(path: Path, link: Path) -> None:
    with Process(WRITER, path) as writer:
        assert writer.line() == "open"
        before = folder(path)
        looker = Looker(link)
        assert looker.read(lambda raw: raw.execute(COUNT).fetchone()) == (1,)
        assert folder(path) == before
        token = looker.token()
        writer.tell()
        assert writer.line() == "written"
        assert looker.token() != token
        assert looker.read(lambda raw: raw.execute(COUNT).fetchone()) == (2,)
        looker.close()
    assert os.listdir(link.parent) == [link.name]


def test_a_log_without_shared_memory_shows_its_rows(path: Path, link: Path) -> None:
    with Process(WRITER, path) as writer:
        assert writer.line() == "open"
        writer.kill()
    path.with_name(path.name + "-shm").unlink()
    before = folder(path)
    with MemoryStore(link, read_only=True) as store:
        assert [fact.content for fact in store.memory("n").list()] == ["kept in the log"]
    assert folder(path) == before


def test_its_size_counts_the_log(path: Path, link: Path) -> None:
    with MemoryStore(link, agent="planner") as store:
        store.memory("n").write("kept in the log")
        files = [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")]
        assert store.stats().size_bytes == sum(file.stat().st_size for file in files)
