"""How strength fades: the formula of the field's agent libraries (heartbit-core's ``effective_strength``)."""

from __future__ import annotations

import math
from datetime import datetime

RATE_PER_HOUR = 0.005
"""The constant of ``e^(-rate x hours)``."""
HALF_LIFE_HOURS = math.log(2) / RATE_PER_HOUR
"""138.6 hours: after these, half of the strength is left."""

EFFECTIVE = (
    f"min(1.0, max(0.0, r.strength * exp(-{RATE_PER_HOUR} * max(0.0, "
    "(julianday(:now) - julianday(r.last_accessed_at)) * 24))))"
)
"""The same in SQL, of a row ``r`` of facts at the moment ``:now``."""


def effective_strength(strength: float, last_accessed_at: datetime, now: datetime) -> float:
    """What is left of a strength: ``clamp(strength x e^(-0.005 x hours since last access), 0, 1)``.

    Args:
        strength: as stored, at the last access; 0 to 1.
        last_accessed_at: when it was last recalled or changed; a time ahead of ``now`` does not fade.
        now: the present.
    """
    hours = max(0.0, (now - last_accessed_at).total_seconds() / 3600)
    return min(1.0, max(0.0, strength * math.exp(-RATE_PER_HOUR * hours)))


def reaching(least: float) -> list[str]:
    """What all facts ``r`` fulfil that are so strong at the moment ``:now``, in SQL that costs half of `EFFECTIVE`.

    Args:
        least: the effective strength, 0 to 1.
    """
    if not 0 < least <= 1:
        return []
    days = _A_SECOND - math.log(least) / RATE_PER_HOUR / 24
    used = f"julianday(r.last_accessed_at) >= (SELECT julianday(:now) - {days!r})"
    return [f"r.strength >= {least!r}", f"({used} OR r.strength > 1)"]


_A_SECOND = 1 / 86_400
"""Of a day: many times what sums of days are rounded by."""
