"""The app as a test drives it and sees it."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from textual import events
from textual.content import Content
from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from memview.app.app import MemviewApp
from memview.app.screens.browse import BrowseScreen
from stillness import unheard

CHARACTERS = {"slash": "/", "minus": "-", "plus": "+", "less_than_sign": "<", "at": "@", "underscore": "_"}
"""Keys whose names Textual does not lead back to their characters."""


PATIENCE = 60.0
"""Seconds after which the app counts as stuck; a busy machine is slow, not stuck."""


def _is_to_be_drawn(screen: Screen[Any]) -> bool:
    """Whether anything of a screen that is seen is to be drawn at the next frame.

    One that is seen through another says at all times that all of it is.
    """
    changed = bool(screen._dirty_widgets or screen._layout_required or screen._scroll_required)
    return screen.is_current and (changed or (screen._repaint_required and screen.is_active))


class Driven:
    """The app as a test drives it and sees it."""

    def __init__(self, app: MemviewApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> BrowseScreen:
        """The browse screen, whatever is on top of it."""
        return self.app.browse

    async def settle(self) -> None:
        """Wait until no question is open and all answers are drawn."""
        quiet = 0
        try:
            async with asyncio.timeout(PATIENCE):
                while quiet < 3 and self.app.is_running:
                    await self.pilot.pause(0)
                    quiet = 0 if self.busy else quiet + 1
                    if not quiet:
                        await asyncio.sleep(0.001)
        except TimeoutError:
            raise AssertionError(f"the app is stuck: {', '.join(self.busy) or 'its messages do not end'}") from None

    async def painted(self) -> None:
        """Wait until no question is open and the picture is the last one, also of what is seen beneath a dialog."""
        await self.settle()
        while any(map(_is_to_be_drawn, self.app.screen_stack)):
            await self.until(lambda: not any(map(_is_to_be_drawn, self.app.screen_stack)))
            await self.settle()  # what is drawn may ask for more

    @property
    def busy(self) -> list[str]:
        """What the app is doing or waits for, each with its name."""
        listing, keys = self.screen.listing, self.app._key_order
        doing = [f"worker {worker}" for worker in self.app.workers if not worker.is_finished]
        if not listing.answer.whole:
            doing.append(f"answer {listing.generation}: {listing.answer}")
        if listing._abreast.at_work:
            doing.append(f"comparison {listing.generation}, rest {listing._abreast._rest}")
        doing += [f"count of {lane}" for lane in listing._loader._pace.waiting]
        if keys.waits or keys._opening is not None:
            doing.append(f"keys {list(keys._held)}, way {keys._way}, opening {keys._opening}, number {keys._number}")
        return doing + unheard(self.app)

    async def press(self, *keys: str) -> None:
        """Press keys and wait for what comes of them."""
        for key in keys:
            self.send(key)
            await self.settle()

    def send(self, key: str) -> None:
        """Press a key and wait for nothing."""
        if len(key) == 1 and not key.isalnum():
            name = unicodedata.name(key).lower().replace("-", "_").replace(" ", "_")
            key = KEY_NAME_REPLACEMENTS.get(name, name)
        self.app.post_message(events.Key(key, key if len(key) == 1 else CHARACTERS.get(key) or key_to_character(key)))

    async def type(self, text: str) -> None:
        """Type a text into what has the focus."""
        for letter in text:
            self.send(letter)
        await self.settle()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for something that comes from outside; the test's own time limit is 10 seconds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self.pilot.pause(0)
                await asyncio.sleep(0.002)

    def rows(self) -> list[str]:
        """The texts of the rows in view."""
        listed = self.screen.list
        rows = [listed._rows.get(key) for key in listed.keys]
        return [row.text if row else "" for row in rows]

    def lines(self, widget: Widget | None = None) -> list[str]:
        """What a widget, or the whole screen, shows, line by line."""
        shown = widget or self.screen
        if widget is None:
            strips = self.app.screen._compositor.render_strips()
            return ["".join(segment.text for segment in strip).rstrip() for strip in strips]
        return [shown.render_line(y).text.rstrip() for y in range(shown.size.height)]

    def text(self) -> str:
        """The whole screen."""
        return "\n".join(self.lines())

    @property
    def cursor_text(self) -> str:
        """The text of the row under the cursor."""
        row = self.screen.list.cursor_row
        return row.text if row else ""

    @property
    def title(self) -> str:
        """The tabs over the list."""
        return Content.from_markup(self.screen.list.border_title or "").plain

    @property
    def found(self) -> str:
        """What stands at the right of the search line."""
        return self.lines(self.screen.search.query_one("#found"))[0].strip()

    @property
    def status(self) -> str:
        """The last line."""
        return self.lines(self.screen.footer)[0]


Open = Callable[..., AbstractAsyncContextManager[Driven]]
