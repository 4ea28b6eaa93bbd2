"""Things that go wrong around the real program and the library, and what a person sees of it."""

from __future__ import annotations

import os
import re
import shutil
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memview import MemoryStore
from support import SettableClock, integrity, plain, run
from terminal import Terminal, memview


@pytest.fixture
def small(path: Path) -> Path:
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write_many([f"Fact number {i}" for i in range(20)])
    return path


def test_a_file_that_goes_away_and_comes_back(small: Path) -> None:
    aside = small.with_name("aside")
    with Terminal(memview(small)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.wait_for("live")
        shutil.move(small, aside)
        terminal.wait_for("the file is gone; waiting for it")
        shutil.move(aside, small)
        terminal.wait_for(lambda text: "the file is gone" not in text and "live" in text)
        terminal.wait_for("Fact number 19")
        terminal.press("q")
        assert terminal.ended() == 0
    integrity(small)


def test_another_file_in_its_place_is_read_anew(small: Path) -> None:
    other = small.with_name("other.db")
    with MemoryStore(other, agent="planner") as store:
        store.memory("user:7").write("From the other file")
    with Terminal(memview(small)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.wait_for("live")
        os.replace(other, small)
        terminal.wait_for("read anew")
        terminal.wait_for("From the other file")
        terminal.wait_for(lambda text: "Fact number 19" not in text)
        terminal.press("d")
        terminal.wait_for("forgot 1")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(small, read_only=True) as store:
        assert [fact.content for fact in store.memory("user:7").trash()] == ["From the other file"]


def test_a_lock_that_is_let_go_of_only_delays(small: Path) -> None:
    with Terminal(memview(small)) as terminal, plain(small) as other:
        terminal.wait_for("Fact number 19")
        other.execute("BEGIN IMMEDIATE")
        terminal.press("d")
        shown = terminal.wait_for("working on it")
        assert re.search(r"†\s+Fact number 19 .*forgotten", shown)
        other.execute("COMMIT")
        terminal.wait_for("forgot 1")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(small, read_only=True) as store:
        assert store.memory("user:42").count() == 19


def test_a_clock_that_is_set_back(path: Path) -> None:
    clock = SettableClock()
    clock.now = datetime.now(UTC) + timedelta(days=3)
    with MemoryStore(path, agent="planner", clock=clock) as store:
        memory = store.memory("user:42")
        for i in range(3):
            memory.write(f"Fact number {i}")
            clock.forward(hours=-30)
        assert [fact.content for fact in memory.list()] == [f"Fact number {i}" for i in (2, 1, 0)]
    with Terminal(memview(path)) as terminal:
        shown = terminal.wait_for(lambda text: all(f"Fact number {i}" in text for i in range(3)))
        assert re.findall(r"┃[> ]\s+Fact number (\d)", shown) == ["2", "1", "0"]
        assert not re.search(r"-\d+(s|m|h|d|mo|y)\b", shown)
        terminal.press("q")
        assert terminal.ended() == 0


def test_two_people_undo_only_their_own(small: Path) -> None:
    command = memview(small)
    with (
        Terminal(command, env={"USER": "ana", "LOGNAME": "ana"}) as ana,
        Terminal(command, env={"USER": "ben", "LOGNAME": "ben"}) as ben,
    ):
        ana.wait_for("Fact number 19")
        ben.wait_for("Fact number 19")
        ana.press("d")
        ana.wait_for("forgot 1")
        ben.wait_for("19 facts")
        ben.press("j", "j")
        ben.settle()
        ben.press("d")
        ben.wait_for("forgot 1")
        ana.wait_for("18 facts")
        ana.press("u")
        ana.wait_for("brought back 1")
        ben.wait_for("19 facts")
        with MemoryStore(small, read_only=True) as store:
            (left,) = store.memory("user:42").trash()
        assert left.content != "Fact number 19"
        ben.press("u")
        ben.wait_for("brought back 1")
        ana.wait_for("20 facts")
        for terminal in (ana, ben):
            terminal.press("q")
            assert terminal.ended() == 0
    integrity(small)


_FULL = """
import os, resource, signal, sys
from memview import MemoryStore, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with MemoryStore(sys.argv[1], agent="planner") as store:
    chosen = store.select("stale")
    limit = os.path.getsize(sys.argv[1]) // 8
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        chosen.forget()
    except StoreError as error:
        print(error.title)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print(store.memory("user:42").count())
"""


def test_a_full_disk_in_a_bulk_forget_leaves_everything_as_it_was(path: Path) -> None:
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write_many([f"Stale fact number {i}" for i in range(3_000)])
    title, count = run(_FULL, path)
    assert title.endswith(".")
    assert "disk" in title.lower() or "written" in title.lower()
    assert count == "3000"
    integrity(path)
    with MemoryStore(path, agent="planner") as store:
        assert store.memory("user:42").trash() == []
        assert store.select("stale").forget().changed == 3_000


def test_a_full_disk_under_the_screen_is_one_sentence_and_the_marks_are_back(path: Path) -> None:
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write_many([f"Stale fact number {i}" for i in range(600)])
    limit = path.stat().st_size // 8 // 512
    with Terminal(["/bin/sh", "-c", f'ulimit -f {limit}; exec "$0" "$@"', *memview(path)]) as terminal:
        terminal.wait_for("Stale fact number 599")
        terminal.press("*")
        terminal.wait_for("600 marked")
        terminal.press("d")
        terminal.wait_for("Forget 600 facts")
        terminal.press("y")
        terminal.wait_for("nothing was written")
        terminal.wait_for("600 marked")
        terminal.press("q")
        assert terminal.ended() == 0
    integrity(path)
    with MemoryStore(path, read_only=True) as store:
        assert store.memory("user:42").count() == 600


def test_a_storm_of_sizes_under_an_open_dialog(small: Path) -> None:
    with Terminal(memview(small)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.press("e")
        terminal.wait_for("importance")
        for i in range(20):
            terminal.resize(20 + i * 37 % 140, 5 + i * 13 % 45)
            terminal.pump(0.01)
        terminal.resize(100, 30)
        terminal.wait_for(lambda text: "Edit" in text and "ctrl+s" in text and "Fact number 19" in text)
        terminal.press("Really ")
        terminal.wait_for("Really Fact number 19")
        terminal.press("ctrl+s")
        terminal.wait_for("changed the text")
        terminal.press("q")
        assert terminal.ended() == 0
    integrity(small)


def test_a_program_that_is_told_to_end_leaves_the_terminal_as_it_was(small: Path) -> None:
    with Terminal(memview(small)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.process.terminate()
        assert terminal.ended() == 128 + signal.SIGTERM
        assert terminal.raw.rfind(b"\x1b[?1049l") > terminal.raw.rfind(b"\x1b[?1049h")
    assert os.listdir(small.parent) == [small.name]
