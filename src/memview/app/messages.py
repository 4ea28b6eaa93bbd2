"""All that the parts of the app say to each other, besides what a record list says (`widgets.list_messages`).

Widgets speak up with these; workers post them to the app from their threads; nothing else crosses a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from textual.message import Message

from memview.errors import MemviewError, MissingStore
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.merging import Merged
    from memview.app.scope import Scope
    from memview.app.widgets.record_row import ListRow
    from memview.memory.looking import (
        ChangeRow,
        FactDetail,
        FactRow,
        Found,
        Neighbour,
        Source,
        Space,
        TurnDetail,
        TurnRow,
    )

Kind = Literal["fact", "turn"]
"""What a record is."""


# From workers


@dataclass(eq=False)
class Failed(Message):
    """Work in a thread failed. Handled in one place, by the app, as a line in the status."""

    title: str
    """One plain sentence: what went wrong."""
    hint: str = ""
    """What to do next."""
    error: BaseException | None = None
    """The error, for who wants to look closer."""


def failed(error: MemviewError, store: Path) -> Failed:
    """What is told of an error; where the store went away while it was open, that it is waited for.

    Args:
        error: what went wrong.
        store: the open store.
    """
    if isinstance(error, MissingStore):
        return Failed(f"{one_line(store.name, 40)} is gone; waiting for it to come back", error=error)
    return Failed(error.title, error.hint, error)


@dataclass(eq=False)
class SpacesRead(Message):
    """Namespaces were counted."""

    spaces: list[Space]
    """Every namespace of every tenant."""


@dataclass(eq=False)
class CopiesFound(Message):
    """The facts were found that say what another one says."""

    keys: frozenset[int]
    """Their numbers; none where finding them would take long."""


@dataclass(eq=False)
class Waiting(Message):
    """The facts were counted that wait in the inbox."""

    count: int | None
    """How many; None where counting them would take long."""


@dataclass(eq=False)
class Listed(Message):
    """A query was answered."""

    generation: int
    """The question it answers."""
    found: Found
    """The records, in order."""
    whole: bool
    """Whether these are all records; else the first of them, and all follow."""
    rows: Mapping[int, ListRow]
    """The first rows, so that they need not be asked for."""
    elsewhere: int = 0
    """Where a scope holds nothing of it: how many records all namespaces have."""
    seq: int = 0
    """The newest change that it knows of."""
    top: FactRead | TurnRead | RecordGone | None = None
    """The first record whole, read along for the detail; None where there is none, or the list stands already."""
    rest: bool = False
    """Whether the first records were told before."""
    knew: bool = True
    """Whether the words that corrections come from were known."""


@dataclass(eq=False)
class Compared(Message):
    """A query was asked again because the store changed, and its answer compared with what is shown."""

    before: Merged
    """What was shown until then; where that is no longer so, this answers nothing."""
    merged: Merged
    """What to show now."""
    took: float
    """Seconds it took, by which the next is spaced."""
    changed: frozenset[int] | None = None
    """Numbers of the records that changed; None where it may be any."""
    rows: Mapping[int, ListRow] = field(default_factory=dict)
    """Those of them, as they are now, that the list shows."""


@dataclass(eq=False)
class Counted(Message):
    """The exact count of a query."""

    generation: int
    """The question it answers."""
    kind: Literal["facts", "turns"]
    """What was counted."""
    count: int
    """How many there are."""


@dataclass(eq=False)
class Tallied(Message):
    """The exact counts of several queries."""

    generation: int
    """The question that they are about."""
    counts: list[int]
    """One for each, in the order asked."""


@dataclass(eq=False)
class RowsRead(Message):
    """Rows of the list were read."""

    question: int
    """The list's question that they answer."""
    rows: Mapping[int, ListRow]
    """By number."""


@dataclass(eq=False)
class FactRead(Message):
    """A fact was read for the detail."""

    generation: int
    """The question it answers."""
    fact: FactDetail
    """The fact whole."""
    sources: list[Source]
    """The turns it came from."""
    neighbours: list[Neighbour]
    """Its links."""
    history: list[ChangeRow]
    """Its changes, oldest first."""


@dataclass(eq=False)
class TurnRead(Message):
    """A turn was read for the detail."""

    generation: int
    """The question it answers."""
    turn: TurnDetail
    """The turn whole."""


@dataclass(eq=False)
class RecordGone(Message):
    """The record asked for the detail is no longer in the store."""

    generation: int
    """The question it answers."""


@dataclass(eq=False)
class Located(Message):
    """Where a record is that somebody wants to go to."""

    row: FactRow | TurnRow | None
    """The record; None when it is no longer in the store."""


# From the watch


@dataclass(eq=False)
class StoreChanged(Message):
    """Somebody committed to the file."""

    changes: Sequence[ChangeRow]
    """What is new, oldest first; empty where records were only recalled."""
    count: int
    """How many are new; more than `changes` holds after a bulk load."""
    keys: Mapping[str, int]
    """The numbers of the facts and turns among them that still exist, by id."""
    first: bool = False
    """Whether the watch has only begun, so that anything may have changed since the first list was read."""
    seq: int = 0
    """The newest change by then, where the watch has only begun."""


@dataclass(eq=False)
class StoreReplaced(Message):
    """A file stands in the place of the store's again, or another one does; it was opened."""

    same: bool
    """Whether it is the one that stood there before."""


@dataclass(eq=False)
class StoreGone(Message):
    """The store's file is no longer there, or cannot be read for now."""

    title: str
    """One plain sentence."""


# From editing


@dataclass(eq=False)
class Wrote(Message):
    """A write that the person asked for is done; posted to the app once it is committed."""

    sentence: str
    """One calm sentence for the status line."""
    records: Sequence[tuple[str, str]] = ()
    """Kind and id of what changed; empty when nothing did."""


@dataclass(eq=False)
class Said(Message):
    """A quiet line for the status, e.g. why nothing happened."""

    text: str
    """The words; taken literally. Empty ones take away what stands there."""
    tone: Literal["plain", "problem"] = "plain"
    """Whether it is about something that went wrong."""


# From widgets


@dataclass(eq=False)
class CommandWanted(Message):
    """A command was clicked or picked."""

    id: str
    """Its id in the table of commands."""


@dataclass(eq=False)
class GoTo(Message):
    """A link, a source or a fact of a turn was opened in the detail."""

    kind: Kind
    """What it is."""
    id: str
    """Its id."""


@dataclass(eq=False)
class ScopePicked(Message):
    """The cursor of the tree came to rest on another scope."""

    scope: Scope
    """That scope."""

    def can_replace(self, message: Message) -> bool:
        """Only the last one matters."""
        return isinstance(message, ScopePicked)


@dataclass(eq=False)
class ScopeOpened(Message):
    """Enter, or a double click, on a scope of the tree: its list is wanted."""


@dataclass(eq=False)
class SearchTyped(Message):
    """The text of the search changed by a key."""

    text: str
    """All of it."""


@dataclass(eq=False)
class SearchKept(Message):
    """Enter in the search line."""


@dataclass(eq=False)
class SearchLeft(Message):
    """Escape in the search line: the former search is wanted back."""


@dataclass(eq=False)
class SearchMoved(Message):
    """Up or down in the search line: the list's cursor is meant."""

    rows: int
    """How many rows down; negative is up."""


@dataclass(eq=False)
class SearchDone(Message):
    """Tab in the search line where nothing could be completed: on to the list."""
