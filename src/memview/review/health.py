"""The health of a memory: what repeats, fades, was never recalled, hangs in the air, is secret or gives orders.

Each measure has an exact count and opens its list: by a query in the search's language, or by the numbers of its
records. It only reads. Where something cannot be told from what is stored, the measure says so instead of guessing.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from memview.store import files, select
from memview.store.conditions import ALL, Query
from memview.store.echoes import echoes
from memview.store.orders import commands
from memview.store.query import parse
from memview.store.sameness import equals
from memview.store.secrets import has_secret
from memview.store.words import as_text
from memview.text import is_hostile

WEEKS = 12
"""How many weeks of growth are counted."""
_PORTION = 5_000
"""Records read between two reports of progress."""

Progress = Callable[[int, int], object]
"""Told how many records were read, and of how many; raising gives everything up."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that was counted."""

    name: str
    """A fixed name, for scripts."""
    title: str
    """What it is, in words."""
    count: int | None
    """How many; None where it cannot be measured."""
    note: str = ""
    """What more is to be said, or why it cannot be measured; one sentence."""
    query: str = ""
    """Opens its list, in the search's language; empty where ``numbers`` do."""
    kind: str = "facts"
    """What is listed: ``facts`` or ``turns``."""
    numbers: array[int] = field(default_factory=lambda: array("q"))
    """The numbers of the records, newest first, where no query says it."""


class Week(NamedTuple):
    """What was learnt in one week."""

    start: str
    """Its Monday, ``YYYY-MM-DD``, in UTC."""
    facts: int
    turns: int


@dataclass(frozen=True, slots=True)
class Health:
    """A store's health as of one moment."""

    at: datetime
    facts: int
    """Active facts, of all tenants."""
    turns: int
    measures: list[Measure]
    growth: list[Week]
    """The last weeks, oldest first, the present one included."""
    sizes: dict[str, int]
    """Bytes of the main file and of each sidecar that is there, by name."""


def health(
    raw: sqlite3.Connection,
    path: Path,
    now: datetime,
    progress: Progress | None = None,
    measured: Callable[[Health], object] | None = None,
) -> Health:
    """Measure a store. Nothing is changed.

    Args:
        raw: an open connection.
        path: the store's file.
        now: the present moment.
        progress: told how far the reading of texts is.
        measured: told once what is known without reading the texts, with the rest left out and no totals.
    """
    quick = [
        _asked(raw, "stale", "faded below a tenth, older than a day", "is:stale", now),
        _asked(raw, "never_recalled", "never recalled, older than a day", "recalled:0 before:24h", now),
        *_tied(raw),
    ]
    unknown = Measure(
        "contradicted_by_use", "recalled and not used", None,
        "Not measurable: agents do not say what they made of a fact.",
    )  # fmt: skip
    known = Health(now, 0, 0, [*quick, unknown], growth(raw, now), sizes(path))
    if measured is not None:
        measured(known)
    read = _read(raw, progress or (lambda done, total: None))
    repeats = Measure(
        "duplicates", "facts that only repeat another", len(read.repeats), "case, blanks and punctuation aside",
        numbers=read.repeats,
    )  # fmt: skip
    measures = [repeats, *quick, *read.alarms(), unknown]
    return replace(known, facts=read.facts, turns=read.turns, measures=measures)


def growth(raw: sqlite3.Connection, now: datetime, weeks: int = WEEKS) -> list[Week]:
    """How many facts and turns of each week there are, oldest week first."""
    monday = (now - timedelta(days=now.weekday())).date()
    starts = [monday - timedelta(weeks=back) for back in reversed(range(weeks))]
    counts = []
    for table, column in (("facts", "created_at"), ("turns", "at")):
        sql = f"SELECT date({column}, 'weekday 0', '-6 days'), count(*) FROM {table} WHERE {column} >= ? GROUP BY 1"
        counts.append(dict(raw.execute(sql, (starts[0].isoformat(),)).fetchall()))
    return [Week(day.isoformat(), *(count.get(day.isoformat(), 0) for count in counts)) for day in starts]


def sizes(path: Path) -> dict[str, int]:
    """The bytes of a store's files: the main one, and the sidecars that are there."""
    found = [path, *(files.beside(path, suffix) for suffix in ("-wal", "-shm", "-journal"))]
    return {file.name: file.stat().st_size for file in found if file.exists()}


def _asked(raw: sqlite3.Connection, name: str, title: str, text: str, now: datetime) -> Measure:
    query = parse(text, now=now, base=Query(tenant=ALL)).query
    return Measure(name, title, select.count(raw, query, now), query=text)


_GONE = (
    "SELECT DISTINCT f.n FROM evidence e CROSS JOIN facts f ON f.id = e.fact WHERE f.status = 'active' "
    "AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.id = e.turn) ORDER BY f.n DESC"
)
_ROOTLESS = (
    "SELECT f.n FROM facts f WHERE f.status = 'active' AND f.turns = '[]' "
    "AND coalesce(f.agent, '') NOT GLOB 'person:*' AND coalesce(f.origin, '') NOT IN ('person', 'import') "
    "AND NOT EXISTS (SELECT 1 FROM links l WHERE l.source = f.id AND l.kind = 'derived-from') ORDER BY f.n DESC"
)
_ONE_WAY = (
    " UNION ".join(
        f"SELECT f.n FROM links l CROSS JOIN facts f ON f.id = l.{this} CROSS JOIN facts o ON o.id = l.{other} "
        "WHERE f.status = 'active' AND o.status IN ('forgotten', 'pruned') AND l.kind <> 'supersedes'"
        for this, other in (("source", "target"), ("target", "source"))
    )
    + " ORDER BY 1 DESC"
)


def _tied(raw: sqlite3.Connection) -> list[Measure]:
    told = (
        ("orphans", "whose turns are gone", _GONE, "The facts stand; what they rest on can no longer be read."),
        ("no_source", "that name no source", _ROOTLESS, "An agent wrote them and gave no turn."),
        ("one_way_links", "that link to what agents do not get", _ONE_WAY, "The other end is forgotten or pruned."),
    )
    found = []
    for name, title, sql, note in told:
        numbers = array("q", [n for (n,) in raw.execute(sql).fetchall()])
        found.append(Measure(name, title, len(numbers), note, numbers=numbers))
    return found


@dataclass(slots=True)
class _Texts:
    """What reading every text once told."""

    facts: int = 0
    turns: int = 0
    said: set[object] = field(default_factory=set)
    repeats: array[int] = field(default_factory=lambda: array("q"))
    found: dict[tuple[str, str], array[int]] = field(default_factory=dict)

    def note(self, name: str, kind: str, n: int) -> None:
        self.found.setdefault((name, kind), array("q")).append(n)

    def alarms(self) -> Iterator[Measure]:
        for name, title, query in (
            ("secrets", "that hold a secret", "is:secret"),
            ("hostile", "that hold hidden or unsafe characters", "is:hostile"),
            ("commands", "that command rather than state", "is:command"),
            ("echoes", "that hand back what was recalled", "is:echo"),
        ):  # fmt: skip
            for kind in ("facts", "turns") if name != "echoes" else ("facts",):
                numbers = self.found.get((name, kind), array("q"))
                yield Measure(
                    name if kind == "facts" else f"{name}_in_turns", title, len(numbers), query=query, kind=kind,
                    numbers=numbers[::-1],
                )  # fmt: skip


def _read(raw: sqlite3.Connection, progress: Progress) -> _Texts:
    """Read every active fact and every turn once."""
    read = _Texts()
    (total,) = raw.execute("SELECT (SELECT count(*) FROM facts) + (SELECT count(*) FROM turns)").fetchone()
    sql = "SELECT n, tenant, namespace, content, summary, metadata FROM facts WHERE status = 'active' ORDER BY n"
    for n, tenant, namespace, content, summary, metadata in _rows(raw, sql):
        text = as_text(content)
        read.facts += 1
        key = hash((tenant, namespace, equals(text)))
        if key in read.said:
            read.repeats.append(n)
        read.said.add(key)
        _check(read, "facts", n, text, as_text(summary), as_text(metadata))
        if read.facts % _PORTION == 0:
            progress(read.facts, total)
    read.repeats.reverse()
    for n, request, response in _rows(raw, "SELECT n, request, response FROM turns ORDER BY n"):
        read.turns += 1
        _check(read, "turns", n, as_text(request), as_text(response))
        if read.turns % _PORTION == 0:
            progress(read.facts + read.turns, total)
    return read


def _rows(raw: sqlite3.Connection, sql: str) -> Iterator[tuple[Any, ...]]:
    """Rows one by one; the cursor is finished whatever the reader does."""
    cursor = raw.execute(sql)
    try:
        yield from cursor
    finally:
        cursor.close()


_CHECKS = (("secrets", has_secret), ("hostile", is_hostile), ("commands", commands), ("echoes", echoes))
"""What each text is asked."""


def _check(read: _Texts, kind: str, n: int, *texts: str) -> None:
    for name, holds in _CHECKS:
        if any(text and text != "{}" and holds(text) for text in texts):
            read.note(name, kind, n)
