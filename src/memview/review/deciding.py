"""Decisions of a reviewer: each is one transaction, one step for undo, and about the versions that were seen."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from memview import clock
from memview.errors import Conflict, Duplicate, Invalid, NotFound
from memview.review.inbox import Card
from memview.store import backup, bulk, feed, news, reversal
from memview.store.aim import Aim
from memview.store.bulk import Done, Progress
from memview.store.feed import ChangeRow
from memview.store.news import News, Start

if TYPE_CHECKING:
    from memview.memory.store import MemoryStore
    from memview.store.database import Transaction

Decision = Literal["accepted", "forgotten", "put back", "pinned"]

_VERBS: dict[Decision, str] = {"accepted": "accept", "forgotten": "forget", "put back": "restore", "pinned": "pin"}
"""How each stands in the change feed."""


class Reviewing:
    """Decides on what stands in the inbox.

    Args:
        store: open for writing; its agent is the reviewer, see :func:`memview.memory.person.person`.
    """

    def __init__(self, store: MemoryStore) -> None:
        if store.agent is None:
            raise Invalid("A reviewer has a name.", "Open the store with agent=person().")
        self.store = store
        self.reviewer = store.agent

    def begin(self, *, from_now: bool) -> None:
        """Remember where this reviewer starts: with everything that was learnt so far, or with what comes from now on.

        It is no step for undo.
        """
        with self.store._transaction("begin") as tx:
            floor = feed.last_seq(tx.raw) if from_now else 0
            news.begin(tx.raw, self.reviewer, Start(floor, floor))

    def accept(self, card: Card) -> Done:
        """Note that the card is right as it is."""
        return self._decide(card, "accepted", lambda tx: _noted(tx, card.aims, "accepted"))

    def forget(self, card: Card) -> Done:
        """Hide its facts from agents; a card of something forgotten stays so."""
        return self._decide(card, "forgotten", lambda tx: _forgotten(tx, card.aims))

    def pin(self, card: Card) -> Done:
        """Accept its facts and keep them from ever being pruned."""
        return self._decide(card, "pinned", lambda tx: _pinned(tx, card.aims))

    def put_back(self, card: Card) -> Done:
        """Undo what an agent did: the old text comes back, or what was forgotten.

        Raises:
            Invalid: it is a new fact; there is nothing to put back.
            Duplicate: another fact has the old text by now.
        """
        if card.kind == "new":
            raise Invalid("This fact is new: there is nothing to put back.", "Accept it, edit it or forget it.")
        return self._decide(card, "put back", lambda tx: _put_back(tx, card.news))

    def accept_rest(self, cards: Iterable[Card], progress: Progress | None = None) -> Done:
        """Accept many cards at once, flagged ones left out. What changed meanwhile is left alone and named."""
        aims = [aim for card in cards if not card.flags for aim in card.aims]
        return self._rest(aims, "accepted", lambda tx: _noted(tx, aims, "accepted", progress))

    def forget_rest(self, cards: Iterable[Card], progress: Progress | None = None) -> Done:
        """Forget the facts of many cards at once. What changed meanwhile is left alone and named."""
        aims = [aim for card in cards for aim in card.aims]
        return self._rest(aims, "forgotten", lambda tx: _forgotten(tx, aims, progress))

    def _decide(self, card: Card, decision: Decision, work: Callable[[Transaction], Done]) -> Done:
        """One card; nothing of it is decided where one of its facts has changed.

        Raises:
            Conflict: a fact changed since the card was read.
            NotFound: a fact is gone.
        """
        with self.store._transaction(_VERBS[decision]) as tx:
            _require_unchanged(tx.raw, card.news)
            done = work(tx)
            news.advance(tx.raw, self.reviewer)
        return done

    def _rest(self, aims: Sequence[Aim], decision: Decision, work: Callable[[Transaction], Done]) -> Done:
        if len(aims) > 1:
            backup.before_bulk(self.store.path, self.store.clock())
        with self.store._transaction(_VERBS[decision]) as tx:
            done = work(tx)
            news.advance(tx.raw, self.reviewer)
        return done


def _require_unchanged(raw: sqlite3.Connection, seen: Sequence[News]) -> None:
    sql = "SELECT n, version, content FROM facts WHERE n IN (SELECT value FROM json_each(?))"
    now = {n: (version, text) for n, version, text in raw.execute(sql, (json.dumps([one.n for one in seen]),))}
    for one in seen:
        if one.n not in now:
            raise NotFound("This fact is no longer in the store.", "Look at the inbox again.")
        if now[one.n][0] != one.version:
            raise Conflict(
                "This fact changed since you saw it.", "Look at it again, then decide.",
                id=one.id, theirs={"content": now[one.n][1]},
            )  # fmt: skip


def _noted(tx: Transaction, aims: Sequence[Aim], decision: str, progress: Progress | None = None) -> Done:
    return bulk.decide(tx, aims, decision, progress)


def _forgotten(tx: Transaction, aims: Sequence[Aim], progress: Progress | None = None) -> Done:
    bulk.decide(tx, aims, "forgotten")
    return bulk.set_status(tx, aims, "forgotten", progress)


def _pinned(tx: Transaction, aims: Sequence[Aim]) -> Done:
    done = bulk.set_pinned(tx, aims, True)
    bulk.decide(tx, _now(tx.raw, aims), "accepted")
    return done


def _now(raw: sqlite3.Connection, aims: Iterable[Aim]) -> list[Aim]:
    sql = "SELECT n, version FROM facts WHERE n IN (SELECT value FROM json_each(?))"
    return [Aim(*row) for row in raw.execute(sql, (json.dumps([aim.n for aim in aims]),)).fetchall()]


def _put_back(tx: Transaction, seen: Sequence[News]) -> Done:
    aims = [Aim(one.n, one.version) for one in seen]
    bulk.decide(tx, aims, "put back")
    for one in seen:
        before = {"status": "active"} if one.kind == "tried" else dict(one.before)
        if "namespace" in before and "content" not in before:  # its identity is of both
            before["content"] = tx.raw.execute("SELECT content FROM facts WHERE n = ?", (one.n,)).fetchone()[0]
        held = {**before, "updated_at": clock.to_text(tx.at)}
        if before.get("status") == "active":
            held["last_accessed_at"] = held["updated_at"]
        space = before.get("namespace", one.namespace)
        change = ChangeRow(0, "", None, None, "update", "fact", one.id, one.tenant, space, held)
        try:
            reversal.put_back(tx, change)
        except Conflict as conflict:
            raise Duplicate(
                "Another fact has the old text by now.", "Forget this one, or edit it.", id=conflict.id
            ) from conflict
    return Done(changed=len(aims))


__all__ = ["Decision", "Done", "Reviewing"]
