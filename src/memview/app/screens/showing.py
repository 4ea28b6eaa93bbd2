"""The detail beside the list: the record under the cursor, read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memview.app.messages import FactRead, Kind, RecordGone, TurnRead

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen


class Showing:
    """Has the record under the cursor read, and shows it.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self.key: int | None = None
        """The number of the record that is shown or being read."""
        self._screen = screen
        self._generation = 0

    def read(self, known: FactRead | TurnRead | RecordGone | None = None) -> None:
        """Have the record under the cursor read.

        Args:
            known: a record that was read with the list; shown right behind it if it is the one, so that the list is
                drawn sooner. The first picture has both.
        """
        screen = self._screen
        self._generation += 1
        self.key = screen.list.cursor_key
        if self.key is None:
            screen.detail.clear()
            return
        if _number(known) == self.key and known is not None:
            known.generation = self._generation
            if screen.drawn:
                screen.call_after_refresh(self.take, known)
            else:
                self.take(known)
            return
        kind: Kind = "fact" if screen.listing.view.tab == "facts" else "turn"
        screen.desk.loader.detail(self._generation, kind, self.key)

    def take(self, read: FactRead | TurnRead | RecordGone) -> None:
        """Show what was read, unless something else is wanted by now."""
        if read.generation != self._generation:
            return
        screen = self._screen
        matcher, now, me = screen.listing.matcher, screen.desk.clock(), screen.desk.me
        if isinstance(read, FactRead):
            screen.detail.show_fact(read.fact, read.sources, read.neighbours, read.history, matcher, now, me)
            screen.doing.fact_shown(read)
        elif isinstance(read, TurnRead):
            screen.detail.show_turn(read.turn, matcher, now, me)
            screen.doing.turn_shown(read)
        else:
            screen.detail.clear("It is no longer in the store.")
            screen.doing.fact_gone()


def _number(read: FactRead | TurnRead | RecordGone | None) -> int | None:
    """The number of the record that was read."""
    if isinstance(read, FactRead):
        return read.fact.row.n
    return read.turn.row.n if isinstance(read, TurnRead) else None
