"""``memview FILE`` and ``memview demo``: the commands that open the app."""

from __future__ import annotations

import os
import shlex
from importlib import import_module
from pathlib import Path

import click

from memview.cli import access, options, output, plainly
from memview.errors import MissingStore


class _Open(click.Command):
    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Without the name of the command, which nobody types."""
        formatter.write_usage("memview", "FILE [OPTIONS]")


@click.command(cls=_Open)
@options.file
@click.option("--read-only", is_flag=True, help="Change nothing.")
@click.option("--create", is_flag=True, help="Make the store if there is none, or fill an empty file.")
@click.option("--id", "id", metavar="ID", type=options.text, help="Open on this record.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
def open_app(file: Path, read_only: bool, create: bool, id: str | None, no_mouse: bool) -> int:
    """Open a store in the app."""
    if create and read_only:
        raise click.UsageError("--create makes a store and --read-only changes nothing: use one of them.")
    created = create and make_store(file)
    if not created and not _found(file):
        return 1
    if not plainly.has_terminal():
        return _no_terminal(f"memview list {_quoted(file)}", 0 if created else 2)
    note = None if read_only else access.read_only_note(file)
    if note:
        output.say(note)
    from memview.app import run

    return run(file, read_only=read_only or note is not None, record_id=_full_id(file, id), mouse=not no_mouse)


@click.command()
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
def demo(no_mouse: bool) -> int:
    """Open a made-up store with a small agent writing into it.

    It stands in a temporary folder and is gone afterwards.
    """
    if not plainly.has_terminal():
        return _no_terminal("python -m memview.cli.demo PATH, which makes the store at a path", 2)
    from memview.app import run
    from memview.cli.demo.session import demonstration

    with demonstration(meanwhile=lambda: import_module("memview.app.app")) as path:
        return run(path, read_only=False, record_id=None, mouse=not no_mouse)


def _found(file: Path) -> bool:
    """Whether a store is there, or the person had it made.

    Raises:
        StoreError: what is there is no store, or nothing is and nobody can be asked.
    """
    try:
        with options.looking(file):
            return True
    except MissingStore:
        if not (plainly.has_terminal() and file.parent.is_dir()):
            raise
    if not click.confirm(f"{access.name(file)} does not exist. Create it?", default=False, err=True):
        return False
    return make_store(file)


def make_store(file: Path) -> bool:
    """Make a store where there is none or an empty file; whether it did."""
    if os.path.exists(file) and os.path.getsize(file):
        return False
    if file.absolute().parent.is_dir():
        access.require_writing(file)
    from memview.memory import MemoryStore

    MemoryStore(file).close()
    output.say(f"Created {access.name(file)}.")
    return True


def _full_id(file: Path, id: str | None) -> str | None:
    if id is None:
        return None
    with options.looking(file) as looker:
        return looker.read(lambda connection: options.resolve(connection, id)).id


def _no_terminal(instead: str, status: int) -> int:
    output.say(f"memview: The app needs a terminal. Without one, use {instead}.")
    return status


def _quoted(file: Path) -> str:
    return shlex.quote(str(file))
