"""``memview conflicts``: facts of which only one can hold, listed or settled."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memview import clock
from memview.cli import choosing, options, output, secrecy
from memview.cli.repeating import whole
from memview.cli.table import Column, table
from memview.errors import NotFound
from memview.text import one_line

if TYPE_CHECKING:
    from memview.cli.shapes import Shape
    from memview.memory.looking import Looker
    from memview.review.conflicts import Opposition

_COLUMNS = [Column("PAIR", right=True), Column("WHY", 12), Column("ID"), Column("NAMESPACE", 24), Column("SAYS", 24)]
_PAGE = 100


@click.command("conflicts")
@options.file
@click.option("--holds", nargs=2, metavar="ID OTHER", type=options.text, help="Fact ID holds; OTHER is superseded.")
@click.option("--both", nargs=2, metavar="ID ID", type=options.text, help="Both hold: never offer this pair again.")
@options.tenant
@options.namespace
@options.limit("pairs")
@options.dry_run
@options.as_json
@secrecy.option
@options.agent
@options.wait
def conflicts_(
    file: Path, holds: tuple[str, str] | None, both: tuple[str, str] | None, tenant: str | None, namespace: str | None,
    limit: int, dry_run: bool, as_json: bool, agent: str | None, wait: float,
) -> int:  # fmt: skip
    """List pairs of facts of which only one can hold, the newer first.

    Linked pairs come first, then superseded ones of which agents get both or neither, then those whose texts give the
    same thing another number, weekday, date or value, or say no.
    """
    if holds and both:
        raise click.UsageError("Use one of --holds and --both.", ctx=click.get_current_context())
    if holds or both:
        return _settle(
            file, holds or both or ("", ""), one=bool(holds), dry_run=dry_run, as_json=as_json, agent=agent, wait=wait
        )
    from memview.memory.looking import ALL, Query
    from memview.review.conflicts import find

    now = clock.utc_now()
    query = Query(tenant=ALL if tenant is None else tenant, namespace=ALL if namespace is None else namespace)
    with options.looking(file, wait) as looker:
        found = find(looker, query, now)
        shown = found.pairs[: limit or None]
        if as_json:
            output.put_array(_shapes(looker, shown, now))
        else:
            _print(looker, shown)
    if not found.pairs:
        output.say("Nothing found.")
        return 1
    count = len(found.pairs)
    output.say(f"{count:,} {'pair' if count == 1 else 'pairs'} among {found.compared:,} facts.")
    return 0


def _settle(
    file: Path, ids: tuple[str, str], *, one: bool, dry_run: bool, as_json: bool, agent: str | None, wait: float
) -> int:  # fmt: skip
    from memview.memory.looking import Aim
    from memview.review import settling

    chosen = choosing.by_ids(file, ids, wait)
    if chosen.problems or len(chosen.facts) != 2:
        raise NotFound(" ".join(chosen.problems) or "Both ids name one fact.")
    first, second = (Aim(row.n, row.version) for row in chosen.facts)
    with options.opened(file, agent=agent, tenant=chosen.facts[0].tenant, wait=wait, read_only=dry_run) as store:
        if not dry_run and one:
            settling.this_holds(store, first, second)
        elif not dry_run:
            settling.both_hold(store, first, second)
    if as_json:
        decision = "this holds" if one else "both hold"
        output.put_json({"decision": decision, "facts": [row.id for row in chosen.facts]})
    if one:
        output.say("Would supersede 1 fact." if dry_run else "Superseded 1 fact.")
    else:
        output.say("Would note that both hold." if dry_run else "Noted: both hold.")
    return 0


def _print(looker: Looker, pairs: Sequence[Opposition]) -> None:
    on = output.screen()
    for start in range(0, len(pairs), _PAGE):
        rows = looker.read(partial(_rows, pairs=pairs[start : start + _PAGE], first=start + 1))
        output.put(table(_COLUMNS, "TEXT", rows, on))


def _rows(connection: sqlite3.Connection, pairs: Sequence[Opposition], first: int) -> list[list[str]]:
    from memview.memory.looking import fact_rows

    facts = fact_rows(connection, [aim.n for pair in pairs for aim in (pair.newer, pair.older)])
    short = options.short_ids(connection, [row.id for row in facts.values()]) if output.screen().terminal else {}
    return [
        [
            str(number), pair.kind or pair.why, one_line(short.get(facts[aim.n].id, facts[aim.n].id)),
            one_line(facts[aim.n].namespace, 200) or "-", secrecy.part(value, facts[aim.n].content, 60) or "-",
            secrecy.line(facts[aim.n].content),
        ]
        for number, pair in enumerate(pairs, first)
        for aim, value in zip((pair.newer, pair.older), pair.values, strict=True)
        if aim.n in facts
    ]  # fmt: skip


def _shapes(looker: Looker, pairs: Sequence[Opposition], now: datetime) -> Iterator[Shape]:
    for pair in pairs:
        facts = looker.read(partial(whole, aims=(pair.newer, pair.older), now=now))
        if len(facts) == 2:
            yield {
                "tenant": pair.tenant, "namespace": pair.namespace, "why": pair.why, "kind": pair.kind or None,
                "values": list(pair.values) if pair.kind else None, "facts": facts,
            }  # fmt: skip
