"""What a reviewer does with duplicates: merge them into one, keep only one, or say that they are not alike.

Each function is one transaction and one step for :meth:`memview.MemoryStore.undo`, which brings every row back as it
was. What a merge sets aside is superseded, not gone: ``restore`` makes it active again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from memview import clock
from memview.errors import Conflict, Invalid, NotFound
from memview.memory.looking import Aim, FactDetail, fact, neighbours
from memview.review.duplicates import NOT_ALIKE, Group
from memview.review.judging import judge
from memview.review.progress import Progress, tell
from memview.store import backup, checks, index
from memview.store.checks import CONFIDENTIALITY
from memview.store.ids import new_id

if TYPE_CHECKING:
    from memview.memory import MemoryStore
    from memview.store.database import Transaction

_ALIKE = ("related", "contradicts")


class Tie(NamedTuple):
    """A link that the kept fact gets from one that is merged into it."""

    kind: str
    other: str
    """The id of the fact at its other end."""
    outward: bool
    """Whether it points away from the kept fact."""


class Merged(NamedTuple):
    """The record that a merge makes: the text, the writer and the origin of the fact that is kept, and what all had.

    Whose words it rests on stays as it was, so that no text is trusted more for having been merged.
    """

    id: str
    content: str
    category: str
    tags: list[str]
    keywords: list[str]
    turns: list[str]
    """The turns that any of them came from."""
    importance: float
    """The highest."""
    confidentiality: str
    """The strictest."""
    pinned: bool
    access_count: int
    """How often all of them were recalled."""
    metadata: Any
    """The kept fact's, with the keys that only others have."""
    ties: list[Tie]
    """Links to other facts that it does not have yet."""


def merged(connection: sqlite3.Connection, keeper: Aim, others: Sequence[Aim]) -> Merged:
    """The record that a merge would make, for looking at it before.

    Raises:
        NotFound: one of the facts is gone.
    """
    facts = [_whole(connection, aim) for aim in (keeper, *others)]
    kept = facts[0]
    return Merged(
        id=kept.row.id,
        content=kept.content,
        category=next((found.row.category for found in facts if found.row.category), ""),
        tags=_united(found.tags for found in facts),
        keywords=_united(found.keywords for found in facts),
        turns=_united(found.turns for found in facts),
        importance=max(found.row.importance for found in facts),
        confidentiality=max((found.confidentiality for found in facts), key=_strictness),
        pinned=any(found.row.pinned for found in facts),
        access_count=sum(found.row.access_count for found in facts),
        metadata=_metadata(facts),
        ties=_ties(connection, facts),
    )


def merge(store: MemoryStore, keeper: Aim, others: Sequence[Aim], values: Mapping[str, Any] | None = None) -> Merged:
    """Merge facts into one: it gets what all had, and supersedes the others.

    Args:
        store: the open store, bound to the tenant of the facts.
        keeper: the fact that is kept, as it was seen.
        others: facts of the same namespace, as they were seen.
        values: what the kept fact is to say instead, as :meth:`memview.memory.memory.Memory.update` takes it.

    Returns:
        What the kept fact is now.

    Raises:
        Conflict: one of them changed since it was seen, or is no longer active; nothing is done.
        Duplicate: another fact of the namespace has the new text.
        Invalid: a value cannot be stored.
        NotFound: one of them is not in this tenant.
    """
    given = checks.checked({"meta" if name == "metadata" else name: value for name, value in (values or {}).items()})
    with store._transaction("merge") as tx:
        ids = _check(tx.raw, store.tenant_name, (keeper, *others))
        if given:
            keeper = _edited(tx, keeper, ids[keeper.n], given)
        return _merge(tx, keeper, others)


def merge_all(store: MemoryStore, groups: Iterable[Group], progress: Progress | None = None) -> list[Group]:
    """Merge each of many groups into the fact to keep, all in one step, after the day's copy of the store.

    Args:
        store: the open store, bound to the tenant of the groups.
        groups: usually :attr:`memview.review.duplicates.Duplicates.equal`.
        progress: told how many groups are done; answering False takes everything back and raises ``Stopped``.

    Returns:
        The groups that were left alone, since one of their facts changed meanwhile.
    """
    wanted, left = list(groups), []
    if sum(len(group.others) for group in wanted) > 1 and not store.read_only:
        backup.before_bulk(store.path, store.clock())
    with store._transaction("merge") as tx:
        for done, group in enumerate(wanted):
            try:
                _check(tx.raw, store.tenant_name, group.aims)
            except (Conflict, NotFound):
                left.append(group)
            else:
                _merge(tx, group.keeper, group.others)
            if done % 50 == 0:
                tell(progress, done, len(wanted))
    return left


def keep_only(store: MemoryStore, keeper: Aim, others: Sequence[Aim]) -> None:
    """Keep one fact as it is and forget the others, whose texts are then not learnt again.

    Raises:
        Conflict: one of them changed since it was seen; nothing is done.
        NotFound: one of them is not in this tenant.
    """
    with store._transaction("keep") as tx:
        ids = _check(tx.raw, store.tenant_name, (keeper, *others))
        for other in others:
            _set_aside(tx, ids[keeper.n], other, ids[other.n], "forgotten")


def not_alike(store: MemoryStore, keeper: Aim, others: Sequence[Aim]) -> None:
    """Note that facts are no duplicates of one: they are not offered together again.

    Raises:
        NotFound: one of them is not in this tenant.
    """
    judge(store, NOT_ALIKE, [(keeper, other) for other in others])


def _check(raw: sqlite3.Connection, tenant: str, aims: Sequence[Aim]) -> dict[int, str]:
    """The ids of facts that stand as they were seen."""
    wanted = json.dumps([aim.n for aim in aims])
    sql = "SELECT n, id, version, status, tenant, namespace FROM facts WHERE n IN (SELECT value FROM json_each(?))"
    found = {row[0]: row for row in raw.execute(sql, (wanted,)).fetchall() if row[4] == tenant}
    if len(found) != len(aims):
        raise NotFound("One of these facts is not there.", "Look at the list again.")
    if len({row[5] for row in found.values()}) > 1:
        raise Invalid("Facts of two namespaces cannot be made one.", "Choose facts of one namespace.")
    for aim in aims:
        _, id, version, status, *_ = found[aim.n]
        if version != aim.version or status != "active":
            raise Conflict("One of these facts changed since it was seen.", "Look at the group again.", id=id)
    return {n: row[1] for n, row in found.items()}


def _edited(tx: Transaction, keeper: Aim, id: str, values: dict[str, Any]) -> Aim:
    """Give the fact that is kept what it is to say; it is another version then."""
    from memview.store import facts

    row = _whole(tx.raw, keeper).row
    return Aim(keeper.n, facts.edit(tx, facts.Scope(row.tenant, row.namespace), id, values).version)


def _merge(tx: Transaction, keeper: Aim, others: Sequence[Aim]) -> Merged:
    before, after = _whole(tx.raw, keeper), merged(tx.raw, keeper, others)
    ids = {aim.n: _whole(tx.raw, aim).row.id for aim in others}
    for other in others:
        _set_aside(tx, after.id, other, ids[other.n], "superseded")
    for tie in after.ties:
        source, target = (after.id, tie.other) if tie.outward else (tie.other, after.id)
        if tie.kind in _ALIKE:
            source, target = sorted((source, target))
        _link(tx, source, target, tie.kind)
    if _put(tx, before, after) and before.row.accepted:
        tx.raw.execute(
            "INSERT INTO decisions (id, fact, reviewer, version, decision, at) VALUES (?, ?, ?, ?, 'accepted', ?)",
            (new_id(tx.at), after.id, tx.actor or "", keeper.version + 1, clock.to_text(tx.at)),
        )
    return after


def _put(tx: Transaction, before: FactDetail, after: Merged) -> bool:
    """Store what the kept fact gets, as its next version; whether there was anything."""
    row = before.row
    values = {
        "category": (row.category, after.category), "tags": (before.tags, after.tags),
        "keywords": (before.keywords, after.keywords), "turns": (before.turns, after.turns),
        "importance": (row.importance, after.importance), "metadata": (before.metadata, after.metadata),
        "confidentiality": (before.confidentiality, after.confidentiality), "pinned": (row.pinned, after.pinned),
        "access_count": (row.access_count, after.access_count),
    }  # fmt: skip
    changed = {name: _column(new) for name, (old, new) in values.items() if old != new}
    if not changed:
        return False
    sets = "".join(f", {name} = :{name}" for name in changed)
    tx.raw.execute(
        f"UPDATE facts SET version = version + 1, updated_at = :at{sets} WHERE n = :n",
        {**changed, "at": clock.to_text(tx.at), "n": row.n},
    )
    index.refresh(tx.raw, index.FACTS, (row.n,))
    return True


def _column(value: object) -> object:
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _set_aside(tx: Transaction, keeper: str, other: Aim, id: str, status: str) -> None:
    tx.raw.execute(
        "UPDATE facts SET status = ?, version = version + 1, updated_at = ? WHERE n = ?",
        (status, clock.to_text(tx.at), other.n),
    )
    _link(tx, keeper, id, "supersedes")


def _link(tx: Transaction, source: str, target: str, kind: str) -> None:
    tx.raw.execute(
        "INSERT INTO links (id, source, target, kind, created_at, agent) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (source, target, kind) DO NOTHING",
        (new_id(tx.at), source, target, kind, clock.to_text(tx.at), tx.actor),
    )


def _whole(connection: sqlite3.Connection, aim: Aim) -> FactDetail:
    found = fact(connection, aim.n)
    if found is None:
        raise NotFound("One of these facts is gone.", "Look at the list again.")
    return found


def _united(lists: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in lists for name in names))


def _strictness(confidentiality: str) -> int:
    """The place of a level; one that is unknown is stricter than all."""
    return CONFIDENTIALITY.index(confidentiality) if confidentiality in CONFIDENTIALITY else len(CONFIDENTIALITY)


def _metadata(facts: Sequence[FactDetail]) -> Any:
    kept = facts[0].metadata
    if not isinstance(kept, dict):
        return kept
    found = dict(kept)
    for other in facts[1:]:
        if isinstance(other.metadata, dict):
            found = {**other.metadata, **found}
    return found if found != kept else kept


def _ties(connection: sqlite3.Connection, facts: Sequence[FactDetail]) -> list[Tie]:
    ours = {found.row.id for found in facts}
    known = {Tie(tie.kind, tie.fact.id, tie.outward) for tie in neighbours(connection, facts[0].row.id)}
    found = {
        Tie(tie.kind, tie.fact.id, tie.outward): None
        for other in facts[1:]
        for tie in neighbours(connection, other.row.id)
        if tie.fact.id not in ours
    }
    return [tie for tie in found if tie not in known]
