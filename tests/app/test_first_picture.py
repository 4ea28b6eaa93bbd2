"""The first picture of a screen waits for what it is to show, and not for ever."""

from __future__ import annotations

import asyncio

import pytest
from rich.console import RenderableType
from textual import screen
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from memview.app.screens import first
from memview.app.screens.first import Held


class Rows(Held):
    def compose(self) -> ComposeResult:
        yield Static("Deploy window is Tuesday")


class Shown(App[None]):
    """Counts what it draws."""

    drawn = 0

    def get_default_screen(self) -> Screen[None]:
        return Rows()

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        self.drawn += renderable is not None
        super()._display(screen, renderable)


async def until_drawn(app: Shown, pilot: Pilot[None]) -> None:
    while not app.drawn:
        await pilot.pause(0.01)


def test_nothing_is_drawn_until_there_is_something_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "PATIENCE", 3_600)
    app = Shown()

    async def check() -> None:
        async with app.run_test() as pilot:
            await pilot.pause()
            assert app.drawn == 0
            assert isinstance(app.screen, Held)
            app.screen.draw()
            await until_drawn(app, pilot)

    asyncio.run(check())


def test_it_is_drawn_by_itself_where_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "PATIENCE", 0.001)
    app = Shown()

    async def check() -> None:
        async with app.run_test() as pilot:
            await until_drawn(app, pilot)

    asyncio.run(check())


def test_what_a_person_waits_for_is_drawn_without_waiting_for_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "UPDATE_PERIOD", 3_600)
    app = Shown()

    async def check() -> None:
        async with app.run_test() as pilot:
            held = app.screen
            assert isinstance(held, Held)
            held.drawn = True
            text = held.query_one(Static)
            await pilot.pause()
            app.drawn = 0
            held.at_once(text)
            text.refresh()
            async with asyncio.timeout(30):
                while not app.drawn:  # a pause of the pilot's would draw
                    await asyncio.sleep(0)

    asyncio.run(check())
