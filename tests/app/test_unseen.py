"""A covered screen is not drawn; one that is seen through a dialog is."""

from __future__ import annotations

import pytest

from driving import Open
from memview import MemoryStore

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("keys", [("g", "h"), ("g", "p"), ("g", "d"), ("i", "a")])
async def test_what_a_screen_covers_whole_is_not_drawn(
    filled: MemoryStore, opened: Open, keys: tuple[str, ...]
) -> None:
    async with opened() as driven:
        await driven.press(*keys)
        assert driven.app.screen is not driven.app.browse
        assert not driven.app.browse.is_current
        await driven.press("q")
        assert driven.app.browse.is_current


async def test_what_is_seen_beside_a_dialog_is_drawn(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("x")
        assert driven.app.screen is not driven.app.browse
        assert driven.app.browse.is_current
        assert "Lives in Oslo" in driven.text()


async def test_a_size_that_came_while_it_was_covered_holds_when_it_is_seen_again(
    filled: MemoryStore, opened: Open
) -> None:
    async with opened() as driven:
        await driven.press("g", "h")
        await driven.pilot.resize_terminal(60, 20)
        await driven.settle()
        await driven.press("q")
        assert driven.lines()[0].startswith(" ‹ Facts 6")
        assert all(len(line) <= 60 for line in driven.lines())
