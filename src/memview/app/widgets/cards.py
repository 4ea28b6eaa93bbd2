"""A few facts to choose from, each a card of several lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static


class Card(Horizontal):
    """A number, and beside it some lines. A click chooses it."""

    @dataclass
    class Clicked(Message):
        """A card was clicked."""

        place: int

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place
        self._said = Content()
        self._chosen = False

    def compose(self) -> ComposeResult:
        """The number and the lines."""
        yield Static(self._sign(), classes="sign", markup=False)
        yield Static(self._said, classes="said", markup=False)

    def show(self, said: Content, chosen: bool) -> None:
        """Show these lines."""
        self._said, self._chosen = said, chosen
        self.set_class(chosen, "-chosen")
        self.display = True
        for static, content in zip(self.query(Static), (self._sign(), said), strict=False):
            static.update(content)

    def _sign(self) -> Content:
        sign = ">" if self._chosen else " "
        return Content.styled(f"{sign}{self.place + 1} ", "bold $primary" if self._chosen else "$text-muted")

    def on_click(self, event: events.Click) -> None:
        """Say so."""
        event.stop()
        self.post_message(self.Clicked(self.place))


class Cards(VerticalScroll, can_focus=True):
    """Shows cards, one of them chosen. The terminal's own cursor sits on it."""

    DEFAULT_CSS = """
    Cards {
        height: auto; scrollbar-size-vertical: 1; scrollbar-color: $foreground 15%; scrollbar-background: $background;
    }
    Card { height: auto; padding: 0 1 0 0; }
    Card .sign { width: 4; }
    Card .said { width: 1fr; height: auto; }
    Card.-chosen { background: $foreground 10%; }
    """
    BINDINGS = []

    def show(self, said: Sequence[Content], chosen: int) -> None:
        """Show a card for each of these; cards that are there are used again."""
        cards = list(self.query(Card))
        for place, (card, content) in enumerate(zip_longest(cards, said)):
            if content is None:
                card.display = False
                continue
            if card is None:
                card = Card(place)
                self.mount(card)
            card.show(content, place == chosen)
        self.call_after_refresh(self.put_cursor)

    def put_cursor(self) -> None:
        """Put the terminal's cursor on the chosen card, and bring that into view."""
        for card in self.query("Card.-chosen"):
            if card.display:
                self.scroll_to_widget(card, animate=False)
                if self.screen.is_current:
                    self.app.cursor_position = card.region.offset
