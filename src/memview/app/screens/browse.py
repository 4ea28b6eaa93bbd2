"""The browse screen: namespaces, list and detail over one search."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer

from memview.app import messages
from memview.app.commands import Command, Spot, bindings
from memview.app.desk import Desk
from memview.app.keys import Sequence as KeySequence
from memview.app.keys import rebound, with_own_keys
from memview.app.knowing import Known
from memview.app.listing import Listing
from memview.app.scope import build
from memview.app.screens.around import Around
from memview.app.screens.doing import Doing
from memview.app.screens.first import Held
from memview.app.screens.instead import Instead
from memview.app.screens.showing import Showing
from memview.app.screens.standing import Standing
from memview.app.view import Place, View
from memview.app.widgets.detail import DetailPane
from memview.app.widgets.footer import Footer
from memview.app.widgets.header import Header
from memview.app.widgets.list_messages import CursorMoved, MarkToggled, MenuWanted, Opened, PageWanted
from memview.app.widgets.record_list import RecordList
from memview.app.widgets.search_bar import SearchBar, SearchInput
from memview.app.widgets.tree import NamespaceTree
from memview.memory.person import named
from memview.text import one_line

SAID = 6.0
"""Seconds that a line of the status stands."""


class BrowseScreen(Held):
    """Looks at a store.

    Args:
        desk: the store.
        record_id: the record to open on.
    """

    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]
    HORIZONTAL_BREAKPOINTS = [(0, "-one"), (70, "-two"), (100, "-three"), (160, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (14, "-tall")]

    def __init__(self, desk: Desk, record_id: str | None = None) -> None:
        super().__init__(classes="-at-list")
        self.desk = desk
        self._bindings = rebound(self._bindings, desk.commands)
        self.places: list[Place] = []
        self.other_count: int | None = None
        self.touched = False
        """Whether the person has used a key, so that the order under their eyes is held."""
        self._record_id = record_id
        self.known = Known(desk.loader)
        self.showing = Showing(self)
        self.around = Around(self)
        self.standing = Standing(self)
        self.instead = Instead(self)
        self._said_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield Header(id="header")
        yield SearchBar(self.known.values, id="search")
        with Horizontal(id="panes"):
            yield NamespaceTree(id="tree")
            yield RecordList(id="list")
            yield DetailPane(id="detail")
        yield Footer(id="footer")

    def on_mount(self) -> None:
        """Ask for the first list."""
        self.spaces = self.query_one(NamespaceTree)
        self.list = self.query_one(RecordList)
        self.detail = self.query_one(DetailPane)
        self.search = self.query_one(SearchBar)
        self.footer = self.query_one(Footer)
        desk = self.desk
        self.listing = Listing(self.list, desk.loader, desk.clock, desk.me, held=self._is_held, told=self.around.show)
        self.doing = Doing(self)
        self.sequence = KeySequence(self, self._show_continuations, self.doing.run, desk.commands)
        self.listing.ask(View())
        self.set_interval(60, self.list.refresh_rows)
        if self._record_id is not None:
            self.doing.awaiting.record(self._record_id, "fact", "turn")

    def behind(self) -> None:
        """Begin with what the first rows do without."""
        self.desk.start()
        if not self.known.spaces:
            self.desk.loader.spaces()

    # Where the focus is

    @property
    def spot(self) -> Spot:
        """The pane that has the focus."""
        if isinstance(self.focused, SearchInput):
            return "search"
        if self.focused is None or self.focused.id not in ("tree", "detail"):
            return "list"
        return "tree" if self.focused.id == "tree" else "detail"

    def go_to_spot(self, spot: Spot) -> None:
        """Give a pane the focus, and show it where only one fits."""
        for name in ("tree", "list", "detail", "search"):
            self.set_class(name == spot, f"-at-{name}")
        self.set_focus(self.search.input if spot == "search" else self.query_one(f"#{spot}"))
        self.doing.awaiting.answer()

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        for name in ("tree", "list", "detail", "search"):
            self.set_class(name == self.spot, f"-at-{name}")
        if self.spot == "search":
            self.known.refresh()
        self.around.show()

    @on(events.Resize)
    def _resized(self) -> None:
        self.call_after_refresh(self.around.show)

    def _is_held(self) -> bool:
        """Whether the order of the list stays as it is because somebody is working in it."""
        return self.touched and self.spot == "list" and bool(self.list.keys)

    # What is said

    def say(self, text: str, style: str = "$foreground") -> None:
        """Show a line in the status for a while; nothing leaves what stands there."""
        if not text:
            return
        said = with_own_keys(one_line(text, 200), self.desk.commands)
        self.footer.say(Content.styled(said, style))
        if self._said_timer is not None:
            self._said_timer.stop()
        self._said_timer = self.set_timer(SAID, self.hush)

    def hush(self) -> None:
        """Take the line of the status away."""
        self.footer.say(Content())

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Take what nothing else has taken: the second key of a sequence, and letters that mean nothing."""
        self.touched = True
        step = {"down": 1, "up": -1}.get(event.key, 0) if self.spot == "list" else 0
        if step and self.instead.step(step):
            event.stop()
        elif self.sequence.take(event.key):
            event.stop()
            event.prevent_default()
        elif event.character and event.is_printable and event.key not in self.active_bindings:
            self.say(f"{one_line(event.character)} does nothing here · ? help", "$text-muted")

    def _show_continuations(self, following: list[tuple[str, Command]] | None) -> None:
        if following is None:
            self.around.footer()
        else:
            self.footer.offer_next(following)

    def keeps_waiting(self, key: events.Key) -> bool:
        """Whether a key is meant for a list that does not stand yet."""
        return self.doing.awaiting.in_search(key)

    def action_prefix(self, key: str) -> None:
        """Begin a sequence of keys."""
        self.sequence.begin(key)

    def action_command(self, id: str) -> None:
        """Run a command."""
        self.doing.run(id)

    @on(messages.CommandWanted)
    def _clicked(self, message: messages.CommandWanted) -> None:
        self.doing.run(message.id)

    # Scope and search

    @on(messages.ScopePicked)
    def _scope_picked(self, message: messages.ScopePicked) -> None:
        if message.scope != self.listing.view.scope:
            self.ask(replace(self.listing.view, scope=message.scope))

    @on(messages.SearchTyped)
    def _search_typed(self, message: messages.SearchTyped) -> None:
        if message.text == self.search.text:
            self.ask(replace(self.listing.view, text=message.text))

    @on(messages.SearchMoved)
    def _search_moved(self, message: messages.SearchMoved) -> None:
        if not self.instead.step(message.rows):
            self.list.cursor += message.rows

    @on(messages.ScopeOpened)
    @on(messages.SearchKept)
    @on(messages.SearchDone)
    def _to_list(self) -> None:
        self.go_to_spot("list")

    @on(messages.SearchLeft)
    def _search_left(self) -> None:
        self.doing.leave_search()

    def ask(self, view: View, *, cursor_on: int | None = None) -> None:
        """Show another view."""
        self.other_count = None
        if view.tab != self.listing.view.tab:
            self.spaces.kind = view.tab
        self.listing.ask(view, cursor_on=cursor_on)
        self.doing.awaiting.answer()

    @on(messages.Listed)
    def _listed(self, message: messages.Listed) -> None:
        if not self.listing.answer.begun:
            self.at_once(self.list)
            if self.drawn and self.other_count is None:
                self.call_after_refresh(self.listing.count_other)
        self.listing.listed(message)
        if message.whole and not self.drawn:
            self.desk.loader.spaces()  # the namespaces of few records are counted soon: draw them too
        else:
            self.draw()
        self.showing.read(message.top)
        self.instead.ask()
        if not message.whole:
            self.afterwards(partial(self.listing.go_on, message.generation))

    @on(messages.Tallied)
    def _tallied(self, message: messages.Tallied) -> None:
        self.instead.counted(message)

    def on_click(self, event: events.Click) -> None:
        """Take the wider question that was clicked."""
        place = event.style.meta.get("instead")
        if isinstance(place, int):
            self.instead.take(place)

    @on(messages.Compared)
    def _compared(self, message: messages.Compared) -> None:
        self.listing.compared(message)
        self.instead.ask()
        if message.changed is None or self.list.cursor_key in message.changed:
            self.showing.read()

    @on(messages.RowsRead)
    def _rows_read(self, message: messages.RowsRead) -> None:
        self.listing.rows_read(message)
        self.around.footer()

    @on(PageWanted)
    def _page_wanted(self, message: PageWanted) -> None:
        self.listing.page_wanted(message)

    @on(messages.Counted)
    def _counted(self, message: messages.Counted) -> None:
        if message.generation == self.listing.generation and message.kind != self.listing.view.tab:
            self.other_count = message.count
            if self.listing.answer.begun:
                self.around.show()

    @on(messages.SpacesRead)
    def _spaces_read(self, message: messages.SpacesRead) -> None:
        self.draw()
        self.around.root = build(message.spaces)
        self.known.spaces = list(dict.fromkeys(space.namespace for space in message.spaces))
        self.spaces.show(self.around.root)
        self.around.show()
        self.listing.count_other()
        self.desk.loader.waiting(self.desk.me)
        self.desk.loader.copies()

    @on(messages.CopiesFound)
    def _copies_found(self, message: messages.CopiesFound) -> None:
        self.listing.copies_found(message.keys)

    @on(messages.Waiting)
    def _inbox_counted(self, message: messages.Waiting) -> None:
        self.standing.waiting = message.count
        self.around.header()
        self.around.footer()

    @on(CursorMoved)
    def _cursor_moved(self, message: CursorMoved) -> None:
        self.doing.bulk.cursor_moved()
        if message.key != self.showing.key:
            self.showing.read()
        self.around.footer()

    @on(messages.FactRead)
    @on(messages.TurnRead)
    @on(messages.RecordGone)
    def _record_read(self, read: messages.FactRead | messages.TurnRead | messages.RecordGone) -> None:
        self.showing.take(read)

    @on(MarkToggled)
    def _mark_clicked(self, message: MarkToggled) -> None:
        self.doing.bulk.clicked(message.key)

    @on(MenuWanted)
    def _menu_wanted(self, message: MenuWanted) -> None:
        self.doing.menus.menu(message.at)

    @on(Opened)
    def _opened(self) -> None:
        self.go_to_spot("detail")

    @on(messages.GoTo)
    def _go_to(self, message: messages.GoTo) -> None:
        self.doing.awaiting.record(message.id, message.kind)

    @on(messages.Located)
    def _located(self, message: messages.Located) -> None:
        self.doing.awaiting.located(message)

    # The store changed

    @on(messages.StoreChanged)
    def _changed(self, message: messages.StoreChanged) -> None:
        self.standing.trouble = ""
        self.listing.changed(message)
        if message.count or message.first:
            others = [change.actor for change in message.changes if change.actor != self.desk.me]
            self.desk.loader.spaces(own=len(others) < len(message.changes))
            self.standing.wrote(Counter(named(actor, self.desk.me) for actor in others))
        else:
            self.showing.read()

    @on(messages.StoreGone)
    def _gone(self, message: messages.StoreGone) -> None:
        self.standing.trouble = "the file is gone; waiting for it"
        self.say(message.title, "$text-warning")
        self.around.header()

    @on(messages.StoreReplaced)
    def _replaced(self, message: messages.StoreReplaced) -> None:
        self.standing.trouble = ""
        self.list.clear()
        self.listing.forget_news()
        self.places.clear()
        if not message.same:
            self.doing.bulk.forget()
        self.desk.loader.spaces()
        self.ask(self.listing.view)
        what = f"{self.desk.name} is back" if message.same else "another file stands in its place"
        self.say(f"{what}; it was read anew")
