"""A screen that gives one answer and closes: the ground of dialogs and reviews."""

from __future__ import annotations

from textual.await_complete import AwaitComplete

from memview.app.screens.sized import Result, SizedScreen


class AnsweringScreen(SizedScreen[Result]):
    """Answers once. Textual closes whatever screen is on top then, and would close the next one for a second answer."""

    _gave = False

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Give the answer and close, with what was opened over it while the answer was on its way.

        A key or a click that comes while it closes does nothing more.
        """
        if self._gave:
            return AwaitComplete()
        self._gave = True
        stack = self.app.screen_stack
        for above in reversed(stack[stack.index(self) + 1 :]):
            above.dismiss(None)
        return super().dismiss(result)
