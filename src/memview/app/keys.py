"""Keys that are pressed one after the other, such as ``g`` and then ``t``."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen
from textual.timer import Timer

from memview.app.commands import Command, continuations

PAUSE = 0.3
"""Seconds after the first key until its continuations are shown."""


class Sequence:
    """Waits for the key that follows a first one.

    Args:
        screen: where the keys are pressed.
        show: shows the continuations; None takes them away.
        run: runs a command by its id.
    """

    def __init__(
        self,
        screen: Screen[None],
        show: Callable[[list[tuple[str, Command]] | None], None],
        run: Callable[[str], None],
    ) -> None:
        self._screen = screen
        self._show = show
        self._run = run
        self._first = ""
        self._timer: Timer | None = None

    def begin(self, key: str) -> None:
        """Wait for what follows a key."""
        self._first = key
        self._timer = self._screen.set_timer(PAUSE, lambda: self._show(list(continuations(key))))

    def take(self, key: str) -> bool:
        """Take in the next key.

        Returns:
            Whether a key was waited for, so that this one has no meaning of its own.
        """
        if not self._first:
            return False
        found = dict(continuations(self._first)).get(key)
        self.drop()
        if found is not None:
            self._run(found.id)
        return True

    def drop(self) -> None:
        """Wait no longer."""
        self._first = ""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._show(None)
