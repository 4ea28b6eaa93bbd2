"""What the keys that follow wait for on the browse screen: the list that was asked for, the record to go to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.events import Key

from memview.app.messages import Kind, Located

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen


class Awaiting:
    """Has keys wait for what they are meant for.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self._locating = False

    def answer(self) -> None:
        """Let keys that are meant for the list, or for the record under its cursor, wait until it has an answer."""
        listing = self._screen.listing
        if self._screen.spot in ("list", "detail") and not listing.answer.settled:
            self._screen.desk.opening(lambda: listing.answer.settled, lambda: None)

    def in_search(self, key: Key) -> bool:
        """Whether a key of the search line moves in a list that does not stand yet."""
        screen = self._screen
        return screen.spot == "search" and key.key in ("up", "down") and not screen.listing.answer.settled

    def record(self, id: str, *kinds: Kind) -> None:
        """Go to a record of one of some kinds, once it is known where that is."""
        self._locating = True
        self._screen.desk.loader.locate(id, *kinds)
        self._screen.desk.opening(lambda: not self._locating, self.give_up)

    def located(self, message: Located) -> None:
        """Go there, if that is still wanted."""
        if self._locating:
            self._locating = False
            self._screen.doing.show_record(message)

    def give_up(self) -> None:
        """Go to no record any more."""
        self._locating = False
