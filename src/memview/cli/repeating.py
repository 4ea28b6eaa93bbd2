"""``memview duplicates``: facts that say the same, listed, merged or told apart."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memview import clock
from memview.cli import access, asking, choosing, options, output, secrecy
from memview.cli.table import Column, table
from memview.errors import Conflict, NotFound
from memview.text import one_line

if TYPE_CHECKING:
    from memview.cli.shapes import Shape
    from memview.memory.looking import Aim, Looker
    from memview.review.duplicates import Duplicates, Group

_COLUMNS = [
    Column("GROUP", right=True), Column("ALIKE", right=True), Column("KEEP", 24), Column("ID"), Column("NAMESPACE", 24),
]  # fmt: skip
_PAGE = 100


@click.command("duplicates")
@options.file
@click.option("--merge", is_flag=True, help="Merge every group whose texts are equal into the fact to keep.")
@click.option("--into", nargs=2, metavar="KEEP ID", type=options.text, help="Merge fact ID into fact KEEP.")
@click.option("--not-alike", nargs=2, metavar="ID ID", type=options.text, help="Never offer these two together again.")
@options.tenant
@options.namespace
@options.limit("groups")
@options.dry_run
@options.yes
@options.as_json
@secrecy.option
@options.agent
@options.wait
def duplicates_(
    file: Path, merge: bool, into: tuple[str, str] | None, not_alike: tuple[str, str] | None, tenant: str | None,
    namespace: str | None, limit: int, dry_run: bool, yes: bool, as_json: bool, agent: str | None, wait: float,
) -> int:  # fmt: skip
    """List facts that say the same, in groups with the one to keep.

    Equal groups come first: their texts differ in case, blanks and punctuation alone. Others are near copies; where a
    number, a negation, a weekday, a date or a name differs, it is none. Nothing is merged unless asked for.
    """
    if sum(map(bool, (merge, into, not_alike))) > 1:
        raise click.UsageError("Use one of --merge, --into and --not-alike.", ctx=click.get_current_context())
    if into or not_alike:
        return _pair(
            file, into or not_alike or ("", ""), merge=bool(into), dry_run=dry_run, as_json=as_json, agent=agent,
            wait=wait,
        )  # fmt: skip
    from memview.memory.looking import ALL, Query
    from memview.review.duplicates import find

    now = clock.utc_now()
    query = Query(tenant=ALL if tenant is None else tenant, namespace=ALL if namespace is None else namespace)
    with options.looking(file, wait) as looker:
        found = find(looker, query, now)
        groups = found.equal if merge else found.groups
        shown = groups[: limit or None]
        if as_json:
            output.put_array(_shapes(looker, shown, now))
        elif not merge or dry_run or not yes:
            _print(looker, shown)
    if not groups:
        output.say("Nothing found.")
        return 1
    if not merge:
        output.say(_sentence(found))
        return 0
    return _merge(file, groups, dry_run=dry_run, yes=yes, agent=agent, wait=wait)


def _merge(file: Path, groups: Sequence[Group], *, dry_run: bool, yes: bool, agent: str | None, wait: float) -> int:
    from memview.review.merging import merge_all

    count = sum(len(group.others) for group in groups)
    what = f"{count:,} {'fact' if count == 1 else 'facts'} into {len(groups):,} that are kept"
    if dry_run:
        output.say(f"Would merge {what}.")
        return 0
    if not asking.agreed(f"Merge {what} in {access.name(file)}?", yes=yes):
        output.say("Nothing was changed.")
        return 1
    left: list[Group] = []
    for tenant in dict.fromkeys(group.tenant for group in groups):
        with options.opened(file, agent=agent, tenant=tenant, wait=wait) as store:
            left += merge_all(store, [group for group in groups if group.tenant == tenant])
    done = count - sum(len(group.others) for group in left)
    output.say(f"Merged {done:,} {'fact' if done == 1 else 'facts'}.")
    if left:
        output.say(f"{len(left):,} groups changed meanwhile, and were left alone.")
        return Conflict.exit_code
    return 0


def _pair(
    file: Path, ids: tuple[str, str], *, merge: bool, dry_run: bool, as_json: bool, agent: str | None, wait: float
) -> int:  # fmt: skip
    from memview.memory.looking import Aim
    from memview.review import merging

    chosen = choosing.by_ids(file, ids, wait)
    if chosen.problems or len(chosen.facts) != 2:
        raise NotFound(" ".join(chosen.problems) or "Both ids name one fact.")
    keeper, other = chosen.facts
    one, two = Aim(keeper.n, keeper.version), Aim(other.n, other.version)
    with options.opened(file, agent=agent, tenant=keeper.tenant, wait=wait, read_only=dry_run) as store:
        if not dry_run and merge:
            merging.merge(store, one, [two])
        elif not dry_run:
            merging.not_alike(store, one, [two])
    if as_json:
        output.put_json({"decision": "merge" if merge else "not alike", "keep": keeper.id, "other": other.id})
    if merge:
        output.say("Would merge 1 fact." if dry_run else "Merged 1 fact.")
    else:
        output.say("Would note that they are not alike." if dry_run else "Noted: they are not alike.")
    return 0


def _sentence(found: Duplicates) -> str:
    groups, equal = len(found.groups), len(found.equal)
    told = f"{groups:,} {'group' if groups == 1 else 'groups'}, {equal:,} of equal texts"
    return f"{told}; {found.facts:,} of {found.compared:,} facts."


def _print(looker: Looker, groups: Sequence[Group]) -> None:
    on = output.screen()
    for start in range(0, len(groups), _PAGE):
        rows = looker.read(partial(_rows, groups=groups[start : start + _PAGE], first=start + 1))
        output.put(table(_COLUMNS, "TEXT", rows, on))


def _rows(connection: sqlite3.Connection, groups: Sequence[Group], first: int) -> list[list[str]]:
    from memview.memory.looking import fact_rows

    facts = fact_rows(connection, [aim.n for group in groups for aim in group.aims])
    short = options.short_ids(connection, [row.id for row in facts.values()]) if output.screen().terminal else {}
    return [
        [
            str(number), "equal" if group.equal else f"{group.alike:.0%}", group.reason if aim == group.keeper else "-",
            one_line(short.get(facts[aim.n].id, facts[aim.n].id)), one_line(group.namespace, 200) or "-",
            secrecy.line(facts[aim.n].content),
        ]
        for number, group in enumerate(groups, first)
        for aim in group.aims
        if aim.n in facts
    ]  # fmt: skip


def _shapes(looker: Looker, groups: Sequence[Group], now: datetime) -> Iterator[Shape]:
    for group in groups:
        facts = looker.read(partial(whole, aims=group.aims, now=now))
        if facts:
            yield {
                "tenant": group.tenant, "namespace": group.namespace, "equal": group.equal, "alike": group.alike,
                "keep": facts[0]["id"], "reason": group.reason, "facts": facts,
            }  # fmt: skip


def whole(connection: sqlite3.Connection, aims: Sequence[Aim], now: datetime) -> list[Shape]:
    """The facts of these numbers for ``--json``; those that are gone are left out."""
    from memview.cli import shapes
    from memview.memory.looking import fact

    found = (fact(connection, aim.n) for aim in aims)
    return [shapes.fact(detail, now) for detail in found if detail is not None]
