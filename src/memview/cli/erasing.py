"""``memview erase``: every copy of something removed from every file of the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from memview.cli import access, asking, options, output
from memview.errors import BusyStore, MemviewError, NotFound

if TYPE_CHECKING:
    from memview import Erased

_PLACES = {
    "facts": ("fact", "facts"), "turns": ("turn", "turns"), "links": ("link", "links"),
    "history": ("history entry", "history entries"), "backups": ("backup", "backups"),
}  # fmt: skip


def _only_stdin(_: click.Context, __: click.Parameter, value: str | None) -> bool:
    if value not in (None, asking.STDIN):
        raise click.BadParameter("a value given here would stay in the shell's history. Write --value - instead.")
    return value is not None


class _Wanted(NamedTuple):
    """What is to be erased."""

    tenant: str
    what: dict[str, Any]
    """As :meth:`memview.MemoryStore.erase` takes it."""


@click.command()
@options.file
@click.argument("ids", metavar="[ID]...", nargs=-1, type=options.text)
@click.option("--session", metavar="S", type=options.text, help="Everything learnt or said in this session.")
@click.option("--namespace", metavar="NS", type=options.text, help="Everything in exactly this namespace.")
@click.option(
    "--value", metavar="-", callback=_only_stdin,
    help="Every copy of a text, letter for letter; it is read from stdin or typed unseen.",
)  # fmt: skip
@click.option("--tenant", metavar="T", type=options.text, help="Whose; of ids their own, else the default one.")
@options.dry_run
@options.yes
@options.as_json
@options.agent
@options.wait
def erase(
    file: Path, ids: tuple[str, ...], session: str | None, namespace: str | None, value: bool, tenant: str | None,
    dry_run: bool, yes: bool, as_json: bool, agent: str | None, wait: float,
) -> int:  # fmt: skip
    """Remove every copy of facts, turns or a text, for good.

    Forget hides a fact and can be taken back; erase cannot. Records go from the file, its index, its log and its
    history; a text is blanked where it stands among others.
    """
    if not (ids or session is not None or namespace is not None or value):
        raise click.UsageError(
            "Say what to erase: ids, --session, --namespace or --value -.", ctx=click.get_current_context()
        )
    if value and (ids or session is not None or namespace is not None):
        raise click.UsageError("--value stands alone.", ctx=click.get_current_context())
    wanted = _wanted(file, ids, session, namespace, tenant, wait)
    if value:
        wanted = _Wanted(tenant or "", {"value": asking.unseen("The text to erase")})
    with options.opened(file, tenant=wanted.tenant, wait=wait, read_only=True) as store:
        counted = store.erase(**wanted.what, dry_run=True)
    if dry_run:
        return _tell(counted, "Would erase", as_json=as_json)
    question = f"Erase {_count(counted.places)} from {access.name(file)}? There is no undo."
    if not asking.agreed(question, yes=yes, word="erase"):
        output.say("Nothing was erased.")
        return 1
    with options.opened(file, agent=agent, tenant=wanted.tenant, wait=wait) as store:
        erased = store.erase(**wanted.what)
    return _tell(erased, "Erased", as_json=as_json)


def _wanted(
    file: Path, ids: Sequence[str], session: str | None, namespace: str | None, tenant: str | None, wait: float
) -> _Wanted:
    with options.looking(file, wait) as looker:
        found = [looker.read(partial(_owned, id=id)) for id in ids]
    owners = {owner for _, owner in found}
    if session is not None or namespace is not None or not ids:
        owners.add(tenant or "")
    elif tenant is not None:
        owners.add(tenant)
    if len(owners) > 1:
        raise MemviewError("These belong to more than one tenant.", "Erase them one tenant at a time, with --tenant.")
    return _Wanted(owners.pop(), {"ids": [id for id, _ in found], "session": session, "namespace": namespace})


def _owned(connection: sqlite3.Connection, id: str) -> tuple[str, str]:
    """The whole id of a record, deleted ones included, and its tenant."""
    from memview.memory.looking import history

    try:
        record = options.resolve(connection, id)
    except NotFound:
        past = history(connection, id)
        if not past:
            raise
        return id, past[-1].tenant
    (owner,) = connection.execute(f"SELECT tenant FROM {record.kind}s WHERE n = ?", (record.n,)).fetchone()
    return record.id, owner


def _tell(erased: Erased, verb: str, *, as_json: bool) -> int:
    if as_json:
        output.put_json({"places": erased.places, "unreached": erased.unreached})
    else:
        size = max(map(len, erased.places))
        output.put(f"{name:<{size}}  {count:,}" for name, count in erased.places.items())
    output.say(f"{verb} {_count(erased.places)}.")
    for sentence in erased.unreached:
        output.say(f"memview: {sentence}")
    if verb == "Erased":
        output.say("What agents were told before, and what stood on screens, is out of reach.")
    return BusyStore.exit_code if erased.unreached else 0


def _count(places: Mapping[str, int]) -> str:
    named = [f"{count:,} {_PLACES[name][count != 1]}" for name, count in places.items() if count]
    return ", ".join(named)
