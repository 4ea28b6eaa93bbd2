"""``memview show``, ``stats`` and ``history``: looking at one record, and at the store as a whole."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memview import clock
from memview.cli import options, output, secrecy
from memview.text import one_line

if TYPE_CHECKING:
    from memview.memory.looking import ChangeRow, Stats


@click.command()
@options.file
@click.argument("id", type=options.text)
@options.as_json
@secrecy.option
def show(file: Path, id: str, as_json: bool) -> None:
    """Show a fact or a turn whole.

    ID may be shortened to a beginning that no other id has.
    """
    from memview.cli import details

    now = clock.utc_now()
    with options.looking(file) as looker:
        detail = looker.read(partial(details.read, id=id))
    if as_json:
        output.put_json(details.shape(detail, now))
    else:
        output.put(details.lines(detail, now))


@click.command()
@options.file
@options.as_json
def stats(file: Path, as_json: bool) -> None:
    """Count what a store holds."""
    from memview.cli import shapes
    from memview.memory.looking import stats as count

    with options.looking(file) as looker:
        found = looker.read(partial(count, path=file))
    if as_json:
        output.put_json(shapes.stats(found))
    else:
        output.put(_stats_lines(found))


def _stats_lines(found: Stats) -> list[str]:
    from memview.cli.table import Column, table

    total = (
        f"{one_line(found.path)}: {found.facts:,} facts, {found.turns:,} turns in {found.sessions:,} sessions, "
        f"{found.links:,} links, {found.size_bytes:,} bytes"
    )
    rows = [
        [f"{space.facts:,}", f"{space.turns:,}", one_line(space.tenant, 60) or "-", _name(space.namespace)]
        for space in found.by_namespace
    ]
    columns = [Column("FACTS", right=True), Column("TURNS", right=True), Column("TENANT")]
    return [total, *table(columns, "NAMESPACE", rows, output.screen())]


def _name(namespace: str | None) -> str:
    return "(without a name)" if namespace is None else one_line(namespace) or '""'


@click.command()
@options.file
@click.argument("id", required=False, type=options.text)
@options.limit("changes")
@options.as_json
@secrecy.option
def history(file: Path, id: str | None, limit: int, as_json: bool) -> int:
    """List the changes of a fact or a turn, or of everything, the newest last."""
    from memview.cli import changes, shapes

    with options.looking(file) as looker:
        rows = looker.read(partial(_changes, id=id, limit=limit))
        told = [] if as_json else looker.read(lambda connection: changes.lines(connection, rows, output.screen()))
    if as_json:
        output.put_array(map(shapes.change, rows))
    else:
        output.put(told)
    if not rows:
        output.say("No changes are recorded.")
    return 0 if rows else 1


def _changes(connection: sqlite3.Connection, id: str | None, limit: int) -> list[ChangeRow]:
    from memview.memory import looking

    if id is not None:
        record = options.resolve(connection, id)
        return looking.history(connection, record.id)[-limit:]
    return looking.with_after(connection, _latest(connection, limit))


def _latest(connection: sqlite3.Connection, limit: int) -> list[ChangeRow]:
    """The newest changes; an erase leaves gaps in their numbers, so the look goes back until there are enough."""
    from memview.memory import looking

    last, back = looking.last_seq(connection), limit or 1 << 40
    while True:
        first = max(0, last - back)
        rows: list[Any] = looking.since(connection, first, last - first)
        if len(rows) >= limit or first == 0:
            return rows[-limit:]
        back *= 2
