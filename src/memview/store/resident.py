"""What an agent always has before it: the persona of a namespace."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime

from memview.store import select
from memview.store.query import Query


def residents(raw: sqlite3.Connection, tenant: str, namespace: str, limit: int, now: datetime) -> list[int]:
    """The numbers of the facts that are always worth knowing: pinned ones first, then the most important ones.

    Mere words of a user (episodic facts) are among them only where they are pinned.
    """
    query = Query(tenant=tenant, namespace=namespace, pinned=True, order="newest", limit=limit)
    found = list(select.find(raw, query, now).keys)
    if len(found) < limit:
        others = replace(
            query, pinned=False, memory_types=("semantic", "reflection"), order="importance", limit=limit - len(found)
        )  # fmt: skip
        found += select.find(raw, others, now).keys
    return found
