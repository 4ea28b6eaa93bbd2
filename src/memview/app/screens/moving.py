"""Moving about on the browse screen: rows, panes, tabs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from memview.app.commands import Spot
from memview.app.view import Tab

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen

SPOTS: tuple[Spot, ...] = ("tree", "list", "detail")
"""The panes, from left to right."""


class Moving:
    """Moves about on a browse screen.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self.actions: dict[str, Callable[[], object]] = {
            "move.down": lambda: self.move("cursor_down"),
            "move.up": lambda: self.move("cursor_up"),
            "move.first": self.first,
            "move.last": lambda: self.move("last"),
            "move.half_down": lambda: self.move("half_page_down"),
            "move.half_up": lambda: self.move("half_page_up"),
            "move.left": self.left,
            "move.right": self.right,
            "pane.tree": lambda: self._screen.go_to_spot("tree"),
            "pane.list": lambda: self._screen.go_to_spot("list"),
            "pane.detail": lambda: self._screen.go_to_spot("detail"),
            "pane.next": lambda: self.turn_to(1),
            "pane.previous": lambda: self.turn_to(-1),
            "tab.previous": lambda: self.tab("facts"),
            "tab.next": lambda: self.tab("turns"),
            "detail.down": lambda: self._screen.detail.action_half_page_down(),
            "detail.up": lambda: self._screen.detail.action_half_page_up(),
            "zoom": self.zoom,
            "match.next": lambda: self.match(1),
            "match.previous": lambda: self.match(-1),
            "open": self.open,
        }
        """What each command of moving does, by its id."""

    def move(self, action: str) -> None:
        """Have the focused pane do an action of all panes."""
        screen = self._screen
        steps = {"cursor_down": 1, "cursor_up": -1}
        if screen.spot == "list" and action in steps and screen.instead.step(steps[action]):
            return
        pane = {"tree": screen.spaces, "detail": screen.detail}.get(screen.spot, screen.list)
        getattr(pane, f"action_{action}")()

    def first(self) -> None:
        """To the first row, taking in what waits above it."""
        screen = self._screen
        if screen.spot == "list" and screen.listing.answer.waiting:
            screen.listing.again(keep="top")
            screen.doing.awaiting.answer()
        else:
            self.move("first")

    def left(self) -> None:
        """To the pane at the left; in the tree fold first."""
        screen = self._screen
        if screen.spot == "tree":
            screen.spaces.fold()
        else:
            screen.go_to_spot("list" if screen.spot == "detail" else "tree")

    def right(self) -> None:
        """To the pane at the right; in the tree unfold first."""
        screen = self._screen
        if screen.spot == "tree":
            if not screen.spaces.unfold():
                screen.go_to_spot("list")
        else:
            screen.go_to_spot("detail")

    def turn_to(self, step: int) -> None:
        """To the next pane, or the one before."""
        spot = self._screen.spot
        at = SPOTS.index(spot) if spot in SPOTS else 1
        self._screen.go_to_spot(SPOTS[(at + step) % len(SPOTS)])

    def tab(self, tab: Tab) -> None:
        """To a tab of the list."""
        screen = self._screen
        if screen.listing.view.tab != tab:
            screen.ask(replace(screen.listing.view, tab=tab, order=None))
        else:
            other = "] shows the turns" if tab == "facts" else "[ shows the facts"
            screen.say(f"these are the {tab} · {other}", "$text-muted")

    def zoom(self) -> None:
        """Give the focused pane the whole screen, or take it back."""
        self._screen.toggle_class("-zoomed")

    def match(self, step: int) -> None:
        """To the next match, or the one before."""
        screen = self._screen
        if screen.spot != "detail" or not screen.detail.next_match(step):
            screen.list.cursor += step

    def open(self) -> None:
        """From the tree to the list, from the list to the detail."""
        screen = self._screen
        if screen.spot == "tree":
            screen.go_to_spot("list")
        elif screen.spot == "list" and screen.list.cursor_key is not None:
            screen.go_to_spot("detail")
        elif screen.spot == "list":
            screen.instead.take()
