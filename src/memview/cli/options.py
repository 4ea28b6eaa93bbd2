"""What the commands share: their arguments, the store they open, and the ids a person may shorten."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from memview.cli import access, secrecy
from memview.errors import NotFound
from memview.text import one_line

if TYPE_CHECKING:
    from memview.memory import MemoryStore
    from memview.memory.looking import Looker, Query

ORDERS = ("relevance", "newest", "oldest", "strength", "importance", "recalled")


def text(value: str) -> str:
    """The type of an argument that is looked for in a store; bytes that are no UTF-8 cannot be."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise click.BadParameter("it is not valid UTF-8.") from None
    return value


Command = Callable[..., Any]
file = click.argument("file", type=click.Path(path_type=Path, readable=False))
as_json = click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
tenant = click.option("--tenant", metavar="T", type=text, help="Only this tenant.")
namespace = click.option("--namespace", metavar="NS", type=text, help="Exactly this namespace.")
agent = click.option("--agent", metavar="NAME", type=text, help="Who does it, in the history; you unless given.")
dry_run = click.option("--dry-run", is_flag=True, help="Count, and change nothing.")
yes = click.option("--yes", is_flag=True, help="Do it without asking.")
version = click.option(
    "--version", metavar="N", type=click.IntRange(1), help="Refuse if the fact has another version by now."
)
wait = click.option(
    "--wait", metavar="SECONDS", type=click.FloatRange(0), default=5, show_default=True,
    help="How long to wait for another program's lock.",
)  # fmt: skip
turns = click.option("--turns", is_flag=True, help="Turns of conversations instead of facts.")


def scoped(default_order: str) -> Callable[[Command], Command]:
    """The options that ``list`` and ``search`` share; `query` takes them."""

    def decorate(command: Command) -> Command:
        for option in (secrecy.option, as_json, order(default_order), limit("rows"), tenant, namespace, turns):
            command = option(command)
        return command

    return decorate


def query(
    *, turns: bool, namespace: str | None, tenant: str | None, limit: int, order: str, any_word: bool = False
) -> Query:
    """The query that the shared options stand for."""
    from memview.memory.looking import ALL, Query

    return Query(
        kind="turns" if turns else "facts",
        namespace=ALL if namespace is None else namespace,
        tenant=ALL if tenant is None else tenant,
        limit=limit or None,
        order=order,  # type: ignore[arg-type]
        match="any" if any_word else "all",
        prefix=not any_word,
    )


def limit(rows: str) -> Callable[[Command], Command]:
    """The option for how many rows to give."""
    return click.option(
        "--limit",
        metavar="N",
        type=click.IntRange(0),
        default=50,
        show_default=True,
        help=f"The most {rows}; 0 for all.",
    )


def order(default: str) -> Callable[[Command], Command]:
    """The option for the order of rows."""
    return click.option(
        "--order", type=click.Choice(ORDERS), default=default, show_default=True, help="What comes first."
    )


@contextmanager
def looking(path: Path, wait: float = 5.0) -> Iterator[Looker]:
    """A handle that looks at the store, closed at the end.

    Args:
        path: the store.
        wait: how many seconds to wait for another process's lock.

    Raises:
        StoreError: there is no store at the path that could be read.
    """
    from memview.memory.looking import Looker

    looker = Looker(path, timeout=wait)
    try:
        yield looker
    finally:
        looker.close()


@contextmanager
def opened(
    path: Path, *, agent: str | None = None, tenant: str = "", wait: float = 5.0, read_only: bool = False
) -> Iterator[MemoryStore]:
    """The store at a path as the library knows it, closed at the end; one that is not there is never made.

    Args:
        path: the store.
        agent: who writes; the person unless given.
        tenant: whose facts.
        wait: how many seconds to wait for another process's lock.
        read_only: look and never write.

    Raises:
        StoreError: there is no store at the path, or it may not be written.
    """
    with looking(path, wait):
        pass
    if not read_only:
        access.require_writing(path)
    from memview.memory import MemoryStore
    from memview.memory.person import person

    with MemoryStore(path, agent=agent or person(), read_only=read_only, timeout=wait) as store:
        yield store.tenant(tenant)


class Record(NamedTuple):
    """A fact or a turn that an id names."""

    kind: str
    """``fact`` or ``turn``."""
    n: int
    id: str


def resolve(connection: sqlite3.Connection, id: str, kinds: tuple[str, ...] = ("fact", "turn")) -> Record:
    """The record whose id this is, or begins with this.

    Raises:
        NotFound: there is none, or more than one begins so.
    """
    found = [record for kind in kinds for record in _beginning(connection, kind, id)]
    exact = [record for record in found if record.id == id]
    if not found:
        raise NotFound(f"There is no {' or '.join(kinds)} {one_line(id, 60)}.", "memview list shows the ids.")
    if len(found) > 1 and not exact:
        raise NotFound(
            f"More than one id begins with {one_line(id, 60)}: {', '.join(one_line(r.id, 40) for r in found[:3])}.",
            "Give more of it.",
        )
    return (exact or found)[0]


def _beginning(connection: sqlite3.Connection, kind: str, id: str) -> list[Record]:
    found = connection.execute(
        f"SELECT n, id FROM {kind}s WHERE id >= :id AND id < :id || :last ORDER BY id LIMIT 3"
        if id
        else "SELECT 1, 1 LIMIT 0",
        {"id": id, "last": "\U0010ffff"},
    )
    return [Record(kind, n, full) for n, full in found.fetchall()]


def short_ids(connection: sqlite3.Connection, ids: list[str]) -> dict[str, str]:
    """For each id its shortest beginning, of 8 letters or more, that no other record's id has."""
    return {id: id[: max(8, 1 + max(_shared(id, other) for other in _beside(connection, id)))] for id in ids}


def _beside(connection: sqlite3.Connection, id: str) -> list[str]:
    """The ids next to this one in the order of ids."""
    queries = [
        f"SELECT {end}(id) FROM {table} WHERE id {sign} :id"
        for table in ("facts", "turns")
        for end, sign in (("max", "<"), ("min", ">"))
    ]
    found = connection.execute(" UNION ALL ".join(queries), {"id": id}).fetchall()
    return [str(other or "") for (other,) in found]


def _shared(a: str, b: str) -> int:
    """How many letters two ids begin with alike."""
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
