"""``memview watch``: tail -f for a memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from memview.cli import access, options, output, secrecy

if TYPE_CHECKING:
    from memview.memory.looking import ChangeRow, Looker


class _News(NamedTuple):
    """What came since the last look."""

    last: int
    changes: list[ChangeRow]
    lines: list[str]


@click.command()
@options.file
@options.as_json
@secrecy.option
def watch(file: Path, as_json: bool) -> None:
    """Print each change as it happens, until ctrl+c.

    With --json, one JSON value a line.
    """
    with options.looking(file) as looker:
        try:
            _follow(looker, as_json=as_json)
        except KeyboardInterrupt:
            return


def _follow(looker: Looker, *, as_json: bool) -> None:
    from memview.memory.looking import Waking, last_seq

    seen: Hashable = looker.token()
    last = looker.read(last_seq)
    waking, changed = Waking(looker.path), False
    output.say(f"Watching {access.name(looker.path)}; ctrl+c ends.")
    while True:
        waking.sleep(news=changed)
        token = looker.token()
        changed, seen = token != seen, token
        if changed:
            last = _tell(looker, last, as_json=as_json)


def _tell(looker: Looker, last: int, *, as_json: bool) -> int:
    """Print what came after a change; the last one printed."""
    from memview.cli import shapes

    while True:
        news = looker.read(partial(_news, last=last))
        last = news.last
        if not news.changes:
            return last
        if as_json:
            for change in news.changes:
                output.put_json(shapes.change(change))
        else:
            output.put(news.lines)


def _news(connection: sqlite3.Connection, last: int) -> _News:
    from memview.cli import changes
    from memview.memory.looking import last_seq, since, with_after

    newest = last_seq(connection)
    if newest < last:  # another file took the place of this one
        return _News(newest, [], [])
    rows = with_after(connection, since(connection, last))
    cells = (changes.cells(connection, row) for row in rows)
    return _News(rows[-1].seq if rows else last, rows, ["  ".join(row) for row in cells])
