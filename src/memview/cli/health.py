"""``memview health``: what repeats, fades, is secret or gives orders."""

from __future__ import annotations

import json
import sqlite3
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memview import clock
from memview.cli import options, output
from memview.text import one_line

if TYPE_CHECKING:
    from memview.review.health import Health, Measure


@click.command("health")
@options.file
@options.as_json
@options.wait
def health_(file: Path, as_json: bool, wait: float) -> None:
    """Measure a memory: repeats, stale facts, secrets, growth, size.

    It only reads. Most numbers open with the query beside them; --json names the records of the others.
    """
    from memview.review.health import health

    now = clock.utc_now()
    with options.looking(file, wait) as looker:
        found = looker.read(lambda raw: health(raw, file, now))
        if as_json:
            output.put_json(looker.read(partial(_shape, found=found)))
            return
    output.put(_lines(found))


def _lines(found: Health) -> list[str]:
    from memview.cli.table import Column, table

    total = f"{found.facts:,} facts, {found.turns:,} turns, {sum(found.sizes.values()):,} bytes"
    rows = [[_number(one), one.kind, _words(one)] for one in found.measures]
    columns = [Column("COUNT", right=True), Column("OF")]
    weeks = [[f"{week.facts:,}", f"{week.turns:,}", week.start] for week in found.growth]
    return [
        total,
        *table(columns, "WHAT", rows, output.screen()),
        "",
        *table([Column("FACTS", right=True), Column("TURNS", right=True)], "WEEK OF", weeks, output.screen()),
        "",
        *(f"{size:>15,} bytes  {one_line(name)}" for name, size in found.sizes.items()),
    ]


def _number(one: Measure) -> str:
    return "-" if one.count is None else f"{one.count:,}"


def _words(one: Measure) -> str:
    parts = [one.title, one.note, f"memview search FILE '{one.query}'" if one.query and one.count else ""]
    return " · ".join(filter(None, parts))


def _shape(connection: sqlite3.Connection, found: Health) -> dict[str, Any]:
    return {
        "at": clock.to_text(found.at), "facts": found.facts, "turns": found.turns,
        "measures": [
            {
                "name": one.name, "title": one.title, "count": one.count, "note": one.note, "kind": one.kind,
                "query": one.query or None, "ids": None if one.query and not one.numbers else _ids(connection, one),
            }
            for one in found.measures
        ],
        "growth": [week._asdict() for week in found.growth],
        "sizes": found.sizes,
    }  # fmt: skip


def _ids(connection: sqlite3.Connection, one: Measure) -> list[str]:
    table = {"facts": "facts", "turns": "turns"}[one.kind]
    sql = f"SELECT r.id FROM json_each(?) w CROSS JOIN {table} r ON r.n = w.value"
    return [id for (id,) in connection.execute(sql, (json.dumps(list(one.numbers)),)).fetchall()]
