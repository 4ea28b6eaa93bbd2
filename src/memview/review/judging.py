"""What people judged of pairs of facts, so that they are not asked again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memview import clock
from memview.errors import NotFound
from memview.memory.looking import Aim
from memview.store.ids import new_id

if TYPE_CHECKING:
    from memview.memory import MemoryStore


def judged(connection: sqlite3.Connection, kind: str) -> set[tuple[int, int]]:
    """The pairs of facts of which somebody judged this, by their numbers, the smaller first."""
    found = connection.execute(
        "SELECT min(a.n, b.n), max(a.n, b.n) FROM judgements j CROSS JOIN facts a ON a.id = j.a "
        "CROSS JOIN facts b ON b.id = j.b WHERE j.kind = ?",
        (kind,),
    )
    return set(found.fetchall())


def judge(store: MemoryStore, kind: str, pairs: Iterable[tuple[Aim, Aim]]) -> None:
    """Note a judgement on pairs of facts of the store's tenant, in one step for undo; again changes nothing.

    Raises:
        NotFound: one of them is not in this tenant.
    """
    with store._transaction("judge") as tx:
        for one, other in pairs:
            wanted = json.dumps([one.n, other.n])
            sql = "SELECT id FROM facts WHERE n IN (SELECT value FROM json_each(?)) AND tenant = ? ORDER BY id"
            ids = [id for (id,) in tx.raw.execute(sql, (wanted, store.tenant_name))]
            if len(ids) != 2:
                raise NotFound("One of these facts is not there.", "Look at the list again.")
            tx.raw.execute(
                "INSERT INTO judgements (id, a, b, kind, reviewer, at) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (a, b, kind) DO NOTHING",
                (new_id(tx.at), *ids, kind, tx.actor or "", clock.to_text(tx.at)),
            )
