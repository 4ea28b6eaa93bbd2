"""The facts that a command aims at: named by their ids, or found by a query, each as it was when it was counted."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from memview import clock
from memview.cli import options
from memview.errors import NotFound

if TYPE_CHECKING:
    from memview.memory.looking import FactRow, Query


class Chosen(NamedTuple):
    """What a command aims at."""

    facts: list[FactRow]
    problems: list[str]
    """A sentence for each id that names none."""


def by_ids(file: Path, ids: Sequence[str], wait: float) -> Chosen:
    """The facts of these ids or beginnings of ids."""
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
    return Chosen(list(facts.values()), problems)


def by_query(file: Path, text: str, *, tenant: str, statuses: tuple[str, ...], wait: float) -> Chosen:
    """Every fact of a tenant that a query has, newest first.

    Args:
        file: the store.
        text: in the language of the search, all words counting.
        tenant: whose facts.
        statuses: in which states, where the query names none.
        wait: how many seconds to wait for another process's lock.

    Raises:
        UsageError: the query could not be understood, or does not say what is meant.
    """
    now = clock.utc_now()
    query = meant(text, tenant=tenant, statuses=statuses, now=now)
    with options.looking(file, wait) as looker:
        return Chosen(looker.read(partial(_rows, query=query, now=now)), [])


def meant(text: str, *, tenant: str, statuses: tuple[str, ...], now: datetime) -> Query:
    """The query of a text that is to hit many records: nothing is guessed, and nothing of it is passed over.

    Raises:
        UsageError: a part could not be understood, or nothing is asked for.
    """
    from memview.memory.looking import Query, parse
    from memview.store.acting import refusal

    base = Query(tenant=tenant, statuses=statuses, prefix=True, order="newest")
    parsed = parse(text, now=now, base=base)
    if reason := refusal(text, parsed, base):
        raise click.UsageError(reason, ctx=click.get_current_context())
    return parsed.query


def _rows(connection: sqlite3.Connection, query: Query, now: datetime) -> list[FactRow]:
    from memview.memory.looking import fact_rows, find

    keys = find(connection, query, now).keys
    found = fact_rows(connection, keys)
    return [found[n] for n in keys if n in found]
