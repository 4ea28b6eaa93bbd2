"""A dialog answers once, whatever comes while it closes."""

from __future__ import annotations

import pytest

from driving import Open
from memview import MemoryStore
from memview.app.screens.browse import BrowseScreen
from memview.app.screens.menu import MenuScreen
from memview.app.screens.prune import PruneScreen


@pytest.mark.asyncio
@pytest.mark.parametrize("below", [(), ("g", "p")])
async def test_a_second_answer_closes_nothing_more(filled: MemoryStore, opened: Open, below: tuple[str, ...]) -> None:
    filled.close()
    async with opened() as driven:
        await driven.press(*below, "x")
        menu = driven.app.screen
        assert isinstance(menu, MenuScreen)
        menu.dismiss(None)
        menu.dismiss("forget")  # as a click beside it does that comes with the Esc
        await driven.settle()
        assert isinstance(driven.app.screen, PruneScreen if below else BrowseScreen)
        assert len(driven.rows()) == 6  # nothing was forgotten
