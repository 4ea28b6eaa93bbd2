"""``memview forget`` and ``restore``: the commands that change a store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from memview.cli import access, options, output
from memview.errors import Conflict, NotFound, ReadOnlyStore
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


class _Changed(NamedTuple):
    """What became of the facts that were aimed at."""

    facts: list[FactRow]
    moved: int = 0
    """How many somebody else changed meanwhile; they were left alone."""
    gone: int = 0

    @property
    def aimed_at(self) -> int:
        return len(self.facts) + self.moved + self.gone


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
        done = _Changed(wanted)
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
                record = looker.read(partial(options.resolve, id=id, kinds=("fact",)))
                facts |= looker.read(partial(fact_rows, numbers=[record.n]))
            except NotFound as error:
                problems.append(str(error))
    return _Named(list(facts.values()), problems)


def _change(file: Path, rows: Sequence[FactRow], verb: str, *, read_only: bool, wait: float) -> _Changed:
    """Forget or restore, in one step for undo."""
    if read_only:
        raise ReadOnlyStore(f"With --read-only nothing can be changed in {access.name(file)}.", "Leave it out.")
    access.require_writing(file)
    if not rows:
        return _Changed([])
    from memview.memory import MemoryStore
    from memview.memory.person import person
    from memview.memory.selection import Selection
    from memview.store.aim import Aim

    with MemoryStore(file, agent=person(), timeout=wait) as store:
        chosen = Selection(store, [Aim(row.n, row.version) for row in rows])
        done = chosen.forget() if verb == "forget" else chosen.restore()
    missed = {*done.moved, *done.gone}
    return _Changed([row for row in rows if row.n not in missed], len(done.moved), len(done.gone))


def _tell(named: _Named, changed: _Changed, verb: str, state: str) -> int:
    output.put(
        f"{one_line(row.id, 60)}  {one_line(row.namespace, 200)}  {one_line(row.content)}" for row in changed.facts
    )
    for problem in named.problems:
        output.say(f"memview: {problem}")
    for count, what in (
        (len(named.facts) - changed.aimed_at, f"already {state}."),
        (changed.moved, "changed by somebody else meanwhile, and left alone."),
        (changed.gone, "gone meanwhile."),
    ):
        if count:
            output.say(f"{count:,} {what}")
    done = len(changed.facts)
    output.say(f"{verb} {done:,} {'fact' if done == 1 else 'facts'}.")
    if changed.moved:
        return Conflict.exit_code
    return 0 if done and not named.problems and not changed.gone else 1
