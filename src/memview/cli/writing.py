"""``memview forget`` and ``restore``: the commands that change a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from memview.cli import access, options, output
from memview.errors import NotFound, ReadOnlyStore
from memview.text import one_line

if TYPE_CHECKING:
    from memview.memory.looking import FactRow

_ids = click.argument("ids", metavar="ID...", nargs=-1, required=True, type=options.text)
_read_only = click.option("--read-only", is_flag=True, help="Refuse to change anything.")
_wait = click.option(
    "--wait", metavar="SECONDS", type=click.FloatRange(0), default=5, show_default=True,
    help="How long to wait for another program's lock.",
)  # fmt: skip


class _Named(NamedTuple):
    """What the ids of a command name."""

    facts: list[FactRow]
    problems: list[str]


@click.command()
@options.file
@_ids
@click.option("--dry-run", is_flag=True, help="Say what would be forgotten, and change nothing.")
@_read_only
@_wait
def forget(file: Path, ids: tuple[str, ...], dry_run: bool, read_only: bool, wait: float) -> int:
    """Hide facts from agents; restore brings them back.

    ID may be shortened to a beginning that no other id has.
    """
    named = _named(file, ids, wait)
    wanted = [row for row in named.facts if row.status != "forgotten"]
    if dry_run:
        done = wanted
    else:
        done = _change(file, wanted, "forget", read_only=read_only, wait=wait)
    return _tell(named, done, "Would forget" if dry_run else "Forgot", "forgotten")


@click.command()
@options.file
@_ids
@_read_only
@_wait
def restore(file: Path, ids: tuple[str, ...], read_only: bool, wait: float) -> int:
    """Bring back facts that were forgotten, pruned or superseded."""
    named = _named(file, ids, wait)
    wanted = [row for row in named.facts if row.status != "active"]
    return _tell(named, _change(file, wanted, "restore", read_only=read_only, wait=wait), "Restored", "active")


def _named(file: Path, ids: Sequence[str], wait: float) -> _Named:
    from memview.memory.looking import fact_rows

    facts: dict[int, FactRow] = {}
    problems = []
    with options.looking(file, wait) as looker:
        for id in ids:
            try:
                record = looker.read(lambda connection, id=id: options.resolve(connection, id, ("fact",)))  # type: ignore[misc]
                facts |= looker.read(lambda connection, n=record.n: fact_rows(connection, [n]))  # type: ignore[misc]
            except NotFound as error:
                problems.append(str(error))
    return _Named(list(facts.values()), problems)


def _change(file: Path, rows: Sequence[FactRow], verb: str, *, read_only: bool, wait: float) -> list[FactRow]:
    """Forget or restore; gives back the facts that changed."""
    if read_only:
        raise ReadOnlyStore(f"With --read-only nothing can be changed in {access.name(file)}.", "Leave it out.")
    access.require_writing(file)
    if not rows:
        return []
    from memview.memory import MemoryStore
    from memview.memory.person import person

    with MemoryStore(file, agent=person(), timeout=wait) as store:
        memories = [store.tenant(row.tenant).memory(row.namespace) for row in rows]
        return [
            row
            for memory, row in zip(memories, rows, strict=True)
            if (memory.forget if verb == "forget" else memory.restore)(row.id)
        ]


def _tell(named: _Named, done: Sequence[FactRow], verb: str, state: str) -> int:
    output.put(f"{one_line(row.id, 60)}  {one_line(row.namespace, 200)}  {one_line(row.content)}" for row in done)
    for problem in named.problems:
        output.say(f"memview: {problem}")
    already = len(named.facts) - len(done)
    if already:
        output.say(f"{already:,} already {state}.")
    output.say(f"{verb} {len(done):,} {'fact' if len(done) == 1 else 'facts'}.")
    return 0 if done and not named.problems else 1
