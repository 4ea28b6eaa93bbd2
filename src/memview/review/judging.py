"""What people judged of pairs of facts, so that they are not asked again."""

from __future__ import annotations

import sqlite3


def judged_apart(connection: sqlite3.Connection, kind: str) -> set[tuple[int, int]]:
    """The pairs of facts of which somebody judged this, by their numbers, the smaller first."""
    found = connection.execute(
        "SELECT min(a.n, b.n), max(a.n, b.n) FROM judgements j CROSS JOIN facts a ON a.id = j.a "
        "CROSS JOIN facts b ON b.id = j.b WHERE j.kind = ?",
        (kind,),
    )
    return set(found.fetchall())
