"""Putting right what the store says, from the browse screen: edit, correct, write, link, erase."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memview.app.editing import Outcome
from memview.memory.looking import FactDetail

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen
    from memview.app.screens.edit import EditScreen
    from memview.app.screens.link import Linking

WithFact = Callable[[Callable[[FactDetail], None]], None]
"""Does something with the fact under the cursor, now or once it has been read."""


class Righting:
    """Opens what a person puts records right with.

    Args:
        screen: the browse screen.
        with_fact: reaches the fact under the cursor.
    """

    def __init__(self, screen: BrowseScreen, with_fact: WithFact) -> None:
        self._screen = screen
        self._editor: EditScreen | None = None
        self.actions: dict[str, Callable[[], object]] = {
            "edit": lambda: with_fact(self._edit),
            "link": lambda: with_fact(self._link),
        }
        """What each command of putting right does, by its id."""

    def fact_read(self, fact: FactDetail) -> None:
        """Let an open editor know what its fact says by now."""
        if self._editor is not None and self._editor.detail.row.id == fact.row.id:
            self._editor.record_changed(fact)

    def fact_gone(self) -> None:
        """Let an open editor know that its fact is no longer in the store."""
        if self._editor is not None:
            self._editor.record_gone()

    def _edit(self, fact: FactDetail) -> None:
        from memview.app.screens.edit import EditScreen

        editing = self._screen.desk.editing
        self._editor = EditScreen(fact, lambda values, version: editing.edit(fact.row, values, version))
        self._screen.app.push_screen(self._editor, self._edited)

    def _edited(self, outcome: Outcome | None) -> None:
        self._editor = None
        if outcome is not None:
            self._screen.say(outcome.sentence)

    def _link(self, fact: FactDetail) -> None:
        from memview.app.screens.link import LinkScreen

        row, loader = fact.row, self._screen.desk.loader

        def chosen(link: Linking | None) -> None:
            if link is not None:
                other, kind = link
                self._screen.desk.acts.on_fact(row.n, lambda editing, now: editing.link(now, other, kind))

        self._screen.app.push_screen(LinkScreen(row, lambda words: loader.facts_like(row, words)), chosen)
