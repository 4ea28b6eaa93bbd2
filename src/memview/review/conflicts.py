"""Conflicts: facts of which only one can hold. Finding changes nothing; see :mod:`memview.review.settling`.

Three kinds of pairs, surest first: *linked*, which somebody tied as ``contradicts`` while agents get both; *standing*,
of which one supersedes the other and agents get both, or neither; and *opposed*, found by the texts alone
(:mod:`memview.review.opposing`) or by the turn that both came from (:mod:`memview.review.misreading`), each within a
namespace.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import combinations
from typing import Literal, NamedTuple

from memview.memory.looking import Aim, Query, aims
from memview.review.judging import judged
from memview.review.misreading import misread
from memview.review.nearness import slip
from memview.review.opposing import MOST, Kind, kind_of, slots
from memview.review.progress import Progress, Stopped, tell
from memview.review.standing import standings
from memview.review.texts import Facts, Place, Reader, some, texts
from memview.store.words import as_text

BOTH_HOLD = "both hold"
"""The judgement that two facts exclude each other only by their looks."""
_ORDER = ("linked", "standing", "opposed")
_TICK = 1_024


class Opposition(NamedTuple):
    """Two facts of which only one can hold."""

    tenant: str
    namespace: str
    """Where the newer one is."""
    newer: Aim
    older: Aim
    why: Literal["linked", "standing", "opposed"]
    kind: Kind | Literal[""]
    """What differs, for an opposed pair."""
    values: tuple[str, str]
    """What the newer and the older say there, in words (``yes`` and ``no`` for a negation); empty for other pairs."""

    @property
    def aims(self) -> tuple[Aim, Aim]:
        """Both facts, the newer first."""
        return (self.newer, self.older)


@dataclass(frozen=True, slots=True)
class Conflicts:
    """What a search for conflicts found."""

    pairs: list[Opposition]
    """The surest first, then the newest."""
    compared: int
    """How many facts were compared by their texts."""
    complete: bool = True
    """False where the search was stopped before its end."""


def find(reader: Reader, query: Query, now: datetime, progress: Progress | None = None) -> Conflicts:
    """The conflicts among the facts that a query has; of a linked pair one of the two is enough.

    Args:
        reader: the store, opened for looking.
        query: which facts are compared, each with those of its namespace.
        now: the present, for queries on strength.
        progress: told how far the search is; answering False stops it, and what was found so far is given.
    """
    complete, compared = True, 0
    pairs = reader.read(partial(_tied, query=query, now=now))
    try:
        places = texts(reader, query, now, progress)
        total = sum(map(len, places.values()))
        for place, facts in places.items():
            opposed = _Opposed(place)
            try:
                for done, (n, content) in enumerate(facts.contents.items()):
                    opposed.add(facts.aim(n), content)
                    if done % _TICK == 0:
                        tell(progress, total // 10 + (compared + done) * 9 // 10, total)
            finally:
                pairs += opposed.pairs()
            pairs += reader.read(partial(_misread, place=place, facts=facts))
            compared += len(facts)
    except Stopped:
        complete = False
    apart = reader.read(lambda connection: judged(connection, BOTH_HOLD))
    return Conflicts(_sorted(pairs, apart), compared, complete)


def again(connection: sqlite3.Connection, pair: Opposition) -> Opposition | None:
    """A pair as its facts are now; None where they are no conflict any more, or somebody said that both hold."""
    numbers = sorted(aim.n for aim in pair.aims)
    pairs = _ties(connection, numbers)
    known = standings(connection, numbers)
    for place, facts in some(connection, (n for n in numbers if n in known and known[n].active)).items():
        if len(facts) == 2:
            opposed = _Opposed(place)
            for n, content in facts.contents.items():
                opposed.add(facts.aim(n), content)
            pairs += opposed.pairs()
            pairs += _misread(connection, place, facts)
    return next(iter(_sorted(pairs, judged(connection, BOTH_HOLD))), None)


_Said = tuple[tuple[str, ...], Aim]
"""A value and the fact that gives it."""


class _Opposed:
    """The facts of a namespace by the places in which their values stand."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.frames: dict[int, list[_Said]] = {}

    def add(self, aim: Aim, content: str) -> None:
        """Put a fact in."""
        for slot in slots(content):
            self.frames.setdefault(hash(slot.frame), []).append((slot.value, aim))

    def pairs(self) -> Iterator[Opposition]:
        """The pairs of facts that have different values in one place."""
        for found in self.frames.values():
            if 1 < len({value for value, _ in found}) <= MOST and len(found) <= 4 * MOST:
                for one, other in combinations(found, 2):
                    if _excludes(one[0], other[0]):
                        yield self.pair(one, other)

    def pair(self, a: _Said, b: _Said) -> Opposition:
        """Two facts with different values, as a pair."""
        (said, newer), (before, older) = (a, b) if a[1].n > b[1].n else (b, a)
        values = (" ".join(said), " ".join(before))
        return Opposition(*self.place, newer, older, "opposed", kind_of(said, before), values)


def _misread(connection: sqlite3.Connection, place: Place, facts: Facts) -> list[Opposition]:
    """The pairs of which one misreads the turn that both came from."""
    found = misread(connection, facts.contents)
    opposed = _Opposed(place)
    return [opposed.pair((one.value_a, facts.aim(one.a)), (one.value_b, facts.aim(one.b))) for one in found]


def _excludes(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two values are two, and not one mistyped."""
    return a != b and not (len(a) == len(b) and all(x == y or slip(x, y) for x, y in zip(a, b, strict=True)))


_TIES = (
    "SELECT l.kind, s.n, s.version, s.tenant, s.namespace, t.n, t.version, t.namespace FROM links l "
    "CROSS JOIN facts s ON s.id = l.source CROSS JOIN facts t ON t.id = l.target WHERE "
    "((l.kind = 'contradicts' AND s.status = 'active' AND t.status = 'active') OR (l.kind = 'supersedes' "
    "AND ((s.status = 'active' AND t.status = 'active') OR (s.status IN ('superseded', 'pruned') "
    "AND t.status = 'superseded' AND NOT EXISTS (SELECT 1 FROM links m CROSS JOIN facts f ON f.id = m.source "
    "WHERE m.target IN (s.id, t.id) AND m.kind = 'supersedes' AND f.status = 'active')))))"
)
_OF_TWO = (
    f"{_TIES} AND l.source IN (SELECT id FROM facts WHERE n IN (?1, ?2)) "
    "AND l.target IN (SELECT id FROM facts WHERE n IN (?1, ?2))"
)


def _tied(connection: sqlite3.Connection, query: Query, now: datetime) -> list[Opposition]:
    """The pairs that links show, of which the query has at least one."""
    pairs = _ties(connection)
    meant = {aim.n for aim in aims(connection, query, now)} if pairs else set()
    return [pair for pair in pairs if pair.newer.n in meant or pair.older.n in meant]


def _ties(connection: sqlite3.Connection, two: Sequence[int] = ()) -> list[Opposition]:
    """The pairs that links show: all, or those of two facts."""
    found = []
    rows = connection.execute(_OF_TWO if two else _TIES, two).fetchall()
    for kind, n, version, tenant, namespace, other, its_version, its_namespace in rows:
        one, second = Aim(n, version), Aim(other, its_version)
        newer, older = (one, second) if n > other else (second, one)
        place = namespace if n > other else its_namespace
        why: Literal["linked", "standing"] = "linked" if kind == "contradicts" else "standing"
        found.append(Opposition(as_text(tenant), as_text(place), newer, older, why, "", ("", "")))
    return found


def _sorted(pairs: Sequence[Opposition], apart: set[tuple[int, int]]) -> list[Opposition]:
    """Each pair once, the surest first, without those of which both hold."""
    known: dict[tuple[int, int], Opposition] = {}
    for pair in sorted(pairs, key=lambda pair: (_ORDER.index(pair.why), -pair.newer.n)):
        key = (pair.older.n, pair.newer.n)
        if key not in apart:
            known.setdefault(key, pair)
    return list(known.values())


def spread(pairs: Sequence[Opposition]) -> Mapping[str, int]:
    """How many pairs there are of each sort: ``linked``, ``standing``, then by what differs."""
    found: dict[str, int] = {}
    for pair in pairs:
        name = pair.kind or pair.why
        found[name] = found.get(name, 0) + 1
    return found
