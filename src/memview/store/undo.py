"""Undo and redo, read from the change feed: one action a step, the actor's own alone.

An undo is itself an action, ``undo:<id>:<action it takes back>``, and a redo is the undo of an undo; so what can be
undone is known from the feed, over restarts too. Only the columns that an action changed are put back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from memview.errors import Conflict
from memview.store import feed, reversal
from memview.store.feed import ChangeRow, verb

if TYPE_CHECKING:
    from memview.store.database import Transaction

_NOT_UNDONE = ("undo", "redo", "erase", "repair")
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
    last: str
    """The action that made it so: itself, or the newest redo of it."""


class Undone(NamedTuple):
    """What an undo or redo did."""

    verb: str
    """What was taken back or done again, e.g. ``forget``."""
    action: str
    at: str
    """When that had been done, in its stored form."""
    records: list[tuple[str, str, str | None]]
    """Kind, id and namespace of each record that changed."""
    left: list[str]
    """Ids of records that were left alone, since somebody changed them meanwhile."""


def undoable(raw: sqlite3.Connection, actor: str | None, tenant: str | None = None) -> Step | None:
    """The actor's newest action that stands and can be taken back, in one tenant or (None) in all."""
    return next(steps(raw, actor, tenant), None)


def steps(raw: sqlite3.Connection, actor: str | None, tenant: str | None = None) -> Iterator[Step]:
    """The actor's actions that stand and can be taken back, newest first."""
    cancelled: set[str] = set()
    redone: dict[str, Step] = {}
    for step in _actions(raw, actor, tenant):
        if step.action in cancelled:
            continue
        if step.verb in ("undo", "redo"):
            cancelled.add(_target(step.action))
            if step.verb == "redo":
                redone.setdefault(_target(_target(step.action)), step)
        elif step.verb not in _NOT_UNDONE:
            again = redone.get(step.action, step)
            yield step._replace(seq=again.seq, last=again.action)


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
                yield Step(action, verb(action), at, who, seq, action)
                if len(seen) > _LOOKED_AT:
                    return
    finally:
        cursor.close()


def take_back(tx: Transaction, step: Step) -> Undone:
    """Reverse every change of an action, newest first.

    Where one action touched many records (a bulk forget, say), those that somebody changed since are left as they are
    and named in ``left``; otherwise such a record is a conflict.

    Raises:
        Conflict: a record that the action changed was changed again by someone else, so that putting it back would
            lose their change. Nothing is written.
    """
    changes = _made_by(tx.raw, step)
    tx.raw.execute("PRAGMA defer_foreign_keys = ON")
    quick, others = reversal.sorted_out(tx.raw, changes, step.seq)
    reversal.restore_many(tx, quick)
    left: list[str] = []
    for change in feed.with_after(tx.raw, others)[::-1]:
        try:
            reversal.reverse(tx, change)
        except Conflict as conflict:
            if step.verb not in _ONE_BY_ONE or len(changes) == 1:
                raise
            left.append(conflict.id)
    if len(left) == len(changes):
        raise Conflict(
            "None of this can be taken back: every record was changed again since.", "Look at their histories.",
            id=left[0],
        )  # fmt: skip
    of = step
    if step.verb in ("undo", "redo"):
        of = step._replace(action=_target(step.action), verb=verb(_target(step.action)))
    done = [(c.kind, c.id, c.namespace) for c in changes if c.id not in left]
    return Undone(of.verb, of.action, step.at, done, left)


_ONE_BY_ONE = ("forget", "restore", "prune", "pin", "unpin", "tag", "accept")
"""Actions on many records that have nothing to do with each other."""


def _made_by(raw: sqlite3.Connection, step: Step) -> list[ChangeRow]:
    """The changes of an action: they stand together in the feed, since one transaction made them."""
    (first,) = raw.execute(
        "SELECT coalesce(max(seq), 0) FROM changes WHERE seq <= ? AND action IS NOT ?", (step.seq, step.last)
    ).fetchone()
    made = [row for row in feed.since(raw, first, step.seq - first) if row.action == step.last]
    erased = {id for (id,) in raw.execute("SELECT id FROM changes WHERE op = 'erase'")}
    return [row for row in made if row.id not in erased]
