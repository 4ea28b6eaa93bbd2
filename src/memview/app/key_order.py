"""Keys take effect in the order in which they were pressed, however fast they come.

Textual hands a letter to the focused widget at once, while a key that is bound takes the way up to the app before it
acts; of keys that arrive together, later ones would overtake earlier ones. Here each waits until the one before has
gone its way: a marker follows it through the same queues. A widget that closes on the way takes what is in its queue
with it, the marker like the key; then another marker is sent from where the way goes on. Keys wait, too, while the
screen that they are meant for is still being opened, and while it keeps them waiting.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.timer import Timer

LOOK = 0.02
"""Seconds between two looks whether the way of a key is still whole, while others wait for it."""
ROUNDS = 3
"""Markers that follow a key, one after the other: what a message sets off is behind the first, and so on."""
LONGEST = 10.0
"""Seconds after which what is being opened is given up, and the keys meant for it with it."""
WAYS_OUT = ("escape", "ctrl+c", "ctrl+q")
"""Keys that wait for nothing that is being opened."""


class KeyDone(Message, namespace="app"):
    """A key has gone its way."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@runtime_checkable
class Keeping(Protocol):
    """A screen that has some keys wait."""

    def keeps_waiting(self, key: events.Key) -> bool:
        """Whether a key is meant for what does not stand yet."""
        ...


class Opening(NamedTuple):
    """Something that is being opened."""

    until: Callable[[], object]
    """Whether it stands, or has come to nothing."""
    give_up: Callable[[], object]
    """Lets go of it."""
    since: float
    """When it was begun, on the monotonic clock."""


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
        self._rounds = 0
        """How many markers are still to come home."""
        self._opening: Opening | None = None

    @property
    def waits(self) -> bool:
        """Whether keys wait for one before them."""
        return bool(self._held)

    @property
    def under_way(self) -> bool:
        """Whether a key has not yet gone its way."""
        return bool(self._way)

    @property
    def _kept(self) -> bool:
        """Whether the screen keeps the next key waiting."""
        screen = self._app.screen if self._app.screen_stack else None
        return (
            bool(self._held) and not self._way and isinstance(screen, Keeping) and screen.keeps_waiting(self._held[0])
        )

    async def take(self, key: events.Key) -> None:
        """Let a key in, now or when those before it are done."""
        if key.key in WAYS_OUT and (self._opening is not None or self._kept):
            self._give_up()
            if key.key != "ctrl+q":
                return
        if not self._way and not self._held and self._ready(key):
            await self._go(key)
            return
        self._held.append(key)
        self._look_again()

    def hold(self, until: Callable[[], object], give_up: Callable[[], object]) -> None:
        """Hold the keys that follow: they are meant for what the key under way opens, besides what is opened already.

        Esc and ctrl+c let go of it, and of the keys held; so does a long wait.

        Args:
            until: whether it stands, or has come to nothing.
            give_up: lets go of it.
        """
        before, now = self._opening, time.monotonic()
        if before is None or before.until():
            self._opening = Opening(until, give_up, now)
        else:
            self._opening = Opening(
                lambda: before.until() and until(), lambda: (before.give_up(), give_up()), now
            )  # fmt: skip
        self._look_again()

    async def done(self, number: int) -> None:
        """Go on after a key."""
        if number != self._number:
            return
        self._rounds -= 1
        if self._rounds > 0:
            self._mark()
            return
        self._way = []
        await self._next()

    async def _next(self) -> None:
        """Let the next key in, if there is one and nothing is in its way."""
        if not self._ready(self._held[0] if self._held else None):
            self._look_again()
        elif self._held:
            await self._go(self._held.popleft())
        elif self._looks is not None:
            self._looks.stop()
            self._looks = None

    def _ready(self, key: events.Key | None) -> bool:
        """Whether what the next key is meant for stands."""
        opening = self._opening
        if opening is not None and opening.until():
            self._opening = None
        elif opening is not None and time.monotonic() - opening.since > LONGEST:
            self._give_up()
        if self._opening is not None or not self._app.screen_stack or not self._app.screen.is_mounted:
            return False
        screen = self._app.screen
        return key is None or key.key in WAYS_OUT or not isinstance(screen, Keeping) or not screen.keeps_waiting(key)

    def _give_up(self) -> None:
        """Let go of what is being opened, if anything is, and of the keys that wait."""
        opening, self._opening = self._opening, None
        self._held.clear()
        if opening is not None:
            opening.give_up()

    def _look_again(self) -> None:
        if self._looks is None and self._app.screen_stack:  # an app that closes has no screen left
            self._looks = self._app.set_interval(LOOK, self._look)

    async def _go(self, key: events.Key) -> None:
        self._number += 1
        self._rounds = ROUNDS
        self._way = (self._app.focused or self._app.screen).ancestors_with_self
        await self._let_in(key)
        self._mark()

    def _mark(self) -> None:
        """Send a marker after the key, from the first widget of its way that has not closed.

        A message ends at who sent it: this one is the app's, whoever had the keys wait.
        """
        if self._way:
            self._way[0].post_message(KeyDone(self._number).set_sender(self._app))

    async def _look(self) -> None:
        """Go on once what is opened stands; send another marker where a widget closed and took the first with it."""
        if not self._way:
            await self._next()
            return
        closed = [at for at, node in enumerate(self._way) if node._closed]
        if closed:
            del self._way[: closed[-1] + 1]
            self._mark()
