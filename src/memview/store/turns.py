"""Turns: one exchange each of a session, as they were recorded."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from memview import clock
from memview.store import index
from memview.store.database import Transaction
from memview.store.ids import new_id
from memview.store.models import Turn, made
from memview.store.orm import insert
from memview.store.rows import anything
from memview.store.words import as_text

_COLUMNS = "n, id, tenant, namespace, session, request, response, at, agent, metadata"
_INSERT = insert(Turn)
_OF_SESSION = "tenant = ? AND namespace IS ? AND session = ?"


class Session(NamedTuple):
    """What isolates one conversation from another."""

    tenant: str
    namespace: str | None
    session: str


def record(tx: Transaction, session: Session, request: str, response: str, at: Any, meta: dict[str, Any]) -> Turn:
    """Store a turn and return it."""
    row = {
        "id": new_id(tx.at), **session._asdict(), "request": request, "response": response, "at": at or tx.at,
        "agent": tx.actor,
    }  # fmt: skip
    n = tx.connection.execute(_INSERT, {**row, "metadata": meta}).lastrowid
    index.put(tx.raw, index.TURNS, n, index.turn_texts(request, response), new=True)
    return made(Turn, {**row, "n": n, "meta": meta})


def of_session(raw: sqlite3.Connection, session: Session, last: int | None = None) -> list[Turn]:
    """The turns of a session in the order they were recorded, all or the ``last`` ones."""
    found = rows(raw, f"{_OF_SESSION} ORDER BY n DESC LIMIT ?", (*session, -1 if last is None else last))
    return found[::-1]


def size(raw: sqlite3.Connection, session: Session) -> int:
    """How many turns a session has stored."""
    return int(raw.execute(f"SELECT count(*) FROM turns WHERE {_OF_SESSION}", session).fetchone()[0])


def delete(tx: Transaction, session: Session, oldest: int | None = None) -> int:
    """Remove the turns of a session, all or the ``oldest`` ones. Returns how many went."""
    going = tx.raw.execute(
        f"SELECT n FROM turns WHERE {_OF_SESSION} ORDER BY n LIMIT ?", (*session, -1 if oldest is None else oldest)
    ).fetchall()
    for (n,) in going:
        tx.raw.execute("DELETE FROM turns WHERE n = ?", (n,))
        index.drop(tx.raw, index.TURNS, n)
    return len(going)


def by_numbers(raw: sqlite3.Connection, numbers: Sequence[int]) -> list[Turn]:
    """The turns of these numbers, in the order given."""
    found = {turn.n: turn for turn in rows(raw, "n IN (SELECT value FROM json_each(?))", (json.dumps(list(numbers)),))}
    return [found[n] for n in numbers if n in found]


def rows(raw: sqlite3.Connection, where: str, parameters: Sequence[object]) -> list[Turn]:
    """The turns for which ``where`` (SQL after WHERE: conditions, order, limit) holds."""
    return [_turn(row) for row in raw.execute(f"SELECT {_COLUMNS} FROM turns WHERE {where}", parameters).fetchall()]


def _turn(row: Sequence[Any]) -> Turn:
    n, id, tenant, namespace, session, request, response, at, agent, metadata = row
    return made(Turn, {
        "n": n, "id": as_text(id), "tenant": as_text(tenant), "session": as_text(session), "agent": agent,
        "namespace": None if namespace is None else as_text(namespace), "request": as_text(request),
        "response": as_text(response), "at": clock.stored(as_text(at)), "meta": anything(metadata),
    })  # fmt: skip
