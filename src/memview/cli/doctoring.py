"""``memview doctor``: whether a store holds together, and putting it right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memview.cli import access, asking, options, output
from memview.text import one_line

if TYPE_CHECKING:
    from memview.review.doctor import Finding, Repaired


@click.command()
@options.file
@click.option("--repair", "mend", is_flag=True, help="Make anew what follows from the records, after a copy.")
@options.dry_run
@options.yes
@options.as_json
@options.agent
@options.wait
def doctor(
    file: Path, mend: bool, dry_run: bool, yes: bool, as_json: bool, agent: str | None, wait: float
) -> int:  # fmt: skip
    """Check a store: file, index, history, identities.

    It only looks, unless --repair is given; then a copy is made first. Exit code 1 says that something is wrong.
    """
    from memview.review.doctor import examine, repair

    with options.looking(file, wait) as looker:
        found = looker.read(examine)
    wrong = [one for one in found if not one.well]
    mendable = [one for one in wrong if one.repairable]
    done = None
    if mend and mendable and not dry_run:
        _put(found)
        count = sum(one.count for one in mendable)
        if not asking.agreed(f"Put {count:,} things right in {access.name(file)}, after a copy?", yes=yes):
            output.say("Nothing was changed.")
            return 1
        with options.opened(file, agent=agent, wait=wait) as store:
            done = repair(store)
        _told(done)
        wrong = [one for one in done.after if not one.well]
    if as_json:
        output.put_json(_shape(found, done))
    elif done is None:
        output.put(_lines(found))
    output.say(_verdict(wrong, mended=done is not None))
    return 1 if wrong else 0


def _put(found: list[Finding]) -> None:
    for line in _lines(found):
        output.say(line)


def _lines(found: list[Finding]) -> list[str]:
    from memview.cli.table import Column, table

    rows = [
        ["ok" if one.well else f"{one.count:,}", ", ".join([one.title, *(one_line(e, 100) for e in one.examples)])]
        for one in found
    ]
    return table([Column("WRONG", right=True)], "WHAT", rows, output.screen())


def _told(done: Repaired) -> None:
    output.say(f"A copy of the store as it was: {done.copy}")
    for sentence in done.did:
        output.say(sentence)


def _verdict(wrong: list[Finding], *, mended: bool) -> str:
    if not wrong:
        return "All is well."
    names = ", ".join(one.title for one in wrong)
    if mended:
        return f"Still wrong: {names}."
    hint = " memview doctor FILE --repair puts it right." if any(one.repairable for one in wrong) else ""
    if any(one.name == "integrity" for one in wrong):
        hint = " The file is damaged: restore it from a backup; sqlite3's .recover may save part of it."
    return f"Wrong: {names}.{hint}"


def _shape(found: list[Finding], done: Repaired | None) -> dict[str, Any]:
    return {
        "findings": [_finding(one) for one in found],
        "repaired": done.did if done else None,
        "copy": str(done.copy) if done else None,
        "after": [_finding(one) for one in done.after] if done else None,
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        "name": one.name, "title": one.title, "count": one.count, "examples": list(one.examples),
        "repairable": one.repairable,
    }  # fmt: skip
