"""What an agent gets to hear: which facts answer a question, in which order, and why.

The score is heartbit-core's composite: ``0.25 e^(-0.01 h) + 0.25 (importance - 1) / 9 + 0.30 bm25 / best + 0.20 effective
strength``, where ``h`` are hours since the fact was written. Candidates are the facts that match, and those that a link
ties to one of them. Nothing here changes a store; plain sqlite3 alone is needed.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from memview import clock
from memview.store import relevance
from memview.store.ask import Ask, Limits, Weights
from memview.store.decay import effective_strength
from memview.store.rows import number
from memview.store.select import have_exp
from memview.store.words import as_text

RECENCY_PER_HOUR = 0.01
"""The constant of ``e^(-rate x hours)`` by which a fact grows old."""
NEWEST = 2_000
"""Of how many facts a question without words chooses the best, where a limit is set: the newest."""
FOLLOWED = 500
"""From how many of the best matches links are followed, where a limit is set."""


@dataclass(frozen=True, slots=True)
class Why:
    """What the score of a recalled fact is made of. Each part is 0 to 1 and counts by its weight."""

    recency: float
    """``e^(-0.01 h)``, ``h`` hours after the fact was written."""
    importance: float
    """``(importance - 1) / 9``."""
    relevance: float
    """bm25 divided by the best of the result; 0 for a fact that only a link brought, and where no words were asked."""
    strength: float
    """The effective strength before this recall."""
    weights: Weights = field(default_factory=Weights)
    via: str | None = None
    """The id of the match whose link brought it; None for a match."""

    @property
    def score(self) -> float:
        """The weighted sum of the parts."""
        by = self.weights
        return (
            by.recency * self.recency + by.importance * self.importance + by.relevance * self.relevance
            + by.strength * self.strength
        )  # fmt: skip

    def __str__(self) -> str:
        by = self.weights
        told = (
            f"recency {by.recency:g} x {self.recency:.3f} + importance {by.importance:g} x {self.importance:.3f} + "
            f"relevance {by.relevance:g} x {self.relevance:.3f} + strength {by.strength:g} x {self.strength:.3f}"
        )
        return f"{told}, by a link from {self.via}" if self.via else told


class Scored(NamedTuple):
    """A fact that answers a question."""

    n: int
    id: str
    score: float
    why: Why


class Candidate(NamedTuple):
    """What the score is made from."""

    n: int
    id: str
    importance: float
    strength: float
    created_at: datetime
    last_accessed_at: datetime

    def why(self, ask: Ask, now: datetime, fit: float, via: str | None = None) -> Why:
        """The parts of its score; ``fit`` is its relevance, 0 to 1."""
        hours = max(0.0, (now - self.created_at).total_seconds() / 3600)
        return Why(
            recency=math.exp(-RECENCY_PER_HOUR * hours),
            importance=min(1.0, max(0.0, (self.importance - 1) / 9)),
            relevance=fit,
            strength=effective_strength(self.strength, self.last_accessed_at, now),
            weights=ask.weights,
            via=via,
        )


def recall(raw: sqlite3.Connection, ask: Ask, now: datetime) -> list[Scored]:
    """The facts that answer a question, best first, ties newest first; at most ``ask.limit``.

    Args:
        raw: an open connection; nothing is changed on it.
        ask: the question and its limits.
        now: the present.
    """
    have_exp(raw)
    limits = Limits(ask, now)
    fit = shares(relevance.fits(raw, ask, limits, limits.matches)) if ask.text.strip() else {}
    numbers: Iterable[int] = fit or (() if ask.text.strip() else _newest(raw, ask, limits))
    found = [scored(row, row.why(ask, now, fit.get(row.n, 0.0))) for row in candidates(raw, numbers)]
    found = _best(found, 0)
    brought = _linked(raw, ask, limits, found[:FOLLOWED] if ask.limit else found)
    return _best([*found, *(scored(row, row.why(ask, now, 0.0, via)) for row, via in brought)], ask.limit)


def shares(fits: dict[int, float]) -> dict[int, float]:
    """Each fit as a share of the best, 0 to 1."""
    best = max(fits.values(), default=0.0)
    return {n: max(0.0, fit) / best if best > 0 else 1.0 for n, fit in fits.items()}


def scored(row: Candidate, why: Why) -> Scored:
    """A candidate with its score."""
    return Scored(row.n, row.id, why.score, why)


def candidates(raw: sqlite3.Connection, numbers: Iterable[int]) -> list[Candidate]:
    """The facts of these numbers, with what their scores are made from."""
    sql = f"SELECT {_COLUMNS} FROM json_each(?) w CROSS JOIN facts r ON r.n = w.value"
    return [_candidate(row) for row in raw.execute(sql, (json.dumps(list(numbers)),)).fetchall()]


_COLUMNS = "r.n, r.id, r.importance, r.strength, r.created_at, r.last_accessed_at"


def _candidate(row: Sequence[Any]) -> Candidate:
    n, id, importance, strength, created, accessed = row
    return Candidate(
        n, as_text(id), number(importance, 5.0), number(strength, 1.0), clock.stored(as_text(created)),
        clock.stored(as_text(accessed)),
    )  # fmt: skip


def _newest(raw: sqlite3.Connection, ask: Ask, limits: Limits) -> list[int]:
    most = max(NEWEST, ask.limit) if ask.limit else -1
    sql = f"SELECT r.n FROM facts r WHERE {limits.matches} ORDER BY r.n DESC LIMIT {most}"
    return [n for (n,) in raw.execute(sql, limits.values)]


def _linked(
    raw: sqlite3.Connection, ask: Ask, limits: Limits, matches: list[Scored]
) -> list[tuple[Candidate, str]]:
    """Facts within the limits that a link ties to a match and that are no match, each with the match it came by.

    The best match that leads to a fact counts. Category, tags and type are not asked of them.
    """
    if raw.execute("SELECT 1 FROM links LIMIT 1").fetchone() is None:
        return []
    sql = (
        f"SELECT w.value, {_COLUMNS} FROM json_each(:ids) w CROSS JOIN (SELECT source AS a, target AS b FROM links "
        "UNION ALL SELECT target, source FROM links) l ON l.a = w.value CROSS JOIN facts r ON r.id = l.b "
        f"WHERE {limits.shared} ORDER BY w.key, r.n"
    )
    rows = raw.execute(sql, {**limits.values, "ids": json.dumps([match.id for match in matches])}).fetchall()
    known = {match.n for match in matches}
    brought: dict[int, tuple[Candidate, str]] = {}
    for via, *row in rows:
        if row[0] not in known:
            brought.setdefault(row[0], (_candidate(row), via))
    return list(brought.values())


def _best(found: list[Scored], limit: int) -> list[Scored]:
    found.sort(key=lambda one: (-one.score, -one.n))
    return found[:limit] if limit else found


def reinforce(raw: sqlite3.Connection, ids: Sequence[str], at: datetime) -> list[str]:
    """Note in the open transaction that facts were recalled: what an agent uses does not fade.

    The access count rises by one, the last access is now, and the stored strength grows by 0.2 up to 1. That is no
    change of a fact: its version stays, and the feed has nothing of it.

    Returns:
        The ids of those that are still active.
    """
    found = raw.execute(
        "UPDATE facts SET access_count = access_count + 1, last_accessed_at = :at, "
        f"strength = min(1.0, strength + {GAIN}) "
        "WHERE id IN (SELECT value FROM json_each(:ids)) AND status = 'active' RETURNING id",
        {"at": clock.to_text(at), "ids": json.dumps(list(ids))},
    ).fetchall()
    return [id for (id,) in found]


GAIN = 0.2
"""What a recall adds to the stored strength."""
