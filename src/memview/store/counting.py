"""How many facts have some words, without the way to each of them.

The index counts a million hits in some hundredths of a second; to look into each fact for its tenant and status takes
ten times as long. Most stores have few facts of another tenant or status than is asked for: an index tells their
numbers, and hits among these are not counted.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

from memview.store import index
from memview.store.conditions import ALL

if TYPE_CHECKING:
    from memview.store.select import Plan

MOST_GROUPS = 500
"""How many different tenants, namespaces and states of facts are told apart."""

_KEY = "tenant, namespace, status"
_FIRST = f"SELECT n, {_KEY} FROM facts ORDER BY {_KEY} LIMIT 1"
_NEXT = f"SELECT n, {_KEY} FROM facts WHERE ({_KEY}) > (?, ?, ?) ORDER BY {_KEY} LIMIT 1"
_LIKE = (
    "SELECT f.n FROM json_each(:others) o CROSS JOIN facts g ON g.n = o.value "
    "CROSS JOIN facts f INDEXED BY facts_scope "
    "ON f.tenant = g.tenant AND f.namespace = g.namespace AND f.status = g.status"
)


def hits(raw: sqlite3.Connection, plan: Plan) -> int | None:
    """How many facts match; None where more than tenant and status decides, or too many groups of them are about."""
    query = plan.query
    if query.kind == "turns" or not plan.match or len(plan.where) != (query.tenant is not ALL) + bool(query.statuses):
        return None
    others = _others(raw, plan)
    if others is None:
        return None
    counted = f"SELECT count(*) FROM ({index.hits(raw, plan.what)}) h"
    where = f" WHERE +h.n NOT IN ({_LIKE})" if others else ""
    return int(raw.execute(counted + where, {**plan.values, "others": json.dumps(others)}).fetchone()[0])


def _others(raw: sqlite3.Connection, plan: Plan) -> list[int] | None:
    """One fact of each group that a query leaves out."""
    query = plan.query
    found: list[int] = []
    group = raw.execute(_FIRST).fetchone()
    for _ in range(MOST_GROUPS):
        if group is None:
            return found
        n, tenant, namespace, status = group
        if query.tenant not in (ALL, tenant) or (query.statuses and status not in query.statuses):
            found.append(n)
        group = raw.execute(_NEXT, (tenant, namespace, status)).fetchone()
    return None
