"""What agents get: a person sees what a message would bring along, why, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.agents import AgentsScreen

pytestmark = pytest.mark.asyncio


@pytest.fixture
def asked(filled: MemoryStore) -> MemoryStore:
    """The store, with a superseded and a forgotten fact about deploying and a pinned one."""
    memory = filled.memory("user:42")
    new = memory.write("Deploy window moved to Wednesday")
    old = memory.write("Deploy window was Monday")
    memory.link(new.id, old.id, "supersedes")
    memory.forget(memory.write("Deploy at any time").id)
    memory.pin(memory.write("Speaks Norwegian").id)
    filled.close()
    return filled


async def say(driven: Driven, text: str) -> None:
    await driven.press("slash", "ctrl+u")
    await driven.type(text)


async def test_a_message_shows_what_comes_along_and_what_is_left_out(asked: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "r")
        assert isinstance(driven.app.screen, AgentsScreen)
        await say(driven, "when can we deploy?")
        shown = driven.text()
        assert "What agents get · user:42" in shown
        assert "Comes along with the message 3" in shown
        assert "superseded   Deploy window was Monday" in shown
        assert "forgotten    Deploy at any time" in shown
        assert "^  5" in shown
        assert shown.index("Deploy window moved to Wednesday") < shown.index("Left out")


async def test_a_score_is_the_sum_of_its_four_parts(asked: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "r")
        await say(driven, "friday afternoons")
        shown = driven.text()
        parts = [
            float(line.split(name)[1].split()[3])
            for line in shown.splitlines()
            for name in ("relevance", "recency", "importance", "strength")
            if f"{name} " in line and "×" in line
        ]
        score = next(float(line.split()[-2]) for line in shown.splitlines() if "score " in line)
        assert len(parts) == 4
        assert abs(sum(parts) - score) < 0.003


async def test_looking_reinforces_nothing(asked: MemoryStore, opened: Open, path: Path) -> None:
    before = path.read_bytes()
    async with opened() as driven:
        await driven.press("g", "r")
        await say(driven, "deploy")
        await driven.press("enter", "j", "j", "escape")
    assert path.read_bytes() == before


async def test_enter_goes_to_the_fact_and_escape_back(asked: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "r")
        await say(driven, "friday afternoons")
        await driven.press("enter", "enter")
        assert driven.cursor_text == "Never deploy on Friday afternoons"
        await driven.press("g", "r")
        assert isinstance(driven.app.screen, AgentsScreen)
        await driven.press("escape", "escape")
        assert not isinstance(driven.app.screen, AgentsScreen)


async def test_hostile_text_stays_text(filled: MemoryStore, opened: Open) -> None:
    filled.memory("user:42").write("[@click=app.quit]deploy[/] \x1b]0;x\x07 [/red]")
    filled.close()
    async with opened() as driven:
        await driven.press("g", "r")
        await say(driven, "deploy [/red] click")
        assert "[@click=app.quit]deploy[/] \\x1b]0;x\\x07 [/red]" in driven.text()
