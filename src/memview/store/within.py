"""The facts of one namespace of many, told from others by their numbers alone.

The text index knows no namespaces: of the facts that have a word it gives those of all. To look for each of them in an
index of scopes takes twenty times as long as the text index takes to give it, and a common word has hundreds of
thousands. So the numbers of a namespace are taken once, and a mark for each tells of a hit what it is.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

MOST = 50_000
"""Facts of a namespace up to which marks are made; of the hits of a larger one fewer are passed."""
LONGEST = 1 << 20
"""Numbers that are told apart; facts whose numbers lie so far apart share a mark."""
KEPT = 4
"""Namespaces whose marks a connection keeps."""

BLOCK = 1 << 15
"""Numbers of which none is a fact of the namespace and which the text index is therefore not asked for: to ask it once
more costs as much as it takes to pass thousands of hits."""
NONE = {"marks": b"", "first": 0, "last": -1}
"""The values of `MARKED` where no fact is of the namespace."""
ALL = (-1 << 63, (1 << 63) - 1)
"""The first and the last number that there may be."""

MARKED = f"h.n BETWEEN :first AND :last AND substr(:marks, 1 + (h.n & {LONGEST - 1}), 1) = x'01'"
"""SQL that holds for a hit ``h`` between two numbers whose fact is of the namespace of `marked`, and for few others."""


class Marks(NamedTuple):
    """The facts of a namespace, whatever their state."""

    marks: bytes
    """A one at the place of each fact's number."""
    facts: int
    """How many there are."""
    spans: tuple[tuple[int, int], ...]
    """The first and the last number of each stretch in which they lie, the newest first."""

    @property
    def values(self) -> dict[str, object]:
        """Those of `MARKED`, for all of them together."""
        return {"marks": self.marks, "first": self.spans[-1][0], "last": self.spans[0][1]} if self.spans else NONE


def newest(
    raw: sqlite3.Connection, sql: str, values: Mapping[str, object], marked: Marks | None
) -> Iterator[tuple[Any, ...]]:
    """The rows of a SELECT of hits, given in falling order.

    Args:
        raw: an open connection.
        sql: the SELECT.
        values: its values.
        marked: the namespace of all hits, whose stretches are then asked for one by one; None: ask once.
    """
    bounds = [{}] if marked is None else [{"first": first, "last": last} for first, last in marked.spans]
    for between in bounds:
        rows = raw.execute(sql, {**values, **between})
        try:
            yield from rows
        finally:
            rows.close()


class Connection(sqlite3.Connection):
    """A connection that keeps the marks of a few namespaces for as long as nobody writes."""

    seen: object = None
    """What stood when the marks were made."""
    kept: dict[tuple[str, str], Marks | None]
    """By tenant and namespace; None where there are more than `MOST`."""


def marked(raw: sqlite3.Connection, tenant: str, namespace: str) -> Marks | None:
    """The marks of a namespace; None where it has more than `MOST` facts."""
    if not isinstance(raw, Connection):
        return _made(raw, tenant, namespace)
    seen = (raw.execute("PRAGMA data_version").fetchone(), raw.total_changes)
    if raw.seen != seen:
        raw.seen, raw.kept = seen, {}
    scope = (tenant, namespace)
    if scope not in raw.kept:
        made = _made(raw, *scope)
        if len(raw.kept) == KEPT:
            del raw.kept[next(iter(raw.kept))]
        raw.kept[scope] = made
    return raw.kept[scope]


def forget(raw: sqlite3.Connection) -> None:
    """Keep no marks that were made amid changes which were then rolled back."""
    if isinstance(raw, Connection):
        raw.seen = None


def _made(raw: sqlite3.Connection, tenant: str, namespace: str) -> Marks | None:
    facts = f"SELECT n FROM facts WHERE tenant = ? AND namespace = ? LIMIT {MOST + 1}"
    (listed,) = raw.execute(f"SELECT json_group_array(n) FROM ({facts})", (tenant, namespace)).fetchone()
    numbers = json.loads(listed)
    if len(numbers) > MOST:
        return None
    found = bytearray(LONGEST)
    for n in numbers:
        found[n & LONGEST - 1] = 1
    marks = bytes(found.rstrip(b"\0"))
    aliased = bool(numbers) and not 0 <= min(numbers) <= max(numbers) < LONGEST
    return Marks(marks, len(numbers), (ALL,) if aliased else _spans(marks))


def _spans(marks: bytes) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for start in range(0, len(marks), BLOCK):
        end = start + BLOCK
        if marks.find(1, start, end) >= 0:
            first = found.pop()[0] if found and found[-1][1] == start - 1 else start
            found.append((first, end - 1))
    return tuple(reversed(found))
