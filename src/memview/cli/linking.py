"""``memview link``: two facts tied together, or let go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memview.cli import choosing, options, output
from memview.errors import NotFound
from memview.store.checks import LINK_KINDS

if TYPE_CHECKING:
    from memview import Link, Memory


@click.command()
@options.file
@click.argument("a", type=options.text)
@click.argument("b", type=options.text)
@click.option("--kind", type=click.Choice(LINK_KINDS), help="How A stands to B; related, or to remove: any.")
@click.option("--remove", is_flag=True, help="Remove the links between the two.")
@options.dry_run
@options.as_json
@options.agent
@options.wait
def link(
    file: Path, a: str, b: str, kind: str | None, remove: bool, dry_run: bool, as_json: bool, agent: str | None,
    wait: float,
) -> int:  # fmt: skip
    """Link fact A to fact B, or remove their links.

    What is superseded is no longer given to agents.
    """
    chosen = choosing.by_ids(file, [a, b], wait)
    if chosen.problems:
        raise NotFound(" ".join(chosen.problems))
    one, other = chosen.facts[0], chosen.facts[-1]
    with options.opened(file, agent=agent, tenant=one.tenant, wait=wait, read_only=dry_run) as store:
        memory = store.memory(one.namespace)
        known = _between(memory, one.id, other.id)
        if remove:
            found = [tie for tie in known if kind in (None, tie.kind)]
            return _remove(memory, one.id, other.id, kind, found, dry_run=dry_run, as_json=as_json)
        wanted = kind or LINK_KINDS[0]
        tie = None if dry_run else memory.link(one.id, other.id, wanted)
    if as_json:
        output.put_json({"kind": wanted, "source": one.id, "target": other.id})
    if tie is None:
        output.say(f"Would link them as {wanted}.")
        return 0
    there = tie.id in {old.id for old in known}
    output.say(f"{'They are linked already' if there else 'Linked'}, as {tie.kind}.")
    return 0


def _between(memory: Memory, a: str, b: str) -> list[Link]:
    return [tie for tie in memory.links(a) if {tie.source, tie.target} == {a, b}]


def _remove(
    memory: Memory, a: str, b: str, kind: str | None, found: list[Link], *, dry_run: bool, as_json: bool
) -> int:  # fmt: skip
    if as_json:
        output.put_array({"kind": tie.kind, "source": tie.source, "target": tie.target} for tie in found)
    if not found:
        output.say("There is no such link between them.")
        return 1
    if not dry_run:
        memory.unlink(a, b, kind)
    count = "1 link" if len(found) == 1 else f"{len(found)} links"
    output.say(f"{'Would remove' if dry_run else 'Removed'} {count}.")
    return 0
