"""How often things are counted anew while others write: soon after one change, seldom in a flood of them.

And not while somebody types a search, whose letters are to be answered first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import inf
from sqlite3 import Connection
from typing import Any

from textual.app import App
from textual.message import Message

REST = 9.0
"""After counting, the next count waits so many times as long as it took, so that a busy agent costs little."""

BREATH = 0.2
"""Seconds that it waits at least; twice as long each time that there is something to count again by then."""

LONG_BREATH = 1.0
"""Seconds that this becomes at most."""

BEHIND = 0.1
"""Seconds that counting waits after what others wrote, whose rows are to stand first."""

CALM = 0.5
"""Seconds after a search was asked for until something is counted again: who types asks for the next one by then."""

LONGEST = 3.0
"""Seconds after which it is counted though somebody types."""

Work = Callable[[Connection], Message]
"""Counts something."""


class Pace:
    """Has each of some things counted at most as often as costs little.

    Args:
        app: keeps the time.
        ask: has something counted in the lane of a name, and then tells, in any thread, how many seconds that took.
    """

    def __init__(self, app: App[Any], ask: Callable[[str, Work, Callable[[float], object]], object]) -> None:
        self._app = app
        self._do = ask
        self._resting: dict[str, float] = {}
        """Seconds that each lane rests at least."""
        self.waiting: dict[str, Work] = {}
        """What is to be counted once its lane has rested."""
        self._searched_at = -inf
        """When a search was asked for, on the monotonic clock."""
        self._due: dict[str, float] = {}
        """Since when counting is put off for a person who types."""

    def ask(self, lane: str, work: Work, *, at_once: bool = False, behind: bool = False) -> None:
        """Have something counted; of several requests that wait the last one counts.

        Args:
            lane: the name of what is counted.
            work: counts it.
            at_once: whether it waits for no rest.
            behind: whether rows are being read that are to stand first.
        """
        self.waiting[lane] = work
        if not at_once and lane in self._resting:
            return
        self._resting.setdefault(lane, BREATH)
        if behind:
            self._app.set_timer(BEHIND, partial(self._rested, lane))
        else:
            self._due.pop(lane, None)
            self._do(lane, self.waiting.pop(lane), partial(self._done, lane))

    def hurry(self) -> None:
        """Let nothing rest any longer: what is asked for from now on is counted at once."""
        self._resting.clear()

    def searched(self) -> None:
        """Put off what would be counted again: a person asked for a search, and may go on typing."""
        self._searched_at = time.monotonic()

    def _done(self, lane: str, took: float) -> None:
        """Let a lane rest."""
        seconds = max(self._resting.get(lane, BREATH), REST * took)
        self._app.call_later(self._app.set_timer, seconds, partial(self._rested, lane, again=True))

    def _rested(self, lane: str, *, again: bool = False) -> None:
        """Count what was asked for meanwhile; where that is again, the next rest is longer."""
        if lane in self.waiting and (left := self._put_off(lane)) > 0:
            self._app.set_timer(left, partial(self._rested, lane, again=again))
            return
        rested = self._resting.pop(lane, BREATH)
        if lane in self.waiting:
            self._resting[lane] = min(2 * rested, LONG_BREATH) if again else rested
            self.ask(lane, self.waiting[lane], at_once=True)

    def _put_off(self, lane: str) -> float:
        """How many seconds longer a lane is to rest because somebody types."""
        now = time.monotonic()
        return min(self._searched_at + CALM, self._due.setdefault(lane, now) + LONGEST) - now
