"""The wider questions that stand in the list's place where it is empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

if TYPE_CHECKING:
    from memview.app.loosening import Offer
    from memview.app.messages import Tallied
    from memview.app.screens.browse import BrowseScreen


class Instead:
    """Offers wider questions on a browse screen.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self._asked: Offer | None = None
        self._generation = 0
        """The list's question that they are wider than."""

    @property
    def _offer(self) -> Offer | None:
        """What is offered; None as long as nothing was asked for the list's present question."""
        return self._asked if self._generation == self._screen.listing.generation else None

    def ask(self) -> None:
        """Have wider questions counted where the present one has no answer."""
        listing = self._screen.listing
        if not listing.list.keys and self._offer is None:
            from memview.app.loosening import Offer, loosenings

            self._asked, self._generation = Offer(), listing.generation
            asked = loosenings(listing.view, listing.parsed)
            loader, now = self._screen.desk.loader, self._screen.desk.clock()
            loader.tally(listing.generation, self._asked.ask(asked, now))

    def counted(self, message: Tallied) -> None:
        """Offer those that have an answer."""
        listing = self._screen.listing
        if self._offer is not None and message.generation == listing.generation and not listing.list.keys:
            self._offer.counted(message.counts)
            self._screen.around.show()

    def lines(self) -> list[Content]:
        """A line for each."""
        if self._offer is None:
            return []
        return self._offer.lines(focused=self._screen.spot in ("list", "search"))

    def step(self, by: int) -> bool:
        """Move among them; False where there are none."""
        if self._screen.list.keys or self._offer is None or not self._offer.rows:
            return False
        self._offer.step(by)
        self._screen.around.show()
        return True

    def take(self, place: int | None = None) -> None:
        """Ask one of them: the one under the cursor unless another is given."""
        if self._offer is None:
            return
        place = self._offer.chosen if place is None else place
        if place < len(self._offer.rows) and not self._screen.list.keys:
            self._screen.doing.look_at(self._offer.rows[place].view)
