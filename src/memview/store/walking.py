"""The newest records with words that very many have: they are read one by one, and the index is not asked.

Of a word that is only begun the index merges the lists of all words that it may mean before it gives the first record:
a quarter of a second for one letter and a million records. But of the newest records nearly every one has such a word.
And the index knows no namespaces: of the records with a word it passes all, in order to give those of one namespace.

A look at a few hundred of the newest records tells which way is shorter.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import chain
from math import sqrt
from typing import TYPE_CHECKING

from memview.store.conditions import ALL
from memview.store.narrowing import Check, Route, Row, passing

if TYPE_CHECKING:
    from memview.store.select import Plan

SAMPLE = 300
"""How many of the newest records are looked at first."""
A_READ = 12
"""How many records of begun words are merged in the time that it takes to read one and look for a word in it.

Where a share ``s`` of ``N`` records matches, ``m / s`` are read, or ``s N`` merged: reading is quicker from
``s = sqrt(A_READ m / N)`` on."""

SCOPED = 0.1
"""The same share where an index leads to the records of one namespace, each of which costs more to read."""


def newest(plan: Plan, checks: Sequence[Check], most: int, route: Route, letters: str) -> Iterator[Row] | None:
    """The records with all of some words, newest first; None where asking the index promises to be quicker.

    Args:
        plan: which records. None of its terms is excluded.
        checks: the words.
        most: how many are wanted.
        route: how the index would be asked.
        letters: SQL for the letters of a record.
    """
    worth, scoped = sqrt(A_READ * most / plan.records), _is_scoped(plan)
    if scoped:
        worth = max(worth, SCOPED)
    slow = route.merges or (scoped and plan.marked is None)
    if not slow or route.expected / (plan.records * plan.part) < worth / 2 or _waiting(plan.raw):
        return None
    walk = _Walk(plan, checks, letters, scoped)
    looked_at = walk.looked_at()
    found = list(passing((row for row in looked_at if row[2]), checks))
    if len(looked_at) < SAMPLE or len(found) >= most:
        return iter(found)
    return chain(found, walk.on(looked_at[-1][0])) if len(found) >= worth * SAMPLE else None


class _Walk:
    """A way through the records, the newest first."""

    def __init__(self, plan: Plan, checks: Sequence[Check], letters: str, scoped: bool) -> None:
        query, what = plan.query, plan.what
        self._raw, self._checks, self._letters = plan.raw, checks, letters
        heads = {f"head{place}": f" {check.head}" for place, check in enumerate(checks)}
        self._text = "||".join(f"' '||h.{column}" for column in what.columns)
        self._fits = " AND ".join([*(f"instr({self._text}, :{name})" for name in heads), *plan.where])
        self._values = {**plan.values, **heads}
        self._source, self._n = f"{what.words} h CROSS JOIN {what.table} r ON r.n = h.rowid", "h.rowid"
        if scoped:
            self._values |= {"its": query.tenant, "name": plan.alone, "state": "".join(query.statuses)}
            self._n, scope = "r.n", "r.tenant = :its AND r.namespace = :name AND r.status = :state"
            records = f"{what.table} r INDEXED BY facts_scope"
            self._source = f"{records} CROSS JOIN {what.words} h ON h.rowid = r.n AND {scope}"

    def looked_at(self) -> list[Row]:
        """The newest few records; those that cannot match are without letters and text."""
        columns = ", ".join(
            f"iif({self._fits}, {what}, {none})" for what, none in ((self._letters, 0), (self._text, "''"))
        )
        sql = f"SELECT r.n, {columns} FROM {self._source} ORDER BY {self._n} DESC LIMIT {SAMPLE}"
        return self._raw.execute(sql, self._values).fetchall()

    def on(self, n: int) -> Iterator[Row]:
        """The matching records before a number."""
        where = f"{self._n} < :before AND {self._fits}"
        sql = f"SELECT r.n, {self._letters}, {self._text} FROM {self._source} WHERE {where} ORDER BY {self._n} DESC"
        rows = self._raw.execute(sql, {**self._values, "before": n})
        try:
            yield from passing(rows, self._checks)
        finally:
            rows.close()


def _waiting(raw: sqlite3.Connection) -> bool:
    """Whether the index lacks some records."""
    return raw.execute("SELECT 1 FROM queue LIMIT 1").fetchone() is not None


def _is_scoped(plan: Plan) -> bool:
    """Whether an index has the wanted records, in the order of their numbers."""
    query = plan.query
    return query.kind == "facts" and query.tenant is not ALL and plan.alone is not None and len(query.statuses) == 1
