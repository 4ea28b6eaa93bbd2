"""One-line bars with something at each end, and the line at the top of the screen."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from memview.app.messages import CommandWanted

GAP = 2
"""Cells between the two ends, at least."""


_DOT = Content.styled(" · ", "$text-muted")


class Bar(Widget, can_focus=False):
    """A line with parts at its left, as many as fit, and something at its right.

    A part whose style carries the meta ``command`` is a button for that command.
    """

    DEFAULT_CSS = "Bar { height: 1; padding: 0 1; text-wrap: nowrap; text-overflow: clip; }"

    ALLOW_SELECT = False

    parts: reactive[tuple[Content, ...]] = reactive(())
    """What stands at the left, the most important first; the last ones are left out where they do not fit."""
    right: reactive[tuple[Content, ...]] = reactive(())
    """What stands at the right, the most important first, with dots between; the last ones are left out likewise."""

    def render(self) -> Content:
        """Draw the line."""
        width = self.content_size.width
        parts = list(self.parts) or [Content()]
        right = self._fitting_right(width)
        if parts[0] and right.cell_length + GAP + parts[0].cell_length > width:
            right = Content()
        room = width - (right.cell_length + GAP if right else 0)
        while len(parts) > 1 and sum(part.cell_length for part in parts) > room:
            parts.pop()
        left = Content("").join(parts).truncate(max(0, room), ellipsis=True)
        return Content.assemble(left, " " * (width - left.cell_length - right.cell_length), right)

    def _fitting_right(self, width: int) -> Content:
        """What fits of the right end."""
        parts = [part for part in self.right if part]
        while len(parts) > 1 and _DOT.join(parts).cell_length > width:
            parts.pop()
        return _DOT.join(parts).truncate(max(0, width), ellipsis=True)

    def on_click(self, event: events.Click) -> None:
        """Ask for the command that was clicked."""
        command = event.style.meta.get("command")
        if command:
            event.stop()
            self.post_message(CommandWanted(command))


def entry_point(text: str, style: str, command: str) -> Content:
    """A text that runs a command of its screen when it is clicked."""
    return Content.styled(text, style).stylize(Style.from_meta({"@click": f"screen.command('{command}')"}))


class Header(Bar):
    """The line at the top: what is open, what it holds, who is writing into it."""

    def show(self, parts: Sequence[Content], right: Sequence[Content]) -> None:
        """Show these parts at the left and this at the right."""
        self.parts, self.right = tuple(parts), tuple(right)
