"""Durability: what was acknowledged is there, whatever is killed, forked, locked or full meanwhile."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from random import Random

import pytest

from memview import BusyStore, MemoryStore, MemviewError, Turn
from support import LIMIT, Process, integrity, plain, run, sql, together

WORKER = """
import os, sys
from memview import MemoryStore
for line in sys.stdin:
    seed = int(line)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        print("dead", flush=True)
        continue
    store = MemoryStore(sys.argv[1], agent=f"writer {seed}", timeout=30)
    memory, chat = store.memory("n", max_entries=30), store.conversation("s")
    print("pid", os.getpid(), flush=True)
    number = 0
    while True:
        number += 1
        fact = memory.write(f"fact {seed} {number} word{number % 7}", tags=[f"t{number}"])
        print("fact", fact.id, flush=True)
        if number % 3 == 0:
            print("turn", chat.record(request=f"question {seed} {number}", response="yes").id, flush=True)
        if number % 4 == 0:
            memory.update(fact.id, f"edited {seed} {number}")
        if number % 5 == 0:
            memory.forget(fact.id)
        if number % 9 == 0:
            memory.pin(fact.id)
            store.undo()
            store.redo()
        if number % 10 == 0:
            memory.erase(fact.id)
            print("erased", fact.id, flush=True)
"""


def test_fifty_killed_writers_lose_nothing_they_acknowledged(path: Path) -> None:
    random = Random(7)
    written: dict[str, set[str]] = {"fact": set(), "turn": set(), "erased": set()}
    MemoryStore(path).close()
    with Process(WORKER, path) as worker:
        for seed in range(50):
            worker.tell(str(seed))
            pid = int(worker.line().split()[1])
            lines = [worker.line() for _ in range(random.randrange(1, 12))]
            os.kill(pid, 9)
            while (line := worker.line()) != "dead":
                lines.append(line)
            for kind, _, id in (line.partition(" ") for line in lines):
                if len(id) == 26:  # the last line may be cut by the kill
                    written[kind].add(id)
            if seed % 17 == 0:
                _check(path, written)
    _check(path, written)


def _check(path: Path, written: dict[str, set[str]]) -> None:
    """The store opens, is whole, and holds what was acknowledged; index and feed agree with the rows."""
    with MemoryStore(path) as store:
        assert store.unreached == []
        store.memory("n").write("one more")
    integrity(path)
    with plain(path) as connection:
        facts = {id for (id,) in connection.execute("SELECT id FROM facts")}
        assert written["fact"] - written["erased"] - _erasing(connection) <= facts
        assert not written["erased"] & facts
        assert written["turn"] <= {id for (id,) in connection.execute("SELECT id FROM turns")}
        assert connection.execute("SELECT count(*) FROM queue").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM context").fetchone() == (0,)
        for kind in ("fact", "turn"):
            table = f"{kind}s"
            rows = {n for (n,) in connection.execute(f"SELECT n FROM {table}")}
            assert rows == {n for (n,) in connection.execute(f"SELECT rowid FROM {table}_index")}
            unknown = f"SELECT id FROM {table} EXCEPT SELECT id FROM changes WHERE kind = ? AND op = 'insert'"
            assert connection.execute(unknown, (kind,)).fetchall() == []


def _erasing(connection: object) -> set[str]:
    """Facts whose erasure was committed and not acknowledged any more."""
    rows = connection.execute("SELECT id FROM changes WHERE op = 'erase' AND kind = 'fact'")  # type: ignore[attr-defined]
    return {id for (id,) in rows}


OPENER = """
import sys
from memview import MemoryStore
start()
for attempt in range(6):
    with MemoryStore(f"{sys.argv[1]}/{attempt}.db", agent=sys.argv[2], timeout=30) as store:
        store.memory("n").write(f"from {sys.argv[2]}")
"""


def test_one_new_file_is_opened_by_eight_processes_at_once(tmp_path: Path) -> None:
    together(OPENER, tmp_path)
    for attempt in range(6):
        path = tmp_path / f"{attempt}.db"
        with MemoryStore(path) as store:
            assert store.memory("n").count() == 8
        assert sql(path, "PRAGMA journal_mode") == [("wal",)]
        integrity(path)


def test_one_new_file_is_opened_by_eight_threads_at_once(path: Path) -> None:
    barrier, failed = threading.Barrier(8), []

    def work(number: int) -> None:
        barrier.wait()
        try:
            with MemoryStore(path, timeout=LIMIT) as store:
                store.memory("n").write(f"fact {number}")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert failed == []
    with MemoryStore(path) as store:
        assert store.memory("n").count() == 8


# forks


def forked(work: object) -> str:
    """What a forked child of this process says; its error where it fails."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = str(work())  # type: ignore[operator]
        except BaseException as error:
            answer = repr(error)
        os.write(into, answer.encode())
        os._exit(0)
    os.close(into)
    os.waitpid(child, 0)
    with os.fdopen(out) as pipe:
        return pipe.read()


def test_a_store_opened_before_a_fork_works_on_both_sides(store: MemoryStore, path: Path) -> None:
    memory = store.memory("n")
    memory.write("before")

    def child() -> int:
        memory.write("child")
        store.undo()
        memory.write("child again")
        return memory.count()

    assert forked(child) == "2"
    memory.write("parent")
    assert {fact.content for fact in memory.list()} == {"before", "child again", "parent"}
    store.close()
    integrity(path)


def test_a_fork_while_threads_write_loses_nothing(store: MemoryStore, path: Path) -> None:
    memory, stop = store.memory("n"), threading.Event()
    written: list[str] = []

    def write(thread: int) -> None:
        number = 0
        while not stop.is_set() and number < 200:
            number += 1
            written.append(memory.write(f"thread {thread} {number}").id)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    said = [forked(lambda number=number: memory.write(f"child {number}").content) for number in range(8)]
    stop.set()
    for thread in threads:
        thread.join(LIMIT)
    assert said == [f"child {number}" for number in range(8)]
    ids = {fact.id for fact in memory.list(0)}
    assert set(written) <= ids
    assert len(ids) == len(written) + 8
    integrity(path)


_TWO_STORES = """
import os, sys, threading, warnings
from memview import MemoryStore
warnings.simplefilter("ignore")  # newer Pythons warn of forks beside threads

class Told:
    def __init__(self, lock, event, *, taken):
        self.lock, self.event, self.taken = lock, event, taken
    def acquire(self, *how, **more):
        main = threading.current_thread() is threading.main_thread()
        if main and not self.taken:
            self.event.set()
        got = self.lock.acquire(*how, **more)
        if main and self.taken:
            self.event.set()
        return got
    def release(self):
        self.lock.release()
    __enter__ = acquire
    def __exit__(self, *_):
        self.release()

def fork_amid(one, other):
    begun, met = threading.Event(), threading.Event()
    def keep(turns):
        begun.set()
        met.wait()
        other.memory("n").write(f"kept of {one.path.name}")
    one._database._lock = Told(one._database._lock, met, taken=False)
    other._database._lock = Told(other._database._lock, met, taken=True)
    chat = one.conversation("s", max_turns=1, on_trim=keep)
    thread = threading.Thread(target=lambda: [chat.record("one"), chat.record("two")], daemon=True)
    thread.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    thread.join()

one, other = (MemoryStore(path) for path in sys.argv[1:])
fork_amid(one, other)
fork_amid(other, one)
print(one.memory("n").count(), other.memory("n").count())
"""


def test_a_fork_while_a_thread_writes_into_two_stores_ends(tmp_path: Path) -> None:
    assert run(_TWO_STORES, tmp_path / "one.db", tmp_path / "other.db") == ["1 1"]


def test_a_fork_inside_a_transaction_leaves_it_to_the_parent(store: MemoryStore, path: Path) -> None:
    said: list[str] = []

    def trim(turns: object) -> None:
        said.append(forked(lambda: store.conversation("s").size()))
        said.append(forked(lambda: store.memory("n").count()))

    conversation = store.conversation("s", max_turns=1, on_trim=trim)
    conversation.record(request="one")
    conversation.record(request="two")
    assert said == ["1", "0"]
    assert [turn.request for turn in store.conversation("s").turns()] == ["two"]
    store.close()
    integrity(path)


def test_the_threads_of_a_parent_are_not_missed_in_a_child(store: MemoryStore) -> None:
    conversation = store.conversation("s", background=True)
    conversation.record(request="parent")
    conversation.size()

    def child() -> int:
        conversation.record(request="child")
        conversation.close()
        return conversation.size()

    assert forked(child) == "2"
    conversation.record(request="parent again")
    conversation.close()
    assert [turn.request for turn in store.conversation("s").turns()] == ["parent", "child", "parent again"]


# locks and full disks


def test_a_lock_held_too_long_is_said_and_nothing_is_lost(store: MemoryStore, path: Path) -> None:
    store.close()
    with MemoryStore(path, timeout=0.05) as impatient, plain(path) as other:
        memory = impatient.memory("n", max_entries=2)
        other.execute("BEGIN IMMEDIATE")
        for act in (lambda: memory.write("one"), lambda: impatient.erase(namespace="n"), lambda: memory.forget("x")):
            with pytest.raises(BusyStore) as busy:
                act()
        assert "locked by another process" in busy.value.title
        assert memory.list() == []
        other.execute("ROLLBACK")
        memory.write_many(["one", "two", "three"])
        assert [fact.content for fact in memory.list()] == ["three", "two"]


def test_a_lock_is_waited_for(store: MemoryStore, path: Path) -> None:
    with plain(path) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO facts (namespace, content) VALUES ('n', 'theirs')")
        thread = threading.Thread(target=lambda: store.memory("n").write("mine"))
        thread.start()
        assert thread.is_alive()
        other.execute("COMMIT")
        thread.join(LIMIT)
    assert [fact.content for fact in store.memory("n").list()] == ["mine", "theirs"]


def test_a_full_disk_is_said_and_nothing_is_lost(path: Path) -> None:
    code = """
import json, resource, signal, sys
from memview import MemoryStore, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = MemoryStore(sys.argv[1])
memory = store.memory("n")
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
written, errors = [], []
for number in range(400):
    try:
        written.append(memory.write(f"{number} " + "x" * 3000).id)
    except StoreError as error:
        errors.append(error.title)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
written.append(memory.write("after").id)
store.close()
print(json.dumps([written, sorted(set(errors))]))
"""
    written, errors = json.loads(run(code, path)[0])
    assert errors
    assert all("report this as a bug" not in error for error in errors)
    with MemoryStore(path) as store:
        assert {fact.id for fact in store.memory("n").list(0)} == set(written)
    integrity(path)


# interrupted


@pytest.mark.parametrize("act", ["search", "write"])
@pytest.mark.parametrize("nth", range(1, 8))
def test_ctrl_c_right_after_a_statement_leaves_nothing_open(store: MemoryStore, path: Path, act: str, nth: int) -> None:
    memory = store.memory("n")
    memory.write("one")
    left = [None] * nth

    def pressed(frame: object, event: str, called: object) -> None:
        if event == "c_return" and getattr(called, "__name__", "") == "execute":
            left.pop()
            if not left:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(pressed)
    try:
        with pytest.raises(KeyboardInterrupt):
            getattr(memory, act)("two")
    finally:
        sys.setprofile(None)
    with plain(path) as other:
        other.execute("UPDATE facts SET content = 'theirs'")
        assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    assert [fact.content for fact in memory.list()] == ["theirs"]
    assert memory.write("usable").n is not None


# one transaction


def test_a_call_inside_another_is_a_part_of_it(store: MemoryStore) -> None:
    memory = store.memory("n")

    def keep(turns: list[Turn]) -> None:
        memory.write(f"{len(turns)} turns went")
        with pytest.raises(MemviewError):
            memory.forget("missing")

    conversation = store.conversation("s", max_turns=2, on_trim=keep)
    for number in range(3):
        conversation.record(request=str(number))
    assert [fact.content for fact in memory.list()] == ["1 turns went"]
    store.undo()
    assert memory.list() == []
    assert [turn.request for turn in store.conversation("s").turns()] == ["0", "1"]


def test_a_part_that_fails_takes_nothing_else_along(store: MemoryStore) -> None:
    memory = store.memory("n")

    def fail(turns: list[Turn]) -> None:
        memory.write("not kept either")
        raise RuntimeError("no")

    conversation = store.conversation("s", max_turns=1, on_trim=fail)
    conversation.record(request="0")
    with pytest.raises(RuntimeError, match="no"):
        conversation.record(request="1")
    assert [turn.request for turn in store.conversation("s").turns()] == ["0"]
    assert memory.count() == 0
    memory.write("usable")
