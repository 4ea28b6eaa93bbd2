"""Undo and redo, read from the change feed: one action a step, the actor's own alone.

An undo is itself an action, ``undo:<id>:<action it takes back>``, and a redo is the undo of an undo; so what can be
undone is known from the feed, over restarts too. Only the columns that an action changed are put back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from memview.errors import Conflict
from memview.store import feed, index
from memview.store.feed import ChangeRow, Values, verb
from memview.store.ids import identity

if TYPE_CHECKING:
    from memview.store.database import Transaction

_TABLES = {"fact": "facts", "turn": "turns", "link": "links", "decision": "decisions"}
_NOT_UNDONE = ("undo", "redo", "erase")
_REMAINS = "id NOT IN (SELECT id FROM changes WHERE op = 'erase')"
"""Of what was erased nothing can be put back."""
_LOOKED_AT = 10_000
"""How many actions back the search for a step goes."""


class Step(NamedTuple):
    """An action that can be taken back, or was."""

    action: str
    verb: str
    """What it was, e.g. ``forget``."""
    at: str
    actor: str | None
    seq: int
    """The last change it made."""


class Undone(NamedTuple):
    """What an undo or redo did."""

    verb: str
    """What was taken back or done again, e.g. ``forget``."""
    action: str
    at: str
    """When that had been done, in its stored form."""
    records: list[tuple[str, str, str | None]]
    """Kind, id and namespace of each record that changed."""


def undoable(raw: sqlite3.Connection, actor: str | None, tenant: str | None = None) -> Step | None:
    """The actor's newest action that stands and can be taken back, in one tenant or (None) in all."""
    return next(steps(raw, actor, tenant), None)


def steps(raw: sqlite3.Connection, actor: str | None, tenant: str | None = None) -> Iterator[Step]:
    """The actor's actions that stand and can be taken back, newest first."""
    cancelled: set[str] = set()
    for step in _actions(raw, actor, tenant):
        if step.action in cancelled:
            continue
        if step.verb in ("undo", "redo"):
            cancelled.add(_target(step.action))
        elif step.verb not in _NOT_UNDONE:
            yield step


def redoable(raw: sqlite3.Connection, actor: str | None, tenant: str | None = None) -> Step | None:
    """The actor's newest undo that can be done again: no newer action of theirs stands after it."""
    cancelled: set[str] = set()
    for step in _actions(raw, actor, tenant):
        if step.action in cancelled:
            continue
        if step.verb == "redo":
            cancelled.add(_target(step.action))
        elif step.verb == "undo":
            return step
        else:
            return None
    return None


def _target(action: str) -> str:
    return action.split(":", 2)[2]


def _actions(raw: sqlite3.Connection, actor: str | None, tenant: str | None) -> Iterator[Step]:
    seen: set[str] = set()
    cursor = raw.execute(
        "SELECT action, at, actor, seq FROM changes WHERE actor IS :actor AND action IS NOT NULL "
        f"AND (:tenant IS NULL OR tenant = :tenant) AND {_REMAINS} ORDER BY seq DESC",
        {"actor": actor, "tenant": tenant},
    )
    try:
        for action, at, who, seq in cursor:
            if action not in seen:
                seen.add(action)
                yield Step(action, verb(action), at, who, seq)
                if len(seen) > _LOOKED_AT:
                    return
    finally:
        cursor.close()


def take_back(tx: Transaction, step: Step) -> Undone:
    """Reverse every change of an action, newest first.

    Raises:
        Conflict: a record that the action changed was changed again by someone else, so that putting it back would
            lose their change. Nothing is written.
    """
    changes = feed.with_after(tx.raw, _made_by(tx.raw, step))
    tx.raw.execute("PRAGMA defer_foreign_keys = ON")
    for change in changes[::-1]:
        _check(tx.raw, change)
        _REVERSE[change.op](tx, change)
    of = step
    if step.verb in ("undo", "redo"):
        of = Step(_target(step.action), verb(_target(step.action)), step.at, step.actor, step.seq)
    return Undone(of.verb, of.action, step.at, [(c.kind, c.id, c.namespace) for c in changes])


def _made_by(raw: sqlite3.Connection, step: Step) -> list[ChangeRow]:
    """The changes of an action: they stand together in the feed, since one transaction made them."""
    (first,) = raw.execute(
        "SELECT coalesce(max(seq), 0) FROM changes WHERE seq <= ? AND action IS NOT ?", (step.seq, step.action)
    ).fetchone()
    made = [row for row in feed.since(raw, first, step.seq - first) if row.action == step.action]
    erased = {id for (id,) in raw.execute("SELECT id FROM changes WHERE op = 'erase'")}
    return [row for row in made if row.id not in erased]


def _check(raw: sqlite3.Connection, change: ChangeRow) -> None:
    now = feed.present(raw, change.kind, change.id)
    if change.op == "delete":
        if now is not None:
            raise _conflict(change, change.before or {}, now)
        return
    ours = {c: v for c, v in (change.after or {}).items() if c not in _UNCOUNTED}
    if now is None or any(now.get(column) != value for column, value in ours.items()):
        raise _conflict(change, change.before or {}, now or {})


_UNCOUNTED = ("n", "version", "strength", "access_count", "last_accessed_at", "updated_at")
"""Columns that may differ without anybody having changed the record's meaning."""


def _conflict(change: ChangeRow, mine: Values, theirs: Values) -> Conflict:
    columns = mine.keys() or theirs.keys()
    return Conflict(
        "This cannot be taken back: the record was changed again since.",
        "Look at its history, and edit it by hand.",
        id=change.id,
        mine=dict(mine),
        theirs={column: theirs[column] for column in columns if column in theirs},
    )


_TIED = (
    "SELECT 1 FROM links WHERE source = ?1 OR target = ?1 UNION ALL SELECT 1 FROM decisions WHERE fact = ?1 LIMIT 1"
)
"""What others tied to a fact would go with it."""


def _remove(tx: Transaction, change: ChangeRow) -> None:
    table = _TABLES[change.kind]
    row = tx.raw.execute(f"SELECT rowid FROM {table} WHERE id = ?", (change.id,)).fetchone()
    if change.kind == "fact" and tx.raw.execute(_TIED, (change.id,)).fetchone():
        raise _conflict(change, {}, feed.present(tx.raw, "fact", change.id) or {})
    tx.raw.execute(f"DELETE FROM {table} WHERE id = ?", (change.id,))
    _reindex(tx, change, row[0])


def _restore(tx: Transaction, change: ChangeRow) -> None:
    values = dict(change.before or {})
    if change.kind == "fact":
        values["version"] = tx.raw.execute("SELECT version + 1 FROM facts WHERE id = ?", (change.id,)).fetchone()[0]
    if "content" in values:
        values["hash"] = _digest(tx, change, values)
    sets = ", ".join(f"{column} = {_mark(value)}" for column, value in values.items())
    table = _TABLES[change.kind]
    tx.raw.execute(f"UPDATE {table} SET {sets} WHERE id = ?", (*map(_stored, values.values()), change.id))
    row = tx.raw.execute(f"SELECT rowid FROM {table} WHERE id = ?", (change.id,)).fetchone()
    _reindex(tx, change, row[0])


def _insert(tx: Transaction, change: ChangeRow) -> None:
    values = {"id": change.id, **(change.before or {})}
    if change.kind == "fact":
        values["hash"] = _digest(tx, change, values)
    marks = ", ".join(map(_mark, values.values()))
    tx.raw.execute(
        f"INSERT INTO {_TABLES[change.kind]} ({', '.join(values)}) VALUES ({marks})", [*map(_stored, values.values())]
    )
    row = tx.raw.execute(f"SELECT rowid FROM {_TABLES[change.kind]} WHERE id = ?", (change.id,)).fetchone()
    _reindex(tx, change, row[0])


def _digest(tx: Transaction, change: ChangeRow, values: Values) -> bytes | None:
    """The identity of a text put back; None for what is no text.

    Raises:
        Conflict: another fact has this text by now.
    """
    if not isinstance(values["content"], str):
        return None
    digest = identity(change.tenant, change.namespace or "", values["content"])
    if tx.raw.execute("SELECT 1 FROM facts WHERE hash = ? AND id <> ?", (digest, change.id)).fetchone():
        raise _conflict(change, values, {})
    return digest


def _reindex(tx: Transaction, change: ChangeRow, n: int) -> None:
    if change.kind in index.KINDS:
        index.refresh(tx.raw, index.KINDS[change.kind], (n,))


def _mark(value: object) -> str:
    """How a value is bound: text that was no UTF-8 travels as bytes."""
    return "CAST(? AS TEXT)" if isinstance(value, str) and not isinstance(_stored(value), str) else "?"


def _stored(value: object) -> object:
    """A value as SQLite takes it; text that was no UTF-8 as the bytes it was."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogateescape")
    return value


_REVERSE = {"insert": _remove, "update": _restore, "delete": _insert}
