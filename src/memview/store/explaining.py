"""What an agent would get to hear, and what it would not and why: a recall looked at from outside."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from memview import clock
from memview.store import relevance
from memview.store.ask import Ask, Limits, permitted
from memview.store.conditions import ALL
from memview.store.decay import effective_strength
from memview.store.recalling import Scored, recall
from memview.store.rows import names, number
from memview.store.words import as_text

Reason = Literal[
    "limit", "superseded", "forgotten", "pruned", "confidential", "category", "tags", "memory_type", "weak",
    "namespace",
]  # fmt: skip
"""``limit``: others are better. ``weak``: its effective strength is below the least. ``namespace``: it is elsewhere in
the tenant. Else its state, or the filter that it does not pass."""


class LeftOut(NamedTuple):
    """A fact that has words of the question and that the agent does not get."""

    n: int
    id: str
    reason: Reason
    """The first that holds, of those that lie in the fact: another namespace, its state, then the limits asked for."""
    detail: str
    """The same in words; names from the store stand in it as they are."""


class Explained(NamedTuple):
    """A recall and what it left out."""

    recalled: list[Scored]
    """Exactly what the agent gets, best first."""
    left_out: list[LeftOut]
    """Those that were nearest to be recalled first, other namespaces last."""
    more: int
    """How many more were left out, of those that were looked at."""


def explain(raw: sqlite3.Connection, ask: Ask, now: datetime, most: int = 50) -> Explained:
    """What a recall gives and what it leaves out; nothing is reinforced.

    Args:
        raw: an open connection; nothing is changed on it.
        ask: the question and its limits.
        now: the present.
        most: how many left-out facts to name.
    """
    recalled = recall(raw, ask, now)
    known = {one.n for one in recalled}
    beyond = [one.n for one in recall(raw, replace(ask, limit=ask.limit + most), now) if ask.limit]
    others = sorted(_near(raw, ask, now).items(), key=lambda fit: (-fit[1], -fit[0]))
    numbers = [n for n in dict.fromkeys([*beyond, *(n for n, _ in others)]) if n not in known]
    left = [_left_out(ask, now, row) for row in _rows(raw, numbers)]
    left.sort(key=lambda one: one.reason == "namespace")
    return Explained(recalled, left[:most], max(0, len(left) - most))


def _near(raw: sqlite3.Connection, ask: Ask, now: datetime) -> dict[int, float]:
    """What has words of the question anywhere in the tenant; without words, what is in reach, whatever its state."""
    limits = Limits(ask, now)
    if ask.text.strip():
        return relevance.fits(raw, ask, limits, "r.tenant = :tenant")
    found = raw.execute(f"SELECT r.n FROM facts r WHERE {limits.reach} ORDER BY r.n DESC LIMIT 1000", limits.values)
    return {n: 0.0 for (n,) in found.fetchall()}


def _rows(raw: sqlite3.Connection, numbers: Iterable[int]) -> list[Sequence[Any]]:
    sql = (
        "SELECT r.n, r.id, r.namespace, r.status, r.confidentiality, r.category, r.tags, r.memory_type, r.strength, "
        "r.last_accessed_at FROM json_each(?) w CROSS JOIN facts r ON r.n = w.value ORDER BY w.key"
    )
    return raw.execute(sql, (json.dumps(list(numbers)),)).fetchall()


def _left_out(ask: Ask, now: datetime, row: Sequence[Any]) -> LeftOut:
    n, id = row[:2]
    namespace, status, confidentiality, category, tags, memory_type = (as_text(part) for part in row[2:8])
    left = effective_strength(number(row[8], 1.0), clock.stored(as_text(row[9])), now)
    reason, detail = (
        _elsewhere(ask, namespace)
        or _state(status)
        or _confidential(ask, confidentiality)
        or _filtered(ask, category, names(tags), memory_type)
        or _weak(ask, left)
        or ("limit", f"others are better, and the limit is {ask.limit}")
    )
    return LeftOut(n, as_text(id), reason, detail)


Found = tuple[Reason, str] | None


def _elsewhere(ask: Ask, namespace: str) -> Found:
    if ask.prefix is not None:
        inside = namespace == ask.prefix or namespace.startswith(f"{ask.prefix}:")
    else:
        inside = ask.namespace is ALL or namespace == ask.namespace
    return None if inside else ("namespace", f"in namespace {namespace}")


def _state(status: str) -> Found:
    if status == "forgotten":
        return "forgotten", "forgotten, and kept from being learnt again"
    if status == "superseded":
        return "superseded", "superseded by another fact"
    return None if status == "active" else ("pruned", "pruned")


def _confidential(ask: Ask, confidentiality: str) -> Found:
    most = ask.max_confidentiality
    if most is None or confidentiality in permitted(most):
        return None
    return "confidential", f"{confidentiality}, and nothing above {most} was asked for"


def _filtered(ask: Ask, category: str, tags: list[str], memory_type: str) -> Found:
    if ask.category is not None and category != ask.category:
        return "category", f"its category is {category or 'none'}, not {ask.category}"
    if ask.tags and not set(ask.tags) & set(tags):
        return "tags", f"it has none of the tags {', '.join(ask.tags)}"
    if ask.memory_type is not None and memory_type != ask.memory_type:
        return "memory_type", f"it is {memory_type}, not {ask.memory_type}"
    return None


def _weak(ask: Ask, left: float) -> Found:
    return ("weak", f"its strength is {left:.3f}, below {ask.min_strength:g}") if left < ask.min_strength else None
