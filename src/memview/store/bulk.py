"""One action on many records: those that were counted, as they were when they were counted.

What was aimed at is a list of numbers with versions, so that "all that match" means the records of the moment the
person agreed to. A record that changed since is left alone and reported, as is one that is gone. Everything is one
transaction and one step for undo, worked off in portions so that progress can be shown and the whole be given up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from memview import clock
from memview.store import index
from memview.store.aim import Aim
from memview.store.database import Transaction
from memview.store.ids import new_id
from memview.store.rows import names

PORTION = 1_000
"""How many records are changed between two reports of progress."""

Progress = Callable[[int], object]
"""Told how many records are done; raising gives everything up."""

_AIMS = "SELECT json_extract(value, '$[0]') AS n, json_extract(value, '$[1]') AS version FROM json_each(:aims)"
_STANDING = f"SELECT f.n FROM ({_AIMS}) a CROSS JOIN facts f ON f.n = a.n AND f.version = a.version"


@dataclass(slots=True)
class Done:
    """What a bulk action came to."""

    changed: int = 0
    """Records that now are as asked."""
    same: int = 0
    """Records that were so already."""
    moved: list[int] = field(default_factory=list)
    """Numbers of records that somebody changed meanwhile; they were left alone."""
    gone: list[int] = field(default_factory=list)
    """Numbers of records that are there no more."""


def set_status(tx: Transaction, aims: Sequence[Aim], status: str, progress: Progress | None = None) -> Done:
    """Make facts forgotten, active (which counts as a use) or pruned. Pinned facts are never pruned."""
    kept = " AND NOT pinned" if status == "pruned" else ""
    used = ", last_accessed_at = :at" if status == "active" else ""
    return _update(tx, aims, f"status = :value{used} WHERE status <> :value{kept} AND", status, progress)


def set_pinned(tx: Transaction, aims: Sequence[Aim], pinned: bool, progress: Progress | None = None) -> Done:
    """Pin facts, or let go of that."""
    return _update(tx, aims, "pinned = :value WHERE pinned <> :value AND", int(pinned), progress)


def retag(
    tx: Transaction, aims: Sequence[Aim], add: Iterable[str], remove: Iterable[str], progress: Progress | None = None
) -> Done:
    """Add tags to facts and take tags away."""
    add, remove = list(add), set(remove)
    done = Done()
    for standing in _portions(tx, aims, done):
        rows = tx.raw.execute(
            "SELECT n, tags FROM facts WHERE n IN (SELECT value FROM json_each(?))", (json.dumps(standing),)
        ).fetchall()
        for n, stored in rows:
            old = names(stored)
            new = [tag for tag in dict.fromkeys([*old, *add]) if tag not in remove]
            if new == old:
                done.same += 1
                continue
            tx.raw.execute(
                "UPDATE facts SET tags = ?, version = version + 1, updated_at = ? WHERE n = ?",
                (json.dumps(new, ensure_ascii=False, separators=(",", ":")), clock.to_text(tx.at), n),
            )
            index.refresh(tx.raw, index.FACTS, (n,))
            done.changed += 1
        _tell(progress, done)
    return done


def accept(tx: Transaction, aims: Sequence[Aim], progress: Progress | None = None) -> Done:
    """Note that the actor found these versions of facts right."""
    return decide(tx, aims, "accepted", progress)


def decide(tx: Transaction, aims: Sequence[Aim], decision: str, progress: Progress | None = None) -> Done:
    """Note what the actor decided on these versions of facts; the facts stay as they are."""
    done = Done()
    for standing in _portions(tx, aims, done):
        for n in standing:
            changed = tx.raw.execute(
                "INSERT INTO decisions (id, fact, reviewer, version, decision, at) "
                "SELECT ?, id, ?, version, ?, ? FROM facts WHERE n = ? ON CONFLICT (fact, reviewer, version) "
                "DO UPDATE SET decision = excluded.decision, at = excluded.at WHERE decision <> excluded.decision",
                (new_id(tx.at), tx.actor or "", decision, clock.to_text(tx.at), n),
            ).rowcount
            done.changed += changed
            done.same += 1 - changed
        _tell(progress, done)
    return done


def _update(tx: Transaction, aims: Sequence[Aim], change: str, value: object, progress: Progress | None) -> Done:
    done = Done()
    for standing in _portions(tx, aims, done):
        changed = tx.raw.execute(
            f"UPDATE facts SET version = version + 1, updated_at = :at, {change} "
            "n IN (SELECT value FROM json_each(:numbers))",
            {"at": clock.to_text(tx.at), "value": value, "numbers": json.dumps(standing)},
        ).rowcount
        done.changed += changed
        done.same += len(standing) - changed
        _tell(progress, done)
    return done


def _portions(tx: Transaction, aims: Sequence[Aim], done: Done) -> Iterator[list[int]]:
    """The aims bit by bit: the numbers of those that still stand as they were; the others are noted in ``done``."""
    for start in range(0, len(aims), PORTION):
        portion = aims[start : start + PORTION]
        pairs = {"aims": json.dumps([[aim.n, aim.version] for aim in portion])}
        standing = [n for (n,) in tx.raw.execute(_STANDING, pairs)]
        missing = {aim.n for aim in portion}.difference(standing)
        if missing:
            there = "SELECT n FROM facts WHERE n IN (SELECT value FROM json_each(?))"
            moved = {n for (n,) in tx.raw.execute(there, (json.dumps(list(missing)),))}
            done.moved += sorted(moved)
            done.gone += sorted(missing - moved)
        yield standing


def _tell(progress: Progress | None, done: Done) -> None:
    if progress is not None:
        progress(done.changed + done.same + len(done.moved) + len(done.gone))
