"""Copies before many facts change at once: one a day, the last three, whole, private, and none outlives an erase."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from command import cli
from memview import MemoryStore
from memview.store import backup, state
from support import LIMIT, SettableClock, integrity, plain

CANARY = "zanzibarquokka"


def forget_all(store: MemoryStore, word: str) -> None:
    store.select(word).forget()


def test_the_first_bulk_action_of_a_day_leaves_a_whole_private_copy(
    store: MemoryStore, path: Path, clock: SettableClock
) -> None:
    store.memory("user:42").write_many(["deploy one", "deploy two"])
    store.memory("user:42").forget(store.memory("user:42").write("deploy three").id)
    assert backup.copies(path) == []
    forget_all(store, "deploy")
    (copy,) = backup.copies(path)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) & 0o077 == 0
    integrity(copy)
    with MemoryStore(copy, read_only=True) as before:
        assert before.memory("user:42").count() == 2
    assert sorted(file.name for file in state.kept(path)) == [copy.name]


def test_one_a_day_and_the_last_three(store: MemoryStore, path: Path, clock: SettableClock) -> None:
    memory = store.memory("user:42")
    days = []
    for day in range(5):
        memory.write_many([f"deploy {day} one", f"deploy {day} two"])
        for _ in range(2):
            store.select("deploy").pin()
            store.select("deploy").pin(False)
        days.append(clock.now.strftime("%Y-%m-%d"))
        clock.forward(days=1)
    assert [copy.name[7:17] for copy in backup.copies(path)] == days[-3:]


def test_what_another_program_has_in_its_log_is_in_the_copy(store: MemoryStore, path: Path) -> None:
    store.memory("user:42").write_many(["deploy one", "deploy two"])
    with plain(path) as writer:
        writer.execute("UPDATE facts SET content = 'deploy by hand' WHERE content = 'deploy one'")
        forget_all(store, "deploy")
    with MemoryStore(backup.copies(path)[0], read_only=True) as before:
        assert {fact.content for fact in before.memory("user:42").list()} == {"deploy by hand", "deploy two"}


@pytest.mark.parametrize("by", ["id", "value", "session", "namespace"])
def test_no_backup_outlives_what_is_erased_from_it(
    by: str, store: MemoryStore, path: Path, clock: SettableClock
) -> None:
    memory = store.memory("user:42")
    fact = memory.write(f"deploy {CANARY} one", session="s1")
    memory.write_many(["deploy one", f"deploy two {CANARY[:3]}"])
    forget_all(store, "deploy")
    clock.forward(days=1)
    store.undo()
    store.memory("other").write_many(["alpha one", "alpha two"])
    asked = {
        "id": {"ids": [fact.id]}, "value": {"value": CANARY}, "session": {"session": "s1"},
        "namespace": {"namespace": "user:42"},
    }[by]  # fmt: skip
    said = store.erase(dry_run=True, **asked).places  # type: ignore[arg-type]
    assert said["backups"] == len(backup.copies(path)) == 1
    done = store.erase(**asked)  # type: ignore[arg-type]
    assert done.places["backups"] == 1
    assert backup.copies(path) == []
    assert all(CANARY.encode() not in file.read_bytes() for file in state.kept(path))


def test_a_backup_from_which_nothing_is_erased_stays(store: MemoryStore, path: Path, clock: SettableClock) -> None:
    store.memory("user:42").write_many(["deploy one", "deploy two"])
    forget_all(store, "deploy")
    late = store.memory("user:42").write(CANARY)
    done = store.erase(ids=[late.id])
    assert "backups" not in done.places
    assert len(backup.copies(path)) == 1


def test_erasing_words_that_stand_elsewhere_too_takes_the_backup(store: MemoryStore, path: Path) -> None:
    first, _ = store.memory("user:42").write_many(["deploy window", "window of the deploy"])
    forget_all(store, "deploy")
    store.erase(ids=[first.id])
    assert backup.copies(path) == []


@pytest.mark.parametrize("by", ["id", "value"])
@pytest.mark.parametrize("when", ["while it is copied", "before the erase is committed"])
def test_no_backup_that_is_made_amid_an_erase_outlives_it(
    store: MemoryStore, path: Path, clock: SettableClock, monkeypatch: pytest.MonkeyPatch, when: str, by: str
) -> None:
    fact = store.memory("user:42").write(f"deploy {CANARY} one")
    do: dict[str, Callable[[], object]] = {
        "erase": lambda: store.erase(ids=[fact.id]) if by == "id" else store.erase(value=CANARY),
        "copy": lambda: backup.make(path, clock.now),
    }
    first, second, gate = ("copy", "erase", "replace") if when == "while it is copied" else ("erase", "copy", "drop")
    module = os if gate == "replace" else backup
    passed, seen = getattr(module, gate), list[object]()

    def meanwhile(*given: object) -> None:
        passed(*given) if gate == "drop" else None
        if not seen:
            seen.append(do[second]())
        passed(*given) if gate == "replace" else None

    monkeypatch.setattr(module, gate, meanwhile)
    do[first]()
    assert len(seen) == 1
    assert all(CANARY.encode() not in file.read_bytes() for file in [*state.kept(path), *path.parent.glob("agent*")])
    assert len(backup.copies(path)) == (1 if when == "while it is copied" else 0)


def test_two_copies_of_one_moment_do_no_harm_to_each_other(
    store: MemoryStore, path: Path, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.memory("user:42").write_many(["deploy one", "deploy two"])
    both, copy = Barrier(2, timeout=LIMIT), backup._copy

    def together(*given: Path) -> object:
        both.wait()
        return copy(*given)

    monkeypatch.setattr(backup, "_copy", together)
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda _: backup.make(path, clock.now), range(2)))
    assert made == [*backup.copies(path)] * 2
    assert len(list(state.kept(path))) == 1
    integrity(made[0])


def test_the_command_line_says_it_before(path: Path, store: MemoryStore) -> None:
    fact, _ = store.memory("user:42").write_many(["deploy one", "deploy two"])
    assert cli("forget", path, "--query", "deploy", "--yes").status == 0
    told = cli("erase", path, fact.id, "--dry-run")
    assert "1 backup" in told.err
    assert len(backup.copies(path)) == 1


BULK = {
    "forget": ["forget", "--query", "deploy", "--yes"],
    "prune": ["prune", "deploy", "--yes"],
    "merge": ["duplicates", "--merge", "--yes"],
    "review": ["review", "--plain", "--start", "all"],
}


@pytest.mark.parametrize("name", BULK)
def test_whatever_changes_many_leaves_a_copy_that_an_erase_reaches(path: Path, clock: SettableClock, name: str) -> None:
    with MemoryStore(path, agent="planner", clock=clock) as store:
        store.memory("user:42").write_many(
            [f"deploy {CANARY}", f"Deploy {CANARY}.", f"DEPLOY {CANARY}", f"The window is Friday, says {CANARY}"]
        )
    command, *rest = BULK[name]
    done = cli(command, path, *rest, stdin=b"Dy")
    assert done.status == 0, done.err
    (copy,) = backup.copies(path)
    integrity(copy)
    with MemoryStore(copy, read_only=True) as before:
        assert before.memory("user:42").count() == 4
    assert cli("erase", path, "--value", "-", "--yes", stdin=CANARY.encode()).status == 0
    assert backup.copies(path) == []
    assert all(CANARY.encode() not in file.read_bytes() for file in [*state.kept(path), *path.parent.iterdir()])


def test_a_copy_that_cannot_be_made_stops_the_action(store: MemoryStore, path: Path) -> None:
    store.memory("user:42").write_many(["deploy one", "deploy two"])
    state.root().parent.mkdir(parents=True, exist_ok=True)
    with closing(state.root().open("w")):
        pass
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        forget_all(store, "deploy")
    assert store.memory("user:42").count() == 2
