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

from driving import Open
from memview import MemoryStore
from memview.app.guard import ControlGuard
from memview.app.screens.link import Linking, LinkScreen
from memview.app.screens.links import KINDS, LinksScreen, Relinking
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


class Linked(Host):
    """The links of a fact alone."""

    done: list[Relinking | None]  # type: ignore[assignment]

    def links(self) -> LinksScreen:
        """Show the links of the deploy window."""
        (fact,) = [row for row in self.find("") if row.content.startswith("Deploy window")]
        near = self.looker.read(lambda raw: looking.neighbours(raw, fact.id))
        screen = LinksScreen(fact, near)
        self.push_screen(screen, self.done.append)
        return screen


def change(path: Path, keys: list[str], size: tuple[int, int] = (60, 20)) -> tuple[Relinking | None, list[str], str]:
    """What keys decide about the links, and what stood there before the last of them."""
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        rollback, thursday, window = reversed(memory.list())
        memory.link(window.id, thursday.id, "supersedes")
        memory.link(rollback.id, window.id, "derived-from")
    seen: list[str] = []
    meaning = ""

    async def run() -> None:
        nonlocal meaning
        host = Linked(path)
        async with host.run_test(size=size) as pilot:
            screen = host.links()
            await settled(host, pilot)
            for key in keys[:-1]:
                await pilot.press(key)
            seen.extend(offered(screen))  # type: ignore[arg-type]
            meaning = str(screen.query_one("#meaning", Static).content)
            for name in ("#this", "OptionList", "#meaning", "Choices"):
                assert screen.region.contains_region(screen.query(name).last().region)
            await pilot.press(keys[-1])
            await settled(host, pilot)
            decided.extend(host.done)
        host.looker.close()

    decided: list[Relinking | None] = []
    asyncio.run(run())
    return decided[0], seen, meaning


def test_links_are_told_from_this_end_and_one_is_given_another_kind(path: Path) -> None:
    decision, seen, meaning = change(path, ["j", "tab", "enter"])
    assert seen == [
        "supersedes      superseded  Deploys go out on Thursday",
        "related         Rollback needs two people",
    ]
    assert meaning == KINDS["related"]
    assert decision is not None
    assert decision.link is not None
    assert (decision.link.kind, decision.link.outward, decision.kind) == ("derived-from", False, "related")


@pytest.mark.parametrize(("key", "kept"), [("d", True), ("plus", False)])
def test_a_link_is_removed_or_another_wanted(path: Path, key: str, kept: bool) -> None:
    decision, seen, meaning = change(path, ["j", "enter", key])
    assert seen[1].startswith("source of ")
    assert meaning == "The other was made from this one."
    assert decision is not None
    assert (decision.link is not None, decision.kind) == (kept, None)


@pytest.mark.asyncio
async def test_from_the_list_and_back(opened: Open, filled: MemoryStore) -> None:
    memory = filled.memory("user:42")
    (newest, older) = memory.list()[:2]
    memory.link(newest.id, older.id, "supersedes")
    filled.close()
    async with opened(size=(80, 24), record_id=newest.id) as driven:
        await driven.press("L", "d")
        assert "removed the link · agents get both again · u puts it back" in driven.status
        await driven.press("u")
        assert "put the link back" in driven.status
        await driven.press("L", "tab", "tab", "enter")
        assert "changed the link (related) · agents get both again" in driven.status
        await driven.press("L", "plus")
        assert isinstance(driven.app.screen, LinkScreen)


@pytest.mark.asyncio
async def test_what_was_put_back_may_supersede_what_superseded_it(opened: Open, filled: MemoryStore) -> None:
    memory = filled.memory("user:42")
    (newest, older) = memory.list()[:2]
    memory.link(newest.id, older.id, "supersedes")
    async with opened(record_id=older.id) as driven:
        await driven.press("r", "L", "plus")
        await driven.type(newest.content)
        await driven.press("tab", "tab", "enter")
        assert "linked 2 facts (supersedes)" in driven.status
        assert f"supersedes  {newest.content[:10]}" in driven.text()
        assert "superseded by" not in driven.text()
        assert {fact.id for fact in memory.list()} >= {older.id}
        assert newest.id not in {fact.id for fact in memory.list()}
