"""A terminal that is made small, tiny, huge and small again, under every screen and every dialog."""

from __future__ import annotations

import pytest
from textual import events
from textual.geometry import Size

from driving import Driven, Open
from memview import MemoryStore
from memview.app.messages import Said
from memview.app.screens.conflict import ConflictScreen

pytestmark = pytest.mark.asyncio

STORM = ((20, 5), (1, 1), (200, 60), (80, 24))
PLACES = {
    "list": ("", "BrowseScreen"), "detail": ("3", "BrowseScreen"), "turns": ("]1z", "BrowseScreen"),
    "no hits": ("/zebra", "BrowseScreen"), "edit": ("e", "EditScreen"), "correct": ("c", "CorrectScreen"),
    "links": ("L", "LinksScreen"), "link": ("L+", "LinkScreen"), "erase": ("ge", "EraseScreen"),
    "bulk question": ("*d", "MessageScreen"), "tags": ("t", "TagsScreen"), "menu": ("x", "MenuScreen"),
    "steps": ("pgu", "StepsScreen"), "neighbours": ("gn", "NeighboursScreen"), "help": ("?", "HelpScreen"),
    "palette": (":", "PaletteScreen"), "inbox": ("ia", "InboxScreen"), "duplicates": ("gd", "DuplicatesScreen"),
    "conflicts": ("gc", "ConflictsScreen"), "prune": ("gp", "PruneScreen"), "health": ("gh", "HealthScreen"),
    "agents": ("gr", "AgentsScreen"),
}  # fmt: skip


@pytest.fixture
def crowded(filled: MemoryStore) -> MemoryStore:
    """A store that has something to show on every screen."""
    memory = filled.memory("user:42")
    for text in ("Uses 14 workers for the import", "Uses 16 workers for the import"):
        memory.write(text)
    memory.write("Never deploys on friday afternoons")
    right = memory.write("Deploys are announced in the channel", tags=["deploy"])
    for fact in memory.list()[:3]:
        if fact.id != right.id:
            memory.link(right.id, fact.id, "related")
    return filled


async def storm(driven: Driven) -> None:
    """Resize again and again, and see the same screen in the end."""
    await driven.painted()
    before, screen = driven.lines(), driven.app.screen
    for columns, rows in STORM:
        await driven.pilot.resize_terminal(columns, rows)
    await driven.painted()
    assert driven.app.screen is screen
    assert driven.lines() == before


@pytest.mark.parametrize(("keys", "screen"), PLACES.values(), ids=PLACES)
async def test_it_comes_back_from_a_storm_of_sizes(opened: Open, crowded: MemoryStore, keys: str, screen: str) -> None:
    async with opened(size=(80, 24)) as driven:
        await driven.press(*keys)
        assert type(driven.app.screen).__name__ == screen
        await storm(driven)
        await driven.press("down", "up", "escape")
        assert driven.app.is_running


async def test_a_conflict_comes_back_from_a_storm_of_sizes(opened: Open, crowded: MemoryStore) -> None:
    async with opened(size=(80, 24)) as driven:
        await driven.press("e")
        await driven.type("mine ")
        memory = crowded.memory("user:42")
        memory.update(memory.list()[0].id, "Written by another program")
        driven.app.desk.watch.check()
        await driven.settle()  # what changes beneath two dialogs is not drawn before one of them closes
        await driven.press("ctrl+s")
        assert isinstance(driven.app.screen, ConflictScreen)
        await storm(driven)
        await driven.press("escape")
        assert "mine " in driven.text()


@pytest.mark.parametrize("keys", ["", "e", "i"], ids=["browse", "edit", "inbox"])
async def test_sizes_that_the_terminal_has_no_longer_come_to_an_end(
    opened: Open, crowded: MemoryStore, keys: str
) -> None:
    async with opened(size=(80, 24)) as driven:
        await driven.press(*keys)
        await driven.painted()
        before = driven.lines()
        for size in (Size(100, 30), Size(90, 20)):
            driven.app.screen.post_message(events.Resize(size, size))
            driven.app.screen.post_message(Said(""))  # else the second size would take the place of the first
        await driven.painted()
        assert driven.lines() == before
