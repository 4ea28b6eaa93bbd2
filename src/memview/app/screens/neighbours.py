"""The facts that a fact is linked with, and those that these are linked with, as a tree."""

from __future__ import annotations

from collections.abc import Sequence
from sqlite3 import Connection
from typing import ClassVar, NamedTuple

from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key
from textual.geometry import Offset
from textual.strip import Strip
from textual.widgets import Static, Tree
from textual.widgets.tree import TreeNode
from textual.worker import Worker, WorkerState

from memview.app.desk import Desk
from memview.app.keys import with_own_keys
from memview.app.screens.dialog import Dialog, Frame, wrong
from memview.app.widgets.choices import Choice, Choices
from memview.memory import looking
from memview.memory.looking import FactRow, Neighbour
from memview.review import masking
from memview.text import one_line

MOST = 50
"""How many links of one fact are shown."""

_TIES = {
    ("related", True): "related to", ("contradicts", True): "contradicts",
    ("supersedes", True): "supersedes", ("supersedes", False): "superseded by",
    ("derived-from", True): "derived from", ("derived-from", False): "source of",
}  # fmt: skip
_MUTED = Style(dim=True)


class Tied(NamedTuple):
    """A fact and how the one above it is tied to it."""

    fact: FactRow
    tie: str
    """In words, safe to show."""
    further: Sequence[Tied] = ()
    """The facts that it is linked with in its turn."""
    more: int = 0
    """How many of these are not shown."""


def around(raw: Connection, fact: FactRow, hops: int = 2) -> Tied:
    """A fact with its links over some hops; no fact stands twice on a way."""
    return _tied(raw, Neighbour("", "", True, fact), hops, frozenset([fact.id]))


def _tied(raw: Connection, link: Neighbour, hops: int, way: frozenset[str]) -> Tied:
    tie = _TIES.get((link.kind, link.outward), one_line(link.kind, 30))
    if not hops:
        return Tied(link.fact, tie)
    links = [further for further in looking.neighbours(raw, link.fact.id) if further.fact.id not in way]
    shown = [_tied(raw, further, hops - 1, way | {further.fact.id}) for further in links[:MOST]]
    return Tied(link.fact, tie, shown, len(links) - len(shown))


class NeighboursScreen(Dialog[str | None]):
    """Shows what a fact is linked with; gives the id of a fact to go to, or None.

    Args:
        desk: the store.
        fact: the fact.
    """

    DEFAULT_CSS = """
    NeighboursScreen {
        Tree {
            height: auto; background: $background; padding: 0; scrollbar-size-vertical: 1;
            scrollbar-color: $foreground 15%; scrollbar-background: $background; overflow-x: hidden;
            & > .tree--guides, & > .tree--guides-hover, & > .tree--guides-selected,
            &:focus > .tree--guides, &:focus > .tree--guides-hover, &:focus > .tree--guides-selected {
                color: $text-disabled; text-style: none;
            }
            & > .tree--cursor, &:focus > .tree--cursor {
                background: $foreground 10%; color: $foreground; text-style: bold;
            }
            & > .tree--highlight-line { background: $background; }
        }
        Tree, Tree:focus { background-tint: $background 0%; }
        #note { height: auto; color: $text-muted; padding-top: 1; }
        &.-low #note { padding: 0; }
    }
    """
    SHARE = 0.6
    AUTO_FOCUS = "Tree"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,backspace", "close", "Close", show=False, id="neighbours.close", tooltip="Back to the list"),
        Binding("j", "move('down')", "Down", show=False, id="neighbours.down", tooltip="One line down"),
        Binding("k", "move('up')", "Up", show=False, id="neighbours.up", tooltip="One line up"),
        Binding("l,right", "fold(False)", "Unfold", show=False, id="neighbours.unfold", tooltip="Unfold its links"),
        Binding("h,left", "fold(True)", "Fold", show=False, id="neighbours.fold", tooltip="Fold its links"),
    ]

    def __init__(self, desk: Desk, fact: FactRow) -> None:
        super().__init__()
        self._desk = desk
        self.fact = fact
        self._reading = True
        """Whether the links are still being read."""

    def keeps_waiting(self, key: Key) -> bool:
        """Keys wait for the tree that they are meant for."""
        return self._reading

    def compose(self) -> ComposeResult:
        """The tree and the keys."""
        with Frame("Neighbours"):
            tree = _Tree(Text(_said(self.fact), "bold"), data=self.fact)
            tree.auto_expand = False
            tree.guide_depth = 3
            yield tree
            yield Static("…", id="note", markup=False)
            yield Choices(
                (Choice("enter", "go there"), Choice("h", "fold"), Choice("l", "unfold"), Choice("escape", "close"))
            )

    def on_mount(self) -> None:
        """Have the links read."""
        desk, fact = self._desk, self.fact
        self.run_worker(lambda: desk.many.read(lambda raw: around(raw, fact)), thread=True, exit_on_error=False)

    @on(Worker.StateChanged)
    def _were_read(self, event: Worker.StateChanged) -> None:
        event.stop()
        self._reading = not event.worker.is_finished
        if event.state == WorkerState.ERROR:
            self._say(wrong(event.worker.error))
        elif event.state == WorkerState.SUCCESS and event.worker.result is not None:
            self._show(event.worker.result)

    def _show(self, found: Tied) -> None:
        tree = self.query_one(Tree)
        _grow(tree.root, found)
        tree.root.expand()
        for child in tree.root.children:
            child.expand()
        tree.cursor_line = 0
        none = with_own_keys("it has no links · L links it with another fact", self._desk.table)
        self._say("" if found.further else none)

    def _say(self, text: str) -> None:
        note = self.query_one("#note", Static)
        note.update(Content(one_line(text, 200)))
        note.display = bool(text)

    @on(Tree.NodeSelected)
    def _go(self, event: Tree.NodeSelected[FactRow]) -> None:
        event.stop()
        if event.node.data is not None:
            self.dismiss(event.node.data.id)

    def action_move(self, way: str) -> None:
        """Move one line up or down."""
        tree = self.query_one(Tree)
        tree.action_cursor_down() if way == "down" else tree.action_cursor_up()

    def action_fold(self, fold: bool) -> None:
        """Fold or unfold the line under the cursor; fold what is folded goes to the line above it."""
        tree = self.query_one(Tree)
        node = tree.cursor_node
        if node is None:
            return
        if not fold:
            node.expand()
        elif node.is_expanded and node.children:
            node.collapse()
        elif node.parent is not None:
            tree.move_cursor(node.parent)

    def action_close(self) -> None:
        """Back to the list."""
        self.dismiss(None)

    @on(Choices.Chosen)
    def _clicked(self, message: Choices.Chosen) -> None:
        if message.key == "enter":
            self.query_one(Tree).action_select_cursor()
        elif message.key == "escape":
            self.action_close()
        else:
            self.action_fold(message.key == "h")


class _Tree(Tree[FactRow]):
    """The tree, with signs like those of the namespaces; the terminal's own cursor sits on its current line."""

    ICON_NODE = "▸ "
    ICON_NODE_EXPANDED = "▾ "

    def render_line(self, y: int) -> Strip:
        """Draw a line; where it is the current one, put the terminal's cursor there."""
        if self.has_focus and y + self.scroll_offset.y == self.cursor_line:
            self.app.cursor_position = self.content_region.offset + Offset(0, y)
        return super().render_line(y)


def _grow(node: TreeNode[FactRow], tied: Tied) -> None:
    """Put the links of a fact under its line."""
    for further in tied.further:
        child = node.add(_label(further), data=further.fact, allow_expand=bool(further.further))
        _grow(child, further)
    if tied.more:
        node.add_leaf(Text(f"and {tied.more:,} more", _MUTED), data=tied.fact)


def _label(tied: Tied) -> Text:
    fact = tied.fact
    if fact.status == "active":
        return Text.assemble((f"{tied.tie}  ", _MUTED), _said(fact))
    aside = "" if tied.tie == "supersedes" else f"{one_line(fact.status, 20)}  "
    return Text.assemble((f"{tied.tie}  {aside}", _MUTED), (_said(fact), Style(strike=True)))


def _said(fact: FactRow) -> str:
    return masking.line(fact.content, 200) or "(no text)"
