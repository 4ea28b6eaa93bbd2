"""The first picture of a screen, drawn once: with what the person came for, instead of empty and then again."""

from __future__ import annotations

from textual.screen import Screen

PATIENCE = 0.2
"""Seconds that the first picture waits for what it is to show; then it is drawn without."""


class Held(Screen[None]):
    """A screen that draws nothing until it has something to show."""

    drawn = False
    """Whether it draws by now."""

    def on_mount(self) -> None:
        """Wait no longer than that."""
        self.set_timer(PATIENCE, self.draw)

    def draw(self) -> None:
        """Draw from now on: what it was to show is there."""
        if not self.drawn:
            self.drawn = True
            self.refresh()
            self.call_after_refresh(self.behind)

    def behind(self) -> None:
        """Begin with what the first picture does not show: it was drawn."""

    def _compositor_refresh(self) -> None:
        """Draw what has changed; until it may, what has changed adds up."""
        if self.drawn:
            super()._compositor_refresh()
