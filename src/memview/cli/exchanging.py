"""``memview export`` and ``import``: a store as JSON lines, and back."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memview.cli import access, asking, opening, options, output
from memview.errors import MemviewError
from memview.text import one_line

if TYPE_CHECKING:
    from memview import Loaded

_DATABASE = b"SQLite format 3\0"


@click.command()
@options.file
@options.namespace
@options.tenant
@click.option(
    "--output", "-o", "out", metavar="OUT", type=click.Path(path_type=Path),
    help="Write to this file, which only you may read, instead of stdout.",
)  # fmt: skip
def export(file: Path, namespace: str | None, tenant: str | None, out: Path | None) -> None:
    """Write a store as JSON lines, one record a line.

    Nothing is lost but the history; memview import reads them.
    """
    with options.opened(file, tenant=tenant or "", read_only=True) as store:
        lines = _watched(store.export(namespace, every_tenant=tenant is None))
        if out is None or str(out) == asking.STDIN:
            output.put_json_lines(lines)
        else:
            _write(_target(file, out), map(output.harmless, lines))
            output.say(f"Wrote {access.name(out)}.")


def _watched(lines: Iterable[str]) -> Iterator[str]:
    """The lines as they are, and a warning at their end where some hold a secret."""
    from memview.review.secrets import has_secret

    held = 0
    for line in lines:
        held += has_secret(line)
        yield line
    if held:
        holds = "1 record holds" if held == 1 else f"{held:,} records hold"
        output.say(f"memview: {holds} what looks like a secret; it was written out as it is.")


def _target(file: Path, out: Path) -> Path:
    """The file to be replaced, where links to it lead.

    Raises:
        MemviewError: it is no ordinary file, or belongs to the store.
    """
    target, store = Path(os.path.realpath(out)), os.path.realpath(file)
    if str(target) in {store + suffix for suffix in ("", "-wal", "-shm", "-journal")}:
        raise MemviewError(f"{access.name(out)} belongs to the store itself.", "Choose another name.")
    if target.exists() and not target.is_file():
        raise MemviewError(f"{access.name(out)} is not a file.", "Choose another name.")
    return target


def _write(target: Path, lines: Iterable[str]) -> None:
    """Put a file in place once it is whole, readable by its owner alone; or leave nothing behind."""
    handle, unfinished = tempfile.mkstemp(prefix=".memview-", dir=target.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(line + "\n" for line in lines)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)
        raise


@click.command("import")
@options.file
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, allow_dash=True))
@options.dry_run
@click.option("--create", is_flag=True, help="Make the store if there is none, or fill an empty file.")
@click.option("--tenant", metavar="T", type=options.text, help="Refuse what is not of this tenant.")
@options.as_json
@options.agent
@options.wait
def import_(
    file: Path, source: Path, dry_run: bool, create: bool, tenant: str | None, as_json: bool, agent: str | None,
    wait: float,
) -> int:  # fmt: skip
    """Add the records of JSON lines that memview export wrote.

    IN is a file, or - for stdin. What is in the store already is never changed. Lines that are wrong are named by
    number, and the rest comes in.
    """
    if create and dry_run:
        raise click.UsageError("--create makes a store and --dry-run changes nothing: use one of them.")
    lines = _lines(source)
    if create:
        opening.make_store(file)
    with options.opened(file, agent=agent, tenant=tenant or "", wait=wait) as store:
        loaded = store.load(lines, every_tenant=tenant is None, dry_run=dry_run)
    return _tell(loaded, "Would import" if dry_run else "Imported", as_json=as_json)


def _lines(source: Path) -> list[str]:
    data = asking.incoming() if str(source) == asking.STDIN else source.read_bytes()
    if data.startswith(_DATABASE):
        raise MemviewError(f"{access.name(source)} is a database.", "memview export makes JSON lines of a store.")
    return data.decode("utf-8", "surrogateescape").split("\n")


def _tell(loaded: Loaded, verb: str, *, as_json: bool) -> int:
    if as_json:
        refused = [{"line": number, "why": why} for number, why in loaded.refused]
        output.put_json({"added": loaded.added, "same": loaded.same, "refused": refused})
    for number, why in loaded.refused:
        output.say(f"memview: line {number}: {one_line(why, 300)}")
    there = f"; {loaded.same:,} were there already" if loaded.same else ""
    left = f"; {len(loaded.refused):,} refused" if loaded.refused else ""
    output.say(f"{verb} {loaded.added:,} {'record' if loaded.added == 1 else 'records'}{there}{left}.")
    return 1 if loaded.refused else 0
