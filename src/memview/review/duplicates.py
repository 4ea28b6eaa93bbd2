"""Duplicates: facts that say the same, in groups with one to keep. Finding changes nothing; see :mod:`.merging`.

Facts are compared within a namespace. They are *equal* when their normalised texts are (case, blanks and punctuation do
not count), and *near* when they are copies with a word moved, mistyped or added that says nothing
(:mod:`memview.review.nearness`). Where a number, a negation, a weekday, a date, a name or another word differs, they
are none: such pairs are for :mod:`memview.review.conflicts`. Of an echo (:mod:`memview.store.echoes`) what it hands
back is compared; it is near that, and kept only where all of a group are echoes.

Every member of a group is near the one to keep, so that a chain of small differences joins nothing that differs.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from typing import NamedTuple

from memview.memory.looking import Aim, Query
from memview.review.copies import Copies
from memview.review.judging import judged
from memview.review.nearness import alike
from memview.review.progress import Progress, Stopped, tell
from memview.review.standing import Standing, best, reason, standings
from memview.review.texts import Facts, Place, Reader, some, texts
from memview.store.echoes import echoes
from memview.store.sameness import NOT_ALIKE as NOT_ALIKE

_TICK = 64


class Group(NamedTuple):
    """Facts that say the same."""

    tenant: str
    namespace: str
    keeper: Aim
    """The fact to keep, unless somebody chooses another."""
    others: tuple[Aim, ...]
    """The other facts, in the order in which they were written."""
    reason: str
    """Why that one is to be kept, in a few words."""
    equal: bool
    """Whether all normalised texts are the same."""
    alike: float
    """How alike the least alike is to the keeper, 0 to 1; see :func:`memview.review.nearness.alike`."""

    @property
    def aims(self) -> tuple[Aim, ...]:
        """All members, the keeper first."""
        return (self.keeper, *self.others)


@dataclass(frozen=True, slots=True)
class Duplicates:
    """What a search for duplicates found."""

    groups: list[Group]
    """Equal ones first, then the most alike."""
    compared: int
    """How many facts were compared."""
    complete: bool = True
    """False where the search was stopped before its end."""

    @property
    def equal(self) -> list[Group]:
        """The groups whose normalised texts are the same."""
        return [group for group in self.groups if group.equal]

    @property
    def facts(self) -> int:
        """How many facts are in groups."""
        return sum(1 + len(group.others) for group in self.groups)


def find(reader: Reader, query: Query, now: datetime, progress: Progress | None = None) -> Duplicates:
    """The duplicates among the facts that a query has.

    Args:
        reader: the store, opened for looking.
        query: which facts are compared with each other, each within its namespace.
        now: the present, for queries on strength.
        progress: told how far the search is; answering False stops it, and what was found so far is given.
    """
    found: list[tuple[Place, Facts, Copies]] = []
    complete, done = True, 0
    try:
        places = texts(reader, query, now, progress)
        total = sum(map(len, places.values()))
        for place, facts in places.items():
            copies = Copies(facts.contents)
            found.append((place, facts, copies))
            copies.search(partial(_tick, progress, done, total))
            done += len(facts)
    except Stopped:
        complete = False
    groups: list[Group] = []
    try:
        reader.read(partial(_form, found, groups, partial(tell, progress, done, done) if complete else lambda: None))
    except Stopped:
        complete = False
    groups.sort(key=lambda group: (not group.equal, -group.alike, group.keeper.n))
    return Duplicates(groups, done, complete)


def again(connection: sqlite3.Connection, group: Group) -> Group | None:
    """A group as its facts are now: without those that are no longer active, or copies of none of the others.

    Returns:
        The group, with the fact to keep chosen anew; None where no two copies are left.
    """
    known = standings(connection, (aim.n for aim in group.aims))
    if sum(fact.active for fact in known.values()) < 2:
        return None
    facts, copies = _compared(connection, group)
    found = _groups(connection, (group.tenant, group.namespace), facts, copies)
    return max(found, key=lambda group: len(group.others), default=None)


def around(connection: sqlite3.Connection, group: Group, keeper: int) -> Group:
    """A group with another fact of it to keep; others that are no copies of that one are left out.

    Args:
        connection: an open connection.
        group: as its facts are now.
        keeper: the number of the fact to keep.
    """
    facts, copies = _compared(connection, group)
    handed = {n for n, text in facts.contents.items() if echoes(text)}
    known = standings(connection, (aim.n for aim in group.aims))
    near = [known[aim.n] for aim in group.aims if aim.n != keeper and copies.copies(aim.n, keeper)]
    return _group((group.tenant, group.namespace), known[keeper], near, copies, handed)


def _compared(connection: sqlite3.Connection, group: Group) -> tuple[Facts, Copies]:
    """The texts of a group as they are now, and which are copies."""
    facts = some(connection, (aim.n for aim in group.aims)).get((group.tenant, group.namespace), Facts())
    copies = Copies(facts.contents)
    copies.search(lambda done: None)
    return facts, copies


def _form(
    found: Sequence[tuple[Place, Facts, Copies]], groups: list[Group], tick: Callable[[], None], raw: sqlite3.Connection
) -> None:
    """Put what was found in groups."""
    groups.clear()
    for group in chain.from_iterable(_groups(raw, *one) for one in found):
        groups.append(group)
        if len(groups) % _TICK == 0:
            tick()


def _tick(progress: Progress | None, before: int, total: int, done: int) -> None:
    tell(progress, total // 10 + (before + done) * 9 // 10, total)


def _groups(connection: sqlite3.Connection, place: Place, facts: Facts, copies: Copies) -> Iterator[Group]:
    """What was found in a namespace, in groups; facts that changed meanwhile are left out."""
    clusters = list(copies.clusters())
    handed = {n for cluster in clusters for n in cluster if echoes(facts.contents[n])}
    known = standings(connection, (n for cluster in clusters for n in cluster))
    apart = judged(connection, NOT_ALIKE) if clusters else set()
    for cluster in clusters:
        left = [n for n in cluster if n in known and known[n].active and known[n].aim == facts.aim(n)]
        while len(left) > 1:
            keeper = best([known[n] for n in left if n not in handed] or [known[n] for n in left])
            near = [n for n in left if n != keeper.aim.n and _pair(n, keeper.aim.n) not in apart]
            near = [n for n in near if copies.copies(n, keeper.aim.n)]
            if near:
                yield _group(place, keeper, [known[n] for n in near], copies, handed)
            left = [n for n in left if n not in near and n != keeper.aim.n]


def _group(
    place: Place, keeper: Standing, others: Sequence[Standing], copies: Copies, handed: Collection[int]
) -> Group:
    return Group(
        *place, keeper.aim, tuple(other.aim for other in others), reason(keeper, others),
        all(copies.equal(keeper.aim.n, other.aim.n) and other.aim.n not in handed for other in others),
        min((_alike(copies, keeper.aim.n, other.aim.n) for other in others), default=1.0),
    )  # fmt: skip


def _alike(copies: Copies, a: int, b: int) -> float:
    return 1.0 if copies.equal(a, b) else alike(copies.text(a), copies.text(b))


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
