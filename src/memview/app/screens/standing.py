"""Whether the store can be reached, and who wrote into it lately."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style
from textual.timer import Timer

from memview.app.commands import Command
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen

SHOWN = 10.0
"""Seconds after the last write until nobody is named any more."""


class Standing:
    """What the first line says at its right.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self.trouble = ""
        """Why the store cannot be reached."""
        self.waiting: int | None = None
        """How many facts wait in the inbox, as far as is known."""
        self._screen = screen
        self._writers: Counter[str] = Counter()
        self._named: list[tuple[str, int]] = []
        """Who is named and how much they wrote, for a second: the line is not drawn with each change."""
        self._wrote_at = 0.0
        self._timer: Timer | None = None

    def told(self, *, short: bool = False) -> list[Content]:
        """The words, the most important first.

        Args:
            short: only what is out of the ordinary.
        """
        if self.trouble:
            return [Content.styled(one_line(self.trouble, 80), "$text-warning")]
        left = [self._left()] if short and self.waiting else []
        if short and not self._screen.desk.read_only:
            return left
        live = ("read-only", "$text-muted") if self._screen.desk.read_only else ("live", "$text-success")
        if short:
            return [*left, Content.styled(*live)]
        wrote = [f"{one_line(who, 24)} wrote {count:,}" for who, count in self._named]
        return [Content.styled(*live), *(Content.styled(part, "$text-muted") for part in wrote)]

    def _left(self) -> Content:
        """What is left to review, where there is no room for it among the keys."""
        words = Content.assemble(("i", "bold $primary"), (f" inbox {self.waiting:,}", "$text-muted"))
        return words.stylize(Style.from_meta({"command": "go.inbox"}))

    def counted(self, commands: Sequence[Command]) -> list[Command]:
        """Commands for the footer, the inbox with the number of facts that wait in it."""
        return [
            replace(command, label=f"{command.label} {self.waiting:,}")
            if command.id == "go.inbox" and self.waiting
            else command
            for command in commands
        ]

    def wrote(self, writers: Counter[str]) -> None:
        """Name who wrote, at most once a second."""
        if not writers:
            return
        if time.monotonic() - self._wrote_at > SHOWN:
            self._writers.clear()
        self._writers.update(writers)
        self._wrote_at = time.monotonic()
        if self._timer is None:
            self._name()
            self._timer = self._screen.set_timer(1.0, self._again)

    def _again(self) -> None:
        """Draw the line anew, and again later, until the writers are forgotten."""
        self._timer = None
        if time.monotonic() - self._wrote_at > SHOWN:
            self._writers.clear()
        elif self._writers:
            self._timer = self._screen.set_timer(1.0, self._again)
        self._name()

    def _name(self) -> None:
        """Draw the line anew."""
        self._named = self._writers.most_common(2)
        self._screen.around.header()
