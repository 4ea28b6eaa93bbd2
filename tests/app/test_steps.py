from __future__ import annotations

import pytest
from textual.widgets import OptionList

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.message import MessageScreen
from memview.app.screens.steps import StepsScreen

pytestmark = pytest.mark.asyncio


def steps(driven: Driven) -> list[str]:
    """The lines of the list of steps."""
    assert isinstance(driven.app.screen, StepsScreen)
    options = driven.app.screen.query_one(OptionList)
    return [str(options.get_option_at_index(at).prompt).strip() for at in range(options.option_count)]


async def test_steps_are_listed_over_all_tenants_and_u_takes_back_the_newest(store: MemoryStore, opened: Open) -> None:
    store.memory("user").write("First of all")
    store.tenant("acme").memory("ops").write("Second of all")
    async with opened() as driven:
        await driven.press("p", "j", "p", "space", "k", "space", "d", "y", "g", "u")
        assert steps(driven) == ["now  pinned 1 fact in user", "now  pinned 1 fact in ops"]
        await driven.press("u")
        assert steps(driven) == ["now  pinned 1 fact in ops"]
        assert "unpinned 1 fact again in user" in driven.text()
        await driven.press("u", "u")
        assert steps(driven) == ["nothing yet"]
        await driven.press("escape")
        assert driven.app.screen is driven.screen


async def test_a_bulk_step_says_how_many_and_shows_some(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("*", "d", "y", "g", "u")
        assert steps(driven) == ["now  forgot 6 facts in 4 namespaces"]
        assert "Lives in Oslo" in driven.text() or "Deploy window" in driven.text()
        await driven.press("u")
        assert filled.memory("user:42").count() == 3


async def test_older_steps_wait_for_newer_ones(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("p", "a", "g", "u", "j", "u")
        assert "newer steps come first" in driven.text()
        assert len(steps(driven)) == 2
        await driven.press("k", "u")
        assert steps(driven) == ["now  pinned 1 fact in user"]


async def test_a_step_from_an_earlier_sitting_needs_a_yes(filled: MemoryStore, path: object, opened: Open) -> None:
    with MemoryStore(filled.path, agent="person:ana") as mine:
        mine.memory("user").forget(mine.memory("user").list()[0].id)
    async with opened() as driven:
        await driven.press("g", "u", "u")
        assert isinstance(driven.app.screen, MessageScreen) or "brought back" in driven.text()


async def test_enter_goes_to_what_it_touched(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "j", "p", "g", "g", "g", "u", "enter")
        assert driven.app.screen is driven.screen
        assert driven.cursor_text == "Lives in Oslo"


async def test_others_steps_are_not_listed(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "u")
        assert steps(driven) == ["nothing yet"]
        await driven.press("u", "enter", "j", "k")
        assert "nothing of yours to take back" in driven.text()
