"""When it is worth looking whether a store changed."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from memview.memory.looking import Waking
from memview.store import waking
from support import run

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux itself")
LONG = 20.0


def _replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"2")
    os.replace(other, path)


HAPPENINGS: dict[str, Callable[[Path], object]] = {
    "written": lambda path: path.write_bytes(b"1"),
    "logged": lambda path: path.with_name(path.name + "-wal").write_bytes(b"1"),
    "journalled": lambda path: path.with_name(path.name + "-journal").write_bytes(b"1"),
    "deleted": Path.unlink,
    "moved away": lambda path: path.rename(path.with_name("elsewhere")),
    "replaced": _replace,
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file in the place of a store; what it holds does not matter here."""
    path = tmp_path / "agent.db"
    path.write_bytes(b"0")
    return path


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look in any case comes so late that a test which waits for it has failed."""
    monkeypatch.setattr(waking, "POLL", LONG)


@on_linux
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("happens", HAPPENINGS.values(), ids=HAPPENINGS.keys())
def test_what_happens_to_the_files_ends_the_sleep(file: Path, happens: Callable[[Path], object]) -> None:
    sleeper = Waking(file)
    happens(file)
    assert sleeper.sleep(news=False)
    sleeper.close()


@on_linux
def test_what_happened_is_told_though_the_time_to_sleep_is_over(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sleeper = Waking(file)
    HAPPENINGS["written"](file)
    held_up = SimpleNamespace(monotonic=partial(next, count(0.0, LONG)), sleep=time.sleep)
    monkeypatch.setattr(waking, "time", held_up)  # whoever sleeps is kept from looking for so long
    assert sleeper.sleep(news=False)
    assert not sleeper.sleep(news=True)
    sleeper.close()


@on_linux
@pytest.mark.usefixtures("patient")
def test_a_link_to_a_store_wakes_like_the_store(file: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "linked.db"
    link.symlink_to(file)
    sleeper = Waking(link)
    HAPPENINGS["logged"](file)
    assert sleeper.sleep(news=False)
    sleeper.close()


@pytest.mark.usefixtures("patient")
def test_watchfiles_wakes_where_the_system_is_not_asked(file: Path) -> None:
    sleeper = Waking(file, native=False)
    woken = threading.Event()

    def write() -> None:
        while not woken.wait(0.05):
            file.write_bytes(b"1")

    writer = threading.Thread(target=write)
    writer.start()
    told = sleeper.sleep(news=False)
    woken.set()
    writer.join()
    assert told
    sleeper.close()


@on_linux
@pytest.mark.usefixtures("patient")
def test_looks_follow_a_wake_and_a_change(file: Path) -> None:
    sleeper = Waking(file)
    sleeper.sleep(news=True)
    for _ in range(6):
        sleeper.sleep(news=False)
    HAPPENINGS["written"](file)
    assert any(sleeper.sleep(news=False) for _ in range(12))
    sleeper.close()


@pytest.mark.parametrize("native", [pytest.param(True, marks=on_linux), False])
@pytest.mark.usefixtures("patient")
def test_another_thread_ends_the_sleep_for_good(file: Path, native: bool) -> None:
    sleeper = Waking(file, native=native)
    sleeps = threading.Thread(target=lambda: [sleeper.sleep(news=False) for _ in range(2)])
    sleeps.start()
    sleeper.end()
    sleeps.join(LONG / 2)
    assert not sleeps.is_alive()
    sleeper.close()


@pytest.mark.parametrize("native", [pytest.param(True, marks=on_linux), False])
def test_other_files_wake_nobody_and_a_look_comes_in_any_case(
    file: Path, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waking, "POLL", 0.1)
    sleeper = Waking(file, native=native)
    for name in ("agent.db2", "-wal", "agent.dbx-wal"):
        file.with_name(name).write_bytes(b"1")
    assert not any(sleeper.sleep(news=False) for _ in range(2))
    sleeper.close()


@pytest.mark.parametrize("native", [pytest.param(True, marks=on_linux), False])
def test_a_folder_that_cannot_be_watched_is_looked_at_now_and_then(
    tmp_path: Path, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waking, "POLL", 0.02)
    sleeper = Waking(tmp_path / "gone" / "agent.db", native=native)
    assert not sleeper.sleep(news=False)
    sleeper.end()
    assert not sleeper.sleep(news=False)
    sleeper.close()


def _folder_made_anew(link: Path) -> None:
    folder = link.resolve().parent
    folder.rename(folder.with_name("moved away"))
    folder.mkdir()
    (folder / "agent.db").write_bytes(b"0")


def _link_led_elsewhere(link: Path) -> None:
    other = link.parent / "elsewhere" / "other.db"
    other.parent.mkdir()
    other.write_bytes(b"0")
    link.unlink()
    link.symlink_to(other)


@on_linux
@pytest.mark.parametrize("moves", [_folder_made_anew, _link_led_elsewhere])
def test_a_store_that_was_seen_only_by_a_look_in_any_case_is_watched_where_it_is(
    tmp_path: Path, moves: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, link = tmp_path / "store" / "agent.db", tmp_path / "linked.db"
    store.parent.mkdir()
    store.write_bytes(b"0")
    link.symlink_to(store)
    sleeper = Waking(link)
    moves(link)
    monkeypatch.setattr(waking, "POLL", 0.02)
    for _ in range(12):
        sleeper.sleep(news=False)
    monkeypatch.setattr(waking, "POLL", LONG)
    sleeper.sleep(news=True)
    HAPPENINGS["logged"](link.resolve())
    assert sleeper.sleep(news=False)
    sleeper.close()


@on_linux
def test_a_sleep_that_was_ended_stays_so_where_the_store_is_watched_anew(file: Path, patient: None) -> None:
    sleeper = Waking(file)
    sleeper.end()
    sleeper.sleep(news=False)
    sleeper.sleep(news=True)
    assert not sleeper.sleep(news=False)
    sleeper.close()


_SHORT_OF_FILES = """
import os, resource, sys
from pathlib import Path
from memview.memory.looking import Waking
Waking(Path(sys.argv[1])).close()
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
def taken():
    found = []
    try:
        while True:
            found.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        return found
held = taken()
os.close(held.pop())
waking = Waking(Path(sys.argv[1]))
print(len(taken()))
"""


@on_linux
def test_where_files_run_out_none_is_kept_and_nothing_is_raised(file: Path) -> None:
    assert run(_SHORT_OF_FILES, file) == ["1"]
