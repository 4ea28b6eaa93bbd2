"""Keys that are pressed one after the other, such as ``g`` and then ``t``."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from typing import Any

from textual.binding import BindingsMap
from textual.screen import Screen
from textual.timer import Timer

from memview.app.commands import COMMANDS, Command, bindings, continuations, shown_key

PAUSE = 0.3
"""Seconds after the first key until its continuations are shown."""


class Sequence:
    """Waits for the key that follows a first one.

    Args:
        screen: where the keys are pressed.
        show: shows the continuations; None takes them away.
        run: runs a command by its id.
        commands: the table, with the keys that the person chose.
    """

    def __init__(
        self,
        screen: Screen[Any],
        show: Callable[[list[tuple[str, Command]] | None], None],
        run: Callable[[str], None],
        commands: Many[Command] = COMMANDS,
    ) -> None:
        self._screen = screen
        self._show = show
        self._run = run
        self._commands = commands
        self._first = ""
        self._timer: Timer | None = None

    def begin(self, key: str) -> None:
        """Wait for what follows a key."""
        self._first = key
        self._timer = self._screen.set_timer(PAUSE, lambda: self._show(list(continuations(key, self._commands))))

    def take(self, key: str) -> bool:
        """Take in the next key.

        Returns:
            Whether a key was waited for, so that this one has no meaning of its own.
        """
        if not self._first:
            return False
        found = dict(continuations(self._first, self._commands)).get(key)
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


_NAMED = {
    "u": "undo", "U": "redo", "r": "restore", "e": "edit", "L": "link", "?": "help", "gv": "mark.again",
    "1": "pane.tree", "space": "mark", "ctrl+l": "refresh", "[": "tab.previous",
    "]": "tab.next",
}  # fmt: skip
"""The commands that sentences end with, by the keys that they have by default."""


def with_own_keys(sentence: str, commands: Many[Command]) -> str:
    """A sentence whose last part says what a key does, with the key that the person chose for it.

    Args:
        sentence: such as ``forgot 1 · u brings it back``.
        commands: the table, with the keys that the person chose.
    """
    said, dot, hint = sentence.rpartition(" · ")
    named, blank, does = hint.partition(" ")
    own = own_key(_NAMED[named], commands) if named in _NAMED else named
    if not own:
        return said or sentence
    return said + dot + own + blank + does


def own_key(id: str, commands: Many[Command]) -> str:
    """The key of a command as a person reads it; empty where it has none."""
    return next((shown_key(command.keys[0]) for command in commands if command.id == id and command.keys), "")


def rebound(made: BindingsMap, commands: Many[Command]) -> BindingsMap:
    """A screen's bindings with other keys for the commands; what is bound besides stays.

    Args:
        made: the bindings as they were declared.
        commands: the table, with the keys that the person chose.
    """
    ours = ("command(", "prefix(")
    kept = [binding for _, binding in made if not binding.action.startswith(ours)]
    return BindingsMap([*kept, *bindings(None, commands)])
