"""What a store's health comes to, line by line, and the words for it. No screen inside."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from sqlite3 import Connection
from typing import Literal

from memview.memory import looking
from memview.memory.looking import ALL, Query
from memview.review.health import Health, Measure

Tab = Literal["facts", "turns"]

WORDS = {
    "duplicates": "only repeat another", "stale": "have faded", "never_recalled": "were never recalled",
    "orphans": "lost the turns they came from", "no_source": "name no source",
    "one_way_links": "link to what agents do not get", "secrets": "hold a secret",
    "hostile": "hold hidden or unsafe characters", "commands": "command rather than state",
    "echoes": "hand back what was recalled", "contradicted_by_use": "were recalled and not used",
}  # fmt: skip
"""The lines by the names of their measures, in their order."""
ALARMS = ("secrets", "hostile", "commands")
"""Those of which none should be there."""

_EIGHTHS = "·▁▂▃▄▅▆▇█"
_UNITS = ("bytes", "kB", "MB", "GB", "TB")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line: how many records something is so of."""

    name: str
    words: str
    """What is so of them, safe to show."""
    measures: tuple[Measure, ...] = field(default_factory=tuple)
    """What was counted; facts before turns. Empty while that is still to come."""

    @property
    def count(self) -> int | None:
        """How many in all; None where that is not known, or cannot be."""
        counts = [one.count for one in self.measures if one.count is not None]
        return sum(counts) if counts else None

    @property
    def query(self) -> str:
        """The search that lists them; empty where none does."""
        return self.measures[0].query if self.measures else ""

    @property
    def note(self) -> str:
        """What more is to be said."""
        return next((one.note for one in self.measures if one.note), "")

    def of(self, tab: Tab) -> Measure | None:
        """What was counted among facts or turns."""
        return next((one for one in self.measures if one.kind == tab), None)

    @property
    def tabs(self) -> list[Tab]:
        """Where there are any."""
        kinds: tuple[Tab, ...] = ("facts", "turns")
        return [tab for tab in kinds if (one := self.of(tab)) is not None and one.count]


def entries(found: Health | None) -> list[Entry]:
    """The lines of what is known so far."""
    by_name = {one.name: one for one in found.measures} if found is not None else {}
    more = {name: one.title.removeprefix("that ") for name, one in by_name.items() if not name.endswith("_in_turns")}
    return [Entry(name, words, tuple(_both(by_name, name))) for name, words in {**WORDS, **more, **WORDS}.items()]


def _both(by_name: dict[str, Measure], name: str) -> Iterator[Measure]:
    yield from (by_name[one] for one in (name, f"{name}_in_turns") if one in by_name)


def numbers(raw: Connection, measure: Measure, now: datetime) -> array[int]:
    """The numbers of the records that were counted."""
    if measure.numbers or not measure.query:
        return measure.numbers
    query = looking.parse(measure.query, now=now, base=Query(tenant=ALL, order="newest")).query
    return looking.find(raw, query, now).keys


def bars(counts: Sequence[int]) -> str:
    """Counts as bars of eighths, a cell each; zero is a dot."""
    most = max(counts, default=0)
    return "".join(_EIGHTHS[max(count > 0, round(8 * count / most))] if most else _EIGHTHS[0] for count in counts)


def size(count: int) -> str:
    """Bytes in a few letters: ``512 bytes``, ``4.1 MB``."""
    value, unit = float(count), 0
    while value >= 1000 and unit + 1 < len(_UNITS):
        value, unit = value / 1000, unit + 1
    return f"{value:.1f} {_UNITS[unit]}" if unit else f"{count:,} bytes"
