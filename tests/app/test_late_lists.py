"""The list is the one that was asked for, with the cursor where it was put, in whatever order the answers come."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from driving import Open
from gates import Gate
from memview import MemoryStore
from memview.store.lookup import Lookup
from support import LIMIT

pytestmark = pytest.mark.asyncio

FRIDAY = ("Friday is for cake", "On a Friday deploy to staging only", "Deploy on Friday, said nobody")


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
