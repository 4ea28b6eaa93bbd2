"""``memview edit`` and ``correct``: one fact put right, from a script or from the shell."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memview import clock
from memview.cli import asking, choosing, options, output, secrecy
from memview.errors import NotFound

if TYPE_CHECKING:
    from memview.memory.looking import FactRow


def _metadata(_: click.Context, __: click.Parameter, value: str | None) -> dict[str, Any] | None:
    if value is None:
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"it is not JSON: {error}.") from None
    if not isinstance(found, dict):
        raise click.BadParameter("it is not a JSON object, such as '{\"seen\": 3}'.")
    return found


@click.command()
@options.file
@click.argument("id", type=options.text)
@click.option("--content", metavar="TEXT", type=options.text, help="The new text; - reads it from stdin.")
@click.option("--category", metavar="C", type=options.text, help="One word for what it is about; '' for none.")
@click.option("--tag", "add", metavar="T", multiple=True, type=options.text, help="Add a tag; may be repeated.")
@click.option("--untag", "remove", metavar="T", multiple=True, type=options.text, help="Take a tag away.")
@click.option("--importance", metavar="N", type=click.IntRange(1, 10), help="From 1 to 10.")
@click.option("--metadata", metavar="JSON", callback=_metadata, help="A JSON object, in place of the one there.")
@options.version
@options.as_json
@secrecy.option
@options.agent
@options.wait
def edit(
    file: Path, id: str, add: tuple[str, ...], remove: tuple[str, ...], version: int | None, as_json: bool,
    agent: str | None, wait: float, **given: Any,
) -> None:  # fmt: skip
    """Change what a fact says; what is not given stays.

    A fact that somebody changed since version N is left alone, and both texts are shown.
    """
    values = {name: value for name, value in given.items() if value is not None}
    if not (values or add or remove):
        raise click.UsageError("Say what to change, such as --content or --tag.", ctx=click.get_current_context())
    if values.get("content") == asking.STDIN:
        values["content"] = asking.piped()
    if "category" in values:
        values["category"] = values["category"] or None
    row = _fact(file, id, wait)
    with options.opened(file, agent=agent, tenant=row.tenant, wait=wait) as store:
        memory = store.memory(row.namespace)
        seen = memory.get(row.id)
        if add or remove:
            values["tags"] = [tag for tag in dict.fromkeys([*seen.tags, *add]) if tag not in remove]
        now = memory.update(row.id, version=version or seen.version, **values)
    output.say("It is so already." if now.version == seen.version else f"Edited; this is version {now.version}.")
    _show(file, row.id, as_json=as_json)


@click.command()
@options.file
@click.argument("id", type=options.text)
@click.argument("text", type=options.text)
@options.version
@options.as_json
@secrecy.option
@options.agent
@options.wait
def correct(file: Path, id: str, text: str, version: int | None, as_json: bool, agent: str | None, wait: float) -> None:
    """Give a fact its right wording, for good.

    The old wording is kept from being learnt again. TEXT may be -, which reads it from stdin.
    """
    wording = asking.piped() if text == asking.STDIN else text
    row = _fact(file, id, wait)
    with options.opened(file, agent=agent, tenant=row.tenant, wait=wait) as store:
        memory = store.memory(row.namespace)
        seen = memory.get(row.id)
        now = memory.correct(row.id, wording, version=version or seen.version)
    if now.version == seen.version:
        output.say("It says so already.")
    else:
        output.say(f"Corrected; this is version {now.version}. The old wording will not be learnt again.")
    _show(file, row.id, as_json=as_json)


def _fact(file: Path, id: str, wait: float) -> FactRow:
    chosen = choosing.by_ids(file, [id], wait)
    if chosen.problems:
        raise NotFound(chosen.problems[0])
    return chosen.facts[0]


def _show(file: Path, id: str, *, as_json: bool) -> None:
    from memview.cli import details

    with options.looking(file) as looker:
        page = looker.read(partial(details.read, id=id))
    if as_json:
        output.put_json(details.shape(page, clock.utc_now()))
    elif isinstance(page, details.FactPage):
        output.put([output.brief(page.fact.row)])
