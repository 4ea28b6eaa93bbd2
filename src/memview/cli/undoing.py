"""``memview undo`` and ``redo``: the last thing done, taken back or done again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memview import clock
from memview.cli import options, output
from memview.text import one_line

if TYPE_CHECKING:
    from memview import Undone
    from memview.memory.looking import Step

    Choice = Callable[[sqlite3.Connection, str, str | None], Step | None]

_DEEDS = {
    "write": "writing", "edit": "editing", "correct": "correcting", "forget": "forgetting", "restore": "restoring",
    "prune": "pruning", "pin": "pinning", "unpin": "unpinning", "accept": "accepting", "tag": "tagging",
    "link": "linking", "unlink": "removing", "record": "recording", "delete": "deleting", "import": "importing",
    "consolidate": "consolidating", "merge": "merging", "keep": "keeping one of", "settle": "settling",
    "judge": "judging",
}  # fmt: skip
_ABOUT = {
    "link": ("link",), "unlink": ("link",), "accept": ("decision",), "record": ("turn",), "delete": ("turn",),
    "judge": ("judgement",),
}  # fmt: skip
"""Which of the records that an action changed it was about, where that is not its facts."""
_NOUNS = {"decision": "fact", "judgement": "pair", "record": "record"}


def _scoped(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        options.wait,
        options.as_json,
        options.dry_run,
        click.option("--agent", metavar="NAME", type=options.text, help="Whose last action; yours unless given."),
        click.option("--tenant", metavar="T", type=options.text, help="The last one in this tenant."),
        options.file,
    ):  # fmt: skip
        command = option(command)
    return command


@click.command()
@_scoped
def undo(file: Path, **asked: Any) -> int:
    """Take back the last thing you did."""
    return _run(file, again=False, **asked)


@click.command()
@_scoped
def redo(file: Path, **asked: Any) -> int:
    """Do again what was just taken back."""
    return _run(file, again=True, **asked)


def _run(
    file: Path, *, again: bool, tenant: str | None, agent: str | None, dry_run: bool, as_json: bool, wait: float
) -> int:  # fmt: skip
    from memview.memory.looking import redoable, undoable
    from memview.memory.person import person

    choose, actor = redoable if again else undoable, agent or person()
    if tenant is None or dry_run:
        with options.looking(file, wait) as looker:
            if tenant is None:
                tenant = looker.read(partial(_tenant, choose=choose, actor=actor))
            would = looker.read(partial(_would, choose=choose, actor=actor, tenant=tenant)) if dry_run else None
    if dry_run:
        return _tell(would, ("Would do again:" if again else "Would take back"), again=again, as_json=as_json)
    with options.opened(file, agent=agent, tenant=tenant, wait=wait) as store:
        done = store.redo() if again else store.undo()
    return _tell(done, ("Did again:" if again else "Took back"), again=again, as_json=as_json)


def _tell(done: Undone | None, begin: str, *, again: bool, as_json: bool) -> int:
    if as_json:
        output.put_json(None if done is None else _shape(done))
    if done is None:
        output.say(f"There is nothing to {'do again' if again else 'take back'}.")
        return 1
    output.say(_sentence(done, begin))
    if done.left:
        output.say(f"{len(done.left):,} changed since, and left alone.")
    return 0


def _shape(done: Undone) -> dict[str, Any]:
    records = [{"kind": kind, "id": id, "namespace": namespace} for kind, id, namespace in done.records]
    return {"verb": done.verb, "at": clock.to_text(clock.stored(done.at)), "records": records, "left": done.left}


def _would(connection: sqlite3.Connection, choose: Choice, actor: str, tenant: str) -> Undone | None:
    """What a step would do if nobody comes between."""
    from memview.memory.looking import of_action, verb
    from memview.store.undo import Undone

    step = choose(connection, actor, tenant)
    if step is None:
        return None
    of = step.action.split(":", 2)[2] if step.verb in ("undo", "redo") else step.action
    records = [(change.kind, change.id, change.namespace) for change in of_action(connection, step.last)]
    return Undone(verb(of), of, step.at, records, [])


def _tenant(connection: sqlite3.Connection, choose: Choice, actor: str) -> str:
    """Where the last step was made; the default tenant where there is none."""
    from memview.memory.looking import since

    step = choose(connection, actor, None)
    last = since(connection, step.seq - 1, 1) if step else []
    return last[0].tenant if last else ""


def _sentence(done: Undone, begin: str) -> str:
    spaces = list(dict.fromkeys(namespace for _, _, namespace in done.records if namespace))
    where = f" in {one_line(spaces[0], 100)}" if len(spaces) == 1 else ""
    where = f" in {len(spaces):,} namespaces" if len(spaces) > 1 else where
    ago = clock.ago(clock.stored(done.at), clock.utc_now())
    when = "just now" if ago == "now" else f"{ago} ago"
    deed = _DEEDS.get(done.verb) or f"{one_line(done.verb, 30)} of"
    return f"{begin} {deed} {_what(done)}{where}, {when}."


def _what(done: Undone) -> str:
    """How many records of what kind it was about."""
    kinds = _ABOUT.get(done.verb, ("fact",))
    about = {(kind, id) for kind, id, _ in done.records if done.verb != "import" and kind in kinds}
    noun = _NOUNS.get(kinds[0], kinds[0])
    if not about:
        about, noun = {(kind, id) for kind, id, _ in done.records}, "record"
    if done.verb == "correct":
        return "1 fact"
    return f"1 {noun}" if len(about) == 1 else f"{len(about):,} {noun}s"
