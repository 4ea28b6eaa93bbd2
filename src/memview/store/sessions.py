"""Turns as they were said: session by session, that with the newest turn first, the oldest turn first in each."""

from __future__ import annotations

import sqlite3
from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memview.store.select import Plan

_SESSION = "r.tenant, r.namespace, r.session"


def by_session(raw: sqlite3.Connection, plan: Plan, limit: int) -> array[int]:
    """The numbers of a plan's turns, session by session.

    Args:
        raw: an open connection.
        plan: says which turns.
        limit: the most to read; -1 reads all.
    """
    if limit >= 0 and not plan.match:
        return _first(raw, plan, limit)
    sql = plan.sql("max(r.n), group_concat(r.n)") + f" GROUP BY {_SESSION} ORDER BY 1 DESC"
    found = array("q")
    for _, numbers in raw.execute(sql, plan.values).fetchall():
        found.extend(sorted(map(int, numbers.split(","))))
        if 0 <= limit <= len(found):
            return found[:limit]
    return found


def _first(raw: sqlite3.Connection, plan: Plan, limit: int) -> array[int]:
    """The first turns without a look at the others: they belong to the sessions of the newest ones."""
    newest = plan.sql(f"r.n, {_SESSION}") + f" ORDER BY r.n DESC LIMIT {limit}"
    where = f"WHERE {' AND '.join(plan.where)}" if plan.where else ""
    sql = f"""
        WITH newest (n, tenant, namespace, session) AS ({newest}),
        talks AS (SELECT tenant, namespace, session, max(n) AS last FROM newest GROUP BY 1, 2, 3)
        SELECT r.n FROM talks CROSS JOIN {plan.what.table} r
        ON r.tenant = talks.tenant AND r.namespace IS talks.namespace AND r.session = talks.session
        {where} ORDER BY talks.last DESC, r.n LIMIT {limit}"""
    return array("q", [n for (n,) in raw.execute(sql, plan.values)])
