"""Keys take effect in the order in which they were pressed, however fast they come.

Textual hands a letter to the focused widget at once, while a key that is bound takes the way up to the app before it
acts; of keys that arrive together, later ones would overtake earlier ones. Here each waits until the one before has
gone its way: a marker follows it through the same queues. A widget that closes on the way takes what is in its queue
with it, the marker like the key; then another marker is sent from where the way goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.timer import Timer

LOOK = 0.02
"""Seconds between two looks whether the way of a key is still whole, while others wait for it."""


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
        self._way: list[DOMNode] = []
        """The widgets that the key under way passes, the innermost first; empty where none is under way."""
        self._looks: Timer | None = None

    @property
    def waits(self) -> bool:
        """Whether keys wait for one before them."""
        return bool(self._held)

    @property
    def under_way(self) -> bool:
        """Whether a key has not yet gone its way."""
        return bool(self._way)

    async def take(self, key: events.Key) -> None:
        """Let a key in, now or when those before it are done."""
        if not self._way:
            await self._go(key)
            return
        self._held.append(key)
        if self._looks is None:
            self._looks = self._app.set_interval(LOOK, self._look)

    async def done(self, number: int) -> None:
        """Go on after a key."""
        if number != self._number:
            return
        self._way = []
        if self._held:
            await self._go(self._held.popleft())
        elif self._looks is not None:
            self._looks.stop()
            self._looks = None

    async def _go(self, key: events.Key) -> None:
        self._number += 1
        self._way = (self._app.focused or self._app.screen).ancestors_with_self
        await self._let_in(key)
        self._mark()

    def _mark(self) -> None:
        """Send a marker after the key, from the first widget of its way that has not closed."""
        if self._way:
            self._way[0].post_message(KeyDone(self._number))

    def _look(self) -> None:
        """Send another marker where a widget closed on the way, and took the first with it."""
        closed = [at for at, node in enumerate(self._way) if node._closed]
        if closed:
            del self._way[: closed[-1] + 1]
            self._mark()
