"""Setting aside what has faded: active facts that are weak and no longer new. Pinned ones never."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from memview import clock
from memview.errors import Invalid
from memview.store.aim import Aim
from memview.store.ask import UNDER
from memview.store.decay import EFFECTIVE
from memview.store.select import have_exp

MIN_STRENGTH = 0.1
"""What is weaker has faded."""
MIN_AGE = timedelta(hours=24)
"""What is younger is kept, however weak."""


def faded(
    raw: sqlite3.Connection,
    tenant: str,
    namespace: str,
    now: datetime,
    *,
    min_strength: float = MIN_STRENGTH,
    min_age: timedelta = MIN_AGE,
    below: bool = False,
) -> list[Aim]:
    """The facts that pruning would set aside, the oldest first, each with its version.

    Args:
        raw: an open connection; nothing is changed on it.
        tenant: whose.
        namespace: which.
        now: the present.
        min_strength: the effective strength that keeps a fact: what is exactly as strong stays.
        min_age: the age, by creation, up to which a fact is kept: what is exactly as old stays.
        below: also the namespaces whose name goes on with ``:``.

    Raises:
        Invalid: ``min_age`` reaches back further than time does.
    """
    have_exp(raw)
    try:
        before = clock.to_text(now - min_age)
    except OverflowError:
        raise Invalid("min_age is longer than time goes back.") from None
    space = UNDER if below else "r.namespace = :prefix"
    sql = (
        f"SELECT r.n, r.version FROM facts r WHERE r.tenant = :tenant AND {space} AND r.status = 'active' "
        f"AND NOT r.pinned AND r.created_at < :before AND {EFFECTIVE} < :least ORDER BY r.n"
    )
    values = {
        "tenant": tenant, "prefix": namespace, "now": clock.to_text(now), "before": before, "least": min_strength,
    }  # fmt: skip
    return [Aim(n, version) for n, version in raw.execute(sql, values).fetchall()]
