"""One record whole: what ``show`` prints."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime
from typing import NamedTuple

from memview import clock
from memview.cli import secrecy, shapes
from memview.cli.options import resolve
from memview.cli.records import state, strength
from memview.errors import NotFound
from memview.memory.looking import FactDetail, Neighbour, Source, TurnDetail, fact, neighbours, sources, turn
from memview.memory.person import named, person
from memview.text import one_line


class FactPage(NamedTuple):
    """A fact with what it is tied to."""

    fact: FactDetail
    sources: list[Source]
    links: list[Neighbour]


def read(connection: sqlite3.Connection, id: str) -> FactPage | TurnDetail:
    """The record of an id or of its beginning.

    Raises:
        NotFound: there is none.
    """
    record = resolve(connection, id)
    if record.kind == "turn":
        exchange = turn(connection, record.n)
        if exchange is not None:
            return exchange
    elif (whole := fact(connection, record.n)) is not None:
        return FactPage(whole, sources(connection, whole.turns), neighbours(connection, record.id))
    raise NotFound(f"{one_line(record.id, 60)} is gone.")


def shape(detail: FactPage | TurnDetail, now: datetime) -> shapes.Shape:
    """The record for ``--json``."""
    if isinstance(detail, TurnDetail):
        return {**shapes.turn(detail), "place": detail.place, "facts": [row.id for row in detail.facts]}
    return {
        **shapes.fact(detail.fact, now),
        "sources": [shapes.source(found) for found in detail.sources],
        "links": [shapes.neighbour(tie) for tie in detail.links],
    }


def lines(detail: FactPage | TurnDetail, now: datetime) -> list[str]:
    """The record for a person: its text, then a line for each thing known of it."""
    if isinstance(detail, TurnDetail):
        return _turn_lines(detail, now)
    whole, row = detail.fact, detail.fact.row
    known = {
        "id": row.id, "tenant": row.tenant, "namespace": row.namespace, "state": state(row) or "active",
        "category": row.category, "tags": ", ".join(whole.tags), "keywords": ", ".join(whole.keywords),
        "summary": whole.summary, "kind": whole.memory_type, "confidentiality": whole.confidentiality,
        "importance": f"{row.importance:g} of 10",
        "strength": f"{strength(row, now)}, recalled {row.access_count} times",
        "written": _when(row.created_at, now, row.agent), "changed": _changed(detail.fact, now),
        "origin": row.origin, "session": row.session, "metadata": _json(whole.metadata),
    }  # fmt: skip
    tried = whole.attempts if row.status == "forgotten" else ()
    more = [("tried again", f"{one.times}×, last {_when(one.at, now, one.agent)}") for one in tried]
    more += [("from", _source(found)) for found in detail.sources]
    more += [("link", _link(tie)) for tie in detail.links]
    return [secrecy.whole(whole.content), "", *_fields([*known.items(), *more])]


def _turn_lines(detail: TurnDetail, now: datetime) -> list[str]:
    row = detail.row
    known = {
        "id": row.id, "tenant": row.tenant, "namespace": row.namespace or "", "session": row.session,
        "turn": str(detail.place), "at": _when(row.at, now, row.agent), "metadata": _json(detail.metadata),
    }  # fmt: skip
    facts = [("fact", f"{one_line(fact.id, 60)}  {secrecy.line(fact.content)}") for fact in detail.facts]
    texts = (("request", detail.request), ("response", detail.response))
    said = [line for title, text in texts if text for line in (f"{title}:", secrecy.whole(text), "")]
    return [*said, *_fields([*known.items(), *facts])]


def _fields(pairs: list[tuple[str, str]]) -> list[str]:
    size = max(len(name) for name, _ in pairs)
    return [f"  {name:<{size}}  {secrecy.line(value, 2_000)}" for name, value in pairs if value]


def _when(at: str, now: datetime, agent: str) -> str:
    age = clock.ago(clock.stored(at), now)
    return f"{at[:19].replace('T', ' ')} UTC, {age if age == 'now' else age + ' ago'}, by {named(agent, person())}"


def _changed(whole: FactDetail, now: datetime) -> str:
    row = whole.row
    if row.updated_at == row.created_at:
        return ""
    return f"{row.updated_at[:19].replace('T', ' ')} UTC, version {row.version}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value not in ({}, "", None) else ""


def _source(found: Source) -> str:
    if found.turn is None:
        return f"turn {found.id}, which is gone"
    return f"{found.turn.session} turn {found.place}: {found.turn.request or found.turn.response}"


def _link(tie: Neighbour) -> str:
    sign = "" if tie.kind in ("related", "contradicts") else "→ " if tie.outward else "← "
    return f"{sign}{tie.kind}  {tie.fact.id}  {tie.fact.content}"
