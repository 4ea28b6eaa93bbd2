"""The worker that writes aside: in order, past errors, within a time limit, and across the death of its process."""

from __future__ import annotations

import logging
import threading
from functools import partial
from pathlib import Path

import pytest

from memview import MemoryExtension, MemoryStore, MemviewError, Recorder
from support import LIMIT, Process, run

CHATTING = """
import sys
from memview import MemoryExtension, MemoryStore
extension = MemoryExtension(MemoryStore(sys.argv[1]).memory("user:42"), session="s1", flush_timeout=30)
for number in range(int(sys.argv[2])):
    extension.on_user_message(f"message {number} of the user")
"""


def test_D5_jobs_are_done_in_order_by_one_worker() -> None:
    done: list[tuple[int, int]] = []
    with Recorder(LIMIT) as recorder:
        for number in range(200):
            recorder.put(partial(lambda number: done.append((number, threading.get_ident())), number))
    assert [number for number, _ in done] == list(range(200))
    assert len({thread for _, thread in done} - {threading.get_ident()}) == 1


def test_D5_an_error_is_logged_that_item_dropped_and_the_worker_lives(caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []
    with caplog.at_level(logging.ERROR, "memview"), Recorder(LIMIT) as recorder:
        recorder.put(lambda: done.append("before"))
        recorder.put(lambda: 1 // 0)
        recorder.put(lambda: done.append("after"))
    assert done == ["before", "after"]
    (record,) = caplog.records
    assert "ZeroDivisionError" in caplog.text
    assert record.levelno == logging.ERROR


def test_D5_closing_waits_no_longer_than_the_limit(caplog: pytest.LogCaptureFixture) -> None:
    stuck, entered, over, done = threading.Event(), threading.Event(), threading.Event(), list[str]()
    recorder = Recorder(flush_timeout=0, ended=over.set)

    def hold() -> None:
        entered.set()
        stuck.wait(30)

    recorder.put(hold)
    recorder.put(lambda: done.append("queued"))
    assert entered.wait(30)
    with caplog.at_level(logging.WARNING, "memview"):
        assert recorder.close() is False
    assert "closed with 2 of its jobs undone" in caplog.text
    stuck.set()
    assert over.wait(30)
    assert done == []


def test_D5_closing_flushes_and_takes_nothing_more() -> None:
    done: list[str] = []
    recorder = Recorder(LIMIT, ended=lambda: done.append("ended"))
    recorder.put(lambda: done.append("done"))
    assert recorder.close() is True
    assert recorder.close() is True
    assert done == ["done", "ended"]
    with pytest.raises(MemviewError, match="closed"):
        recorder.put(lambda: None)
    assert Recorder().close() is True


def test_D5_the_end_of_the_interpreter_flushes(path: Path) -> None:
    run(CHATTING, path, 30)
    with MemoryStore(path) as store:
        assert store.memory("user:42").count() == 30


def test_D5_a_killed_process_loses_at_most_what_was_in_flight(path: Path) -> None:
    code = CHATTING + (
        "    if number == 20:\n        assert extension.recorder.flush(30)\n        print('flushed', flush=True)\n"
        "print('queued', flush=True)\nimport time; time.sleep(60)\n"
    )
    with Process(code, path, 60) as process:
        assert process.line() == "flushed"
        process.kill()
    with MemoryStore(path) as store:
        kept = [fact.content for fact in reversed(store.memory("user:42").list(0))]
        assert len(kept) >= 21
        assert kept == [f"message {number} of the user" for number in range(len(kept))]
        assert store.memory("user:42").write("after").n is not None


def test_D5_a_forked_child_writes_what_it_captures_and_nothing_of_its_parent(path: Path) -> None:
    run(
        CHATTING + "import os\n"
        "child = os.fork()\n"
        "if child == 0:\n    extension.on_user_message('words of the child')\n"
        "    os._exit(0 if extension.close() else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0",
        path, 3,
    )  # fmt: skip
    with MemoryStore(path) as store:
        contents = [fact.content for fact in store.memory("user:42").list(0)]
    assert sorted(contents) == [*(f"message {number} of the user" for number in range(3)), "words of the child"]


def test_D5_an_extension_closes_its_file(path: Path) -> None:
    store = MemoryStore(path)
    extension = MemoryExtension(store.memory("user:42"), flush_timeout=LIMIT)
    extension.on_user_message("hello there")
    assert extension.close() is True
    store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]
