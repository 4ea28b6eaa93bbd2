"""Facts that say what another one says: flagged in the list, and found by a search."""

from __future__ import annotations

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.clock import utc_now

pytestmark = pytest.mark.asyncio


@pytest.fixture
def copies(filled: MemoryStore) -> MemoryStore:
    """The store with a fact that is there twice, once pinned, and one that an echo repeats."""
    memory = filled.memory("user:77")
    memory.write("Ships on Tuesday")
    memory.write("ships on tuesday.")
    memory.pin(memory.write("SHIPS on Tuesday").id)
    memory.write("Ships on Thursday")
    filled.close()
    return filled


def flags(driven: Driven) -> dict[str, str]:
    """The flag of each row in view, by its text."""
    rows = [driven.screen.list._rows.get(key) for key in driven.screen.list.keys]
    return {row.text: row.flag for row in rows if row is not None}


async def test_copies_are_flagged(copies: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.until(lambda: flags(driven).get("Ships on Tuesday") == "=")
        shown = flags(driven)
        assert (shown["ships on tuesday."], shown["SHIPS on Tuesday"], shown["Ships on Thursday"]) == ("=", "^", " ")
        await driven.press("slash")
        await driven.type("is:duplicate")
        assert driven.rows() == ["SHIPS on Tuesday", "ships on tuesday.", "Ships on Tuesday"]


async def test_a_flag_goes_with_the_other_copies_and_comes_with_new_ones(copies: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.until(lambda: flags(driven).get("Ships on Tuesday") == "=")
        with MemoryStore(copies.path, agent="planner", clock=utc_now) as agent:
            memory = agent.memory("user:77")
            for fact in memory.list():
                if fact.content.lower() == "ships on tuesday." or fact.pinned:
                    memory.forget(fact.id)
            memory.write("ships on thursday!")
        driven.screen.desk.watch.check()
        await driven.until(lambda: flags(driven).get("Ships on Thursday") == "=")
        await driven.until(lambda: flags(driven).get("Ships on Tuesday") == " ")
