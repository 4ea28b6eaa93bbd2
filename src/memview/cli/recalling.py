"""``memview recall``: what an agent would get to hear, looked at from outside."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from memview import clock
from memview.cli import options, output, secrecy
from memview.store.checks import CONFIDENTIALITY, MEMORY_TYPES
from memview.text import one_line

if TYPE_CHECKING:
    from memview.cli.shapes import Shape
    from memview.memory.looking import Ask, Explained, Scored, Why

_EXPLAIN = (
    "Say what each score is made of, and what was left out and why. The parts are recency, importance, relevance to "
    "TEXT ('link' for a fact that only a link brought) and the strength that is left, each from 0 to 1."
)
_WIDE = 120
"""Columns from which a terminal has room for a whole reason."""


def _limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that limit what may answer."""
    for option in (
        click.option("--no-context", is_flag=True, help="Do not let the turns that a fact came from help to find it."),
        click.option("--max-confidentiality", type=click.Choice(CONFIDENTIALITY), help="Nothing above."),
        click.option("--min-strength", metavar="X", type=click.FloatRange(0, 1), default=0, help="Nothing weaker."),
        click.option("--type", "memory_type", type=click.Choice(MEMORY_TYPES), help="Only this type."),
        click.option("--tag", "tags", metavar="T", multiple=True, type=options.text, help="Any of these tags."),
        click.option("--category", metavar="C", type=options.text, help="Only this category."),
        click.option("--tenant", metavar="T", type=options.text, default="", help="Whose facts, if not the default."),
        click.option("--prefix", metavar="NS", type=options.text, help="This namespace and those below, after ':'."),
        click.option("--namespace", metavar="NS", type=options.text, help="Exactly this namespace; all unless given."),
        click.option(
            "--limit", metavar="N", type=click.IntRange(0), default=10, show_default=True, help="The most; 0 for all."
        ),
    ):
        command = option(command)
    return command


@click.command()
@options.file
@click.argument("text", nargs=-1, type=options.text)
@click.option("--explain", is_flag=True, help=_EXPLAIN)
@options.as_json
@secrecy.option
@_limits
@click.option("--reinforce", is_flag=True, help="Count the recall, as an agent's would be.")
@options.agent
@options.wait
def recall(
    file: Path, text: tuple[str, ...], explain: bool, as_json: bool, reinforce: bool, agent: str | None, wait: float,
    no_context: bool, **limits: Any,
) -> int:  # fmt: skip
    """Show what an agent gets to hear about TEXT.

    Without TEXT: the facts that stand out by themselves. Nothing is changed and no fact grows stronger, unless
    --reinforce is given, which needs --namespace or --prefix.
    """
    from memview.memory.looking import ALL, Ask

    if reinforce and limits["namespace"] is None and limits["prefix"] is None:
        raise click.UsageError("--reinforce needs --namespace or --prefix.", ctx=click.get_current_context())
    space = limits.pop("namespace")
    ask = Ask(" ".join(text), namespace=ALL if space is None else space, context=not no_context, **limits)
    now = clock.utc_now()
    with options.looking(file, wait) as looker:
        answer = looker.read(partial(_answer, ask=ask, now=now, explain=explain))
    if reinforce:
        _reinforce(file, ask, agent, wait)
    _print(answer, as_json=as_json, explain=explain)
    if not answer.explained.recalled:
        output.say("Nothing found.")
    return 0 if answer.explained.recalled else 1


class _Answer(NamedTuple):
    """A recall, ready to be printed."""

    explained: Explained
    facts: dict[int, Shape]
    """The facts in it, by number."""


def _answer(connection: sqlite3.Connection, ask: Ask, now: datetime, explain: bool) -> _Answer:
    from memview.cli import shapes
    from memview.memory import looking

    if explain:
        explained = looking.explain(connection, ask, now)
    else:
        explained = looking.Explained(looking.recall(connection, ask, now), [], 0)
    numbers = [one.n for one in explained.recalled] + [one.n for one in explained.left_out]
    found = ((n, looking.fact(connection, n)) for n in numbers)
    return _Answer(explained, {n: shapes.fact(detail, now) for n, detail in found if detail is not None})


def _reinforce(file: Path, ask: Ask, agent: str | None, wait: float) -> None:
    with options.opened(file, agent=agent, tenant=ask.tenant, wait=wait) as store:
        name = ask.namespace if isinstance(ask.namespace, str) else str(ask.prefix)
        counted = store.memory(name).recall(
            ask.text, category=ask.category, tags=ask.tags, memory_type=ask.memory_type, min_strength=ask.min_strength,
            max_confidentiality=ask.max_confidentiality, prefix=ask.prefix, limit=ask.limit, context=ask.context,
        )  # fmt: skip
    output.say(f"Counted as recalled: {len(counted):,}.")


def _print(answer: _Answer, *, as_json: bool, explain: bool) -> None:
    if as_json and explain:
        left = [
            {**answer.facts[one.n], "reason": one.reason, "detail": one.detail} for one in answer.explained.left_out
        ]
        output.put_json({"recalled": list(_shapes(answer)), "left_out": left, "more": answer.explained.more})
    elif as_json:
        output.put_array(_shapes(answer))
    else:
        output.put(_lines(answer, explain=explain))


def _shapes(answer: _Answer) -> Iterator[Shape]:
    from memview.cli import shapes

    return (shapes.recalled(answer.facts[one.n], one) for one in answer.explained.recalled)


def _lines(answer: _Answer, *, explain: bool) -> Iterator[str]:
    from memview.cli.table import Column, table

    on = output.screen()
    columns = [Column("ID", 26), Column("SCORE", right=True), Column("NAMESPACE", 24)]
    if explain:
        columns.insert(2, Column("REC  IMP  REL  STR"))
    rows = [_row(answer, one, explain) for one in answer.explained.recalled]
    yield from table(columns, "TEXT", rows, on) if rows else ()
    left = [
        [id, secrecy.line(one.detail, 200), namespace, _text(answer, one.n)]
        for one in answer.explained.left_out
        for id, namespace in [_named(answer, one.n)]
    ]
    if left:
        yield ""
        reason = Column("LEFT OUT", 44 if on.width >= _WIDE else 26)
        yield from table([Column("ID", 26), reason, Column("NAMESPACE", 24)], "TEXT", left, on)
    if answer.explained.more:
        yield f"and {answer.explained.more:,} more"


def _row(answer: _Answer, one: Scored, explain: bool) -> list[str]:
    id, namespace = _named(answer, one.n)
    why = [_parts(one.why)] if explain else []
    return [id, f"{one.score:.3f}", *why, namespace, _text(answer, one.n)]


def _parts(why: Why) -> str:
    """The four parts in one cell that fits on a narrow terminal, in the order of their heading."""
    relevance = "link" if why.via else f"{why.relevance:.2f}"
    return f"{why.recency:.2f} {why.importance:.2f} {relevance} {why.strength:.2f}"


def _named(answer: _Answer, n: int) -> list[str]:
    return [one_line(answer.facts[n]["id"], 60), one_line(answer.facts[n]["namespace"], 200) or "-"]


def _text(answer: _Answer, n: int) -> str:
    return secrecy.line(answer.facts[n]["content"])
