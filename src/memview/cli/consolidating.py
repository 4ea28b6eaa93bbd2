"""``memview consolidate``: several facts become one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memview import clock
from memview.cli import asking, choosing, options, output, secrecy
from memview.errors import Invalid, NotFound

if TYPE_CHECKING:
    from memview.memory.looking import FactRow


@click.command()
@options.file
@click.argument("ids", metavar="[ID]...", nargs=-1, type=options.text)
@click.option("--text", metavar="TEXT", type=options.text, help="What they say together; - reads it from stdin.")
@click.option("--namespace", metavar="NS", type=options.text, help="Propose in this namespace alone.")
@click.option("--tenant", metavar="T", type=options.text, default="", help="Propose for it, if not the default.")
@click.option(
    "--min-overlap", metavar="X", type=click.FloatRange(0, 1, min_open=True), default=0.3, show_default=True,
    help="The least share of keywords that two proposed facts have in common.",
)  # fmt: skip
@options.as_json
@secrecy.option
@options.dry_run
@options.agent
@options.wait
def consolidate(
    file: Path, ids: tuple[str, ...], text: str | None, namespace: str | None, tenant: str, min_overlap: float,
    as_json: bool, dry_run: bool, agent: str | None, wait: float,
) -> int:  # fmt: skip
    """Put one summary in the place of several facts, or propose which.

    Without ids: groups of facts whose keywords overlap. With two or more ids and --text: the text becomes a fact that
    is derived from them, and they are superseded. undo takes it back.
    """
    if bool(ids) is not (text is not None):
        raise click.UsageError("Give ids and --text, or neither.", ctx=click.get_current_context())
    if text is None:
        return _propose(file, tenant, namespace, min_overlap, wait, as_json=as_json)
    wording = asking.piped() if text == asking.STDIN else text
    rows = _chosen(file, ids, wait)
    if dry_run:
        if as_json:
            output.put_array(map(_shape, rows))
        else:
            output.put(map(output.brief, rows))
        output.say(f"Would put one fact in the place of {len(rows):,}.")
        return 0
    with options.opened(file, agent=agent, tenant=rows[0].tenant, wait=wait) as store:
        made = store.memory(rows[0].namespace).consolidate([row.id for row in rows], wording)
    output.say(f"Put one fact in the place of {len(rows):,}.")
    _show(file, made.id, as_json=as_json)
    return 0


def _chosen(file: Path, ids: tuple[str, ...], wait: float) -> list[FactRow]:
    """The facts of these ids, which must be in one namespace.

    Raises:
        NotFound: one of the ids names none.
        Invalid: they are fewer than two, or not together.
    """
    chosen = choosing.by_ids(file, ids, wait)
    if chosen.problems:
        raise NotFound(" ".join(chosen.problems))
    if len(chosen.facts) < 2:
        raise Invalid("It takes at least two facts to consolidate.", "Give the ids of two or more.")
    if len({(row.tenant, row.namespace) for row in chosen.facts}) > 1:
        raise Invalid("These facts are in more than one namespace.", "Consolidate each namespace by itself.")
    return chosen.facts


def _propose(
    file: Path, tenant: str, namespace: str | None, min_overlap: float, wait: float, *, as_json: bool
) -> int:  # fmt: skip
    with options.looking(file, wait) as looker:
        groups = looker.read(partial(_groups, tenant=tenant, namespace=namespace, least=min_overlap))
    if as_json:
        output.put_array({"namespace": group[0].namespace, "facts": list(map(_shape, group))} for group in groups)
    else:
        output.put(_lines(groups))
    if not groups:
        output.say("Nothing to consolidate.")
    return 0 if groups else 1


def _groups(
    connection: sqlite3.Connection, tenant: str, namespace: str | None, least: float
) -> list[list[FactRow]]:  # fmt: skip
    from memview.memory import looking

    spaces = [space.namespace or "" for space in looking.spaces(connection) if space.tenant == tenant and space.facts]
    found = []
    for name in spaces if namespace is None else (namespace,):
        groups = looking.clusters(connection, tenant, name, least)
        rows = looking.fact_rows(connection, [n for group in groups for n in group])
        found += [[rows[n] for n in group] for group in groups]
    return found


def _shape(row: FactRow) -> dict[str, object]:
    return {"id": row.id, "content": row.content}


def _lines(groups: list[list[FactRow]]) -> Iterator[str]:
    for place, group in enumerate(groups):
        if place:
            yield ""
        yield from map(output.brief, group)


def _show(file: Path, id: str, *, as_json: bool) -> None:
    from memview.cli import details

    with options.looking(file) as looker:
        page = looker.read(partial(details.read, id=id))
    if as_json:
        output.put_json(details.shape(page, clock.utc_now()))
    elif isinstance(page, details.FactPage):
        output.put([output.brief(page.fact.row)])
