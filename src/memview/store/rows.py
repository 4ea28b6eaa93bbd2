"""Light rows: what lists, details and the command line show, read with plain sqlite3 and nothing else.

Every function takes an open connection (see :class:`memview.store.looking.Looker`), finishes its cursors and changes
nothing. Text columns may hold anything (SQLite does not mind), so they come out as text whatever was put in; times stay
in their stored form.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from memview.store.words import as_text

SHOWN = 400
"""How many characters of a text a row carries."""
_ALIKE = ("related", "contradicts")


class Space(NamedTuple):
    """A namespace and what it holds. ``namespace`` is None for turns without one."""

    tenant: str
    namespace: str | None
    facts: int
    """Active facts."""
    turns: int


class FactRow(NamedTuple):
    """A fact as a list shows it."""

    n: int
    id: str
    tenant: str
    namespace: str
    content: str
    """At most the first ``SHOWN`` characters."""
    category: str
    status: str
    pinned: bool
    accepted: bool
    agent: str
    origin: str
    session: str
    importance: float
    strength: float
    access_count: int
    created_at: str
    updated_at: str
    last_accessed_at: str
    version: int


class TurnRow(NamedTuple):
    """A turn as a list shows it."""

    n: int
    id: str
    tenant: str
    namespace: str | None
    session: str
    request: str
    response: str
    at: str
    agent: str


class Attempt(NamedTuple):
    """Somebody wrote a forgotten text again, and was refused."""

    agent: str
    times: int
    at: str
    """The last time."""


class FactDetail(NamedTuple):
    """A fact whole."""

    row: FactRow
    content: str
    tags: list[str]
    keywords: list[str]
    summary: str
    memory_type: str
    confidentiality: str
    turns: list[str]
    metadata: Any
    """As stored: usually a dict; text when it is no JSON."""
    attempts: list[Attempt]
    """To write it again while it was forgotten, the last first."""


class TurnDetail(NamedTuple):
    """A turn whole."""

    row: TurnRow
    request: str
    response: str
    metadata: Any
    place: int
    """Which turn of its session it is, from 1."""
    facts: list[FactRow]
    """The facts that came from it."""


class Neighbour(NamedTuple):
    """A link of a fact, seen from that fact."""

    link: str
    kind: str
    outward: bool
    """Whether it points from this fact to the other; always True for kinds that are alike from both ends."""
    fact: FactRow


class Source(NamedTuple):
    """A turn that a fact came from. ``turn`` is None when the turn is gone; then only its id is known."""

    id: str
    turn: TurnRow | None
    place: int


_FACT = (
    f"f.n, f.id, f.tenant, f.namespace, substr(f.content, 1, {SHOWN}), f.category, f.status, f.pinned, "
    "EXISTS (SELECT 1 FROM decisions d WHERE d.fact = f.id AND d.version = f.version AND d.decision = 'accepted'), "
    "f.agent, f.origin, f.session, f.importance, f.strength, f.access_count, f.created_at, f.updated_at, "
    "f.last_accessed_at, f.version"
)
_TURN = (
    f"t.n, t.id, t.tenant, t.namespace, t.session, substr(t.request, 1, {SHOWN}), substr(t.response, 1, {SHOWN}), "
    "t.at, t.agent"
)


def spaces(connection: sqlite3.Connection) -> list[Space]:
    """Every namespace of every tenant with exact counts, by name."""
    counts: dict[tuple[str, str | None], list[int]] = {}
    for sql, column in (
        ("SELECT tenant, namespace, count(*) FROM facts WHERE status = 'active' GROUP BY 1, 2", 0),
        ("SELECT tenant, namespace, count(*) FROM turns GROUP BY 1, 2", 1),
        ("SELECT DISTINCT tenant, namespace, 0 FROM facts", 0),
    ):
        for tenant, namespace, count in connection.execute(sql):
            key = (as_text(tenant), None if namespace is None else as_text(namespace))
            counts.setdefault(key, [0, 0])[column] += count
    found = [Space(tenant, namespace, *both) for (tenant, namespace), both in counts.items()]
    return sorted(found, key=lambda space: (space.tenant, space.namespace is not None, space.namespace or ""))


def fact_rows(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, FactRow]:
    """The facts of these numbers; those that are gone are missing."""
    return {row.n: row for row in map(_fact_row, _by_number(connection, _FACT, "facts f", "f.n", numbers))}


def turn_rows(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, TurnRow]:
    """The turns of these numbers; those that are gone are missing."""
    return {row.n: row for row in map(_turn_row, _by_number(connection, _TURN, "turns t", "t.n", numbers))}


def number_of(connection: sqlite3.Connection, kind: str, id: str) -> int | None:
    """The number of a record, by its id; ``kind`` is ``fact`` or ``turn``."""
    table = {"fact": "facts", "turn": "turns"}[kind]
    row = connection.execute(f"SELECT n FROM {table} WHERE id = ?", (id,)).fetchone()
    return None if row is None else int(row[0])


def numbers_of(connection: sqlite3.Connection, kind: str, ids: Iterable[str]) -> dict[str, int]:
    """The numbers of records, by their ids."""
    table = {"fact": "facts", "turn": "turns"}[kind]
    wanted = json.dumps(list(ids))
    found = connection.execute(f"SELECT id, n FROM {table} WHERE id IN (SELECT value FROM json_each(?))", (wanted,))
    return dict(found.fetchall())


def fact(connection: sqlite3.Connection, n: int) -> FactDetail | None:
    """A fact whole, or None when there is none of this number."""
    row = connection.execute(
        f"SELECT {_FACT}, f.content, f.tags, f.keywords, f.summary, f.memory_type, f.confidentiality, f.turns, "
        "f.metadata FROM facts f WHERE f.n = ?",
        (n,),
    ).fetchone()
    if row is None:
        return None
    content, tags, keywords, summary, memory_type, confidentiality, turns, metadata = row[-8:]
    return FactDetail(
        _fact_row(row[:-8]), as_text(content), names(tags), names(keywords), as_text(summary), as_text(memory_type),
        as_text(confidentiality), names(turns), anything(metadata), _attempts(connection, row[1]),
    )  # fmt: skip


def _attempts(connection: sqlite3.Connection, id: object) -> list[Attempt]:
    sql = "SELECT agent, times, at FROM attempts WHERE fact = ? ORDER BY seq DESC, agent"
    found = connection.execute(sql, (id,)).fetchall()
    return [Attempt(as_text(agent), int(number(times, 1.0)), as_text(at)) for agent, times, at in found]


def turn(connection: sqlite3.Connection, n: int) -> TurnDetail | None:
    """A turn whole, with the facts that came from it, or None when there is none of this number."""
    row = connection.execute(
        f"SELECT {_TURN}, t.request, t.response, t.metadata FROM turns t WHERE t.n = ?", (n,)
    ).fetchone()
    if row is None:
        return None
    light = _turn_row(row[:-3])
    came = connection.execute(
        f"SELECT {_FACT} FROM evidence e CROSS JOIN facts f ON f.id = e.fact WHERE e.turn = ? ORDER BY f.n", (light.id,)
    ).fetchall()
    return TurnDetail(
        light, as_text(row[-3]), as_text(row[-2]), anything(row[-1]), _place(connection, light),
        [_fact_row(found) for found in came],
    )  # fmt: skip


def sources(connection: sqlite3.Connection, turns: Sequence[str]) -> list[Source]:
    """The turns of these ids, in the order given, each with its place in its session."""
    numbers = numbers_of(connection, "turn", turns)
    rows = turn_rows(connection, list(numbers.values()))
    found = []
    for id in turns:
        row = rows.get(numbers.get(id, -1))
        found.append(Source(id, row, _place(connection, row) if row else 0))
    return found


def neighbours(connection: sqlite3.Connection, id: str) -> list[Neighbour]:
    """The links of a fact, from both ends, oldest first."""
    found = connection.execute(
        f"SELECT l.id, l.kind, l.source = :id, {_FACT} FROM links l CROSS JOIN facts f "
        "ON f.id = CASE WHEN l.source = :id THEN l.target ELSE l.source END "
        "WHERE l.source = :id OR l.target = :id ORDER BY l.created_at, l.id",
        {"id": id},
    ).fetchall()
    return [Neighbour(row[0], row[1], bool(row[2]) or row[1] in _ALIKE, _fact_row(row[3:])) for row in found]


def names(value: object) -> list[str]:
    """A stored list of names; a text that is no JSON list (another program wrote it) is one name."""
    parsed = anything(value)
    if isinstance(parsed, list):
        return [part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in parsed]
    return [as_text(value)] if value else []


def anything(value: object) -> Any:
    """Stored JSON as a value; what is no JSON stays the text it is."""
    text = as_text(value)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _by_number(
    connection: sqlite3.Connection, columns: str, table: str, key: str, numbers: Sequence[int]
) -> Iterator[Sequence[Any]]:
    wanted = json.dumps(list(numbers))
    sql = f"SELECT {columns} FROM json_each(?) w CROSS JOIN {table} ON {key} = w.value"
    return iter(connection.execute(sql, (wanted,)).fetchall())


def _fact_row(row: Sequence[Any]) -> FactRow:
    (n, id, tenant, namespace, content, category, status, pinned, accepted, agent, origin, session, importance,
     strength, count, created, updated, accessed, version) = row  # fmt: skip
    return FactRow(
        n, as_text(id), as_text(tenant), as_text(namespace), as_text(content), as_text(category), as_text(status),
        bool(pinned), bool(accepted), as_text(agent), as_text(origin), as_text(session), number(importance, 5.0),
        number(strength, 0.0), int(number(count, 0.0)), as_text(created), as_text(updated), as_text(accessed),
        int(number(version, 1.0)),
    )  # fmt: skip


def _turn_row(row: Sequence[Any]) -> TurnRow:
    n, id, tenant, namespace, session, request, response, at, agent = row
    return TurnRow(
        n, as_text(id), as_text(tenant), None if namespace is None else as_text(namespace), as_text(session),
        as_text(request), as_text(response), as_text(at), as_text(agent),
    )  # fmt: skip


def _place(connection: sqlite3.Connection, row: TurnRow) -> int:
    (before,) = connection.execute(
        "SELECT count(*) FROM turns WHERE tenant = ? AND namespace IS ? AND session = ? AND n <= ?",
        (row.tenant, row.namespace, row.session, row.n),
    ).fetchone()
    return int(before)


def number(value: object, otherwise: float) -> float:
    """A stored number; what is none, or is infinite, counts as ``otherwise``."""
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else otherwise
