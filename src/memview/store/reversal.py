"""Reversing single changes of the feed: what an undo writes.

Only the columns that a change touched are put back, as the next version of the record; the text index follows.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memview.errors import Conflict
from memview.store import feed, index
from memview.store.feed import ChangeRow, Values
from memview.store.ids import identity

if TYPE_CHECKING:
    from memview.store.database import Transaction

_TABLES = {
    "fact": "facts", "turn": "turns", "link": "links", "decision": "decisions", "judgement": "judgements",
}  # fmt: skip
_INDEXED = {"content", "tags", "keywords", "category", "summary", "request", "response"}


def reverse(tx: Transaction, change: ChangeRow) -> None:
    """Take back one change.

    Args:
        tx: the open transaction.
        change: with its ``after``.

    Raises:
        Conflict: the record does not hold any more what the change left.
    """
    _check(tx.raw, change)
    _REVERSE[change.op](tx, change)


def sorted_out(
    raw: sqlite3.Connection, changes: Sequence[ChangeRow], seq: int
) -> tuple[list[ChangeRow], list[ChangeRow]]:
    """The changes of an action in two lists: those that can be put back without a look, and the others.

    The first are updates of facts that the action touched once, that nobody has changed after ``seq``, and whose text
    stayed: of 40,000 forgotten facts usually all.
    """
    times = Counter(change.id for change in changes)
    plain = [c for c in changes if c.op == "update" and c.kind == "fact" and "content" not in (c.before or {})]
    once = [change for change in plain if times[change.id] == 1]
    later = (
        "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM changes WHERE id = value AND seq > ?) "
        "OR NOT EXISTS (SELECT 1 FROM facts WHERE id = value)"
    )
    moved = {id for (id,) in raw.execute(later, (json.dumps([change.id for change in once]), seq))}
    quick = {change.seq for change in once if change.id not in moved}
    return [c for c in changes if c.seq in quick], [c for c in changes if c.seq not in quick]


def restore_many(tx: Transaction, changes: Sequence[ChangeRow]) -> None:
    """Put back the columns of changes for which :func:`sorted_out` vouches."""
    alike: dict[tuple[str, ...], list[ChangeRow]] = {}
    for change in changes:
        alike.setdefault(tuple(change.before or ()), []).append(change)
    for columns, group in alike.items():
        if any(_mark(value) != "?" for change in group for value in (change.before or {}).values()):
            for change in group:
                _restore(tx, change)
            continue
        sets = ", ".join(f"{column} = ?" for column in columns)
        tx.raw.executemany(
            f"UPDATE facts SET version = version + 1, {sets} WHERE id = ?",
            [(*(change.before or {}).values(), change.id) for change in group],
        )
        if _INDEXED.intersection(columns):
            numbers = "SELECT n FROM facts WHERE id IN (SELECT value FROM json_each(?))"
            found = tx.raw.execute(numbers, (json.dumps([change.id for change in group]),)).fetchall()
            index.refresh(tx.raw, index.FACTS, [n for (n,) in found])


def put_back(tx: Transaction, change: ChangeRow) -> None:
    """Write what columns of a fact held before, as its next version.

    Args:
        tx: the open transaction.
        change: an update of a fact, with the columns in ``before``; whether they changed again is not asked.

    Raises:
        Conflict: another fact has the old text by now.
    """
    _restore(tx, change)


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
    "SELECT 1 FROM links WHERE source = ?1 OR target = ?1 UNION ALL SELECT 1 FROM decisions WHERE fact = ?1 "
    "UNION ALL SELECT 1 FROM judgements WHERE a = ?1 OR b = ?1 LIMIT 1"
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
        present = "SELECT tenant, namespace, version + 1 FROM facts WHERE id = ?"
        *scope, values["version"] = tx.raw.execute(present, (change.id,)).fetchone()
        if "content" in values:
            values["hash"] = _digest(tx, change, scope, values)
    sets = ", ".join(f"{column} = {_mark(value)}" for column, value in values.items())
    table = _TABLES[change.kind]
    tx.raw.execute(f"UPDATE {table} SET {sets} WHERE id = ?", (*map(_stored, values.values()), change.id))
    row = tx.raw.execute(f"SELECT rowid FROM {table} WHERE id = ?", (change.id,)).fetchone()
    _reindex(tx, change, row[0])


def _insert(tx: Transaction, change: ChangeRow) -> None:
    values = {"id": change.id, **(change.before or {})}
    if change.kind == "fact":
        values["hash"] = _digest(tx, change, (change.tenant, change.namespace or ""), values)
    marks = ", ".join(map(_mark, values.values()))
    tx.raw.execute(
        f"INSERT INTO {_TABLES[change.kind]} ({', '.join(values)}) VALUES ({marks})", [*map(_stored, values.values())]
    )
    row = tx.raw.execute(f"SELECT rowid FROM {_TABLES[change.kind]} WHERE id = ?", (change.id,)).fetchone()
    _reindex(tx, change, row[0])


def _digest(tx: Transaction, change: ChangeRow, scope: Sequence[str], values: Values) -> bytes | None:
    """The identity of a text put back; None for what is no text.

    Args:
        tx: the open transaction.
        change: what is taken back.
        scope: tenant and namespace that the fact is in from then on, where another program may have moved it.
        values: what is put back.

    Raises:
        Conflict: another fact has this text by now.
    """
    if not isinstance(values["content"], str):
        return None
    digest = identity(scope[0], scope[1], values["content"])
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
