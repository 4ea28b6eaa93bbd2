"""A store as JSON lines, and back: one record a line, nothing lost.

The first line names the format. Each further line is one record, ``{"record": "fact", "id": …}``, with its columns as
they are stored; lists and objects are written as such. A value that JSON has no form for is an object with one key:
``{"blob": "<hex>"}``, or ``{"text": "<hex>"}`` for text that is no UTF-8. History is not part of it: a store that reads
the lines begins its own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from memview.store import index
from memview.store.database import Transaction
from memview.store.ids import identity

FORMAT = "memview"
_TABLES = {
    "namespace": "namespaces", "turn": "turns", "fact": "facts", "link": "links", "decision": "decisions",
    "judgement": "judgements",
}  # fmt: skip
_ORDER = {
    "namespace": "tenant, name", "turn": "n", "fact": "n", "link": "created_at, id", "decision": "at, id",
    "judgement": "at, id",
}  # fmt: skip
_KEYS = {"namespace": ("tenant", "name")}
_LEFT_OUT = ("n", "hash")
_ENDS = {"link": ("source", "target"), "decision": ("fact",), "judgement": ("a", "b")}
"""Columns that name a fact."""
_REQUIRED = {
    "namespace": ("tenant", "name", "created_at"), "turn": ("id",), "fact": ("id", "content"),
    "link": ("id", "source", "target"), "decision": ("id", "fact", "reviewer", "version", "decision"),
    "judgement": ("id", "a", "b", "kind"),
}  # fmt: skip


@dataclass(slots=True)
class Loaded:
    """What reading JSON lines came to."""

    added: int = 0
    same: int = 0
    """Records that stand there already, just so."""
    refused: list[tuple[int, str]] = field(default_factory=list)
    """Lines that were left out: number from 1, and in one sentence why."""


def lines(raw: sqlite3.Connection, tenant: str | None = None, namespace: str | None = None) -> Iterator[str]:
    """The records of a store, or of a tenant or namespace of it, as JSON lines without their ends."""
    yield json.dumps({"record": "store", "format": FORMAT, "version": 1})
    scope = {"tenant": tenant, "namespace": namespace}
    for record, table in _TABLES.items():
        names = [name for name in _columns(raw, table) if name not in _LEFT_OUT]
        where = _SCOPES[record]
        sql = f"SELECT {', '.join(names)} FROM {table} WHERE {where} ORDER BY {_ORDER[record]}"
        for row in raw.execute(sql, scope).fetchall():
            values = {name: _written(value) for name, value in zip(names, row, strict=True)}
            yield _json({"record": record, **values})


def load(tx: Transaction, source: Iterable[str], tenant: str | None = None) -> Loaded:
    """Put the records of JSON lines into a store; lines that are wrong are left out and told of by number.

    With a tenant, the records of any other are refused. What stands there already is never changed: the same record
    again is counted as such, another one with the same id is refused, and so is a text that the namespace has under
    another id.
    """
    loaded = Loaded()
    known = {
        record: [name for name in _columns(tx.raw, _TABLES[record]) if name not in _LEFT_OUT] for record in _TABLES
    }
    into = _Into(tx.raw, tenant, known)
    tx.raw.execute("PRAGMA defer_foreign_keys = ON")
    for number, line in enumerate(source, 1):
        text = line.strip().lstrip("\ufeff")
        if not text:
            continue
        try:
            added = _load(into, text)
        except _Refused as refused:
            loaded.refused.append((number, str(refused)))
        else:
            loaded.added += added is True
            loaded.same += added is False
    return loaded


class _Into(NamedTuple):
    """Where records go."""

    raw: sqlite3.Connection
    tenant: str | None
    """The only one that records may belong to; None for any."""
    known: dict[str, list[str]]
    """The columns of each kind of record."""


class _Refused(Exception):
    """A line that is left out, and why."""


def _load(into: _Into, text: str) -> bool | None:
    """Whether the line's record was added; None for the line that names the format."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise _Refused("It is not one JSON object.") from None
    if not isinstance(values, dict):
        raise _Refused("It is not a JSON object.")
    record = values.pop("record", None)
    if record == "store":
        if values.get("format") != FORMAT or values.get("version") != 1:
            raise _Refused("It names another format.")
        return None
    if record not in _TABLES:
        raise _Refused("It names no kind of record: namespace, turn, fact, link, decision or judgement.")
    _check_tenant(into, record, values)
    return _put(into, record, values)


def _check_tenant(into: _Into, record: str, values: dict[str, Any]) -> None:
    """Refuse what is another tenant's, and a link from one tenant to another."""
    owners = [values.get("tenant") or ""]
    if record in _ENDS:
        ends = json.dumps([values.get(name) for name in _ENDS[record]])
        tied = "SELECT DISTINCT tenant FROM facts WHERE id IN (SELECT value FROM json_each(?))"
        owners = [owner for (owner,) in into.raw.execute(tied, (ends,))]
    if len(owners) > 1:
        raise _Refused("It ties facts of two tenants.")
    if into.tenant is not None and owners and owners != [into.tenant]:
        raise _Refused("It belongs to another tenant.")


def _put(into: _Into, record: str, given: dict[str, Any]) -> bool:
    table, known = _TABLES[record], into.known[record]
    if missing := [name for name in _REQUIRED[record] if given.get(name) is None]:
        raise _Refused(f"{missing[0]} is missing.")
    if strange := [name for name in given if name not in known]:
        raise _Refused(f"{strange[0]} is no column of a {record}.")
    values = {name: _stored(value) for name, value in given.items()}
    keys = _KEYS.get(record, ("id",))
    where = " AND ".join(f"{key} = ?" for key in keys)
    row = into.raw.execute(
        f"SELECT {', '.join(values)} FROM {table} WHERE {where}", [values[k] for k in keys]
    ).fetchone()
    if row is not None:
        if all(_written(there) == _written(ours) for there, ours in zip(row, values.values(), strict=True)):
            return False
        raise _Refused(f"Another {record} has this id already.")
    _check_ends(into.raw, record, values)
    _insert(into.raw, record, table, values)
    return True


def _check_ends(raw: sqlite3.Connection, record: str, values: dict[str, Any]) -> None:
    for name in _ENDS.get(record, ()):
        if raw.execute("SELECT 1 FROM facts WHERE id = ?", (values[name],)).fetchone() is None:
            raise _Refused(f"The fact it names as {name} is not there.")


def _insert(raw: sqlite3.Connection, record: str, table: str, values: dict[str, Any]) -> None:
    if record == "fact" and isinstance(values["content"], str):
        digest = identity(values.get("tenant") or "", values.get("namespace") or "", values["content"])
        if raw.execute("SELECT 1 FROM facts WHERE hash = ?", (digest,)).fetchone():
            raise _Refused("The namespace has this text already, under another id.")
        values["hash"] = digest
    marks = ", ".join("CAST(? AS TEXT)" if isinstance(value, _Bytes) else "?" for value in values.values())
    sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
    try:
        n = raw.execute(sql, list(values.values())).lastrowid
    except (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError) as error:
        raise _Refused(f"It cannot be stored: {error}.") from error
    if record in index.KINDS and n is not None:
        index.refresh(raw, index.KINDS[record], (n,))


class _Bytes(bytes):
    """Bytes that stand for a text which is no UTF-8."""


def _written(value: object) -> Any:
    """A stored value as it stands in a line."""
    if isinstance(value, bytes):
        return {"blob": value.hex()}
    if not isinstance(value, str):
        return value
    if value[:1] in "[{":
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            parsed = None
        if parsed is not None and not _taken(parsed):
            return parsed
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"text": value.encode("utf-8", "surrogateescape").hex()}
    return value


def _stored(value: Any) -> Any:
    """A line's value as it is stored."""
    if not isinstance(value, (list, dict)):
        return value
    if isinstance(value, dict) and _taken(value):
        ((kind, digits),) = value.items()
        data = bytes.fromhex(digits)
        return data if kind == "blob" else _Bytes(data)
    return _json(value, separators=(",", ":"))


def _json(value: Any, **options: Any) -> str:
    """JSON that is plain to read, and escaped where it would be no UTF-8."""
    text = json.dumps(value, ensure_ascii=False, **options)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, **options)
    return text


def _taken(value: Any) -> bool:
    """Whether an object is the form of a value that JSON cannot hold."""
    if not (isinstance(value, dict) and len(value) == 1):
        return False
    ((kind, digits),) = value.items()
    if kind not in ("blob", "text") or not isinstance(digits, str):
        return False
    try:
        bytes.fromhex(digits)
    except ValueError:
        return False
    return True


def _columns(raw: sqlite3.Connection, table: str) -> Sequence[str]:
    return [name for _, name, *_ in raw.execute(f"PRAGMA table_info({table})")]


_OWN = "(:tenant IS NULL OR tenant = :tenant) AND (:namespace IS NULL OR {name} = :namespace)"
_MEMBERS = f"(SELECT id FROM facts WHERE {_OWN.format(name='namespace')})"
_SCOPES = {
    "namespace": _OWN.format(name="name"),
    "turn": _OWN.format(name="namespace"),
    "fact": _OWN.format(name="namespace"),
    "link": f"source IN {_MEMBERS} AND target IN {_MEMBERS}",
    "decision": f"fact IN {_MEMBERS}",
    "judgement": f"a IN {_MEMBERS} AND b IN {_MEMBERS}",
}
"""Which rows belong to a scope, by kind of record. Links that lead out of it stay behind."""
