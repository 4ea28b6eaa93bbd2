"""The part of a store that is looked at, and the tree of the parts there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from memview.memory.looking import ALL, Every, Query, Space
from memview.text import one_line


@dataclass(frozen=True, slots=True)
class Scope:
    """Which namespaces are looked at; without arguments, all of them."""

    tenant: str | Every = ALL
    """One tenant, or all."""
    under: str | None = None
    """This namespace and those below it."""
    namespace: str | Every | None = ALL
    """Exactly this one; None is that of turns recorded without a name."""

    @property
    def everything(self) -> bool:
        """Whether it leaves no namespace out."""
        return self.under is None and self.namespace is ALL

    @property
    def name(self) -> str:
        """What the screen calls it, safe to show."""
        if self.under is not None:
            return one_line(self.under, 60) or '""'
        if self.namespace is None:
            return "no namespace"
        if isinstance(self.namespace, str):
            return (one_line(self.namespace, 60) or '""') + " alone"
        return one_line(self.tenant, 60) or "default" if isinstance(self.tenant, str) else "all namespaces"

    def narrow(self, query: Query) -> Query:
        """The query within this scope."""
        return replace(query, tenant=self.tenant, under=self.under, namespace=self.namespace)

    def wider(self) -> Scope:
        """All namespaces of its tenant."""
        return Scope(self.tenant)


@dataclass(slots=True)
class Node:
    """A scope as a line of the tree."""

    scope: Scope
    label: str
    """Safe to show."""
    depth: int
    facts: int = 0
    turns: int = 0
    children: dict[Scope, Node] = field(default_factory=dict)

    def add(self, space: Space) -> None:
        """Count a namespace in."""
        self.facts += space.facts
        self.turns += space.turns

    def child(self, scope: Scope, label: str) -> Node:
        """The child of a scope, made at need."""
        if (node := self.children.get(scope)) is None:
            node = self.children[scope] = Node(scope, label, self.depth + 1)
        return node


_SEPARATOR = re.compile("[:/]")


def build(spaces: Iterable[Space]) -> Node:
    """The tree over all namespaces; tenants stand above them where there is more than one.

    Args:
        spaces: every namespace with its counts, by name.
    """
    spaces = list(spaces)
    tenants = {space.tenant for space in spaces}
    root = Node(Scope(*tenants) if len(tenants) == 1 else Scope(), "all", 0)
    for space in spaces:
        root.add(space)
        parent = root
        if len(tenants) > 1:
            scope = Scope(space.tenant)
            parent = root.child(scope, scope.name)
            parent.add(space)
        _place(parent, space)
    _own_lines(root, {(space.tenant, space.namespace): space for space in spaces})
    return root


def _place(parent: Node, space: Space) -> None:
    """Put a namespace under its tenant, part by part."""
    if space.namespace is None:
        parent.child(Scope(space.tenant, namespace=None), "no namespace").add(space)
        return
    for end in _ends(space.namespace):
        name = space.namespace[:end]
        label = name[len(parent.scope.under) + 1 :] if parent.scope.under is not None else name
        parent = parent.child(Scope(space.tenant, under=name), one_line(label, 60) or '""')
        parent.add(space)


def _ends(name: str) -> Iterator[int]:
    """Where the parts of a namespace's name end."""
    for match in _SEPARATOR.finditer(name):
        yield match.start()
    yield len(name)


def _own_lines(node: Node, spaces: dict[tuple[str | Every, str | None], Space]) -> None:
    """Give a namespace that is also a parent a line for itself alone."""
    for child in node.children.values():
        _own_lines(child, spaces)
    own = spaces.get((node.scope.tenant, node.scope.under)) if node.scope.under is not None else None
    if own is not None and node.children:
        alone = Scope(own.tenant, namespace=own.namespace)
        line = Node(alone, f"{node.label} alone", node.depth + 1)
        line.add(own)
        node.children = {alone: line, **node.children}
