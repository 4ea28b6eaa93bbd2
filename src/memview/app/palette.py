"""The command palette's lines, made from the table of commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider

from memview.app.commands import Command, shown_key
from memview.app.screens.browse import BrowseScreen
from memview.app.screens.doing import Doing
from memview.app.screens.reviewing import ReviewScreen
from memview.app.themes import THEMES


class CommandProvider(Provider):
    """Offers the commands that are allowed now, by their short titles."""

    def _allowed(self) -> list[Command]:
        table, place = self._place()
        return [command for command in table if command.palette and not place.why_not(command)]

    def _run(self, command: Command) -> partial[None]:
        return partial(self._place()[1].run, command.id)

    def _place(self) -> tuple[Sequence[Command], Doing | ReviewScreen]:
        """The commands of the screen below, and what runs them."""
        screen = self.screen
        if isinstance(screen, ReviewScreen):
            return screen.commands, screen
        assert isinstance(screen, BrowseScreen)
        return screen.desk.commands, screen.doing

    def _themes(self) -> Iterator[tuple[str, partial[None]]]:
        """A line for each theme that is not on."""
        for name, theme in THEMES.items():
            if theme.name != self.app.theme:
                yield f"Theme: {name}", partial(setattr, self.app, "theme", theme.name)

    async def discover(self) -> Hits:
        """All that can be done, before anything is typed."""
        for command in self._allowed():
            yield DiscoveryHit(_line(command), self._run(command))
        for title, switch in self._themes():
            yield DiscoveryHit(title, switch)

    async def search(self, query: str) -> Hits:
        """What fits the letters typed."""
        matcher = self.matcher(query)
        for command in self._allowed():
            if (score := matcher.match(command.title)) > 0:
                yield Hit(score, matcher.highlight(command.title), self._run(command), command.title)
        for title, switch in self._themes():
            if (score := matcher.match(title)) > 0:
                yield Hit(score, matcher.highlight(title), switch, title)


def _line(command: Command) -> str:
    """A command's line: what it does and the keys that do it too."""
    keys = " ".join(map(shown_key, command.keys))
    return f"{command.title}  ({keys})" if keys else command.title
