"""What a list is asked for, and where in it a person was."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from memview.app.scope import Scope

if TYPE_CHECKING:
    from memview.memory.looking import Matcher, Term

Tab = Literal["facts", "turns"]
Order = Literal["relevance", "sessions", "newest", "oldest", "strength", "importance", "recalled"]

ORDERS: dict[Tab, tuple[Order, ...]] = {
    "facts": ("newest", "oldest", "strength", "importance", "recalled"),
    "turns": ("sessions", "newest", "oldest"),
}


@dataclass(frozen=True, slots=True)
class View:
    """What is asked for: everything that decides which records are listed, in which order."""

    scope: Scope = field(default_factory=Scope)
    text: str = ""
    tab: Tab = "facts"
    order: Order | None = None
    """None is the natural one: best first for words, else newest facts first and turns session by session."""
    lit: tuple[Term, ...] = ()
    """Words of the search from which one came here, lit where nothing else is searched for."""


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere a person was, as it was."""

    view: View
    keys: array[int]
    cursor: int
    top: int
    """The first row in view."""
    matcher: Matcher | None
    how: str
    spot: str
    """Which pane had the focus."""
