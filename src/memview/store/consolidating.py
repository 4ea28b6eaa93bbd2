"""Several facts become one that says what they say: the summary is new, and they are superseded by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from memview.errors import Duplicate, Invalid, NotFound
from memview.store import facts, links
from memview.store.checks import CONFIDENTIALITY, least_trusted
from memview.store.database import Transaction
from memview.store.facts import Scope
from memview.store.ids import identity
from memview.store.models import Fact


def consolidate(tx: Transaction, scope: Scope, ids: Sequence[str], content: str, *, words: Sequence[str] = ()) -> Fact:
    """Put one semantic fact in the place of several.

    It has all their tags, keywords and turns, the highest importance and the strictest confidentiality. Trust never
    rises by being summarised: its origin is the least trusted of theirs and of ``words``. What they do not agree about
    (category, session) stays open. It is pinned if one of them is.

    Args:
        tx: the open transaction.
        scope: where they are.
        ids: at least two active facts.
        content: what they say together, checked.
        words: the origin of the summary's own words, where it is known.

    Raises:
        Invalid: fewer than two facts, or one that agents do not get.
        NotFound: facts that are not in the scope; the sentence names them.
        Duplicate: a fact of the namespace says exactly this already.
    """
    sources = _sources(tx, scope, ids)
    digest = identity(*scope, content)
    known = tx.raw.execute("SELECT id, status FROM facts WHERE hash = ?", (digest,)).fetchone()
    if known:
        raise Duplicate(
            f"A fact of this namespace says exactly this: {known[0]} ({known[1]}).",
            "Word the summary differently, or link the facts instead.",
            id=known[0],
        )
    origin = least_trusted([*(source.origin for source in sources), *words])
    draft = facts.draft(scope, {"content": content, **_united(sources), "origin": origin})
    (summary,) = facts.write(tx, scope, [draft])
    for source in sources:
        links.link(tx, scope, summary.id, source.id, "derived-from")
        facts.change(tx, source, {"status": "superseded"})
    return summary


def _sources(tx: Transaction, scope: Scope, ids: Sequence[str]) -> list[Fact]:
    wanted = list(dict.fromkeys(ids))
    if len(wanted) < 2:
        raise Invalid("It takes at least two facts to consolidate.", "Give the ids of two or more.")
    found, missing = [], []
    for id in wanted:
        try:
            found.append(facts.get(tx.raw, scope, id))
        except NotFound:
            missing.append(id)
    if missing:
        raise NotFound(f"Not in this namespace: {', '.join(missing)}.", "Check the ids; nothing was changed.")
    for fact in found:
        if fact.status != "active":
            raise Invalid(f"{fact.id} is {fact.status}; only active facts are consolidated.", "Restore it first.")
    return found


def _united(sources: list[Fact]) -> dict[str, Any]:
    return {
        "category": _agreed(fact.category for fact in sources),
        "session": _agreed(fact.session for fact in sources),
        "tags": _all(sources, lambda fact: fact.tags),
        "keywords": _all(sources, lambda fact: fact.keywords),
        "turns": _all(sources, lambda fact: fact.turns),
        "importance": max(fact.importance for fact in sources),
        "memory_type": "semantic",
        "confidentiality": max((fact.confidentiality for fact in sources), key=_strictness),
        "pinned": any(fact.pinned for fact in sources),
    }


def _agreed(values: Iterable[str | None]) -> str | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _all(sources: list[Fact], names: Callable[[Fact], list[str]]) -> list[str]:
    return list(dict.fromkeys(name for fact in sources for name in names(fact)))


def _strictness(kind: str) -> int:
    """The place among the kinds; one that nobody knows (another program wrote it) is the strictest."""
    return CONFIDENTIALITY.index(kind) if kind in CONFIDENTIALITY else len(CONFIDENTIALITY)
