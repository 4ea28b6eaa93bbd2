"""Correct: an edit that stays, because the old wording is kept, forgotten, and so cannot be learnt again."""

from __future__ import annotations

from collections.abc import Iterable

from memview.errors import NotFound
from memview.store import checks, facts, links
from memview.store.database import Transaction
from memview.store.facts import Scope
from memview.store.models import Fact

_KEPT = (
    "content", "category", "tags", "keywords", "summary", "importance", "memory_type", "confidentiality", "session",
    "turns", "origin", "meta", "agent", "created_at",
)  # fmt: skip
"""What the old wording keeps as a fact of its own."""


def correct(
    tx: Transaction,
    scope: Scope,
    id: str,
    content: str,
    *,
    version: int | None = None,
    also_forget: Iterable[str] = (),
) -> Fact:
    """Give a fact its right wording. It keeps its id, links and sources.

    The old wording becomes a fact of its own, forgotten and superseded by this one: a later ``write`` of it comes back
    blocked.

    Args:
        tx: the open transaction.
        scope: where the fact is.
        id: the fact.
        content: the right wording, checked.
        version: the version that was read; None to correct whatever stands there.
        also_forget: ids of other facts of the tenant that rest on the old wording.

    Raises:
        Conflict: the fact has another version by now.
        Duplicate: another fact of the namespace has this wording already.
        NotFound: one of the facts is not there.
    """
    old = facts.get(tx.raw, scope, id)
    new = facts.edit(tx, scope, id, {"content": content}, version=version)
    if new.content == old.content:
        return new
    wrong = {name: getattr(old, name) for name in _KEPT}
    (kept,) = facts.write(tx, scope, [facts.draft(scope, {**wrong, "status": "forgotten"})])
    links.link(tx, scope, id, kept.id, "supersedes")
    for other in also_forget:
        _forget(tx, scope.tenant, other)
    return new


def _forget(tx: Transaction, tenant: str, id: str) -> None:
    found = facts.rows(tx.raw, "id = ? AND tenant = ?", (checks.text(id, "id"), tenant))
    if not found:
        raise NotFound("A fact to be forgotten with it is no longer there.", "Look at the list again.")
    if found[0].status != "forgotten":
        facts.change(tx, found[0], {"status": "forgotten"})
