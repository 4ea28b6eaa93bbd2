"""Which of several facts to keep: what speaks for each, read from the store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memview.memory.looking import Aim

_SQL = (
    "SELECT f.n, f.version, f.status, f.pinned, f.access_count, f.created_at, "
    "EXISTS (SELECT 1 FROM decisions d WHERE d.fact = f.id AND d.version = f.version AND d.decision = 'accepted'), "
    "f.origin = 'person' OR f.agent GLOB 'person:*' OR EXISTS (SELECT 1 FROM changes c WHERE c.id = f.id "
    "AND c.op = 'update' AND c.actor GLOB 'person:*' AND json_type(c.before, '$.content') IS NOT NULL) "
    "FROM json_each(?) w CROSS JOIN facts f ON f.n = w.value"
)


class Standing(NamedTuple):
    """What speaks for a fact."""

    aim: Aim
    active: bool
    accepted: bool
    pinned: bool
    by_person: bool
    """A person wrote it, or put its text right."""
    recalled: int
    created_at: str


def standings(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, Standing]:
    """What speaks for each of these facts; those that are gone are missing."""
    found = connection.execute(_SQL, (json.dumps(list(numbers)),)).fetchall()
    return {
        n: Standing(
            Aim(n, version), status == "active", bool(accepted), bool(pinned), bool(person), int(count or 0), at
        )
        for n, version, status, pinned, count, at, accepted, person in found
    }


def best(facts: Sequence[Standing]) -> Standing:
    """The fact to keep: an accepted one, else a pinned, else a person's, else the most recalled, else the oldest."""
    return min(facts, key=_rank)


def _rank(fact: Standing) -> tuple[object, ...]:
    return (not fact.accepted, not fact.pinned, not fact.by_person, -fact.recalled, fact.created_at, fact.aim.n)


def reason(keeper: Standing, others: Sequence[Standing]) -> str:
    """Why to keep a fact rather than the others, in a few words: ``accepted, oldest``."""
    found = [
        word
        for word, ours, theirs in (
            ("accepted", keeper.accepted, all(fact.accepted for fact in others)),
            ("pinned", keeper.pinned, all(fact.pinned for fact in others)),
            ("a person's", keeper.by_person, all(fact.by_person for fact in others)),
            ("recalled most", True, any(fact.recalled >= keeper.recalled for fact in others)),
            ("oldest", True, any(_age(fact) < _age(keeper) for fact in others)),
        )
        if ours and not theirs
    ]
    return ", ".join(found[:2]) or "as good as the others"


def _age(fact: Standing) -> tuple[str, int]:
    return (fact.created_at, fact.aim.n)
