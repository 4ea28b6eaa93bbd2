"""What ctrl+c does, wherever one is: copy what is selected, else take one layer off; twice within a second it quits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.app import App

TWICE = 1.0
"""Seconds within which a second ctrl+c quits."""


class Interrupting:
    """Answers ctrl+c.

    Args:
        app: the app.
        quit: ends it, once all that was asked for is done.
        say: shows a line in the status of the screen that one is on.
    """

    def __init__(self, app: App[Any], quit: Callable[[], object], say: Callable[[str, str], object]) -> None:
        self._app = app
        self._quit = quit
        self._say = say
        self._pressed_at = 0.0

    def pressed(self) -> None:
        """Copy what is selected, or do as Esc does; quit where that was done just now."""
        selected = self._selected()
        if selected:
            self._app.copy_to_clipboard(selected)
            self._say("copied the selected text", "$foreground")
            return
        now = time.monotonic()
        if now - self._pressed_at < TWICE:
            self._quit()
            return
        self._pressed_at = now
        self._app.simulate_key("escape")
        self._say("ctrl+c again quits", "$text-muted")

    def _selected(self) -> str:
        """The text that is selected, in the field that has the focus or else on the screen."""
        from textual.widgets import Input, TextArea

        focused = self._app.focused
        if isinstance(focused, (Input, TextArea)) and focused.selected_text:
            return focused.selected_text
        return self._app.screen.get_selected_text() or ""
