"""A conflict in words: what was to be written, and what stands there now."""

from __future__ import annotations

from memview.cli import secrecy
from memview.errors import Conflict
from memview.text import one_line

_QUIET = ("updated_at", "last_accessed_at", "hash", "version", "n", "strength", "access_count")
_LONGEST = 2_000


def lines(conflict: Conflict) -> list[str]:
    """Two lines for each column in which the two differ."""
    told = []
    for name, mine in conflict.mine.items():
        theirs = conflict.theirs.get(name)
        if name in _QUIET or mine == theirs:
            continue
        told.append(f"  {one_line(name, 40)}, yours: {_shown(mine)}")
        told.append(f"  {one_line(name, 40)}, there: {_shown(theirs) if conflict.theirs else 'gone'}")
    return told


def _shown(value: object) -> str:
    return "-" if value is None or value == "" else secrecy.line(str(value), _LONGEST)
