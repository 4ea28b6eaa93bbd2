"""How the browse screen opens the other screens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memview.app.view import Tab, View
from memview.memory.looking import FactDetail
from memview.review import masking
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen


class Going:
    """Opens the screens that have a command of their own, and goes to the record that one of them gives back.

    Args:
        screen: the browse screen.
        with_fact: does something with the fact under the cursor once it has been read.
    """

    def __init__(self, screen: BrowseScreen, with_fact: Callable[[Callable[[FactDetail], None]], None]) -> None:
        self._screen = screen
        self.actions: dict[str, Callable[[], object]] = {
            "go.inbox": self._inbox,
            "go.prune": self._prune,
            "go.health": self._health,
            "go.steps": self._steps,
            "go.neighbours": lambda: with_fact(self._neighbours),
            "go.agents": self._agents,
            "go.duplicates": self._duplicates,
            "go.conflicts": self._conflicts,
            "go.trash": self._trash,
        }

    def _inbox(self) -> None:
        from memview.app.screens.inbox import InboxScreen

        self._screen.app.push_screen(InboxScreen(self._screen.desk), self._go_to_any)

    def _health(self) -> None:
        from memview.app.screens.health import HealthScreen

        screen = self._screen

        def go(text: str, tab: Tab, name: str) -> None:
            if name == "duplicates":
                screen.doing.run("go.duplicates")
            else:
                screen.doing.look_at(View(text=text, tab=tab))

        screen.app.push_screen(HealthScreen(screen.desk, go, frozenset({"duplicates"})), self._go_to_any)

    def _prune(self) -> None:
        from memview.app.screens.prune import PruneScreen

        screen = self._screen
        screen.app.push_screen(PruneScreen(screen.desk, screen.listing.view.scope), self._go_to_any)

    def _steps(self) -> None:
        from memview.app.screens.steps import StepsScreen

        self._screen.app.push_screen(StepsScreen(self._screen.desk), self._go_to)

    def _neighbours(self, fact: FactDetail) -> None:
        from memview.app.screens.neighbours import NeighboursScreen

        self._screen.app.push_screen(NeighboursScreen(self._screen.desk, fact.row), self._go_to)

    def _agents(self) -> None:
        from memview.app.screens.agents import AgentsScreen

        screen, fact = self._screen, self._screen.doing.shown_fact()
        scope, text = screen.listing.view.scope, screen.listing.view.text
        if fact is not None:
            typed = text.strip() and not screen.listing.parsed.operators
            said = one_line(text, 200) if typed else masking.line(fact.content, 200)
            place = (fact.row.tenant, fact.row.namespace, said)
        elif isinstance(scope.tenant, str) and scope.under is not None:
            place = (scope.tenant, scope.under, text)
        else:
            screen.say("choose a fact or a namespace first", "$text-muted")
            return
        screen.app.push_screen(AgentsScreen(screen.desk, *place), self._go_to)

    def _duplicates(self) -> None:
        from memview.app.screens.duplicates import DuplicatesScreen

        screen = self._screen
        screen.app.push_screen(DuplicatesScreen(screen.desk, screen.listing.view.scope), self._go_to_any)

    def _conflicts(self) -> None:
        from memview.app.screens.conflicts import ConflictsScreen

        screen = self._screen
        screen.app.push_screen(ConflictsScreen(screen.desk, screen.listing.view.scope), self._go_to_any)

    def _trash(self) -> None:
        self._screen.doing.look_at(View(self._screen.listing.view.scope, "is:forgotten"))

    def _go_to(self, id: str | None) -> None:
        if id is not None:
            self._screen.doing.awaiting.record(id, "fact")

    def _go_to_any(self, id: str | None) -> None:
        if id is not None:
            self._screen.doing.awaiting.record(id, "fact", "turn")
