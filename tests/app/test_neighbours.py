from __future__ import annotations

from typing import Any

import pytest
from textual.widgets import Tree

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.neighbours import NeighboursScreen
from memview.memory import looking
from memview.memory.looking import Looker

ASYNC = pytest.mark.asyncio


@pytest.fixture
def linked(store: MemoryStore, clock: Any) -> MemoryStore:
    """Facts that hang together: newest, and what it is linked with over two hops."""
    memory = store.memory("user")
    old, window, staging, _alone = memory.write_many(
        ["Deploys go out on Thursday", "Deploy window is Tuesday [/red]", "Staging skips the window", "Likes tea"]
    )
    memory.link(window.id, old.id, "supersedes")
    clock.forward(minutes=1)
    memory.link(staging.id, window.id, "related")
    clock.forward(minutes=1)
    memory.link(staging.id, old.id, "derived-from")
    return store


def shown(driven: Driven) -> list[str]:
    """The lines of the tree."""
    assert isinstance(driven.app.screen, NeighboursScreen)
    tree = driven.app.screen.query_one(Tree)
    return [tree.render_line(y).text.strip(" │├└─▾▸") for y in range(tree.last_line + 1)]


@ASYNC
async def test_links_are_shown_over_two_hops_with_kind_and_direction(linked: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "g", "n")
        assert shown(driven) == [
            "Staging skips the window",
            "related to  Deploy window is Tuesday [/red]",
            "supersedes  Deploys go out on Thursday",
            "derived from  superseded  Deploys go out on Thursday",
            "superseded by  Deploy window is Tuesday [/red]",
        ]


@ASYNC
async def test_enter_goes_there_and_backspace_returns(linked: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "g", "n", "j", "j", "enter")
        assert driven.app.screen is driven.screen
        assert driven.cursor_text == "Deploys go out on Thursday"
        await driven.press("backspace")
        assert driven.cursor_text == "Staging skips the window"


@ASYNC
async def test_folding(linked: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "g", "n", "j", "h")
        assert len(shown(driven)) == 4
        await driven.press("l")
        assert len(shown(driven)) == 5
        await driven.press("h", "h", "h")
        assert len(shown(driven)) == 1
        await driven.press("backspace")
        assert driven.app.screen is driven.screen


@ASYNC
async def test_a_fact_without_links_says_so(linked: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "n")
        assert shown(driven) == ["Likes tea"]
        assert "it has no links · L links it with another fact" in driven.text()
        await driven.press("enter")
        assert driven.cursor_text == "Likes tea"


@ASYNC
@pytest.mark.parametrize("size", [(60, 20), (20, 5), (160, 50)])
async def test_any_size(linked: MemoryStore, opened: Open, size: tuple[int, int]) -> None:
    async with opened(size=size) as driven:
        await driven.press("j", "g", "n")
        await driven.pilot.resize_terminal(1, 1)
        await driven.pilot.resize_terminal(120, 36)
        assert len(shown(driven)) == 5


def test_what_a_step_touched_is_counted_once_a_record(linked: MemoryStore) -> None:
    looker = Looker(linked.path)
    (step, *_) = looker.read(lambda raw: list(looking.steps(raw, "planner")))
    extent = looker.read(lambda raw: looking.extents(raw, [step.action]))[step.action]
    assert extent.namespaces == ("user",)
    looker.close()
