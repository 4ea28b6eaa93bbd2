"""Records for people and for scripts: what ``list`` and ``search`` print."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from memview import clock
from memview.cli import output, secrecy, shapes
from memview.cli.options import looking, short_ids
from memview.cli.output import Screen
from memview.cli.table import Column, lit, table
from memview.memory.looking import (
    FactRow,
    Found,
    Looker,
    Matcher,
    Query,
    TurnRow,
    effective_strength,
    fact,
    fact_rows,
    turn,
    turn_rows,
)
from memview.memory.person import named, person
from memview.text import one_line

_PAGE = 500
"""Records read at a time, so that no read lasts long."""
_FACT_COLUMNS = [
    Column("ID"), Column("NAMESPACE", 24), Column("STATE"), Column("BY", 14), Column("AGE", right=True),
    Column("STRENGTH", right=True),
]  # fmt: skip
_TURN_COLUMNS = [
    Column("ID"),
    Column("NAMESPACE", 24),
    Column("SESSION", 20),
    Column("BY", 14),
    Column("AGE", right=True),
]
Find = Callable[[sqlite3.Connection, Query, datetime], Found]
Cells = list[str]


def print_records(path: Path, query: Query, now: datetime, find: Find, *, as_json: bool) -> Found:
    """Print what a query finds, and return it."""
    with looking(path) as looker:
        found = looker.read(lambda connection: find(connection, query, now))
        if as_json:
            output.put_array(_shapes(looker, query, found, now))
        else:
            _print_tables(looker, query, found, now)
    return found


def state(row: FactRow) -> str:
    """What is particular about a fact, in one word; empty for most."""
    if row.status != "active":
        return one_line(row.status, 20)
    return "pinned" if row.pinned else "accepted" if row.accepted else ""


def strength(row: FactRow, now: datetime) -> str:
    """What is left of a fact's strength, in percent."""
    return f"{effective_strength(row.strength, clock.stored(row.last_accessed_at), now):.0%}"


def exchange(row: TurnRow) -> str:
    """A turn on one line."""
    return " → ".join(secrecy.line(text) for text in (row.request, row.response) if text)


def _pages(found: Found) -> Iterator[Sequence[int]]:
    return (found.keys[at : at + _PAGE] for at in range(0, len(found.keys), _PAGE))


def _shapes(looker: Looker, query: Query, found: Found, now: datetime) -> Iterator[shapes.Shape]:
    for keys in _pages(found):
        page = looker.read(partial(_page, kind=query.kind, keys=keys, now=now))
        for n, shape in page:
            yield shapes.ranked(shape, found, n) if query.terms else shape


def _page(
    connection: sqlite3.Connection, kind: str, keys: Sequence[int], now: datetime
) -> list[tuple[int, shapes.Shape]]:
    if kind == "facts":
        facts = ((n, fact(connection, n)) for n in keys)
        return [(n, shapes.fact(whole, now)) for n, whole in facts if whole is not None]
    turns = ((n, turn(connection, n)) for n in keys)
    return [(n, shapes.turn(whole)) for n, whole in turns if whole is not None]


def _print_tables(looker: Looker, query: Query, found: Found, now: datetime) -> None:
    on = output.screen()
    matcher = Matcher(found.terms, prefix=query.prefix)
    for keys in _pages(found):
        columns, rows = looker.read(partial(_rows, kind=query.kind, keys=keys, now=now, on=on))
        lines = table(columns, "TEXT", rows, on, lambda text: lit(text, matcher.spans(text), on))
        output.put(lines)


def _rows(
    connection: sqlite3.Connection, kind: str, keys: Sequence[int], now: datetime, on: Screen
) -> tuple[list[Column], list[Cells]]:
    if kind == "facts":
        facts = fact_rows(connection, keys)
        columns, rows = _FACT_COLUMNS, [_fact_cells(facts[n], now) for n in keys if n in facts]
    else:
        turns = turn_rows(connection, keys)
        columns, rows = _TURN_COLUMNS, [_turn_cells(turns[n], now) for n in keys if n in turns]
    short = short_ids(connection, [row[0] for row in rows]) if on.terminal else {}
    rows = [[one_line(short.get(row[0], row[0])), *row[1:]] for row in rows]
    return _without_empty(columns, rows) if on.terminal else (columns, [[cell or "-" for cell in row] for row in rows])


def _without_empty(columns: list[Column], rows: list[Cells]) -> tuple[list[Column], list[Cells]]:
    """Leave out the columns in which no row has anything."""
    kept = [at for at in range(len(columns)) if any(row[at] for row in rows)]
    return [columns[at] for at in kept], [[*(row[at] for at in kept), row[-1]] for row in rows]


def _fact_cells(row: FactRow, now: datetime) -> Cells:
    """The cells of a fact, safe to show but for the id."""
    return [
        row.id, one_line(row.namespace, 200), state(row), one_line(named(row.agent, person()), 60),
        clock.ago(clock.stored(row.created_at), now), strength(row, now), secrecy.line(row.content),
    ]  # fmt: skip


def _turn_cells(row: TurnRow, now: datetime) -> Cells:
    """The cells of a turn, safe to show but for the id."""
    return [
        row.id, one_line(row.namespace or "", 200), one_line(row.session, 200),
        one_line(named(row.agent, person()), 60), clock.ago(clock.stored(row.at), now), exchange(row),
    ]  # fmt: skip
