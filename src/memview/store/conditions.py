"""What a query is: the value that says which records are meant, shared by list, command line and bulk actions.

`memview.store.query` reads it from what a person types and has these names too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, Literal

from memview.store.words import Term


class Every(Enum):
    """The type of `ALL`."""

    ALL = "all"


ALL: Final = Every.ALL
"""Every tenant, or every namespace."""

STATUSES = ("active", "superseded", "pruned", "forgotten")
"""The states of a fact, in the order in which they are named."""

Order = Literal["relevance", "sessions", "newest", "oldest", "strength", "importance", "recalled"]
"""``relevance`` is the newest first where there are no words. ``sessions`` is for turns: the session with the newest
turn first, and within each the oldest turn. Strength, importance, recall count: highest first."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit on a number of a fact."""

    field: str
    """``strength`` (effective, 0 to 1), ``importance`` (1 to 10) or ``recalled`` (the access count)."""
    op: str
    """``<``, ``<=``, ``>``, ``>=``, ``=`` or ``!=``."""
    value: float


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A value that the records must not have."""

    field: str
    """A field of `Query`: ``under``, ``namespace``, ``tags``, ``categories``, ``memory_types``, ``agents``,
    ``origins``, ``sessions`` or ``turn``."""
    value: str


@dataclass(frozen=True, slots=True)
class Query:
    """Which records are meant. All conditions hold together; within one tuple of values any of them does."""

    kind: Literal["facts", "turns"] = "facts"
    tenant: str | Every = ""
    namespace: str | Every | None = ALL
    """Exactly this one; None is that of turns recorded without a name."""
    under: str | None = None
    """This namespace and those below it: equal, or followed by ``:`` or ``/``. None does not limit."""
    terms: tuple[Term, ...] = ()
    match: Literal["all", "any"] = "all"
    """Whether all terms must be there or any of them is enough. Excluded terms never may."""
    prefix: bool = False
    """Whether unquoted words stand for what they begin: true while a person types."""
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    memory_types: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    """Whose words: user, assistant, tool, import, person, extraction."""
    sessions: tuple[str, ...] = ()
    turn: str | None = None
    """The id of a turn that the facts came from."""
    pinned: bool | None = None
    accepted: bool | None = None
    reviewer: str | None = None
    """Whose decisions ``news`` is about, such as ``person:ann``; None for those of any person."""
    news: bool | None = None
    """Whether they wait for the reviewer's decision: see `memview.store.news`."""
    unseen: bool | None = None
    """Whether they wait and are new, rather than changed."""
    stale: bool | None = None
    """Whether they have faded: strength below 0.1, older than a day, not pinned."""
    secret: bool | None = None
    """Whether a text of theirs holds a secret: see `memview.store.secrets`."""
    hostile: bool | None = None
    """Whether a text of theirs holds characters that a terminal would obey or hide."""
    command: bool | None = None
    """Whether a text of theirs commands rather than states: see `memview.store.orders`."""
    echo: bool | None = None
    """Whether they only hand back what was recalled: see `memview.store.echoes`. Of facts alone."""
    duplicate: bool | None = None
    """Whether they are active and say what another one of their namespace says, case, blanks and punctuation aside."""
    statuses: tuple[str, ...] = ("active",)
    """Of active, superseded, pruned, forgotten, in this order; empty means any."""
    before: datetime | None = None
    """Created before this moment."""
    after: datetime | None = None
    """Created at this moment or after it."""
    bounds: tuple[Bound, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    order: Order = "relevance"
    context: bool = False
    """Whether the words of neighbouring turns help to find a turn, where ``match`` is ``any``."""
    limit: int | None = None
    """The most rows to read; None reads all. A count takes no notice of it."""
