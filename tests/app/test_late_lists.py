"""The list is the one that was asked for, with the cursor where it was put, in whatever order the answers come."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from driving import Open
from gates import Gate
from memview import MemoryStore
from memview.app.loader import Loader
from memview.store.lookup import Lookup
from support import LIMIT

pytestmark = pytest.mark.asyncio

FRIDAY = ("Friday is for cake", "On a Friday deploy to staging only", "Deploy on Friday, said nobody")


async def test_an_arrow_in_the_search_line_moves_in_the_list_that_was_asked_for_before_it(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("slash", *"deplo")
        second = driven.rows()[1]
        searching = Gate(monkeypatch, Loader, "_listed")
        driven.send("y")
        driven.send("down")
        await driven.until(searching.reached)
        await driven.until(lambda: driven.app._key_order.waits or not driven.app._key_order.under_way)
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


async def test_letters_are_answered_while_the_words_for_corrections_are_read(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.memory("user:42").write_many(FRIDAY)
    learning = Gate(monkeypatch, Lookup, "learn")
    async with opened() as driven:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(3))
        driven.send("slash")
        listing = driven.screen.listing
        async with asyncio.timeout(LIMIT / 2):
            for at, letter in enumerate("deplyo", start=1):
                driven.send(letter)
                await driven.until(lambda at=at: listing.view.text == "deplyo"[:at] and listing.answer.whole)
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
        await driven.until(lambda: listing.view.text == "deplyo friday" and listing.answer.whole)
        assert listing.answer.how == "any"
        while driven.cursor_text != FRIDAY[1]:
            before = driven.screen.list.cursor
            driven.send("down")
            await driven.until(lambda before=before: driven.screen.list.cursor > before)
        learning.open()
        await driven.settle()
        assert "Friday is for cake" not in driven.rows()
        assert driven.rows()[0] != FRIDAY[1]
        assert driven.cursor_text == FRIDAY[1]
