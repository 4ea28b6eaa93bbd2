"""When a list is compared with its store while others write: soon after one change, seldom in a flood of them."""

from __future__ import annotations

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

REST = 4.0
"""After a comparison or an answer the next comparison waits so many times as long as that took: agents cost little."""

BREATH = 0.03
"""Seconds that it waits at least; twice as long each time that the store changed again by then."""

LONG_BREATH = 0.4
"""Seconds that this becomes at most: a list that moves more often cannot be read."""


class Abreast:
    """Spaces the comparisons of a list with its store.

    Args:
        timers: keeps the time.
        compare: called where the list is to be compared, after a rest.
    """

    def __init__(self, timers: MessagePump, compare: Callable[[], object]) -> None:
        self.at_work = False
        """Whether a comparison is under way, or there is a rest from one."""
        self.again = False
        """Whether there is something to compare after that."""
        self._timers = timers
        self._compare = compare
        self._breath = BREATH
        self._rest: Timer | None = None

    def begin(self) -> None:
        """A comparison is under way, of all that is known to have changed by now."""
        self.at_work, self.again = True, False

    def end(self) -> None:
        """None is under way any more, and none is rested from: it was of another list, or came to nothing."""
        self.at_work = False
        if self._rest is not None:
            self._rest.stop()

    def rest(self, took: float) -> None:
        """Compare nothing for a while, after a comparison that took so many seconds."""
        self._rest_for(max(self._breath, REST * took))

    def rest_long(self, took: float = 0.0) -> None:
        """Compare nothing for a longer while, after something else that took so many seconds."""
        self._rest_for(max(LONG_BREATH, REST * took))

    def _rest_for(self, seconds: float) -> None:
        self.end()
        self.at_work = True
        self._rest = self._timers.set_timer(seconds, self._rested)

    def _rested(self) -> None:
        self.at_work = False
        self._breath = min(2 * self._breath, LONG_BREATH) if self.again else BREATH
        if self.again:
            self._compare()
