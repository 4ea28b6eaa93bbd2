"""The namespaces as a tree, each with its exact count. Drawn line by line, so that thousands cost nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import ClassVar, Literal

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memview.app.messages import CommandWanted, ScopeOpened, ScopePicked
from memview.app.scope import Node, Scope
from memview.app.widgets.record_list import RIGHT_BUTTON
from memview.app.widgets.record_row import pad

UNFOLDED = 40
"""A tree of up to so many lines starts unfolded."""

PARTS = ["text", "muted", "cursor", "pointer", "chosen"]
"""The parts with a style of their own, each as the component class ``namespace-tree--PART``."""


class NamespaceTree(ScrollView, can_focus=True, inherit_bindings=False):
    """A tree of scopes; the one under the cursor is what the list shows."""

    ALLOW_SELECT = False

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"namespace-tree--{part}" for part in PARTS}

    DEFAULT_CSS = """
    NamespaceTree {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-color: $foreground 15%;
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
        & > .namespace-tree--text { color: $foreground; }
        & > .namespace-tree--muted { color: $text-muted; }
        & > .namespace-tree--chosen { color: $primary; text-style: bold; }
        &:focus > .namespace-tree--cursor { background: $foreground 10%; }
        &:focus > .namespace-tree--pointer { color: $primary; text-style: bold; }
        &:ansi > .namespace-tree--muted { text-style: dim; }
        &:focus:ansi > .namespace-tree--cursor { background: ansi_default; text-style: bold; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "cursor_up", "Up", show=False, id="tree.up", tooltip="One line up"),
        Binding("down", "cursor_down", "Down", show=False, id="tree.down", tooltip="One line down"),
        Binding("pageup", "page_up", "Page up", show=False, id="tree.page_up", tooltip="One page up"),
        Binding("pagedown", "page_down", "Page down", show=False, id="tree.page_down", tooltip="One page down"),
        Binding("home", "first", "First", show=False, id="tree.first", tooltip="To the first line"),
        Binding("end", "last", "Last", show=False, id="tree.last", tooltip="To the last line"),
    ]

    cursor: reactive[int] = reactive(0, repaint=False)
    """Index of the line under the cursor."""

    kind: reactive[Literal["facts", "turns"]] = reactive[Literal["facts", "turns"]]("facts")
    """What is counted."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._root = Node(Scope(), "all", 0)
        self._lines: list[Node] = [self._root]
        self._folded: dict[Scope, bool] = {}
        self._unfold_all = True
        self._looks: dict[tuple[str, bool], Style] = {}
        self._chosen = Scope()

    @property
    def node(self) -> Node:
        """The line under the cursor."""
        return self._lines[self.cursor]

    @property
    def scope(self) -> Scope:
        """The scope under the cursor."""
        return self._lines[self.cursor].scope

    def show(self, root: Node) -> None:
        """Show another state of the namespaces; the cursor stays on its scope, or goes to the top."""
        if self._chosen == self._root.scope:
            self._chosen = root.scope
        self._root = root
        self._unfold_all = sum(1 for _ in _all(root)) <= UNFOLDED
        self._arrange(self._chosen)

    def pick(self, scope: Scope) -> None:
        """Put the cursor on a scope, unfolding what is above it; without a message."""
        self._chosen = scope
        for node in self._path(scope)[:-1]:
            self._folded[node.scope] = False
        self._arrange(scope)

    def fold(self) -> bool:
        """Fold the line under the cursor, or go to the one above it.

        Returns:
            Whether there was anything to do.
        """
        node = self._lines[self.cursor]
        if node.children and node.depth and not self._is_folded(node):
            self._folded[node.scope] = True
            self._arrange(node.scope)
            return True
        path = self._path(node.scope)
        if len(path) < 2:
            return False
        self.cursor = self._lines.index(path[-2])
        return True

    def unfold(self) -> bool:
        """Unfold the line under the cursor.

        Returns:
            Whether it was folded.
        """
        node = self._lines[self.cursor]
        if not (node.children and self._is_folded(node)):
            return False
        self._folded[node.scope] = False
        self._arrange(node.scope)
        return True

    def _is_folded(self, node: Node) -> bool:
        return node.depth > 0 and self._folded.get(node.scope, not self._unfold_all)

    def _path(self, scope: Scope) -> list[Node]:
        """The nodes from the root down to a scope; the root alone if it is not there."""
        for path in _paths(self._root):
            if path[-1].scope == scope:
                return path
        return [self._root]

    def _arrange(self, scope: Scope) -> None:
        """Work out the lines, with the cursor on a scope."""
        before, cursor = self._lines, self.cursor
        self._lines = list(self._open(self._root))
        index = next((at for at, node in enumerate(self._lines) if node.scope == scope), 0)
        self.set_reactive(NamespaceTree.cursor, index)
        if len(before) != len(self._lines):
            self.virtual_size = Size(0, len(self._lines))
            self.refresh()
        else:
            self._draw(before, {cursor, index} if cursor != index else set())
        self._reveal()

    def _draw(self, before: Sequence[Node], moved: Set[int]) -> None:
        """Have those lines drawn anew that say something else than before."""
        for at, (old, new) in enumerate(zip(before, self._lines, strict=True)):
            if at in moved or self._shown(old) != self._shown(new):
                self.refresh_lines(at)

    def _shown(self, node: Node) -> tuple[object, ...]:
        """What a line shows of a node."""
        return node.label, node.depth, bool(node.children), node.facts, node.turns

    def _open(self, node: Node) -> Iterator[Node]:
        """A node and all below it that is not folded away."""
        yield node
        if not self._is_folded(node):
            for child in node.children.values():
                yield from self._open(child)

    # Moving

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor within the tree."""
        return max(0, min(cursor, len(self._lines) - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Draw the lines left and entered, bring the cursor into view, and say which scope it is on."""
        self.refresh_lines(old)
        self.refresh_lines(new)
        self._reveal()
        if self._chosen != self.scope:
            self._chosen = self.scope
            self.post_message(ScopePicked(self.scope))

    def _reveal(self) -> None:
        """Bring the cursor into view."""
        at, top, height = self.cursor, self.scroll_offset.y, max(1, self.size.height)
        if not top <= at < top + height:
            self.scroll_to(y=at if at < top else at - height + 1, animate=False, force=True)
        self._place_hardware_cursor()

    def action_cursor_down(self) -> None:
        """Move one line down."""
        self.cursor += 1

    def action_cursor_up(self) -> None:
        """Move one line up."""
        self.cursor -= 1

    def action_page_down(self) -> None:
        """Move one page down."""
        self.cursor += max(1, self.size.height - 1)

    def action_page_up(self) -> None:
        """Move one page up."""
        self.cursor -= max(1, self.size.height - 1)

    def action_half_page_down(self) -> None:
        """Move half a page down."""
        self.cursor += max(1, self.size.height // 2)

    def action_half_page_up(self) -> None:
        """Move half a page up."""
        self.cursor -= max(1, self.size.height // 2)

    def action_first(self) -> None:
        """Move to the first line."""
        self.cursor = 0

    def action_last(self) -> None:
        """Move to the last line."""
        self.cursor = len(self._lines) - 1

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is in view."""
        width = self.scrollable_content_region.width
        index = self.scroll_offset.y + y
        if index >= len(self._lines):
            return Strip.blank(width, self._look("text", False))
        return self._drawn(index, width)

    def _drawn(self, index: int, width: int) -> Strip:
        """One line of the tree: its sign, its name, its count."""
        node, here = self._lines[index], index == self.cursor
        number = f"{node.facts if self.kind == 'facts' else node.turns:,}"
        sign = ("▸" if self._is_folded(node) else "▾") if node.children and node.depth else " "
        indent = "  " * max(0, node.depth - 1)
        head = f"{indent}{sign} " if node.depth else ""
        room = max(0, width - 3 - len(head) - len(number))
        name = self._look("chosen" if here else "text", here)
        segments = [
            Segment(">" if here and self.has_focus else " ", self._look("pointer", here)),
            Segment(head, self._look("muted", here)),
            Segment(pad(node.label, room), name),
            Segment(f" {number} ", self._look("chosen" if here else "muted", here)),
        ]
        return Strip(segments).adjust_cell_length(width, self._look("text", here))

    def _look(self, part: str, on_cursor: bool) -> Style:
        """The style of a part of a line."""
        if (look := self._looks.get((part, on_cursor))) is None:
            under = ("namespace-tree--cursor",) if on_cursor else ()
            look = self.get_visual_style(*under, f"namespace-tree--{part}").rich_style
            self._looks[part, on_cursor] = look
        return look

    def notify_style_update(self) -> None:
        """Forget the styles, when theme or focus changed them."""
        self._looks.clear()
        super().notify_style_update()

    def on_resize(self) -> None:
        """Keep the cursor in view."""
        self._reveal()

    def on_focus(self) -> None:
        """Take the terminal's own cursor along."""
        self._place_hardware_cursor()

    def _place_hardware_cursor(self) -> None:
        """Put the terminal's own cursor on the current line, if the tree has the focus."""
        if self.has_focus:
            line = max(0, min(self.cursor - self.scroll_offset.y, self.size.height - 1))
            self.app.cursor_position = self.content_region.offset + Offset(0, line)

    def on_click(self, event: events.Click) -> None:
        """Move the cursor; fold by a click on the sign; open by a double click."""
        at = event.get_content_offset(self)
        index = self.scroll_offset.y + at.y if at is not None else -1
        if at is None or not 0 <= index < len(self._lines):
            return
        event.stop()
        self.cursor = index
        node = self._lines[index]
        if event.button == RIGHT_BUTTON:
            self.post_message(CommandWanted("menu"))
        elif node.children and at.x <= 2 * node.depth:
            self.unfold() or self.fold()
        elif event.chain == 2:
            self.post_message(ScopeOpened())


def _all(node: Node) -> Iterator[Node]:
    """A node and all below it."""
    yield node
    for child in node.children.values():
        yield from _all(child)


def _paths(node: Node, above: tuple[Node, ...] = ()) -> Iterator[list[Node]]:
    """The way from a node down to each node below it, itself first."""
    path = (*above, node)
    yield list(path)
    for child in node.children.values():
        yield from _paths(child, path)
