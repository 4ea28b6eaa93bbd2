"""The facts of one namespace of many, told from others by their numbers alone.

The text index knows no namespaces: of the facts that have a word it gives those of all. To look for each of them in an
index of scopes takes twenty times as long as the text index takes to give it, and a common word has hundreds of
thousands. So the numbers of a namespace are taken once, and a mark for each tells of a hit what it is.
"""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple

MOST = 50_000
"""Facts of a namespace up to which marks are made; of the hits of a larger one fewer are passed."""
LONGEST = 1 << 20
"""Numbers that are told apart; facts whose numbers lie so far apart share a mark."""
KEPT = 4
"""Namespaces whose marks a connection keeps."""

MARKED = f"substr(:marks, 1 + (h.n & {LONGEST - 1}), 1) = x'01'"
"""SQL that holds for a hit ``h`` if its fact is of the namespace of `marked`, and for few others."""


class Marks(NamedTuple):
    """The facts of a namespace, whatever their state."""

    marks: bytes
    """A one at the place of each fact's number."""
    facts: int
    """How many there are."""


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


def _made(raw: sqlite3.Connection, tenant: str, namespace: str) -> Marks | None:
    facts = f"SELECT n FROM facts WHERE tenant = ? AND namespace = ? LIMIT {MOST + 1}"
    (listed,) = raw.execute(f"SELECT json_group_array(n) FROM ({facts})", (tenant, namespace)).fetchone()
    numbers = json.loads(listed)
    if len(numbers) > MOST:
        return None
    found = bytearray(LONGEST)
    for n in numbers:
        found[n & LONGEST - 1] = 1
    return Marks(bytes(found.rstrip(b"\0")), len(numbers))
