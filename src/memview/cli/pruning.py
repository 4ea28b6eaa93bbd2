"""``memview prune``: facts that a rule sets aside."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memview import clock
from memview.cli import access, asking, choosing, options, output, secrecy
from memview.errors import Conflict

if TYPE_CHECKING:
    from memview.memory.looking import FactRow
    from memview.review.prune import Preview, Pruned

_SAMPLES = 3


@click.command("prune")
@options.file
@click.argument("rule", required=False, type=options.text)
@click.option("--accepted", is_flag=True, help="Also what a person accepted.")
@click.option("--edited", is_flag=True, help="Also what a person wrote or edited.")
@click.option("--leave", metavar="ID", multiple=True, type=options.text, help="Leave this one; may be repeated.")
@click.option("--tenant", metavar="T", type=options.text, default="", help="Whose facts, if not the default.")
@options.dry_run
@options.yes
@options.as_json
@secrecy.option
@options.agent
@options.wait
def prune_(
    file: Path, rule: str | None, accepted: bool, edited: bool, leave: tuple[str, ...], tenant: str, dry_run: bool,
    yes: bool,
    as_json: bool, agent: str | None, wait: float,
) -> int:  # fmt: skip
    """Set aside facts by a rule; restore brings them back.

    RULE is in the language of memview search; unless given it is strength<0.10 before:24h recalled:0. Pinned facts
    always stay. What a person accepted, wrote or edited stays unless that is asked for.
    """
    from memview.review.prune import BASE, RULE, preview, prune

    now = clock.utc_now()
    query = choosing.meant(RULE if rule is None else rule, tenant=tenant, statuses=BASE.statuses, now=now)
    left = [row.n for row in _left(file, leave, wait)]
    with options.looking(file, wait) as looker:
        seen = looker.read(lambda raw: preview(raw, query, now, accepted=accepted, edited=edited)).without(left)
        samples = looker.read(partial(_rows, numbers=[aim.n for aim in seen.would[:_SAMPLES]]))
    output.say(f"{'Would prune' if dry_run else 'This prunes'} {_sentence(seen)}")
    if dry_run or not seen.would:
        return _tell(seen, None, as_json=as_json)
    if not yes:
        for row in samples:
            output.say(f"  {secrecy.line(row.content, 100)}")
    if not asking.agreed(f"Prune {_facts(len(seen.would))} in {access.name(file)}?", yes=yes):
        output.say("Nothing was changed.")
        return 1
    with options.opened(file, agent=agent, tenant=tenant, wait=wait) as store:
        return _tell(seen, prune(store, seen), as_json=as_json)


def _left(file: Path, ids: tuple[str, ...], wait: float) -> list[FactRow]:
    chosen = choosing.by_ids(file, ids, wait) if ids else None
    if chosen and chosen.problems:
        raise click.UsageError(" ".join(chosen.problems), ctx=click.get_current_context())
    return chosen.facts if chosen else []


def _rows(connection: Any, numbers: list[int]) -> list[FactRow]:
    from memview.memory.looking import fact_rows

    return list(fact_rows(connection, numbers).values())


def _sentence(seen: Preview) -> str:
    """The count with what stays and why."""
    kept = ((seen.pinned, "pinned"), (seen.accepted, "accepted"), (seen.edited, "by a person"))
    told = ", ".join(f"{count:,} {why}" for count, why in kept if count)
    parts = [f"{len(seen.would):,} of {seen.active:,}", f"kept: {told}" if told else ""]
    parts.append(f"left out: {len(seen.left_out):,}" if seen.left_out else "")
    return "; ".join(filter(None, parts)) + f"; as of {clock.to_text(seen.at)[11:19]} UTC."


def _tell(seen: Preview, done: Pruned | None, *, as_json: bool) -> int:
    if as_json:
        output.put_json(_shape(seen, done))
    if done is None:
        return 0 if seen.would else 1
    output.say(f"Pruned {_facts(done.done.changed)}.")
    for count, what in (
        (len(done.done.moved), "changed by somebody else meanwhile, and left alone."),
        (len(done.done.gone), "gone meanwhile."),
        (done.arrived, "came to match meanwhile, and left alone."),
    ):
        if count:
            output.say(f"{count:,} {what}")
    if done.done.moved:
        return Conflict.exit_code
    return 0 if done.done.changed else 1


def _shape(seen: Preview, done: Pruned | None) -> dict[str, Any]:
    counted = {
        "would": len(seen.would), "of": seen.active, "left_out": len(seen.left_out), "as_of": clock.to_text(seen.at),
        "kept": {"pinned": seen.pinned, "accepted": seen.accepted, "edited": seen.edited},
    }  # fmt: skip
    if done is None:
        return {**counted, "pruned": None}
    changed = {"moved": len(done.done.moved), "gone": len(done.done.gone), "arrived": done.arrived}
    return {**counted, "pruned": done.done.changed, **changed}


def _facts(count: int) -> str:
    return f"{count:,} {'fact' if count == 1 else 'facts'}"
