"""The time, passed in: nothing reads it in the middle of its work.

Times are stored as text, ISO 8601 in UTC with six digits of a second and a closing ``Z``. All have the same width,
so that they sort as they follow each other.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Anything that tells the present time as an aware datetime; tests pass a fixed one."""


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for a stored time that cannot be read."""


def utc_now() -> datetime:
    """The present time in UTC."""
    return datetime.now(UTC)


def to_text(moment: datetime) -> str:
    """The stored form of a time, e.g. ``2026-03-01T09:30:00.000000Z``. A naive time is taken as UTC."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.isoformat(timespec="microseconds")[:-6] + "Z"


def from_text(text: str) -> datetime:
    """The time that a stored form, or any ISO 8601 text, stands for.

    Raises:
        ValueError: the text is no time.
    """
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def stored(text: str) -> datetime:
    """The time that a stored text stands for; :data:`EPOCH` where another program left something unreadable."""
    try:
        return from_text(text)
    except ValueError:
        return EPOCH


def ago(then: datetime, now: datetime) -> str:
    """How long ago a moment was, in the fewest letters: ``now``, ``5m``, ``2h``, ``3d``, ``4mo``, ``2y``.

    A moment that lies ahead (a clock was set back) reads ``now``.
    """
    seconds = (now - then).total_seconds()
    for size, unit in ((31_557_600, "y"), (2_629_800, "mo"), (86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{int(seconds // size)}{unit}"
    return "now"
