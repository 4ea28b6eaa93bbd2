"""A screen that gives one answer and closes: the ground of dialogs and reviews."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import Screen

Result = TypeVar("Result")


class AnsweringScreen(Screen[Result]):
    """Answers once. Textual closes whatever screen is on top then, and would close the next one for a second answer."""

    _gave = False

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Give the answer and close; a key or a click that comes while it closes does nothing more."""
        if self._gave:
            return AwaitComplete()
        self._gave = True
        return super().dismiss(result)
