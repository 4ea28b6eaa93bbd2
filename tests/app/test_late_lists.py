"""The list is the one that was asked for, with the cursor where it was put, in whatever order the answers come."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from driving import Driven, Open
from gates import Gate
from memview import MemoryStore
from memview.app.acts import Acts
from memview.app.loader import FIRST, Loader
from memview.errors import BusyStore, StoreError
from memview.store.lookup import Lookup
from support import LIMIT

pytestmark = pytest.mark.asyncio

FRIDAY = ("Friday is for cake", "On a Friday deploy to staging only", "Deploy on Friday, said nobody")


async def test_an_arrow_in_the_search_line_moves_in_the_list_that_was_asked_for_before_it(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("slash", *"deplo")
        second, order = driven.rows()[1], driven.app._key_order
        searching = Gate(monkeypatch, Loader, "_listed")
        driven.send("y")
        driven.send("down")
        await driven.until(lambda: searching.reached() and order.waits and not order.under_way)
        searching.open()
        await driven.settle()
        assert driven.cursor_text == second


async def test_esc_lets_go_of_an_arrow_that_waits_for_a_search(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("slash", *"deplo")
        first, order = driven.rows()[0], driven.app._key_order
        searching = Gate(monkeypatch, Loader, "_listed")
        driven.send("y")
        driven.send("down")
        await driven.until(lambda: searching.reached() and order.waits and not order.under_way)
        driven.send("escape")
        await driven.until(lambda: not order.waits)
        searching.open()
        await driven.settle()
        assert driven.cursor_text == first
        assert driven.screen.search.text == "deploy"


def stands(driven: Driven, text: str) -> bool:
    """Whether all that a search finds stands in the list."""
    listing = driven.screen.listing
    return listing.view.text == text and listing.answer.whole


async def test_letters_are_answered_while_the_words_for_corrections_are_read(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    learning = Gate(monkeypatch, Lookup, "learn")
    async with opened() as driven:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(3))
        driven.send("slash")
        listing = driven.screen.listing
        async with asyncio.timeout(LIMIT / 2):
            for at, letter in enumerate("deplyo", start=1):
                driven.send(letter)
                await driven.until(partial(stands, driven, "deplyo"[:at]))
        assert not driven.rows()
        learning.open()
        await driven.settle()
        assert listing.answer.how == "corrected"


async def test_a_corrected_answer_leaves_the_cursor_where_it_was_moved_meanwhile(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.memory("user:42").write_many(FRIDAY)
    learning = Gate(monkeypatch, Lookup, "learn")
    async with opened() as driven:
        for key in ("slash", *"deplyo friday"):
            driven.send(key)
        listing = driven.screen.listing
        await driven.until(partial(stands, driven, "deplyo friday"))
        assert listing.answer.how == "any"
        while driven.cursor_text != FRIDAY[1]:
            before = driven.screen.list.cursor
            driven.send("down")
            await driven.until(partial(lambda at: driven.screen.list.cursor > at, before))
        learning.open()
        await driven.settle()
        assert "Friday is for cake" not in driven.rows()
        assert driven.rows()[0] != FRIDAY[1]
        assert driven.cursor_text == FRIDAY[1]


async def test_a_comparison_with_the_list_before_does_not_take_the_place_of_a_corrected_answer(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.memory("user:42").write_many(FRIDAY)
    learning = Gate(monkeypatch, Lookup, "learn")
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.app.desk.watch.watching)
        for key in ("slash", *"deplyo friday"):
            driven.send(key)
        await driven.until(partial(stands, driven, "deplyo friday"))
        comparing = Gate(monkeypatch, Loader, "_searched_again", after=True)
        filled.memory("user:42").write("Whoever has a deploy on Friday brings cake")
        await driven.until(comparing.reached)
        learning.open()
        await driven.until(lambda: driven.screen.listing.answer.how == "corrected")
        comparing.open()
        await driven.settle()
        assert len(driven.rows()) == 4
        assert "Friday is for cake" not in driven.rows()


async def test_the_rest_of_an_answer_does_not_take_the_place_of_a_corrected_one(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.memory("user:42").write_many([f"Friday number {number}" for number in range(FIRST + 1)])
    learning = Gate(monkeypatch, Lookup, "learn")
    rest = Gate(monkeypatch, Loader, "_all", after=True, only=lambda loader, generation, query, raw: query.terms)
    async with opened() as driven:
        for key in ("slash", *"deplyo friday"):
            driven.send(key)
        listing = driven.screen.listing
        await driven.until(lambda: listing.view.text == "deplyo friday" and rest.reached())
        learning.open()
        await driven.until(lambda: listing.answer.how == "corrected")
        rest.open()
        await driven.settle()
        assert driven.rows() == ["Never deploy on Friday afternoons"]


@pytest.mark.parametrize("what", ["_listed", "_all"])
async def test_what_could_not_be_read_of_a_search_comes_once_the_lock_is_gone(
    what: str, filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.memory("user:42").write_many([f"Friday number {number}" for number in range(FIRST + 1)])

    def locked(*args: object) -> object:
        raise BusyStore("The store is locked.")

    async with opened() as driven:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Loader, what, locked)
            for key in ("slash", *"number"):
                driven.send(key)
            await driven.until(lambda: "locked" in driven.status and driven.screen.listing.view.text == "number")
        await driven.until(partial(stands, driven, "number"))
        assert len(driven.screen.list.keys) == FIRST + 1


@pytest.mark.parametrize("what", ["_listed", "_all"])
async def test_what_could_not_be_read_of_a_search_comes_with_the_next_change(
    what: str, filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.memory("user:42").write_many([f"Friday number {number}" for number in range(FIRST + 1)])

    def unreadable(*args: object) -> object:
        raise StoreError("The store could not be read.")

    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.app.desk.watch.watching)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Loader, what, unreadable)
            for key in ("slash", *"number"):
                driven.send(key)
            await driven.until(lambda: "could" in driven.status and driven.screen.listing.view.text == "number")
            await driven.until(lambda: not [worker for worker in driven.app.workers if worker.group == "search"])
        filled.memory("user:42").write("Another number")
        await driven.until(partial(stands, driven, "number"))
        await driven.settle()
        assert len(driven.screen.list.keys) == FIRST + 2


@pytest.mark.parametrize("keys", [["d"], ["space", "space", "d", "y"]])
async def test_a_key_does_nothing_to_the_facts_of_another_file_that_took_the_place_of_the_store(
    keys: list[str], filled: MemoryStore, path: Path, tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.close()
    with MemoryStore(tmp_path / "other.db", agent="planner") as other:
        other.memory("user").write_many([f"Another fact {number}" for number in range(6)])
    async with opened() as driven:
        await driven.press(*keys[:-1])
        acting = Gate(monkeypatch, Acts, "_outcome")
        driven.send(keys[-1])
        await driven.until(acting.reached)
        os.replace(tmp_path / "other.db", path)
        acting.open()
        await driven.settle()
        assert "no longer in the store" in driven.status
    with MemoryStore(path, read_only=True) as left:
        assert len(left.memory("user").list()) == 6
