"""``memview watch``: tail -f for a memory."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Hashable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from memview.cli import access, options, output, secrecy

if TYPE_CHECKING:
    from memview.memory.looking import ChangeRow, Looker

_POLL_SECONDS = 0.5


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
    from memview.cli import shapes
    from memview.memory.looking import last_seq

    seen: Hashable = looker.token()
    last = looker.read(last_seq)
    output.say(f"Watching {access.name(looker.path)}; ctrl+c ends.")
    for _ in _wakes(looker.path):
        token = looker.token()
        if token == seen:
            continue
        seen = token
        while True:
            news = looker.read(partial(_news, last=last))
            last = news.last
            if not news.changes:
                break
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


def _wakes(path: Path) -> Iterator[None]:
    """Wake when something in the store's folder changes, and now and then in any case."""
    from watchfiles import watch as changes

    folder = path.resolve().parent
    names = {path.resolve().name + suffix for suffix in ("", "-wal", "-journal")}
    try:
        yield from (
            None
            for _ in changes(
                folder,
                watch_filter=lambda _, changed: Path(changed).name in names,
                debounce=50,
                step=20,
                rust_timeout=int(_POLL_SECONDS * 1000),
                yield_on_timeout=True,
                recursive=False,
            )
        )
    except OSError:  # the system watches no more folders, or not this one: look at it now and then
        while True:
            yield None
            time.sleep(_POLL_SECONDS)
