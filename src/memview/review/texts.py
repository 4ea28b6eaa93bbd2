"""The facts that are compared: their texts, read a page at a time and grouped by where they belong."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Protocol, TypeVar

from memview.memory.looking import Aim, Query
from memview.review.progress import Progress, tell
from memview.store.select import Plan
from memview.store.words import as_text

T = TypeVar("T")
_PAGE = 2_000


class Reader(Protocol):
    """What reads a store: a :class:`memview.memory.looking.Looker`."""

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What ``work`` reads, as of one moment."""


Place = tuple[str, str]
"""A tenant and a namespace."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of one place as they are compared, by their numbers, in the order in which they were written."""

    contents: dict[int, str] = field(default_factory=dict)
    versions: dict[int, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.contents)

    def aim(self, n: int) -> Aim:
        """A fact in the version that is compared."""
        return Aim(n, self.versions[n])


def texts(reader: Reader, query: Query, now: datetime, progress: Progress | None) -> dict[Place, Facts]:
    """The facts that a query has, by tenant and namespace.

    Raises:
        Stopped: the progress was answered with False.
    """
    numbers = reader.read(partial(_numbers, query=query, now=now, progress=progress))
    found: dict[Place, Facts] = {}
    for start in range(0, len(numbers), _PAGE):
        tell(progress, start // 10, len(numbers))
        _gather(found, reader.read(partial(_rows, numbers=numbers[start : start + _PAGE])))
    return found


def some(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[Place, Facts]:
    """The facts of these numbers, by tenant and namespace; those that are gone are left out."""
    found: dict[Place, Facts] = {}
    _gather(found, _rows(connection, sorted(numbers)))
    return found


def _numbers(connection: sqlite3.Connection, query: Query, now: datetime, progress: Progress | None) -> list[int]:
    plan = Plan(connection, query, now)
    numbers: list[int] = []
    with closing(connection.execute(plan.sql("r.n"), plan.values)) as rows:
        while page := rows.fetchmany(_PAGE):
            numbers += [n for (n,) in page]
            tell(progress, 0, len(numbers))
    return sorted(numbers)


_Row = tuple[int, int, object, object, object]


def _rows(connection: sqlite3.Connection, numbers: list[int]) -> list[_Row]:
    return connection.execute(
        "SELECT f.n, f.version, f.tenant, f.namespace, f.content "
        "FROM json_each(?) w CROSS JOIN facts f ON f.n = w.value",
        (json.dumps(numbers),),
    ).fetchall()


def _gather(found: dict[Place, Facts], rows: list[_Row]) -> None:
    for n, version, tenant, namespace, content in rows:
        place = (as_text(tenant), as_text(namespace))
        facts = found.get(place)
        if facts is None:
            facts = found[place] = Facts()
        facts.contents[n] = as_text(content)
        facts.versions[n] = version
