"""Groups of facts that are decided one after the other, and the facts of one as they are now. No screen inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from sqlite3 import Connection
from typing import Generic, NamedTuple, Protocol, TypeVar

from memview.memory import looking
from memview.memory.looking import Aim, FactDetail, Source
from memview.review.standing import standings


class Alike(Protocol):
    """Facts that are looked at together: a group of duplicates, or a conflict."""

    @property
    def aims(self) -> Sequence[Aim]:
        """Its facts, as they were seen."""


T = TypeVar("T", bound=Alike)

SHOWN = 30
"""How many facts of a group are shown."""


class Member(NamedTuple):
    """A fact of a group."""

    fact: FactDetail
    sources: list[Source]
    """The turns it came from."""
    links: int
    """How many links it has."""


def members(raw: Connection, aims: Sequence[Aim]) -> list[Member]:
    """The first facts of a group, read whole; those that are gone are left out."""
    found = (looking.fact(raw, aim.n) for aim in aims[:SHOWN])
    return [
        Member(fact, looking.sources(raw, fact.turns), len(looking.neighbours(raw, fact.row.id)))
        for fact in found
        if fact is not None
    ]


def changed_by(raw: Connection, aims: Sequence[Aim]) -> str | None:
    """Who changed one of some facts last, of those that are not as they were seen; None where all are."""
    versions = {n: one.aim.version for n, one in standings(raw, (aim.n for aim in aims)).items()}
    moved = [aim.n for aim in aims if versions.get(aim.n) != aim.version]
    rows = looking.fact_rows(raw, moved)
    changes = [changes[-1] for row in rows.values() if (changes := looking.history(raw, row.id))]
    if not changes:
        return "" if moved else None
    return max(changes, key=lambda change: change.seq).actor or ""


class Queue(Generic[T]):
    """Groups in the order in which they come up. One leaves by a decision; what is put off stays where it is.

    Args:
        items: the groups, as they were found.
    """

    def __init__(self, items: Sequence[T] = ()) -> None:
        self.items = items
        self.seen: list[T] = list(items)
        """The same as they were last seen."""
        self.at = 0
        """The place of the current one."""
        self.settled: set[int] = set()
        """The places of those that are decided."""

    @property
    def current(self) -> T | None:
        """The current one; None where all are decided."""
        return self.items[self.at] if self.at < len(self.items) and self.at not in self.settled else None

    @property
    def left(self) -> Iterator[tuple[int, T]]:
        """Those that are not decided, as they were last seen, with their places."""
        return ((at, item) for at, item in enumerate(self.seen) if at not in self.settled)

    def step(self, step: int) -> bool:
        """Go to the next one that is not decided, or with -1 to the one before.

        Returns:
            Whether that went over the end.
        """
        before, count = self.at, len(self.items)
        places = (((before + step * far) % count, far) for far in range(1, count + 1))
        self.at, far = next(((at, far) for at, far in places if at not in self.settled), (before, 0))
        return not 0 <= before + step * far < count

    def back(self, raw: Connection, again: Callable[[Connection, T], T | None]) -> list[int]:
        """The places of those that were decided and are to be decided again, for something was taken back."""
        return [at for at in sorted(self.settled) if again(raw, self.items[at]) is not None]
