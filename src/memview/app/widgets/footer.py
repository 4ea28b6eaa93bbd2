"""The line at the bottom: the keys of the focused place, what was just done, and the way to the help."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.style import Style

from memview.app.commands import BY_ID, Command, shown_key
from memview.app.widgets.header import GAP, Bar


class Footer(Bar):
    """Keys as buttons. A line of the status stands beside them, or in their place where both do not fit."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keys: tuple[Content, ...] = ()
        self._said = Content()

    def offer(self, commands: Iterable[Command]) -> None:
        """Show the keys of these commands."""
        self._keys = tuple(entry(shown_key(command.keys[0]), command.label, command.id) for command in commands)
        self._arrange()

    def offer_next(self, following: Iterable[tuple[str, Command]]) -> None:
        """Show the keys that may follow one that was pressed, until `offer` is called again."""
        said = [(shown_key(key), command.brief or command.title.lower(), command.id) for key, command in following]
        self.parts, self.right = tuple(entry(*parts, gap="  ") for parts in said), ()

    def say(self, said: Content) -> None:
        """Show a line of the status; an empty one takes it away."""
        self._said = said
        self._arrange()

    def on_resize(self) -> None:
        """Find out anew what fits."""
        self._arrange()

    def _arrange(self) -> None:
        """Put keys, status and help where they fit."""
        help = entry("?", "help", "help", gap="")
        keys = sum(part.cell_length for part in self._keys)
        if not self._said:
            self.parts, self.right = self._keys, (help,)
        elif keys + GAP + self._said.cell_length + 3 * GAP + help.cell_length <= self.content_size.width:
            self.parts, self.right = self._keys, (self._said + Content(" " * 3) + help,)
        else:
            self.parts, self.right = (self._said,), (help,)


def entry(key: str, label: str, command: str, *, gap: str = "   ") -> Content:
    """A key and its word as a button."""
    made = Content.assemble((key, "bold $primary"), (f" {label}", "$text-muted"))
    tooltip = BY_ID[command].id
    return made.stylize(Style.from_meta({"command": tooltip})) + Content(gap)
