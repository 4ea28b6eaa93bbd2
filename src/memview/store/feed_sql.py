"""The SQL of the change feed: triggers that log every change of a record, whoever makes it.

A row of ``changes`` says what happened (``op``), to which record, and in ``before`` what the changed columns held. The
value of each column is typed, so that undo puts back exactly what stood there: JSON's own null, integers and plain
ASCII text, and for the rest an object with one key, ``{"real": "0.1"}`` with 20 digits, ``{"text": "<hex>"}`` for text
that is not plain ASCII, ``{"blob": "<hex>"}``. (``json_object`` alone would abort on a BLOB and round a real.)

Who wrote is read from the one-row table ``context``, which our own transactions fill and empty; where it is empty,
another program wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_PLAIN = "'*[^' || char(1) || '-' || char(127) || ']*'"
_NOW = "strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')"
OURS = "EXISTS (SELECT 1 FROM context)"


class Fed(NamedTuple):
    """A table whose changes are logged."""

    table: str
    kind: str
    """What the feed calls its records: ``fact``, ``turn``, ``link`` or ``decision``."""
    counted: Sequence[str]
    """The columns whose change is a change; being recalled touches none of them."""
    carried: Sequence[str]
    """More columns that are put down when a counted one changes, or when the row goes."""
    kept: Sequence[str]
    """Columns that only a deleted row's entry carries, so that undo can put the whole row back."""
    scope: tuple[str, str]
    """SQL for the tenant and the namespace, with ``{row}`` for ``old`` or ``new``."""
    identity: Sequence[str]
    """What is unique, each one or more column names: what REPLACE may silently remove a row by."""


def typed(value: str) -> str:
    """SQL that turns a value into the JSON text of its typed form."""
    return (
        f"CASE typeof({value}) WHEN 'real' THEN json_object('real', printf('%!.20g', {value}))"
        f" WHEN 'blob' THEN json_object('blob', hex({value}))"
        f" WHEN 'text' THEN CASE WHEN {value} GLOB {_PLAIN} OR instr(CAST({value} AS BLOB), x'00')"
        f" THEN json_object('text', hex({value})) ELSE json_quote({value}) END"
        f" ELSE json_quote({value}) END"
    )


def _before(arms: Sequence[str]) -> str:
    return f"(SELECT json_group_object(c, json({typed('v')})) FROM ({' UNION ALL '.join(arms)}))"


def _log(fed: Fed, op: str, row: str, before: str, source: str = "") -> str:
    tenant, namespace = (part.format(row=row) for part in fed.scope)
    return (
        "INSERT INTO changes (at, actor, action, op, kind, id, tenant, namespace, before) "
        f"SELECT coalesce((SELECT at FROM context), {_NOW}), "
        "(SELECT actor FROM context), (SELECT action FROM context), "
        f"'{op}', '{fed.kind}', {row}.id, {tenant}, {namespace}, {before} {source};"
    )


def _whole(fed: Fed, row: str) -> str:
    columns = [*fed.counted, *fed.carried, *fed.kept]
    return _before([f"SELECT '{c}' AS c, {row}.{c} AS v" for c in columns])


def queued(kind: str, n: str, source: str = "") -> str:
    """SQL that names rows for indexing, once each. (The policy of an upsert would override OR IGNORE in a trigger.)"""
    known = "SELECT 1 FROM queue q WHERE q.kind = w.kind AND q.n = w.n"
    return (
        f"INSERT INTO queue (kind, n) SELECT kind, n FROM (SELECT {kind} AS kind, {n} AS n {source}) w "
        f"WHERE NOT EXISTS ({known})"
    )


def triggers(fed: Fed) -> list[str]:
    """The statements that create the feed's triggers of one table."""
    differs = " OR ".join(f"old.{c} IS NOT new.{c}" for c in fed.counted)
    arms = [f"SELECT '{c}' AS c, old.{c} AS v WHERE old.{c} IS NOT new.{c}" for c in [*fed.counted, *fed.carried]]
    return [
        f"CREATE TRIGGER {fed.table}_feed_insert AFTER INSERT ON {fed.table} BEGIN "
        f"{_log(fed, 'insert', 'new', 'NULL')} END",
        f"CREATE TRIGGER {fed.table}_feed_update AFTER UPDATE ON {fed.table} WHEN {differs} BEGIN "
        f"{_log(fed, 'update', 'new', _before(arms))} END",
        f"CREATE TRIGGER {fed.table}_feed_delete AFTER DELETE ON {fed.table} BEGIN "
        f"{_log(fed, 'delete', 'old', _whole(fed, 'old'))} END",
        *_replacing(fed),
    ]


def _replacing(fed: Fed) -> list[str]:
    """REPLACE removes a row without firing its DELETE trigger: note it before, log it once the new row stands.

    A note whose statement came to nothing (INSERT OR IGNORE, an upsert) is thrown away by the next one. Of the AFTER
    triggers SQLite fires the last one made first, so that the feed tells the removal before the row that replaced it.
    """
    moved = ", ".join(column for part in fed.identity if part != "hash" for column in part.split())
    other = " AND r.rowid <> old.rowid"
    return [*_noting(fed, "INSERT", "insert", ""), *_noting(fed, f"UPDATE OF {moved}", "update", other)]


def _noting(fed: Fed, event: str, name: str, other: str) -> list[str]:
    tenant, namespace = (part.format(row="r") for part in fed.scope)
    unique = (" AND ".join(f"r.{c} = new.{c}" for c in part.split()) for part in fed.identity)
    same = f"FROM {fed.table} r WHERE ({' OR '.join(unique)}){other}"
    noted = f"FROM replaced WHERE kind = '{fed.kind}'"
    return [
        f"CREATE TRIGGER {fed.table}_replace_{name}_note BEFORE {event} ON {fed.table} "
        f"WHEN NOT {OURS} AND (EXISTS (SELECT 1 {same}) OR EXISTS (SELECT 1 {noted})) BEGIN DELETE {noted}; "
        f"INSERT INTO replaced (kind, id, n, tenant, namespace, before) SELECT '{fed.kind}', r.id, r.rowid, {tenant}, "
        f"{namespace}, {_whole(fed, 'r')} {same}; END",
        f"CREATE TRIGGER {fed.table}_replace_{name}_log AFTER {event} ON {fed.table} "
        f"WHEN NOT {OURS} AND EXISTS (SELECT 1 {noted}) BEGIN "
        "INSERT INTO changes (at, op, kind, id, tenant, namespace, before) "
        f"SELECT {_NOW}, 'delete', kind, id, tenant, namespace, before {noted}; "
        f"{queued('kind', 'n', noted)}; DELETE {noted}; END",
    ]
