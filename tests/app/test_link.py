from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.app import App
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from memview import MemoryStore
from memview.app.guard import ControlGuard
from memview.app.screens.link import KINDS, Linking, LinkScreen
from memview.errors import BusyStore
from memview.memory import looking
from memview.memory.looking import FactRow, Looker

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Host(App[None]):
    """A picker alone, over a real store."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.looker = Looker(path)
        self.error: Exception | None = None
        self.gates: dict[str, threading.Event] = {}
        self.done: list[Linking | None] = []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlGuard()]

    def find(self, text: str) -> list[FactRow]:
        """Facts by words, after the gate of these words was opened."""
        if text in self.gates:
            self.gates[text].wait(5)
        if self.error is not None:
            raise self.error

        def work(connection: sqlite3.Connection) -> list[FactRow]:
            keys = looking.find(
                connection, looking.parse(text, now=NOON, base=looking.Query(prefix=True)).query, NOON
            ).keys
            rows = looking.fact_rows(connection, list(keys))
            return [rows[key] for key in keys if key in rows]

        return self.looker.read(work)

    def open(self) -> LinkScreen:
        (fact,) = [row for row in self.find("") if row.content.startswith("Deploy window")]
        screen = LinkScreen(fact, self.find)
        self.push_screen(screen, self.done.append)
        return screen


Scenario = Callable[[Host, LinkScreen, Pilot[None]], Awaitable[None]]


def play(path: Path, scenario: Scenario, size: tuple[int, int] = (100, 30)) -> None:
    async def run() -> None:
        host = Host(path)
        async with host.run_test(size=size) as pilot:
            screen = host.open()
            await settled(host, pilot)
            await scenario(host, screen, pilot)
        host.looker.close()

    asyncio.run(run())


async def settled(host: Host, pilot: Pilot[None]) -> None:
    """Wait until no search is under way."""
    await pilot.pause()
    await host.workers.wait_for_complete()
    await pilot.pause()


def offered(screen: LinkScreen) -> list[str]:
    options = screen.query_one(OptionList)
    return [str(options.get_option_at_index(index).prompt) for index in range(options.option_count)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "agent.db"
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        memory.write("Rollback needs two people")
        memory.write("Deploys go out on Thursday")
        memory.write("Deploy window is Tuesday")
        store.memory("x[/red]").write("Deploy [@click=app.quit]x[/] \x1b[31m")
    return path


def test_search_and_link(path: Path) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        assert len(offered(screen)) == 3
        await pilot.press(*"thurs")
        await settled(host, pilot)
        assert offered(screen) == ["Deploys go out on Thursday"]
        await pilot.press("tab", "tab", "enter")
        await pilot.pause()
        assert host.done[0] is not None
        assert (host.done[0].other.content, host.done[0].kind) == ("Deploys go out on Thursday", "supersedes")

    play(path, scenario)


def test_the_fact_itself_is_not_offered_and_nothing_is_chosen_from_nothing(path: Path) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        assert "Deploy window is Tuesday" not in offered(screen)
        await pilot.press(*"tuesday")
        await settled(host, pilot)
        assert offered(screen) == []
        await pilot.press("enter", "down", "up", "enter")
        assert host.done == []
        assert str(screen.query_one("#preview", Static).content) == "No other fact has these words."
        await pilot.press("escape")
        await pilot.pause()
        assert host.done == [None]

    play(path, scenario)


def test_kinds_go_round_and_are_told_in_words(path: Path) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        seen = []
        for _ in range(5):
            seen.append(screen.kind)
            assert KINDS[screen.kind] in str(screen.query_one("#kind", Static).content)
            await pilot.press("tab")
        assert seen == ["related", "contradicts", "supersedes", "derived-from", "related"]
        await pilot.press("shift+tab", "shift+tab")
        assert screen.kind == "derived-from"

    play(path, scenario)


def test_letters_are_text_and_arrows_move_meanwhile(path: Path) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        first = screen.chosen
        await pilot.press("down")
        assert screen.chosen is not first
        assert screen.chosen is not None
        await pilot.press(*"qjk", "slash", "question_mark", "colon")
        assert screen.query_one(Input).value == "qjk/?:"
        assert host.done == []

    play(path, scenario)


def test_a_late_answer_to_an_earlier_question_is_dropped(path: Path) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        host.gates["r"] = threading.Event()
        await pilot.press("r")
        screen.query_one(Input).value = "thursday"
        await pilot.pause()
        host.gates["r"].set()
        await settled(host, pilot)
        assert offered(screen) == ["Deploys go out on Thursday"]

    play(path, scenario)


def test_hostile_text_is_literal(path: Path) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        await pilot.press(*"click")
        await settled(host, pilot)
        assert offered(screen) == [r"Deploy [@click=app.quit]x[/] \x1b[31m"]
        assert "x[/red]" in str(screen.query_one("#preview", Static).content)
        await pilot.press(*" [/red] x")
        await settled(host, pilot)
        assert host.is_running

    play(path, scenario)


def test_a_search_that_fails_says_so(path: Path) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        host.error = BusyStore("agent.db is locked [/red].", "Try again.")
        await pilot.press("z")
        await settled(host, pilot)
        assert str(screen.query_one("#preview", Static).content) == "agent.db is locked [/red]. Try again."

    play(path, scenario)


@pytest.mark.parametrize("size", [(60, 20), (160, 50)])
def test_it_fits(path: Path, size: tuple[int, int]) -> None:
    async def scenario(host: Host, screen: LinkScreen, pilot: Pilot[None]) -> None:
        for name in ("#this", "#kind", "Input", "OptionList", "Choices"):
            region = screen.query(name).last().region
            assert region.height > 0
            assert screen.region.contains_region(region)
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(20, 5)
        await pilot.resize_terminal(200, 60)
        assert host.is_running

    play(path, scenario, size)
