"""``memview list`` and ``memview search``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memview import clock
from memview.cli import options, output
from memview.text import one_line

if TYPE_CHECKING:
    from memview.memory.looking import Found


@click.command("list")
@options.file
@options.scoped("newest")
def list_(file: Path, as_json: bool, **asked: Any) -> int:
    """List facts or turns, newest first."""
    from memview.cli.records import print_records
    from memview.memory.looking import find

    found = print_records(file, options.query(**asked), clock.utc_now(), find, as_json=as_json)
    return _nothing() if not found.keys else 0


class _Search(click.Command):
    """Takes ``-word`` as a word, and still knows a mistyped option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse unknown options with two dashes."""
        known = {name for param in self.get_params(ctx) for name in param.opts}
        for argument in args[: args.index("--")] if "--" in args else args:
            name = argument.partition("=")[0]
            if name.startswith("--") and name not in known:
                raise click.UsageError(f"No such option: {name}. Words that begin so go after --.", ctx=ctx)
        return super().parse_args(ctx, args)


@click.command(cls=_Search, context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})
@options.file
@click.argument("words", nargs=-1, required=True)
@click.option("--any", "any_word", is_flag=True, help="Any of the words is enough; the best first.")
@options.scoped("relevance")
def search(file: Path, words: tuple[str, ...], as_json: bool, **asked: Any) -> int:
    """Find facts or turns by their words.

    All words count, in any order, and a word also stands for what it begins. "A phrase" in quotes, -word and the
    operators work as in the app, quoted where the shell would read them: ns: tag: cat: kind: agent: by: session:
    from: is: before: after: 'strength<0.3' 'importance>=8' recalled:0. Words that look like options go after --.
    """
    from memview.cli.records import print_records
    from memview.memory.looking import Lookup, parse

    now = clock.utc_now()
    parsed = parse(" ".join(words), now=now, base=options.query(**asked))
    if parsed.problems:
        raise click.UsageError(
            " ".join(problem.message for problem in parsed.problems), ctx=click.get_current_context()
        )
    if not parsed.query.terms and not parsed.operators:
        raise click.UsageError("Say what to look for.", ctx=click.get_current_context())
    found = print_records(file, parsed.query, now, Lookup().find, as_json=as_json)
    return _nothing() if not found.keys else _how(found)


def _nothing() -> int:
    output.say("Nothing found.")
    return 1


def _how(found: Found) -> int:
    """Say how something was found when not all words were there as typed."""
    readings = found.readings or (found.terms,)
    meant = one_line(" or ".join(" ".join(term.text for term in reading) for reading in readings), 100)
    if found.how == "corrected":
        output.say(f"Nothing has these words; this is what has: {meant}")
    elif found.how == "any":
        output.say(f"Nothing has all of these words; this is what has any of: {meant}")
    return 0
