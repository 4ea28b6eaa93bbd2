"""What stands around the list: titles, counts, what to do where it is empty, the first line and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.widget import Widget

from memview.app import headlines
from memview.app.commands import for_footer
from memview.app.keys import own_key
from memview.app.scope import Node, Scope
from memview.app.widgets.header import Header

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen


class Around:
    """Draws what stands around the list of a browse screen.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self.root = Node(Scope(), "all", 0)
        """All namespaces, as far as they were counted."""
        self._screen = screen
        self._titles: dict[Widget, Content] = {}

    def show(self) -> None:
        """Draw all of it anew."""
        screen = self._screen
        if not screen.is_mounted or not hasattr(screen, "listing"):
            return
        listing, spot = screen.listing, screen.spot
        what = "Fact" if listing.view.tab == "facts" else "Turn"
        self._entitle(screen.list, headlines.tabs(listing, screen.other_count, focused=spot == "list"))
        self._entitle(screen.spaces, headlines.title("Namespaces", focused=spot == "tree"))
        self._entitle(screen.detail, headlines.title(what, focused=spot == "detail"))
        screen.doing.bulk.show()
        foot = headlines.foot(listing, screen.doing.bulk.told(), own_key("move.first", screen.desk.commands))
        if foot.plain != (screen.list.border_subtitle or ""):
            screen.list.border_subtitle = foot
        screen.search.tell(headlines.found(listing, screen.spaces.node, own_key("refresh", screen.desk.commands)))
        if not screen.list.keys:
            screen.list.empty = headlines.nothing(listing, self.root, screen.desk.name, screen.instead.lines())
        self.header()
        self.footer()

    def _entitle(self, pane: Widget, title: Content) -> None:
        """Give a pane a title; one that it has already draws nothing."""
        if not title.is_same(self._titles.get(pane, Content())):
            self._titles[pane] = title
            if pane is self._screen.list:
                self._screen.list.entitle(title)
            else:
                pane.border_title = title

    def header(self) -> None:
        """Draw the first line anew."""
        screen = self._screen
        header = screen.query_one(Header)
        if screen.has_class("-one"):
            marked = Content.styled(screen.doing.bulk.told(), "$primary")
            way_back = headlines.way_back(screen.listing, screen.spot)
            header.show([way_back], [marked, *screen.standing.told(short=True)])
            return
        header.show(headlines.store(screen.desk.name, self.root, len(screen.known.spaces)), screen.standing.told())

    def footer(self) -> None:
        """Draw the keys of the focused place anew."""
        screen = self._screen
        marked = screen.listing.view.tab == "facts" and bool(screen.doing.bulk.marks)
        allowed, record = screen.doing.allowed(), screen.list.cursor_key is not None
        keys = for_footer(screen.spot, allowed, screen.desk.commands, marked=marked, record=record)
        screen.footer.offer(screen.standing.counted(keys))
