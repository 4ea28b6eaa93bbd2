"""A screen alone, over a real store: an app with nothing else in it, driven without waiting for the clock.

``Pilot.press`` waits for an idle processor after each key, which on a busy machine takes most of a second.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from textual import events, on
from textual.app import App
from textual.filter import LineFilter
from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from memview.app.acts import Told
from memview.app.editing import Editing, Outcome
from memview.app.guard import ControlGuard
from memview.app.key_order import KeyDone, KeyOrder
from memview.app.messages import Failed, Wrote
from memview.errors import MemviewError
from memview.memory.looking import FactDetail
from stillness import unheard

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ME = "person:ada"
S = TypeVar("S", bound=Screen[Any])


class Host(App[None]):
    """Nothing but the screen that a test pushes."""

    pilot: Pilot[None]

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.editing = Editing(path, ME, lambda: NOON)
        self.done: list[Any] = []
        """What the screen closed with."""
        self._key_order = KeyOrder(self, super().on_event)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._key_order.take(event)
        else:
            await super().on_event(event)

    @on(KeyDone)
    async def _key_done(self, message: KeyDone) -> None:
        await self._key_order.done(message.number)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlGuard()]

    def act(self, work: Callable[[], Outcome], told: Told) -> None:
        """Do something in a thread and tell what became of it."""

        async def run() -> None:
            try:
                outcome = await asyncio.to_thread(work)
            except MemviewError as error:
                told(Failed(error.title, error.hint, error))
            else:
                told(Wrote(outcome.sentence, outcome.records))

        self.run_worker(run(), group="acts")

    def fact(self, id: str) -> FactDetail:
        """A fact as it is now."""
        detail = self.editing.read(id)
        assert detail is not None
        return detail

    async def show(self, screen: S) -> S:
        """Push a screen and wait until it stands."""
        self.push_screen(screen, self.done.append)
        await self.settle()
        return screen

    async def settle(self) -> None:
        """Wait until nothing is under way and all is drawn."""
        quiet = 0
        async with asyncio.timeout(20):
            while quiet < 4:
                await self.pilot.pause(0)
                at_work = any(not worker.is_finished for worker in self.workers)
                busy = at_work or self._key_order.waits or unheard(self)
                quiet = 0 if busy else quiet + 1
                if busy:
                    await asyncio.sleep(0.001)

    async def press(self, *keys: str) -> None:
        """Press keys one by one, then wait for what comes of them."""
        for key in keys:
            if len(key) == 1 and not key.isalnum():
                name = unicodedata.name(key).lower().replace("-", "_").replace(" ", "_")
                key = KEY_NAME_REPLACEMENTS.get(name, name)
            character = key if len(key) == 1 else {"slash": "/"}.get(key) or key_to_character(key)
            self.post_message(events.Key(key, character))
            if len(key) > 1:  # it may open something that the next key is meant for
                await self.settle()
        await self.settle()

    @property
    def note(self) -> str:
        """The line in which an editor says things."""
        return str(self.screen.query_one("#note", Static).content)

    def text(self, selector: str) -> str:
        """What a widget of the top screen shows as text."""
        return str(self.screen.query_one(selector, Static).content)


def play(host: Host, scenario: Callable[[], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> None:
    """Run a scenario in an app that was just started."""

    async def run() -> None:
        async with host.run_test(size=size) as pilot:
            host.pilot = pilot
            await scenario()
            await host.settle()
        host.editing.close()

    asyncio.run(run())
