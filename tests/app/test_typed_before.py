"""Keys typed before the app shows anything: they wait for the first list, and act on it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import events

from driving import Driven
from memview import MemoryStore
from memview.app.app import MemviewApp
from memview.clock import Clock
from memview.memory.looking import Looker
from support import LIMIT
from terminal import Terminal, memview


@pytest.fixture
def slow(filled: MemoryStore, path: Path) -> Iterator[tuple[Looker, threading.Event]]:
    """The open store, busy until an event is set."""
    filled.close()
    looker, inside, go_on = Looker(path), threading.Event(), threading.Event()

    def busy(_: object) -> None:
        inside.set()
        go_on.wait(LIMIT)

    thread = threading.Thread(target=looker.read, args=(busy,))
    thread.start()
    inside.wait(LIMIT)
    yield looker, go_on
    go_on.set()
    thread.join()


@pytest.mark.asyncio
async def test_a_key_pressed_before_the_first_list_acts_on_it(
    slow: tuple[Looker, threading.Event], path: Path, clock: Clock
) -> None:
    looker, go_on = slow
    app = MemviewApp(path, me="person:ana", clock=clock, watched=False, looker=looker)
    async with app.run_test(size=(120, 36)) as pilot:
        driven = Driven(app, pilot)
        driven.send("d")
        await driven.until(lambda: app.browse.drawn)
        assert not app.browse.list.keys
        go_on.set()
        await driven.settle()
        assert "forgot 1 in user" in driven.status


@pytest.mark.asyncio
async def test_quitting_at_once_waits_for_no_list(
    slow: tuple[Looker, threading.Event], path: Path, clock: Clock
) -> None:
    looker, go_on = slow
    app = MemviewApp(path, me="person:ana", clock=clock, watched=False, looker=looker)
    async with app.run_test(size=(120, 36)) as pilot:
        driven = Driven(app, pilot)
        driven.send("ctrl+q")
        await driven.until(lambda: app.return_code is not None)
        assert app.return_code == 0
        go_on.set()


def test_a_line_typed_before_the_program_runs_keeps_its_enter(filled: MemoryStore, path: Path) -> None:
    filled.close()
    with Terminal(memview(path)) as terminal:
        terminal.press("/", "friday", "Enter", "d")
        terminal.wait_for("forgot 1 in user:42")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(path, read_only=True) as store:
        (forgotten,) = store.memory("user:42").trash()
    assert forgotten.content == "Never deploy on Friday afternoons"


@pytest.mark.asyncio
async def test_a_line_feed_is_enter(filled: MemoryStore, path: Path, clock: Clock) -> None:
    app = MemviewApp(path, me="person:ana", clock=clock, watched=False)
    async with app.run_test(size=(120, 36)) as pilot:
        driven = Driven(app, pilot)
        await driven.press("slash", *"friday")
        app.post_message(events.Key("ctrl+j", "\n"))
        await driven.press("d")
        assert "forgot 1 in user:42" in driven.status
