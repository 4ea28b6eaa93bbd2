"""Links between facts of one tenant."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from memview import clock
from memview.errors import Invalid, NotFound
from memview.store import checks, facts
from memview.store.database import Transaction
from memview.store.facts import Scope
from memview.store.ids import new_id
from memview.store.models import Fact, Link
from memview.store.orm import insert
from memview.store.words import as_text

ALIKE = ("related", "contradicts")
"""Kinds that say the same from both ends; they are stored with the smaller id first."""
_COLUMNS = "id, source, target, kind, created_at, agent"
_AGAINST = """kind = 'supersedes' AND source IN (
    WITH RECURSIVE below(id) AS (
        SELECT ? UNION SELECT links.target FROM links JOIN below ON links.source = below.id
        WHERE links.kind = 'supersedes'
    ) SELECT id FROM below
) AND target = ?"""
"""The links by which one fact, or one that it superseded, superseded another."""


def link(tx: Transaction, scope: Scope, source: str, target: str, kind: str, *, instead_of: str | None = None) -> Link:
    """Tie two facts; the first is in ``scope``, the other anywhere in its tenant. Linking twice changes nothing.

    ``supersedes`` sets the target aside: it leaves what agents get. Where the target superseded the source, by itself
    or through others, the new link takes the place of the one that set the source aside: one of them always stays.
    With ``instead_of`` the links of that kind between the two go.

    Raises:
        Invalid: the two are one fact, or the kind is unknown.
        NotFound: one of the two is not there.
    """
    if kind not in checks.LINK_KINDS:
        raise Invalid(f"A link is one of {', '.join(checks.LINK_KINDS)}.")
    if source == target:
        raise Invalid("A fact cannot be linked to itself.", "Choose another fact.")
    facts.get(tx.raw, scope, source)
    other = _in_tenant(tx.raw, scope.tenant, target)
    if instead_of is not None and instead_of != kind:
        unlink(tx, scope, source, target, instead_of)
        other = _in_tenant(tx.raw, scope.tenant, target)
    first, second = sorted((source, target)) if kind in ALIKE else (source, target)
    known = _links(tx.raw, "source = ? AND target = ? AND kind = ?", (first, second, kind))
    if known:
        return known[0]
    if kind == "supersedes":
        for tie in _links(tx.raw, _AGAINST, (target, source)):
            _drop(tx, scope.tenant, tie)
    tie = Link(id=new_id(tx.at), source=first, target=second, kind=kind, created_at=tx.at, agent=tx.actor)
    tx.connection.execute(insert(Link), tie.model_dump())
    if kind == "supersedes" and other.status == "active":
        facts.change(tx, other, {"status": "superseded"})
    return tie


def unlink(tx: Transaction, scope: Scope, a: str, b: str, kind: str | None) -> bool:
    """Remove the links between two facts, of one kind or of all. Returns whether there were any.

    What only this link superseded is active again.
    """
    facts.get(tx.raw, scope, a)
    checks.text(b, "id")
    found = [
        tie
        for tie in _links(tx.raw, "source IN (?, ?) AND target IN (?, ?)", (a, b, a, b))
        if kind is None or tie.kind == kind
    ]
    for tie in found:
        _drop(tx, scope.tenant, tie)
    return bool(found)


def _drop(tx: Transaction, tenant: str, tie: Link) -> None:
    tx.raw.execute("DELETE FROM links WHERE id = ?", (tie.id,))
    if tie.kind == "supersedes":
        _reactivate(tx, tenant, tie.target)


def _reactivate(tx: Transaction, tenant: str, id: str) -> None:
    if not _links(tx.raw, "target = ? AND kind = 'supersedes'", (id,)):
        fact = _in_tenant(tx.raw, tenant, id)
        if fact.status == "superseded":
            facts.change(tx, fact, {"status": "active"})


def of(raw: sqlite3.Connection, id: str) -> list[Link]:
    """The links of a fact, from both ends, oldest first."""
    return _links(raw, "source = :id OR target = :id ORDER BY created_at, id", {"id": id})


def _in_tenant(raw: sqlite3.Connection, tenant: str, id: str) -> Fact:
    found = facts.rows(raw, "id = ? AND tenant = ?", (checks.text(id, "id"), tenant))
    if not found:
        raise NotFound("There is no fact of that id to link to.", "Check the id.")
    return found[0]


def _links(raw: sqlite3.Connection, where: str, parameters: Sequence[Any] | dict[str, Any]) -> list[Link]:
    found = raw.execute(f"SELECT {_COLUMNS} FROM links WHERE {where}", parameters).fetchall()
    return [
        Link(id=id, source=source, target=target, kind=kind, created_at=clock.from_text(as_text(at)), agent=agent)
        for id, source, target, kind, at, agent in found
    ]
