"""The inbox keeps to the card that is meant, in whatever order readings, decisions and undo come to an end."""

from __future__ import annotations

import pytest

from driving import Open
from gates import Gate
from memview import MemoryStore
from memview.app.editing import Editing
from memview.app.screens import inbox

pytestmark = pytest.mark.asyncio


def waiting(screen: inbox.InboxScreen) -> set[str]:
    """The facts that wait, by id."""
    return {one.id for pile in screen.list.piles for card in pile.cards for one in card.news}


async def test_the_card_brought_back_is_the_one_of_the_fact_not_one_that_came_meanwhile(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox.InboxScreen, "CALM", 0.0)
    async with opened() as driven:
        await driven.press("i", "a")
        screen = driven.app.screen
        assert isinstance(screen, inbox.InboxScreen)
        decided = screen.list.current
        assert decided is not None
        await driven.press("a")
        undoing = Gate(monkeypatch, Editing, "undo")
        driven.send("u")
        await driven.until(undoing.reached)
        other = filled.memory("user:42").write("Releases are announced in the forum")
        driven.send("ctrl+l")
        await driven.until(lambda: other.id in waiting(screen))
        undoing.open()
        await driven.settle()
        assert screen.list.current is not None
        assert screen.list.current.first.id == decided.first.id
