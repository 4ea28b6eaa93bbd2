"""Beside the list of a prune stands what there is to know of the fact under the cursor, where there is room."""

from __future__ import annotations

import pytest

from driving import Open
from memview import MemoryStore
from support import SettableClock

pytestmark = pytest.mark.asyncio
KEY = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"


async def test_it_tells_text_strength_source_and_follows_the_cursor(
    store: MemoryStore, clock: SettableClock, opened: Open
) -> None:
    memory = store.memory("user:42")
    turn = store.conversation("s1", namespace="user:42").record("Is it raining in Oslo?", "It is.")
    assert turn is not None
    memory.write("It was raining in Oslo", turns=[turn.id], session="s1", origin="user", importance=3)
    clock.forward(hours=1)
    memory.write(f"[/red] once {KEY} \x1b]0;x\x07", session="s1")
    clock.forward(days=90)
    store.close()
    async with opened(size=(200, 60)) as driven:
        await driven.press("g", "p")
        shown = driven.text()
        assert "under 1% of full strength" in shown
        assert "3 of 10" in shown
        assert "the user, s1 turn 1" in shown
        assert '"Is it raining in Oslo?"' in shown
        await driven.press("j")
        shown = driven.text()
        assert "no turn is named" in shown
        assert KEY not in shown
        assert '"Is it raining in Oslo?"' not in shown
        assert shown.count("\\x1b]0;x\\x07") == 2
    async with opened() as driven:
        await driven.press("g", "p")
        assert "of full strength" not in driven.text()
