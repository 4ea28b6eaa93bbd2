"""The first records of an order in which words do not decide, without a look at all of a large table.

The newest records are read first. Where they hold as many as are asked for, the last of those is a limit: what comes
before it in the order is found by comparing, and only that is sorted. The result is the same.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from memview.store import decay

if TYPE_CHECKING:
    from memview.store.select import Plan

LARGE = 100_000
"""Records from which on it pays; of fewer all are sorted."""
AT_AN_END = 20_000
"""How many records are read at the end of the table."""


def narrow(raw: sqlite3.Connection, plan: Plan, limit: int) -> None:
    """Add to a plan without words what all of its first ``limit`` records fulfil, as far as that is quickly known."""
    table = plan.what.table
    first, last = raw.execute(f"SELECT (SELECT min(n) FROM {table}), (SELECT max(n) FROM {table})").fetchone()
    if limit > AT_AN_END or first is None or last - first < LARGE:
        return
    oldest = plan.query.order == "oldest"
    end = f"r.n < {first + AT_AN_END}" if oldest else f"r.n > {last - AT_AN_END}"
    number = plan.number or "NULL"
    where = " AND ".join([*plan.where, end])
    sql = (
        f"SELECT {number}, r.n FROM {table} r NOT INDEXED WHERE {where} ORDER BY {plan.order()} LIMIT 1 OFFSET :before"
    )
    found: tuple[Any, int] | None = raw.execute(sql, {**plan.values, "before": limit - 1}).fetchone()
    if found is None:
        return
    least, n = found
    if plan.number is None:
        plan.source += " NOT INDEXED"
        plan.where.append(f"r.n {'<=' if oldest else '>='} {n}")
    elif least is not None:
        if plan.query.order == "strength":
            plan.where += decay.reaching(least)
        plan.where.append(f"({plan.number}, r.n) >= ({plan.bind(least)}, {n})")
