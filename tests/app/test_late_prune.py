"""The prune screen keeps to what was asked for, in whatever order counts, orders and acts come to an end."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from driving import Driven, Open
from gates import Gate
from memview import MemoryStore
from memview.app import pruning
from memview.app.screens import prune
from memview.app.screens import pruning as summary
from memview.app.screens.prune import PruneScreen
from memview.app.widgets.record_list import RecordList
from memview.errors import BusyStore
from memview.review.prune import Preview, arrived
from support import LIMIT

pytestmark = pytest.mark.asyncio

ALL = ("g", "p", "slash", *["backspace"] * 60, *"strength<2", "enter")
"""Lists all facts."""


def listed(driven: Driven) -> list[int]:
    """The facts in the order in which they are listed."""
    return list(driven.app.screen.query_one(RecordList).keys)


async def test_an_order_chosen_during_a_count_is_the_one_listed(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press(*ALL)
        first = listed(driven)
        await driven.press("s")
        wanted = listed(driven)
        await driven.press("s", "s", "s")
        assert listed(driven) == first != wanted
        counting = Gate(monkeypatch, pruning, "look", after=True)
        driven.send("ctrl+l")
        await driven.until(counting.reached)
        driven.send("s")
        screen = driven.app.screen
        assert isinstance(screen, PruneScreen)
        await driven.until(lambda: screen.ask.order == "importance")
        assert "weakest first" in driven.text()
        counting.open()
        await driven.settle()
        assert listed(driven) == wanted
        assert "least important first" in driven.text()


async def test_a_prune_that_is_done_is_said_to_be_though_a_count_is_begun_while_it_is_summed_up(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    summing, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        summing.set()
        go_on.wait(LIMIT)

    def held(raw: sqlite3.Connection, found: Preview) -> int:
        raw.create_function("held", 0, hold)
        raw.execute("SELECT held() UNION ALL SELECT NULL").fetchall()
        return arrived(raw, found)

    monkeypatch.setattr(summary, "arrived", held)
    async with opened() as driven:
        await driven.press(*ALL, "d")
        driven.send("y")
        await driven.until(summing.is_set)
        counting = Gate(monkeypatch, PruneScreen, "reload", after=True)
        counting.open()
        driven.send("ctrl+l")
        await driven.until(counting.reached)
        go_on.set()
        await driven.settle()
        assert "pruned 6 facts" in driven.text()


async def test_what_came_since_is_counted_again_after_it_could_not_be_read(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(raw: object, found: Preview) -> int:
        raise BusyStore("The store is locked.")

    monkeypatch.setattr(prune, "BREATH", 0.0)
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.app.desk.watch.watching)
        await driven.press(*ALL)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(prune, "arrived", busy)
            filled.memory("user").write("Likes tea")
            await driven.until(lambda: "locked" in driven.text())
        filled.memory("user").write("Likes coffee")
        await driven.until(lambda: "2 " in driven.lines()[0])
