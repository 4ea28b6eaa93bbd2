"""The command palette's lines, made from the table of commands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider

from memview.app.commands import Command, shown_key
from memview.app.themes import THEMES

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen


class CommandProvider(Provider):
    """Offers the commands that are allowed now, by their short titles."""

    def _allowed(self) -> list[Command]:
        screen: BrowseScreen = self.screen  # type: ignore[assignment]
        return [command for command in screen.desk.commands if command.palette and not screen.doing.why_not(command)]

    def _run(self, command: Command) -> partial[None]:
        screen: BrowseScreen = self.screen  # type: ignore[assignment]
        return partial(screen.doing.run, command.id)

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
