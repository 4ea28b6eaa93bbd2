"""``memview``: the commands, and the one place where an error becomes a sentence and an exit status."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from memview.cli import output, secrecy
from memview.cli.names import COMMANDS, OPEN
from memview.errors import Conflict, MemviewError
from memview.version import __version__

EPILOG = """\b
Exit codes:
  0  done
  1  nothing found, or refused
  2  wrong usage, or no terminal for the app
  3  not a store: missing, a folder, another program's, damaged, newer
  4  busy, locked, or no permission
  5  conflict: somebody else changed the record

\b
Completion of commands and options, in the start-up file of your shell:
  bash  eval "$(_MEMVIEW_COMPLETE=bash_source memview)"
  zsh   eval "$(_MEMVIEW_COMPLETE=zsh_source memview)"
  fish  _MEMVIEW_COMPLETE=fish_source memview | source
"""


class Commands(click.Group):
    """The commands; a first argument that is none of them is a file to open in the app."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the hidden command in front of a file."""
        own = {*self.list_commands(ctx), *(name for param in self.get_params(ctx) for name in param.opts)}
        if args and args[0] not in own:
            args = [OPEN, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands that have a name."""
        return [name for name in COMMANDS if name != OPEN]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, `OPEN` among them."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(".")
        command: click.Command = getattr(import_module(f"memview.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of these arguments."""
        name, *rest = args
        return (name or None), self.get_command(ctx, name), rest

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """A command, or a file."""
        found = super().shell_complete(ctx, incomplete)
        return found or [CompletionItem(incomplete, type="file")]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both ways to call it."""
        formatter.write_usage("memview", "FILE [OPTIONS]")
        formatter.write_usage("memview", "COMMAND FILE [ARGUMENTS] [OPTIONS]", prefix="       ")


@click.command(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"max_content_width": 100, "help_option_names": ["--help", "-h"]},
    subcommand_metavar="COMMAND",
)
@click.version_option(__version__, prog_name="memview")
def memview() -> None:
    """See what your AI agents have learned, trust it, and put it right.

    FILE is a memory store, such as agent.db; it opens in the app (memview FILE --help for its options). A file named
    like a command is ./list.
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command.

    Args:
        arguments: as typed after ``memview``.

    Returns:
        The exit status.
    """
    with secrecy.heeded(output.say):
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    try:
        status = memview.main(list(arguments), prog_name="memview", standalone_mode=False)
    except (MemviewError, OSError) as error:
        return told(error)
    except click.exceptions.NoArgsIsHelpError as error:
        output.say(error.format_message())
        return error.exit_code
    except click.UsageError as error:
        usage = error.ctx.get_usage() + "\n" if error.ctx else ""
        output.say(f"{usage}memview: {error.format_message()}")
        return error.exit_code
    except click.Abort:
        return 130
    return status if isinstance(status, int) else 0


def told(error: MemviewError | OSError) -> int:
    """Tell an error in a sentence; the exit status that it means."""
    if isinstance(error, OSError):
        where = f": {error.filename}" if isinstance(error.filename, str) else ""
        output.say(f"memview: {error.strerror or error}{where}.")
        return 1
    output.say(f"memview: {error}")
    if isinstance(error, Conflict):
        from memview.cli import conflict

        for line in conflict.lines(error):
            output.say(line)
    return error.exit_code
