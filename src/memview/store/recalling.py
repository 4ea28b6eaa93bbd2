"""What an agent gets to hear: which facts answer a question, in which order, and why.

The score is heartbit-core's composite: ``0.25 e^(-0.01 h) + 0.25 (importance - 1) / 9 + 0.30 bm25 / best + 0.20 s``,
``h`` being the hours since the fact was written and ``s`` its effective strength. Candidates are the facts that match,
and those that a link ties to one of them. All of it needs plain sqlite3 alone.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from memview import clock
from memview.store import relevance
from memview.store.ask import WEIGHTS, Ask, Limits, Weights
from memview.store.decay import EFFECTIVE, effective_strength
from memview.store.rows import number
from memview.store.select import have_exp
from memview.store.words import as_text

RECENCY_PER_HOUR = 0.01
"""The constant of ``e^(-rate x hours)`` by which a fact grows old."""
NEWEST = 1_000
"""Of how many facts a question without words chooses the best, where a limit is set: the newest."""
GAIN = 0.2
"""What a recall adds to the stored strength."""
FOLLOWED = 100
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
    weights: Weights = WEIGHTS
    """How much each part counts."""
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


def recall(raw: sqlite3.Connection, ask: Ask, now: datetime) -> list[Scored]:
    """The facts that answer a question, best first, ties newest first; at most ``ask.limit``.

    Args:
        raw: an open connection; nothing is changed on it.
        ask: the question and its limits.
        now: the present.
    """
    have_exp(raw)
    limits = Limits(ask, now)
    if ask.text.strip():
        fits = shares(relevance.fits(raw, ask, limits, limits.matches))
    else:
        fits = dict.fromkeys(_newest(raw, ask, limits), 0.0)
    found = scored(raw, ask, now, fits, most=max(FOLLOWED, ask.limit) if ask.limit else -1)
    return _best([*found, *_linked(raw, ask, now, limits, fits, found)], ask.limit)


def shares(fits: dict[int, float]) -> dict[int, float]:
    """Each fit as a share of the best, 0 to 1."""
    best = max(fits.values(), default=0.0)
    return {n: max(0.0, fit) / best if best > 0 else 1.0 for n, fit in fits.items()}


def scored(raw: sqlite3.Connection, ask: Ask, now: datetime, fits: dict[int, float], most: int = -1) -> list[Scored]:
    """The best of some facts, given their relevance by number; ``most`` -1 for all."""
    sql = (
        f"SELECT {_COLUMNS}, w.value FROM json_each(:fits) w CROSS JOIN facts r ON r.n = CAST(w.key AS INTEGER) "
        f"ORDER BY {_SCORE} DESC, r.n DESC LIMIT :most"
    )
    weights = {name: getattr(ask.weights, name) for name in ("recency", "importance", "relevance", "strength")}
    values = {"now": clock.to_text(now), "fits": json.dumps(fits), "most": most, **weights}
    rows = raw.execute(sql, values).fetchall()
    return _best([_scored(ask, now, row[:-1], row[-1]) for row in rows], 0)


_COLUMNS = "r.n, r.id, r.importance, r.strength, r.created_at, r.last_accessed_at"
_SCORE = (
    f":recency * exp(-{RECENCY_PER_HOUR} * max(0.0, (julianday(:now) - julianday(r.created_at)) * 24)) "
    f"+ :importance * (r.importance - 1) / 9.0 + :relevance * w.value + :strength * {EFFECTIVE}"
)
"""Roughly the score: it says which facts are worth their exact one."""


def _scored(ask: Ask, now: datetime, row: Sequence[Any], fit: float, via: str | None = None) -> Scored:
    n, id, importance, strength, created, accessed = row
    hours = max(0.0, (now - clock.stored(as_text(created))).total_seconds() / 3600)
    why = Why(
        recency=math.exp(-RECENCY_PER_HOUR * hours),
        importance=min(1.0, max(0.0, (number(importance, 5.0) - 1) / 9)),
        relevance=fit,
        strength=effective_strength(number(strength, 1.0), clock.stored(as_text(accessed)), now),
        weights=ask.weights,
        via=via,
    )
    return Scored(n, as_text(id), why.score, why)


def _newest(raw: sqlite3.Connection, ask: Ask, limits: Limits) -> list[int]:
    most = max(NEWEST, ask.limit) if ask.limit else -1
    sql = f"SELECT r.n FROM facts r WHERE {limits.matches} ORDER BY r.n DESC LIMIT {most}"
    return [n for (n,) in raw.execute(sql, limits.values)]


def _linked(
    raw: sqlite3.Connection, ask: Ask, now: datetime, limits: Limits, known: Container[int], matches: list[Scored]
) -> list[Scored]:
    """Facts within the limits that a link ties to a match and that are no match themselves.

    The best match that leads there counts. Category, tags and type are not asked of them.
    """
    if raw.execute("SELECT 1 FROM links LIMIT 1").fetchone() is None:
        return []
    arms = (
        f"SELECT w.key, w.value, {_COLUMNS} FROM json_each(:ids) w CROSS JOIN links l ON l.{here} = w.value "
        f"CROSS JOIN facts r ON r.id = l.{there} WHERE {limits.shared}"
        for here, there in (("source", "target"), ("target", "source"))
    )
    sql = f"{' UNION ALL '.join(arms)} ORDER BY 1, 3"
    ids = json.dumps([match.id for match in matches])
    brought: dict[int, Scored] = {}
    for _, via, *row in raw.execute(sql, {**limits.values, "ids": ids}).fetchall():
        if row[0] not in known and row[0] not in brought:
            brought[row[0]] = _scored(ask, now, row, 0.0, via)
    return list(brought.values())


def _best(found: list[Scored], limit: int) -> list[Scored]:
    found.sort(key=lambda one: (-one.score, -one.n))
    return found[:limit] if limit else found


def reinforce(raw: sqlite3.Connection, ids: Sequence[str], at: datetime) -> set[str]:
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
    return {as_text(id) for (id,) in found}
