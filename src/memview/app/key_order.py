"""Keys take effect in the order in which they were pressed, however fast they come.

Textual hands a letter to the focused widget at once, while a key that is bound takes the way up to the app before it
acts; of keys that arrive together, later ones would overtake earlier ones. Here each waits until the one before has
gone its way: a marker follows it through the same queues.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.app import App
from textual.message import Message

LONGEST = 0.25
"""Seconds after which a key counts as done whose marker was lost with a widget that closed."""


class KeyDone(Message, namespace="app"):
    """A key has gone its way."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class KeyOrder:
    """Lets one key at a time into an app.

    Args:
        app: the app.
        let_in: gives a key to the app, as it does by itself.
    """

    def __init__(self, app: App[Any], let_in: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app = app
        self._let_in = let_in
        self._held: deque[events.Key] = deque()
        self._number = 0
        self._under_way = False

    @property
    def waits(self) -> bool:
        """Whether keys wait for one before them."""
        return bool(self._held)

    async def take(self, key: events.Key) -> None:
        """Let a key in, now or when those before it are done."""
        if not self._under_way:
            await self._go(key)
            return
        self._held.append(key)
        if len(self._held) == 1:
            self._give_up_later()

    async def done(self, number: int) -> None:
        """Go on after a key."""
        if number != self._number:
            return
        self._under_way = False
        if self._held:
            await self._go(self._held.popleft())
            if self._held:
                self._give_up_later()

    async def _go(self, key: events.Key) -> None:
        self._under_way = True
        self._number += 1
        target = self._app.focused or self._app.screen
        await self._let_in(key)
        marker = KeyDone(self._number)
        if not target.post_message(marker):
            self._app.post_message(marker)

    def _give_up_later(self) -> None:
        number = self._number
        self._app.set_timer(LONGEST, lambda: self.done(number))
