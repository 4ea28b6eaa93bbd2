"""The shapes of ``--json``: keys may be added, and none is ever renamed or removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from memview import clock
from memview.memory.looking import (
    ChangeRow,
    FactDetail,
    Found,
    Neighbour,
    Scored,
    Source,
    Stats,
    TurnDetail,
    effective_strength,
)

Shape = dict[str, Any]
_LISTS = ("tags", "keywords", "turns", "metadata")
"""Columns that hold JSON."""


def fact(detail: FactDetail, now: datetime) -> Shape:
    """A fact, whole."""
    row = detail.row
    return {
        "id": row.id,
        "tenant": row.tenant,
        "namespace": row.namespace,
        "content": detail.content,
        "category": row.category or None,
        "tags": detail.tags,
        "keywords": detail.keywords,
        "summary": detail.summary or None,
        "memory_type": detail.memory_type,
        "confidentiality": detail.confidentiality,
        "importance": int(row.importance) if row.importance % 1 == 0 else row.importance,
        "strength": row.strength,
        "effective_strength": effective_strength(row.strength, clock.stored(row.last_accessed_at), now),
        "access_count": row.access_count,
        "status": row.status,
        "pinned": row.pinned,
        "accepted": row.accepted,
        "created_at": time(row.created_at),
        "updated_at": time(row.updated_at),
        "last_accessed_at": time(row.last_accessed_at),
        "origin": {
            "agent": row.agent or None,
            "session": row.session or None,
            "turns": detail.turns,
            "kind": row.origin or None,
        },
        "metadata": detail.metadata,
        "version": row.version,
    }


def turn(detail: TurnDetail) -> Shape:
    """A turn, whole."""
    row = detail.row
    return {
        "id": row.id,
        "tenant": row.tenant,
        "namespace": row.namespace,
        "session": row.session,
        "request": detail.request,
        "response": detail.response,
        "at": time(row.at),
        "agent": row.agent or None,
        "meta": detail.metadata,
    }


def ranked(shape: Shape, found: Found, n: int) -> Shape:
    """The same with what a search adds."""
    return {**shape, "score": found.scores.get(n), "why": found.why.get(n, "")}


def recalled(shape: Shape, one: Scored) -> Shape:
    """The same with what a recall adds; each part of ``why`` is 0 to 1 and counts by its weight."""
    why = one.why
    parts = {name: getattr(why, name) for name in ("recency", "importance", "relevance", "strength", "via")}
    return {**shape, "score": one.score, "why": {**parts, "weights": asdict(why.weights)}}


def neighbour(tie: Neighbour) -> Shape:
    """A link of a fact, seen from that fact."""
    return {"id": tie.link, "kind": tie.kind, "outward": tie.outward, "fact": tie.fact.id, "content": tie.fact.content}


def source(found: Source) -> Shape:
    """A turn that a fact came from; its texts are null when the turn is gone."""
    row = found.turn
    return {
        "id": found.id,
        "session": row.session if row else None,
        "place": found.place or None,
        "request": row.request if row else None,
        "response": row.response if row else None,
    }


def stats(found: Stats) -> Shape:
    """A store in numbers."""
    return {**found._asdict(), "by_namespace": [space._asdict() for space in found.by_namespace]}


def change(row: ChangeRow) -> Shape:
    """One entry of the change feed."""
    return {**row._asdict(), "at": time(row.at), "before": _values(row.before), "after": _values(row.after)}


def time(text: str) -> str | None:
    """A stored time as ISO 8601 in UTC; null where another program left something that is no time."""
    try:
        return clock.to_text(clock.from_text(text))
    except (ValueError, OverflowError):
        return None


def _values(columns: Mapping[str, Any] | None) -> Shape | None:
    if columns is None:
        return None
    return {name: _parsed(value) if name in _LISTS else value for name, value in columns.items()}


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value)
    except (ValueError, TypeError, RecursionError):
        return value
