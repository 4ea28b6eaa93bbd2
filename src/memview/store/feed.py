"""Readings of the change feed: what came after a point, and the history of one record."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from memview.errors import DamagedStore

_COLUMNS = "seq, at, actor, action, op, kind, id, tenant, namespace, before"
_TABLES = {
    "fact": "facts", "turn": "turns", "link": "links", "decision": "decisions", "judgement": "judgements",
}  # fmt: skip
Values = dict[str, Any]


class ChangeRow(NamedTuple):
    """One change of one record."""

    seq: int
    at: str
    actor: str | None
    """An agent's name, ``person:<user>``, or None for another program."""
    action: str | None
    """``<verb>:<id>``; see :func:`verb`."""
    op: str
    """``insert``, ``update``, ``delete`` or ``erase``."""
    kind: str
    """``fact``, ``turn``, ``link``, ``decision`` or ``judgement``."""
    id: str
    tenant: str
    namespace: str | None
    before: Values | None
    """What the changed columns held; None for an insert and once erased."""
    after: Values | None = None
    """What they held afterwards; filled by :func:`history` and :func:`with_after`, None where unknown or erased."""


def verb(action: str | None) -> str:
    """What an action was, e.g. ``forget``; empty for another program's."""
    return (action or "").partition(":")[0]


def last_seq(connection: sqlite3.Connection) -> int:
    """The number of the newest change; 0 in a store that never changed."""
    return int(connection.execute("SELECT coalesce(max(seq), 0) FROM changes").fetchone()[0])


def since(connection: sqlite3.Connection, seq: int, limit: int = 1_000) -> list[ChangeRow]:
    """The changes after ``seq``, oldest first, without ``after``."""
    return _rows(connection, f"SELECT {_COLUMNS} FROM changes WHERE seq > ? ORDER BY seq LIMIT ?", (seq, limit))


def of_action(connection: sqlite3.Connection, action: str) -> list[ChangeRow]:
    """The changes that one action made, oldest first."""
    return _rows(connection, f"SELECT {_COLUMNS} FROM changes WHERE action = ? ORDER BY seq", (action,))


class Extent(NamedTuple):
    """What one action touched."""

    action: str
    first: int
    """The number of its first change."""
    records: int
    """How many records it changed."""
    namespaces: tuple[str, ...]
    """Where they are, by name; those of turns without one are not named."""


def extents(connection: sqlite3.Connection, actions: Sequence[str]) -> dict[str, Extent]:
    """What each of several actions touched; one that left no trace is missing."""
    found = connection.execute(
        "SELECT action, min(seq), count(DISTINCT id), json_group_array(DISTINCT CAST(namespace AS TEXT)) FROM changes "
        "WHERE action IN (SELECT value FROM json_each(?)) GROUP BY action",
        (json.dumps(list(actions)),),
    )
    return {
        action: Extent(action, first, records, tuple(sorted(filter(None, json.loads(spaces)))))
        for action, first, records, spaces in found
    }


def history(connection: sqlite3.Connection, id: str) -> list[ChangeRow]:
    """All changes of a record, oldest first, each with what came after."""
    rows = _rows(connection, f"SELECT {_COLUMNS} FROM changes WHERE id = ? ORDER BY seq", (id,))
    return with_after(connection, rows)


def with_after(connection: sqlite3.Connection, rows: Sequence[ChangeRow]) -> list[ChangeRow]:
    """The same changes, each with ``after`` worked out from the record and from the changes that followed."""
    state: dict[tuple[str, str], Values | None] = {}
    later: list[ChangeRow] = []
    for row in reversed(rows):
        key = (row.kind, row.id)
        if key not in state:
            state[key] = _state_after(connection, row)
        now = state[key]
        after = None
        if row.op in ("insert", "update") and now is not None:
            after = {c: now.get(c) for c in row.before} if row.before is not None else dict(now)
        later.append(row._replace(after=after))
        state[key] = _back(row, now)
    return later[::-1]


def _back(row: ChangeRow, now: Values | None) -> Values | None:
    """What the record held before a change, given what it held after it."""
    if row.op == "update" and now is not None:
        return {**now, **(row.before or {})}
    return row.before if row.op == "delete" else None


def _state_after(connection: sqlite3.Connection, row: ChangeRow) -> Values | None:
    """What a record held right after a change: its present values, taken back through all later changes."""
    state = present(connection, row.kind, row.id)
    after = f"SELECT {_COLUMNS} FROM changes WHERE id = ? AND seq > ? ORDER BY seq DESC"
    later = _rows(connection, after, (row.id, row.seq))
    for change in later:
        state = _back(change, state)
    return state


def present(connection: sqlite3.Connection, kind: str, id: str) -> Values | None:
    """The columns of a record as they are stored now, or None when it is gone."""
    cursor = connection.execute(f"SELECT * FROM {_TABLES[kind]} WHERE id = ?", (id,))
    row = cursor.fetchone()
    if row is None:
        return None
    return {
        part[0]: value for part, value in zip(cursor.description, row, strict=True) if part[0] not in ("id", "hash")
    }


def untyped(before: str | None) -> Values | None:
    """The typed JSON of a ``before`` as Python values.

    Raises:
        DamagedStore: it is no such thing.
    """
    if before is None:
        return None
    try:
        values: Values = json.loads(before)
        return {column: _untype(value) for column, value in values.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise DamagedStore("An entry of the history cannot be read.", "memview doctor FILE puts it right.") from error


def _untype(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, text),) = value.items()
    if kind == "real":
        return float(text)
    data = bytes.fromhex(text)
    return data if kind == "blob" else data.decode("utf-8", "surrogateescape")


def _rows(connection: sqlite3.Connection, sql: str, parameters: Sequence[object]) -> list[ChangeRow]:
    found: list[tuple[Any, ...]] = connection.execute(sql, parameters).fetchall()
    return [ChangeRow._make((*row[:-1], untyped(row[-1]), None)) for row in found]
