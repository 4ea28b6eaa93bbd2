"""The facts that are compared: their texts, read a page at a time and grouped by where they belong."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from memview.memory.looking import Aim, Query, aims
from memview.review.progress import Progress, tell
from memview.store.words import as_text

T = TypeVar("T")
_PAGE = 10_000


class Reader(Protocol):
    """What reads a store: a :class:`memview.memory.looking.Looker`."""

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What ``work`` reads, as of one moment."""


class Text(NamedTuple):
    """A fact as it is compared."""

    aim: Aim
    content: str


Place = tuple[str, str]
"""A tenant and a namespace."""


def texts(reader: Reader, query: Query, now: datetime, progress: Progress | None) -> dict[Place, list[Text]]:
    """The facts that a query has, by tenant and namespace, each in the order in which they were written.

    Raises:
        Stopped: the progress was answered with False.
    """
    numbers = sorted(aim.n for aim in reader.read(lambda connection: aims(connection, query, now)))
    found: dict[Place, list[Text]] = {}
    for start in range(0, len(numbers), _PAGE):
        tell(progress, start // 10, len(numbers))
        for place, text in reader.read(partial(page, numbers=numbers[start : start + _PAGE])):
            found.setdefault(place, []).append(text)
    return found


def page(connection: sqlite3.Connection, numbers: list[int]) -> list[tuple[Place, Text]]:
    """The facts of these numbers, each with where it belongs; those that are gone are left out."""
    rows = connection.execute(
        "SELECT f.n, f.version, f.tenant, f.namespace, f.content "
        "FROM json_each(?) w CROSS JOIN facts f ON f.n = w.value",
        (json.dumps(numbers),),
    ).fetchall()
    return [
        ((as_text(tenant), as_text(namespace)), Text(Aim(n, version), as_text(content)))
        for n, version, tenant, namespace, content in rows
    ]
