"""A screen that takes on the size which the terminal has now, however many sizes came before it."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.screen import Screen

Result = TypeVar("Result")


class SizedScreen(Screen[Result]):
    """Passes over a size that the terminal has no longer.

    Textual lays a screen out anew for each size that it is told and then tells the screen that size once more: two that
    wait at the same time would take turns for ever.
    """

    def on_resize(self, event: events.Resize) -> None:
        """Leave what comes of it undone where another size follows."""
        if event.size != self.app.size:
            event.prevent_default()
