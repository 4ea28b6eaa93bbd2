"""Prune by a rule: which facts a query in the search's language would set aside, which stay and why, and doing it.

Pinned facts always stay. What a person accepted, and what a person wrote, edited or corrected, stays unless that is
asked for. A pruned fact is restorable, and an agent may learn it again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from memview.errors import Invalid
from memview.store import select
from memview.store.acting import refusal
from memview.store.aim import Aim
from memview.store.conditions import Query
from memview.store.news import PERSON
from memview.store.query import parse

if TYPE_CHECKING:
    from memview.memory.store import MemoryStore
    from memview.store.bulk import Done, Progress

RULE = "strength<0.10 before:24h recalled:0"
"""The rule that is offered: faded, never recalled, older than a day."""

BASE = Query(prefix=True, order="strength")
"""What holds besides a rule: active facts of the default tenant, all words of the rule counting."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a rule would set aside, as of one moment."""

    query: Query
    at: datetime
    """When it was counted."""
    aims: list[Aim]
    """The facts that would go, newest first, with the versions that were seen; those left out are among them."""
    active: int
    """How many active facts there are where the rule looks."""
    pinned: int = 0
    """Facts the rule hits that stay since they are pinned."""
    accepted: int = 0
    """Not pinned, and stay since a person accepted them."""
    edited: int = 0
    """Neither, and stay since a person wrote, edited or corrected them."""
    also_accepted: bool = False
    """Whether what a person accepted goes too."""
    also_edited: bool = False
    """Whether what a person wrote, edited or corrected goes too."""
    left_out: frozenset[int] = frozenset()
    """Numbers of facts that a person leaves out."""

    @property
    def would(self) -> list[Aim]:
        """What goes when it is done."""
        return [aim for aim in self.aims if aim.n not in self.left_out]

    def without(self, numbers: Collection[int]) -> Preview:
        """The same with these facts left out, and no others."""
        return replace(self, left_out=frozenset(numbers) & {aim.n for aim in self.aims})


class Pruned(NamedTuple):
    """What a prune did."""

    done: Done
    arrived: int
    """Facts that came to match after the count; they were not touched."""


def preview(
    raw: sqlite3.Connection, query: Query, now: datetime, *, accepted: bool = False, edited: bool = False
) -> Preview:
    """What a rule would set aside now. Nothing is changed.

    Args:
        raw: an open connection.
        query: the rule; see :func:`rule`.
        now: the present moment.
        accepted: prune also what a person accepted.
        edited: prune also what a person wrote, edited or corrected.
    """
    plan = select.Plan(raw, query, now)
    aims: list[Aim] = []
    kept = [0, 0, 0]
    sql = plan.sql(f"r.n, r.version, {_KEPT}") + " ORDER BY r.n DESC"
    passed = (False, accepted, edited)
    for n, version, *reasons in raw.execute(sql, plan.values).fetchall():
        stays = next((at for at, holds in enumerate(reasons) if holds and not passed[at]), None)
        if stays is None:
            aims.append(Aim(n, version))
        else:
            kept[stays] += 1
    pinned, by_accept, by_edit = kept
    active = select.count(raw, _whole(query), now)
    return Preview(query, now, aims, active, pinned, by_accept, by_edit, accepted, edited)


def rule(text: str, now: datetime, base: Query = BASE) -> Query:
    """The query of a rule.

    Args:
        text: in the language of the search; a rule of nothing is refused.
        now: the present moment.
        base: whose facts.

    Raises:
        Invalid: a part of it could not be understood, or it limits nothing.
    """
    parsed = parse(text, now=now, base=base)
    if reason := refusal(text, parsed, base):
        raise Invalid(reason, "Mend the rule first.")
    return parsed.query


def prune(store: MemoryStore, seen: Preview, progress: Progress | None = None) -> Pruned:
    """Set aside what a preview counted, in one transaction and one step for undo.

    Facts that somebody changed or removed since are left alone and named; facts that came since are counted.
    """
    from memview.memory.selection import Selection

    done = Selection(store, seen.would).prune(progress)
    return Pruned(done, store._read(lambda raw: arrived(raw, seen)))


def arrived(raw: sqlite3.Connection, seen: Preview) -> int:
    """How many facts the rule would set aside by now that it would not when it was counted."""
    now = preview(raw, seen.query, seen.at, accepted=seen.also_accepted, edited=seen.also_edited)
    return len({aim.n for aim in now.aims} - {aim.n for aim in seen.aims})


_BY_PERSON = f"actor GLOB '{PERSON}*'"
_KEPT = (
    "r.pinned, EXISTS (SELECT 1 FROM decisions d WHERE d.fact = r.id AND d.version = r.version "
    "AND d.decision = 'accepted'), "
    f"(coalesce(r.agent, '') GLOB '{PERSON}*' OR EXISTS (SELECT 1 FROM changes c WHERE c.id = r.id AND c.{_BY_PERSON} "
    "AND c.op = 'update' AND (c.action GLOB 'edit:*' OR c.action GLOB 'correct:*')))"
)
"""Whether a fact is pinned, accepted, by a person."""


def _whole(query: Query) -> Query:
    """All active facts where a rule looks."""
    return Query(tenant=query.tenant, namespace=query.namespace, under=query.under)
