from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList, TextArea

from alone import NOON, Host, play
from driving import Open
from memview import MemoryStore
from memview.app.acts import Told
from memview.app.screens.correct import CorrectScreen

OLD = "Deploy window is Tuesday afternoon"


class Correcting(Host):
    """The correction of a fact, over a real store."""

    async def open(self, id: str) -> CorrectScreen:
        """Open it."""
        detail = self.fact(id)

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            also = list(screen.marked)
            self.act(lambda: self.editing.correct(detail.row, values["content"], version, also), told)

        screen = CorrectScreen("Correct", detail, save, lambda: self.editing.resting(detail))
        return await self.show(screen)

    def offered(self) -> list[str]:
        """The lines of the list."""
        options = self.screen.query_one(OptionList)
        return [str(options.get_option_at_index(place).prompt) for place in range(options.option_count)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "agent.db"
    with MemoryStore(path, agent="planner", clock=lambda: NOON) as store:
        talk = store.conversation("s7", namespace="user:42")
        source = talk.record("[/red] ship on Tuesday afternoon", "Noted.")
        assert source is not None
        memory = store.memory("user:42")
        fact = memory.write(OLD, turns=[source.id])
        memory.write("The deploy window is: Tuesday afternoon")
        derived = memory.write("Tuesdays [/red] are busy")
        memory.link(derived.id, fact.id, "derived-from")
        memory.write("Lives in Oslo")
    return path


def correct(path: Path, text: str, scenario: Callable[[Correcting, CorrectScreen], Awaitable[None]]) -> None:
    with MemoryStore(path, read_only=True) as store:
        (id,) = [fact.id for fact in store.memory("user:42").list() if fact.content == text]
    host = Correcting(path)

    async def run() -> None:
        await scenario(host, await host.open(id))

    play(host, run, (60, 20))


def test_what_rests_on_the_wording_is_seen_marked_and_goes_with_it(path: Path) -> None:
    async def scenario(host: Correcting, screen: CorrectScreen) -> None:
        assert screen.query_one(TextArea).text == OLD
        assert host.offered() == [
            "  made from it    Tuesdays [/red] are busy",
            "  says the same   The deploy window is: Tuesday afternoon",
            "  a turn says it  s7 · [/red] ship on Tuesday afternoon",
        ]
        await host.press("space", "backspace", "tab", "down", "space")
        assert host.offered()[1].startswith("x says the same")
        await host.press("down", "down", "space", "space", "shift+tab", "x", "ctrl+s")
        assert host.done[0].sentence == "corrected, forgot 1 with it · the old wording is blocked · u takes it back"

    correct(path, OLD, scenario)
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        assert {fact.content for fact in memory.list()} == {"x" + OLD, "Tuesdays [/red] are busy", "Lives in Oslo"}
        assert memory.write(OLD).blocked
        assert store.conversation("s7", namespace="user:42").load().turns()[0].request.startswith("[/red] ship")


def test_nothing_rests_on_it_and_nothing_is_changed(path: Path) -> None:
    async def scenario(host: Correcting, screen: CorrectScreen) -> None:
        assert host.text("#resting-title") == "Nothing else rests on this wording."
        await host.press("tab", "ctrl+s")
        assert host.done == [None]

    correct(path, "Lives in Oslo", scenario)


def test_the_wording_of_another_fact_is_refused_in_words(path: Path) -> None:
    async def scenario(host: Correcting, screen: CorrectScreen) -> None:
        screen.query_one(TextArea).text = OLD
        await host.press("ctrl+s")
        assert host.note.startswith("Not saved. Another fact of this namespace says exactly this")
        for name in ("#content", "#resting-title", "Choices"):
            assert screen.region.contains_region(screen.query_one(name).region)

    correct(path, "Lives in Oslo", scenario)


@pytest.mark.asyncio
async def test_from_the_list_and_back(opened: Open, filled: MemoryStore) -> None:
    async with opened(size=(80, 24)) as driven:
        before = driven.cursor_text
        await driven.press("c", "X", "ctrl+s")
        assert "corrected · the old wording is blocked · u takes it back" in driven.status
        assert driven.cursor_text == "X" + before
        await driven.press("u")
        assert "took back the correction" in driven.status
        assert driven.cursor_text == before
