"""Keys typed before the app shows anything: they wait for the first list, and act on it."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events

from driving import Driven
from memview import MemoryStore
from memview.app.app import MemviewApp
from memview.app.messages import Failed
from memview.clock import Clock
from memview.memory.looking import Looker
from support import LIMIT
from terminal import Terminal, memview


class Reading:
    """An open store, and a reading of it that goes on until it is let go of: every other one waits."""

    def __init__(self, path: Path) -> None:
        self.looker = Looker(path)
        self._go_on = threading.Event()
        self._thread = threading.Thread()

    def begin(self) -> None:
        """Let every other reading wait from now on."""
        inside = threading.Event()

        def busy(_: object) -> None:
            inside.set()
            self._go_on.wait(LIMIT)

        self._thread = threading.Thread(target=self.looker.read, args=(busy,))
        self._thread.start()
        inside.wait(LIMIT)

    def end(self) -> None:
        """Let the others read."""
        self._go_on.set()
        if self._thread.ident is not None:
            self._thread.join()


@pytest.fixture
def reading(filled: MemoryStore, path: Path) -> Iterator[Reading]:
    """The store, which the app is to search through this reading's looker."""
    filled.close()
    reading = Reading(path)
    yield reading
    reading.end()


@asynccontextmanager
async def searching(reading: Reading, path: Path, clock: Clock) -> AsyncIterator[Driven]:
    app = MemviewApp(path, me="person:ana", clock=clock, watched=False, looker=reading.looker)
    async with app.run_test(size=(120, 36)) as pilot:
        yield Driven(app, pilot)


@pytest.mark.asyncio
async def test_a_key_pressed_before_the_first_list_acts_on_it(reading: Reading, path: Path, clock: Clock) -> None:
    reading.begin()
    async with searching(reading, path, clock) as driven:
        driven.send("d")
        await driven.until(lambda: driven.screen.drawn)
        assert not driven.screen.list.keys
        reading.end()
        await driven.settle()
        assert "forgot 1 in user" in driven.status


@pytest.mark.asyncio
async def test_quitting_at_once_waits_for_no_list(reading: Reading, path: Path, clock: Clock) -> None:
    reading.begin()
    async with searching(reading, path, clock) as driven:
        driven.send("ctrl+q")
        await driven.until(lambda: driven.app.return_code is not None)
        assert driven.app.return_code == 0
        reading.end()


async def search_and_forget(driven: Driven) -> None:
    """Press ``/friday``, Enter and ``d`` without a rest, until all but the last has been taken, which waits."""
    keys = driven.app._key_order
    for key in ("slash", *"friday", "enter", "d"):
        driven.send(key)
    await driven.until(lambda: driven.screen.spot == "list" and keys.waits and not keys.under_way)


@pytest.mark.asyncio
async def test_a_key_behind_the_enter_of_a_search_acts_on_what_is_found(
    reading: Reading, path: Path, clock: Clock
) -> None:
    async with searching(reading, path, clock) as driven:
        await driven.settle()
        reading.begin()
        await search_and_forget(driven)
        reading.end()
        await driven.settle()
        assert "forgot 1 in user:42" in driven.status
    with MemoryStore(path, read_only=True) as store:
        assert [fact.content for fact in store.memory("user:42").trash()] == ["Never deploy on Friday afternoons"]


@pytest.mark.asyncio
async def test_keys_do_not_wait_for_what_cannot_be_read(reading: Reading, path: Path, clock: Clock) -> None:
    async with searching(reading, path, clock) as driven:
        await driven.settle()
        reading.begin()
        await search_and_forget(driven)
        driven.app.post_message(Failed("The store could not be read."))
        await driven.until(lambda: not driven.app._key_order.waits)
        assert driven.screen.spot == "list"
        reading.end()
        await driven.settle()


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
