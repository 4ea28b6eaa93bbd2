"""A small menu: lines to choose one from, each with the key that chooses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Offset, Size
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from memview.app.commands import Command, Spot, shown_key
from memview.app.screens.dialog import Dialog, Frame
from memview.app.widgets.lines import Line, Lines
from memview.memory.looking import FactDetail, Parsed, Query, TurnDetail, render
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen

_KEYS = 8
"""Cells of the column of keys."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a menu."""

    id: str
    """What choosing it gives."""
    label: str
    """What it says, safe to show."""
    keys: tuple[str, ...] = ()
    """The keys that choose it, as Textual names them."""
    shown: str = ""
    """The keys as the line shows them."""


class MenuScreen(Dialog[str | None]):
    """Offers some lines; gives the id of the chosen one, or None for Esc.

    Args:
        title: what it is about, safe to show.
        items: the lines.
        at: where on the screen it opens; None in the middle.
    """

    DEFAULT_CSS = """
    MenuScreen {
        background: $background 40%;
        #menu, &.-narrow #menu, &.-low #menu { width: auto; max-height: 100%; padding: 0 1; }
        &.-placed { align: left top; }
    }
    """
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", show=False, id="menu.close", tooltip="Close the menu"),
    ]

    def __init__(self, title: str, items: Sequence[Item], at: Offset | None = None) -> None:
        super().__init__(classes="" if at is None else "-placed")
        self._title = title
        self.items = list(items)
        self._at = at

    def compose(self) -> ComposeResult:
        """The lines."""
        with Frame(self._title, id="menu") as frame:
            self._place(frame, self.app.size)
            lines = Lines()
            lines.add_options([Option(_line(item), id=item.id) for item in self.items])
            lines.highlighted = 0 if self.items else None
            yield lines

    def on_resize(self, event: events.Resize) -> None:
        """Keep the menu on the screen, with all of its lines where they fit."""
        self._place(self.query_one("#menu"), event.size)
        self.query_one(OptionList).styles.max_height = max(1, event.size.height - 2)

    def _place(self, frame: Widget, screen: Size) -> None:
        """Give the frame its size and its place."""
        width = 5 + max([30, len(self._title) + 2, *(_KEYS + Content(item.label).cell_length for item in self.items)])
        height = min(len(self.items) + 2, screen.height)
        frame.styles.width = min(width, screen.width)
        if self._at is not None:
            frame.styles.offset = (
                max(0, min(self._at.x, screen.width - width)),
                max(0, min(self._at.y, screen.height - height)),
            )

    def on_key(self, event: events.Key) -> None:
        """Take the key of a line."""
        for item in self.items:
            if event.key in item.keys and event.key != "enter":
                event.stop()
                event.prevent_default()
                self.dismiss(item.id)
                return

    def on_click(self, event: events.Click) -> None:
        """Close by a click beside the menu."""
        if event.widget is self:
            self.dismiss(None)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)


def _numbered(at: int, label: str) -> Item:
    """A line that its number chooses, if that has one digit."""
    digit = str(at + 1) if at < 9 else ""
    return Item(str(at), label, (digit,) if digit else (), digit)


def _line(item: Item) -> Line:
    return Line(item.label, head=Content.styled(item.shown.ljust(_KEYS), "bold $primary"))


def commands_here(commands: Sequence[Command], spot: Spot, allowed: set[str], *, marked: bool) -> list[Item]:
    """What can be done with the thing that has the focus, as lines of a menu.

    Args:
        commands: the table.
        spot: what has the focus.
        allowed: ids of the commands that can be used now.
        marked: whether facts are marked; then what acts on them comes first.
    """
    here = [command for command in commands if command.id in allowed and _belongs(command, spot)]
    here.sort(key=lambda command: not (marked and command.many))
    return items(here)


def items(commands: Iterable[Command]) -> list[Item]:
    """Commands as lines of a menu."""
    return [
        Item(command.id, command.title, command.keys, " ".join(map(shown_key, command.keys))) for command in commands
    ]


def _belongs(command: Command, spot: Spot) -> bool:
    if spot == "tree":
        return spot in command.spots and command.id != "undo"
    return command.where in ("record", "mark") or command.id in ("open", "go.neighbours")


def filters(record: FactDetail | TurnDetail) -> Iterator[tuple[str, str, str]]:
    """What a search can be narrowed to by a record: the operator, its text, and what it says, safe to show."""
    row = record.row
    values = [("session", row.session), ("agent", row.agent)]
    if isinstance(record, FactDetail):
        values += [("tag", tag) for tag in record.tags]
        values += [("cat", record.row.category), ("ns", record.row.namespace), ("kind", record.memory_type)]
    elif row.namespace:
        values.append(("ns", row.namespace))
    for name, value in values:
        if value:
            yield name, _OPERATORS[name](value), f"{_WORDS[name]} {one_line(value, 50)}"


_WORDS = {
    "session": "session", "agent": "agent", "tag": "tag", "cat": "category", "ns": "namespace", "kind": "kind",
}  # fmt: skip
_OPERATORS = {
    "session": lambda value: render(Query(sessions=(value,))),
    "agent": lambda value: render(Query(agents=(value,))),
    "tag": lambda value: render(Query(tags=(value,))),
    "cat": lambda value: render(Query(categories=(value,))),
    "ns": lambda value: render(Query(under=value)),
    "kind": lambda value: render(Query(memory_types=(value,))),
}


class Menus:
    """Opens the menus of a browse screen.

    Args:
        screen: the screen.
        marked: tells whether facts are marked.
        with_fact: does something with the fact under the cursor once it has been read.
        turn: the turn that the detail showed last.
    """

    def __init__(
        self,
        screen: BrowseScreen,
        marked: Callable[[], bool],
        with_fact: Callable[[Callable[[FactDetail], None]], None],
        turn: Callable[[], TurnDetail | None],
    ) -> None:
        self._screen = screen
        self._marked = marked
        self._with_fact = with_fact
        self._turn = turn

    def menu(self, at: Offset | None = None) -> None:
        """Offer what can be done with the thing that has the focus."""
        screen = self._screen
        spot, marked = screen.spot, self._marked() and screen.spot != "tree"
        items = commands_here(screen.desk.commands, spot, screen.doing.allowed(), marked=marked)
        what = "Fact" if screen.listing.view.tab == "facts" else "Turn"
        title = screen.doing.bulk.told() if marked else screen.spaces.node.label if spot == "tree" else what

        def chosen(id: str | None) -> None:
            if id is not None:
                screen.doing.run(id)

        screen.app.push_screen(MenuScreen(title, items, at), chosen)

    def filter(self) -> None:
        """Offer what the search can be narrowed to by the record under the cursor."""
        screen, turn = self._screen, self._turn()
        if screen.listing.view.tab == "facts":
            self._with_fact(self._offer)
        elif turn is not None and turn.row.n == screen.list.cursor_key:
            self._offer(turn)
        else:
            screen.say("it is still being read", "$text-muted")

    def _offer(self, record: FactDetail | TurnDetail) -> None:
        screen = self._screen
        offered = list(filters(record))
        items = [_numbered(at, said) for at, (_, _, said) in enumerate(offered)]

        def chosen(id: str | None) -> None:
            if id is not None:
                name, operator, _ = offered[int(id)]
                screen.doing.search_for(with_operator(screen.listing.view.text, screen.listing.parsed, name, operator))

        screen.app.push_screen(MenuScreen("Filter by", items), chosen)


def with_operator(text: str, parsed: Parsed, name: str, operator: str) -> str:
    """A search with another operator in it, in the place of others of the same name.

    Args:
        text: the search as typed.
        parsed: what it means.
        name: the operator's name, such as ``tag``.
        operator: with its value, as it is to stand in the text.
    """
    for old in reversed(parsed.operators):
        if old.name == name and not old.excludes:
            text = text[: old.start] + text[old.end :]
    return f"{text.strip()} {operator}".strip()
