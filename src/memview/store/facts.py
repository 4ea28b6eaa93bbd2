"""Facts: reading them whole, and every way of changing one, inside a transaction of :class:`Database`.

A *scope* is a tenant and a namespace. No function reaches outside the scope it is given, and all raise
:class:`~memview.errors.NotFound` for an id that is not in it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from memview import clock
from memview.errors import Conflict, Duplicate, NotFound
from memview.store import checks, index
from memview.store.database import Transaction, to_json
from memview.store.ids import identity, new_ids
from memview.store.models import Fact, attach, made
from memview.store.orm import update
from memview.store.rows import anything, names, number
from memview.store.words import as_text, prepare

_TABLE = Fact.__table__  # type: ignore[attr-defined]
_NAMES = [column.name for column in _TABLE.columns]
_COLUMNS = ", ".join(_NAMES)
_DEFAULTS: dict[str, Any] = {
    "category": None, "tags": [], "keywords": [], "summary": None, "importance": 5, "memory_type": "semantic",
    "strength": 1.0, "access_count": 0, "version": 1, "status": "active", "pinned": False, "confidentiality": "public",
    "session": None, "turns": [], "origin": None, "meta": {},
}  # fmt: skip
_LISTS = ("tags", "keywords", "turns")
_STORED: dict[str, Any] = {**_DEFAULTS, **dict.fromkeys(_LISTS, "[]"), "metadata": "{}", "content": ""}
"""The defaults as they stand in a row."""
_MOST = 999
"""How many parameters a statement may have in every SQLite."""
_TIMES = ("created_at", "updated_at", "last_accessed_at")


class Scope(NamedTuple):
    """A tenant and a namespace of it."""

    tenant: str
    namespace: str


def rows(raw: sqlite3.Connection, where: str, parameters: Sequence[object] | dict[str, object]) -> list[Fact]:
    """The facts for which ``where`` (SQL after WHERE: conditions, order, limit) holds."""
    return [_fact(row) for row in raw.execute(f"SELECT {_COLUMNS} FROM facts WHERE {where}", parameters).fetchall()]


def by_numbers(raw: sqlite3.Connection, numbers: Sequence[int]) -> list[Fact]:
    """The facts of these numbers, in the order given; those that are gone are left out."""
    found = {fact.n: fact for fact in rows(raw, "n IN (SELECT value FROM json_each(?))", (json.dumps(list(numbers)),))}
    return [found[n] for n in numbers if n in found]


def get(raw: sqlite3.Connection, scope: Scope, id: str) -> Fact:
    """The fact of this id, whatever its status."""
    checks.text(id, "id")
    found = rows(raw, "id = ? AND tenant = ? AND namespace = ?", (id, *scope))
    if not found:
        raise NotFound("There is no such fact in this namespace.", "Check the id, and which namespace it belongs to.")
    return found[0]


class Draft(NamedTuple):
    """A text to be learnt, with all that can be worked out before the store is locked. Made by :func:`draft`."""

    values: dict[str, Any]
    """Its checked columns, at least ``content``."""
    row: dict[str, Any]
    """The same as they are stored."""
    hash: bytes
    words: tuple[str, str]
    """What the index will hold of it."""


def draft(scope: Scope, values: dict[str, Any]) -> Draft:
    """Get a text ready to be learnt; see :mod:`memview.store.checks` for its columns."""
    content = values["content"]
    words = (prepare(content), "") if len(values) == 1 else _texts({**_DEFAULTS, **values})
    return Draft(values, _stored(values), identity(*scope, content), words)


def write(tx: Transaction, scope: Scope, drafts: Sequence[Draft]) -> list[Fact]:
    """Learn texts, or say of each what is known of it already.

    Args:
        tx: the open transaction.
        scope: where.
        drafts: the texts, each made for this scope.

    Returns:
        A fact for each draft, in order.
    """
    known = _by_digest(tx.raw, [draft.hash for draft in drafts])
    new: dict[bytes, Draft] = {}
    for draft in drafts:
        if draft.hash not in known:
            new.setdefault(draft.hash, draft)
    added = _add(tx, scope, list(new.values())) if new else {}
    written = []
    for draft in drafts:
        fact = added.get(draft.hash)
        if fact is None or draft is not new[draft.hash]:
            fact = _again(tx, known.get(draft.hash) or added[draft.hash], draft.values)
        written.append(fact)
    return written


def _by_digest(raw: sqlite3.Connection, digests: Sequence[bytes]) -> dict[bytes, Fact]:
    """The facts that have these texts already."""
    numbers: list[int] = []
    for start in range(0, len(digests), _MOST):
        part = digests[start : start + _MOST]
        found = raw.execute(f"SELECT n FROM facts WHERE hash IN ({', '.join('?' * len(part))})", part).fetchall()
        numbers += [n for (n,) in found]
    known = by_numbers(raw, numbers) if numbers else []
    return {fact.hash: fact for fact in known if fact.hash is not None}


def _add(tx: Transaction, scope: Scope, drafts: Sequence[Draft]) -> dict[bytes, Fact]:
    """Store texts that are new."""
    shared = {"tenant": scope.tenant, "namespace": scope.namespace, "agent": tx.actor}
    ids = new_ids(tx.at, len(drafts))
    numbers = _insert(tx.raw, {**shared, **dict.fromkeys(_TIMES, tx.stamp)}, ids, drafts)
    index.add(tx.raw, index.FACTS, [(n, *draft.words) for n, draft in zip(numbers, drafts, strict=True)])
    held = {**_DEFAULTS, **shared, **dict.fromkeys(_TIMES, tx.at)}
    return {
        draft.hash: made(Fact, {**held, **draft.values, **_own(draft.values), "n": n, "id": id, "hash": draft.hash})
        for n, id, draft in zip(numbers, ids, drafts, strict=True)
    }


def _insert(
    raw: sqlite3.Connection, shared: dict[str, Any], ids: Sequence[str], drafts: Sequence[Draft]
) -> Sequence[int]:
    """Store new facts, naming only the columns in which one of them differs from the table's defaults.

    One statement stores as many as it can: SQLite keeps a journal of each, for its triggers, and that is what costs.

    Returns:
        The numbers that they were given, which follow each other.
    """
    given = {name: _STORED.get(name) for draft in drafts for name in draft.row}
    common = {"id": "", "hash": b"", **given, **shared}
    values: list[Any] = []
    for id, draft in zip(ids, drafts, strict=True):
        values += {**common, **draft.row, "id": id, "hash": draft.hash}.values()
    columns = tuple(common)
    most = _MOST // len(columns) * len(columns)
    last = 0
    for start in range(0, len(values), most):
        part = values[start : start + most]
        last = raw.execute(_insertion(columns, len(part) // len(columns)), part).lastrowid or 0
    return range(last - len(drafts) + 1, last + 1)


@lru_cache(100)
def _insertion(columns: tuple[str, ...], count: int) -> str:
    row = f"({', '.join('?' * len(columns))})"
    return f"INSERT INTO facts ({', '.join(columns)}) VALUES {', '.join([row] * count)}"


def _own(values: dict[str, Any]) -> dict[str, Any]:
    """The lists and the dict of a new fact, which it shares with nothing."""
    get = values.get
    return {
        "tags": [*get("tags", ())], "keywords": [*get("keywords", ())], "turns": [*get("turns", ())],
        "meta": {**get("meta", {})},
    }  # fmt: skip


def _stored(values: dict[str, Any]) -> dict[str, Any]:
    """Some columns of a fact as they stand in its row."""
    if len(values) == 1:
        return values
    row = dict(values)
    if "meta" in row:
        row["metadata"] = to_json(row.pop("meta"))
    for name in _LISTS:
        if name in row:
            row[name] = to_json(row[name])
    for name in _TIMES:
        if name in row:
            row[name] = clock.to_text(row[name])
    return row


def _again(tx: Transaction, fact: Fact, values: dict[str, Any]) -> Fact:
    """A text that is there already: evidence for an active fact, a new life for a pruned one, nothing for the rest."""
    if fact.status == "forgotten":
        _note_attempt(tx, fact)
        attach(fact, blocked=True)
        return fact
    if fact.status == "superseded":
        return fact
    changes: dict[str, Any] = {}
    for column in ("turns", "tags"):
        more = [name for name in values.get(column, ()) if name not in getattr(fact, column)]
        if more:
            changes[column] = [*getattr(fact, column), *more]
    if fact.status == "pruned":
        changes |= {"status": "active", "last_accessed_at": tx.at}
        _renumber(tx, fact)
    return change(tx, fact, changes) if changes else fact


def _note_attempt(tx: Transaction, fact: Fact) -> None:
    """Remember that somebody tried to write a forgotten text again."""
    tx.raw.execute(
        "INSERT INTO attempts (fact, agent, times, seq, at) "
        "SELECT ?, ?, 1, coalesce(max(seq), 0), ? FROM changes WHERE true "
        "ON CONFLICT DO UPDATE SET times = times + 1, seq = excluded.seq, at = excluded.at",
        (fact.id, tx.actor or "", clock.to_text(tx.at)),
    )


def _renumber(tx: Transaction, fact: Fact) -> None:
    """Make a fact the newest of the file."""
    assert fact.n is not None
    number = _next_number(tx.raw)
    tx.raw.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'facts'", (number,))
    tx.raw.execute("UPDATE facts SET n = ? WHERE n = ?", (number, fact.n))
    index.refresh(tx.raw, index.FACTS, (fact.n, number))
    fact.n = number


def _next_number(raw: sqlite3.Connection) -> int:
    """A number above every one that was given out, or that another program put in by hand."""
    given = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'facts'), 0)"
    (last,) = raw.execute(f"SELECT max({given}, coalesce((SELECT max(n) FROM facts), 0))").fetchone()
    return int(last) + 1


def edit(tx: Transaction, scope: Scope, id: str, values: dict[str, Any], *, version: int | None = None) -> Fact:
    """Change what a person or an agent says of a fact. Values that are the same already leave the row untouched.

    Args:
        tx: the open transaction.
        scope: where the fact is.
        id: the fact.
        values: the new values, checked; see :mod:`memview.store.checks`. ``origin`` says whose words a new content is;
            the fact keeps the less trusted of this and its own.
        version: the version that was read; None to change whatever stands there.

    Raises:
        Conflict: the fact has another version by now and one of these columns would change.
        Duplicate: another fact of the namespace has this content.
    """
    fact = get(tx.raw, scope, id)
    changes = {name: value for name, value in values.items() if getattr(fact, name) != value}
    if "origin" in changes:
        whose = checks.least_trusted((fact.origin, changes.pop("origin")))
        changes |= {"origin": whose} if "content" in changes and whose != fact.origin else {}
    if not changes:
        return fact
    if version is not None and version != fact.version:
        raise Conflict(
            "This fact changed since it was read.",
            "Read it again, then decide between the two texts.",
            id=id,
            mine=values,
            theirs={name: getattr(fact, name) for name in values},
        )
    if "content" in changes:
        changes["hash"] = identity(*scope, changes["content"])
        _refuse_duplicate(tx, fact, changes["hash"])
    return change(tx, fact, {**changes, "last_accessed_at": tx.at})


def _refuse_duplicate(tx: Transaction, fact: Fact, digest: bytes) -> None:
    other = tx.raw.execute("SELECT id, status FROM facts WHERE hash = ? AND id <> ?", (digest, fact.id)).fetchone()
    if other:
        raise Duplicate(
            f"Another fact of this namespace says exactly this: {other[0]} ({other[1]}).",
            "Keep one of the two and forget the other.",
            id=other[0],
        )


def change(tx: Transaction, fact: Fact, values: dict[str, Any]) -> Fact:
    """Store new values of a fact as its next version, and return the fact as it is now."""
    values = {"version": fact.version + 1, "updated_at": tx.at, **values}
    named = {("metadata" if name == "meta" else name): value for name, value in values.items()}
    tx.connection.execute(update(Fact).where(_TABLE.c.n == fact.n).values(named))
    for name, value in values.items():
        setattr(fact, name, value)
    if values.keys() & {"content", "tags", "keywords", "category", "summary"}:
        assert fact.n is not None
        index.put(tx.raw, index.FACTS, fact.n, _texts(fact.__dict__))
    return fact


def prune_beyond(tx: Transaction, scope: Scope, keep: int) -> list[str]:
    """Set aside the oldest active facts beyond ``keep``; pinned ones stay. Returns the ids that went."""
    active = "tenant = ? AND namespace = ? AND status = 'active'"
    (count,) = tx.raw.execute(f"SELECT count(*) FROM facts WHERE {active}", scope).fetchone()
    if count <= keep:
        return []
    oldest = rows(tx.raw, f"{active} AND NOT pinned ORDER BY n LIMIT ?", (*scope, count - keep))
    for fact in oldest:
        change(tx, fact, {"status": "pruned"})
    return [fact.id for fact in oldest]


def count(raw: sqlite3.Connection, scope: Scope) -> int:
    """How many active facts a namespace has."""
    sql = "SELECT count(*) FROM facts WHERE tenant = ? AND namespace = ? AND status = 'active'"
    return int(raw.execute(sql, scope).fetchone()[0])


def _texts(values: dict[str, Any]) -> tuple[str, str]:
    beside = (*values["tags"], *values["keywords"], values["category"], values["summary"])
    return index.fact_texts(values["content"], *beside)


def _fact(row: Sequence[Any]) -> Fact:
    """A stored row as a value, whatever another program may have put into it."""
    values = dict(zip(_NAMES, row, strict=True))
    values["meta"] = anything(values.pop("metadata"))
    for name in _LISTS:
        values[name] = names(values[name])
    for name in _TIMES:
        values[name] = clock.stored(as_text(values[name]))
    for name in ("id", "tenant", "namespace", "content"):
        values[name] = as_text(values[name])
    values["importance"] = int(number(values["importance"], 5))
    values["strength"] = number(values["strength"], 1.0)
    values["pinned"] = bool(values["pinned"])
    return made(Fact, values)
