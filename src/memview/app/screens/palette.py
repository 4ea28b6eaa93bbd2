"""The command palette."""

from __future__ import annotations

from textual.command import CommandPalette
from textual.events import Key

from memview.app.screens.sized import SizedScreen


class PaletteScreen(CommandPalette, SizedScreen[None]):
    """Textual's palette, which looks for what is typed in a task of its own."""

    def keeps_waiting(self, key: Key) -> bool:
        """Whether a key is to choose among lines that are still being looked for."""
        looking = any(worker.node is self and not worker.is_finished for worker in self.workers)
        return looking and not key.is_printable
