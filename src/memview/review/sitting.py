"""How far a reviewer is with what waits: what they decided since something waits, and where they were."""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple

from memview.review.inbox import Inbox, Session
from memview.store import news
from memview.store.conditions import ALL, Every
from memview.store.words import as_text

CHEAP = 5_000
"""So many facts are looked through for a reviewer who has not begun; of more it is not told how many wait."""


class Past(NamedTuple):
    """What was decided of a session."""

    session: Session
    decided: int
    """How many facts."""
    newest: int
    """The number of the newest change that one of these decisions was about."""


def waiting(raw: sqlite3.Connection, reviewer: str) -> int | None:
    """How many facts wait for a reviewer; None where one who has not begun would wait long for the number."""
    if news.start(raw, reviewer) is None:
        last = raw.execute("SELECT max(n) FROM facts").fetchone()[0] or 0
        if last > CHEAP:
            return None
    return len(news.pending(raw, reviewer))


def since(inbox: Inbox) -> int:
    """The number of the oldest change that waits: what was decided after it belongs to the review under way."""
    return min((one.first for card in inbox.cards for one in card.news), default=0)


def past(raw: sqlite3.Connection, reviewer: str, inbox: Inbox, after: int, tenant: str | Every = ALL) -> list[Past]:
    """What a reviewer decided and does not wait again, by session, the one with the newest change first.

    To put a fact's text right, or to merge it into another, is a decision too.

    Args:
        raw: an open connection.
        reviewer: whose decisions count.
        inbox: what waits for them.
        after: only what was decided after this change; see :func:`since`.
        tenant: whose facts.
    """
    waiting = [one.id for card in inbox.cards for one in card.news]
    found = raw.execute(
        "WITH done (fact) AS ("
        "SELECT d.fact FROM changes c CROSS JOIN decisions d ON d.id = c.id "
        "WHERE c.seq > :after AND c.kind = 'decision' AND c.op = 'insert' AND d.reviewer = :me "
        "UNION SELECT c.id FROM changes c CROSS JOIN facts f ON f.id = c.id "
        "WHERE c.seq > :after AND c.kind = 'fact' AND c.op = 'update' AND c.actor = :me AND "
        "(c.action GLOB 'edit:*' OR c.action GLOB 'merge:*' AND f.status = 'superseded')) "
        "SELECT f.tenant, f.session, f.agent, count(*), max((SELECT max(seq) FROM changes w "
        "WHERE w.id = f.id AND w.kind = 'fact' AND coalesce(w.actor, '') NOT GLOB 'person:*')) "
        "FROM done CROSS JOIN facts f ON f.id = done.fact "
        "WHERE f.id NOT IN (SELECT value FROM json_each(:waiting)) AND coalesce(f.agent, '') NOT GLOB 'person:*' "
        "AND (:tenant IS NULL OR f.tenant = :tenant) GROUP BY 1, 2, 3 ORDER BY 5 DESC",
        {
            "me": reviewer, "after": after, "waiting": json.dumps(waiting),
            "tenant": None if isinstance(tenant, Every) else tenant,
        },
    ).fetchall()  # fmt: skip
    return [Past(Session(*map(as_text, row[:3])), row[3], row[4] or 0) for row in found]


def last_decided(raw: sqlite3.Connection, reviewer: str) -> Past | None:
    """The session of a reviewer's last decision, and the change that it was about; None before the first review."""
    if news.start(raw, reviewer) is None:
        return None
    row = raw.execute(
        "SELECT f.tenant, f.session, f.agent, (SELECT max(seq) FROM changes w WHERE w.id = f.id AND w.kind = 'fact' "
        "AND coalesce(w.actor, '') NOT GLOB 'person:*') FROM decisions d CROSS JOIN facts f ON f.id = d.fact "
        "WHERE d.reviewer = ? ORDER BY d.rowid DESC LIMIT 1",
        (reviewer,),
    ).fetchone()
    return Past(Session(*map(as_text, row[:3])), 1, row[3] or 0) if row else None


def decisions(raw: sqlite3.Connection, reviewer: str) -> dict[str, str]:
    """The facts that a reviewer's decisions are about, by the ids of the decisions.

    Args:
        raw: an open connection.
        reviewer: an actor such as ``person:ann``.
    """
    return dict(raw.execute("SELECT id, fact FROM decisions WHERE reviewer = ?", (reviewer,)))
