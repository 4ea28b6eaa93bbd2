"""Correct: an edit that stays, because the old wording is kept, forgotten, and so cannot be learnt again."""

from __future__ import annotations

from memview.store import facts, links
from memview.store.database import Transaction
from memview.store.facts import Scope
from memview.store.models import Fact


def correct(tx: Transaction, scope: Scope, id: str, content: str, *, version: int | None = None) -> Fact:
    """Give a fact its right wording. It keeps its id, links and sources.

    The old wording becomes a fact of its own, forgotten and superseded by this one: a later ``write`` of it comes back
    blocked.

    Args:
        tx: the open transaction.
        scope: where the fact is.
        id: the fact.
        content: the right wording, checked.
        version: the version that was read; None to correct whatever stands there.

    Raises:
        Conflict: the fact has another version by now.
        Duplicate: another fact of the namespace has this wording already.
    """
    old = facts.get(tx.raw, scope, id)
    new = facts.edit(tx, scope, id, {"content": content}, version=version)
    if new.content == old.content:
        return new
    (kept,) = facts.write(
        tx, scope,
        [{
            "content": old.content, "category": old.category, "tags": old.tags, "keywords": old.keywords,
            "summary": old.summary, "importance": old.importance, "memory_type": old.memory_type,
            "confidentiality": old.confidentiality, "session": old.session, "turns": old.turns, "origin": old.origin,
            "meta": old.meta, "agent": old.agent, "created_at": old.created_at, "status": "forgotten",
        }],
    )  # fmt: skip
    links.link(tx, scope, id, kept.id, "supersedes")
    return new
