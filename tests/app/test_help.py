from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from textual.app import App
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from memview.app.commands import COMMANDS, shown_key
from memview.app.screens.help import HelpScreen, columns
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice
from stillness import still


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.done: list[object] = []


Scenario = Callable[[Host, Pilot[None]], Awaitable[None]]


def play(screen: Screen[object], scenario: Scenario, size: tuple[int, int] = (120, 36)) -> None:
    """Run a scenario on a screen shown above an empty app."""

    async def run() -> None:
        host = Host()
        async with host.run_test(size=size) as pilot:
            host.push_screen(screen, host.done.append)
            await still(pilot)
            await scenario(host, pilot)

    asyncio.run(run())


def shown(screen: Screen[object]) -> str:
    return str(screen.query_one("#commands Static", Static).content)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (200, 60)])
def test_every_command_is_there_with_its_key(size: tuple[int, int]) -> None:
    screen: Screen[object] = HelpScreen()  # type: ignore[assignment]

    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        words = " ".join(shown(screen).split())
        for command in COMMANDS:
            assert shown_key(command.keys[0]) in words
            assert command.title in words or command.help.split()[0] in words
        fits = screen.query_one("#commands").max_scroll_y == 0
        assert fits == (size[0] >= 200)
        width = screen.query_one("#commands Static").size.width
        assert max(Content(line).cell_length for line in shown(screen).splitlines()) <= width

    play(screen, scenario, size)


def test_only_what_is_allowed() -> None:
    text = str(columns(100, 30, {"edit", "help"}))
    assert "Edits the fact" in text
    assert "Forget" not in text
    assert "Everywhere" in text
    assert "Moving" not in text


@pytest.mark.parametrize("key", ["escape", "q", "question_mark", "f1"])
def test_help_closes(key: str) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await still(pilot)
        assert host.done == [None]

    play(HelpScreen(), scenario)  # type: ignore[arg-type]


def test_help_scrolls_where_it_must() -> None:
    screen: Screen[object] = HelpScreen()  # type: ignore[assignment]

    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        commands = screen.query_one("#commands")
        await pilot.press("j", "ctrl+d", "k")
        await still(pilot)
        assert commands.scroll_offset.y == 8
        await pilot.press("down", "end")
        await still(pilot)
        assert commands.scroll_offset.y == commands.max_scroll_y
        for size in ((1, 1), (20, 5), (200, 60)):
            await pilot.resize_terminal(*size)
        assert host.is_running

    play(screen, scenario, (60, 20))


def question() -> MessageScreen:
    body = [Content("[/red] literal"), Content("\n".join(f"line {number}" for number in range(80)))]
    return MessageScreen("Keep [b]which[/b] [/red]?", (Choice("m", "keep mine"), Choice("t", "keep theirs")), body=body)


@pytest.mark.parametrize(("keys", "answer"), [("m", "m"), ("t", "t"), ("escape", None)])
def test_a_question_takes_a_letter(keys: str, answer: str | None) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        await pilot.press("enter", "x", "space", "M", "y", "d", "tab", "enter")
        assert host.done == []
        await pilot.press(keys)
        await still(pilot)
        assert host.done == [answer]

    play(question(), scenario)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(60, 20), (120, 36)])
def test_a_question_is_literal_scrolls_and_its_choices_are_buttons(size: tuple[int, int]) -> None:
    screen: Screen[object] = question()  # type: ignore[assignment]

    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        assert str(screen.query_one("#sentence", Static).content) == "Keep [b]which[/b] [/red]?"
        assert screen.region.contains_region(screen.query_one("Choices").region)
        await pilot.press("down")
        await still(pilot)
        assert screen.query_one("#body").scroll_offset.y > 0
        await pilot.click("Choices", offset=(16, 1))
        await still(pilot)
        assert host.done == ["t"]

    play(screen, scenario, size)


@pytest.mark.parametrize("key", ["question_mark", "f1"])
def test_a_dialog_tells_its_keys(key: str) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await still(pilot)
        said = str(host.screen.query_one("VerticalScroll Static", Static).content)
        assert "Esc" in said
        assert "Do nothing" in said
        await pilot.press("escape")
        await still(pilot)
        assert isinstance(host.screen, MessageScreen)

    play(question(), scenario)  # type: ignore[arg-type]
