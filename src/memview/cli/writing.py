"""``memview forget`` and ``restore``: facts that agents shall not get any more, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from memview.cli import access, asking, choosing, options, output, secrecy
from memview.cli.choosing import Chosen
from memview.errors import Conflict, ReadOnlyStore

if TYPE_CHECKING:
    from memview.memory.looking import FactRow

_SAMPLES = 3


class _Act(NamedTuple):
    """One of the two commands."""

    verb: str
    done: str
    state: str
    """What the facts are afterwards."""
    statuses: tuple[str, ...]
    """Which facts a query means that names no state."""


_FORGET = _Act("forget", "Forgot", "forgotten", ("active",))
_RESTORE = _Act("restore", "Restored", "active", ("pruned", "forgotten"))


class _Changed(NamedTuple):
    """What became of the facts that were aimed at."""

    facts: Sequence[FactRow]
    moved: int = 0
    """How many somebody else changed meanwhile; they were left alone."""
    gone: int = 0

    @property
    def aimed_at(self) -> int:
        return len(self.facts) + self.moved + self.gone


def _aimed(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments and options that both commands share."""
    for option in (
        options.wait, options.agent, secrecy.option,
        click.option("--read-only", is_flag=True, help="Refuse to change anything."),
        options.yes, options.dry_run, options.as_json,
        click.option("--tenant", metavar="T", type=options.text, help="Whose facts --query means, if not the default."),
        click.option("--query", metavar="QUERY", type=options.text, help="All that match, as in memview search."),
        click.argument("ids", metavar="[ID]...", nargs=-1, type=options.text),
        options.file,
    ):  # fmt: skip
        command = option(command)
    return command


@click.command()
@_aimed
def forget(file: Path, **asked: Any) -> int:
    """Hide facts from agents; restore brings them back.

    ID may be shortened to a beginning that no other id has. A query that hits more than one fact asks first.
    """
    return _run(_FORGET, file, **asked)


@click.command()
@_aimed
def restore(file: Path, **asked: Any) -> int:
    """Bring back facts that were forgotten, pruned or superseded.

    A query means forgotten and pruned facts, unless it says is: otherwise.
    """
    return _run(_RESTORE, file, **asked)


def _run(
    act: _Act, file: Path, *, ids: tuple[str, ...], query: str | None, tenant: str | None, dry_run: bool, yes: bool,
    as_json: bool, read_only: bool, agent: str | None, wait: float,
) -> int:  # fmt: skip
    if bool(ids) is (query is not None):
        raise click.UsageError("Give ids, or --query and none.", ctx=click.get_current_context())
    if query is None:
        chosen = choosing.by_ids(file, ids, wait)
    else:
        chosen = choosing.by_query(file, query, tenant=tenant or "", statuses=act.statuses, wait=wait)
        if not chosen.facts:
            if as_json:
                output.put_json(_shape(chosen, _Changed([])))
            output.say("Nothing found.")
            return 1
    wanted = [row for row in chosen.facts if row.status != act.state]
    if dry_run:
        return _tell(chosen, _Changed(wanted), f"Would {act.verb}", act.state, as_json=as_json)
    if read_only:
        raise ReadOnlyStore(f"With --read-only nothing can be changed in {access.name(file)}.", "Leave it out.")
    if query is not None and len(wanted) > 1 and not _agreed(act, file, wanted, yes=yes):
        output.say("Nothing was changed.")
        return 1
    return _tell(chosen, _change(act, file, wanted, agent, wait), act.done, act.state, as_json=as_json)


def _agreed(act: _Act, file: Path, rows: Sequence[FactRow], *, yes: bool) -> bool:
    if not yes:
        for row in rows[:_SAMPLES]:
            output.say(f"  {secrecy.line(row.content, 100)}")
        if len(rows) > _SAMPLES:
            output.say(f"  and {len(rows) - _SAMPLES:,} more")
    pinned = sum(row.pinned for row in rows)
    with_pinned = f", {pinned:,} of them pinned," if pinned else ""
    question = f"{act.verb.capitalize()} {_facts(len(rows))}{with_pinned} in {access.name(file)}?"
    return asking.agreed(question, yes=yes)


def _change(act: _Act, file: Path, rows: Sequence[FactRow], agent: str | None, wait: float) -> _Changed:
    """Forget or restore, in one step for undo."""
    if not rows:
        return _Changed([])
    with options.opened(file, agent=agent, wait=wait) as store:
        from memview.memory.selection import Selection
        from memview.store.aim import Aim

        chosen = Selection(store, [Aim(row.n, row.version) for row in rows])
        done = chosen.forget() if act is _FORGET else chosen.restore()
    missed = {*done.moved, *done.gone}
    return _Changed([row for row in rows if row.n not in missed], len(done.moved), len(done.gone))


def _shape(chosen: Chosen, changed: _Changed) -> dict[str, Any]:
    return {
        "count": len(changed.facts), "ids": [row.id for row in changed.facts],
        "already": len(chosen.facts) - changed.aimed_at, "moved": changed.moved, "gone": changed.gone,
        "problems": chosen.problems,
    }  # fmt: skip


def _tell(chosen: Chosen, changed: _Changed, verb: str, state: str, *, as_json: bool) -> int:
    if as_json:
        output.put_json(_shape(chosen, changed))
    else:
        output.put(output.brief(row) for row in changed.facts)
    for problem in chosen.problems:
        output.say(f"memview: {problem}")
    for count, what in (
        (len(chosen.facts) - changed.aimed_at, f"already {state}."),
        (changed.moved, "changed by somebody else meanwhile, and left alone."),
        (changed.gone, "gone meanwhile."),
    ):
        if count:
            output.say(f"{count:,} {what}")
    done = len(changed.facts)
    output.say(f"{verb} {_facts(done)}.")
    if changed.moved:
        return Conflict.exit_code
    return 0 if done and not chosen.problems and not changed.gone else 1


def _facts(count: int) -> str:
    return f"{count:,} {'fact' if count == 1 else 'facts'}"
