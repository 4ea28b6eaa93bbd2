"""Write the README's key table from the command table, and its command list from the command line's own help.

``python assets/readme.py`` rewrites what stands between the markers; the tests compare.
"""

from __future__ import annotations

from pathlib import Path

import click

README = Path(__file__).parent.parent / "README.md"


def keys() -> str:
    """The key table: a row for each group of commands."""
    from memview.app.commands import TABLE, WHERE_TITLES, shown_key

    lines = ["| where | keys |", "|---|---|"]
    for where, title in WHERE_TITLES.items():
        parts = []
        for command in TABLE:
            if command.where == where:
                pressed = " ".join(f"`{shown_key(key)}`" for key in command.keys)
                parts.append(f"{pressed} {command.title.lower()}")
        if parts:
            lines.append(f"| {title} | {' · '.join(parts)} |")
    return "\n".join(lines)


def commands() -> str:
    """The commands with the first sentence of their help."""
    from memview.cli.main import memview

    context = click.Context(memview, info_name="memview")
    lines = ["```", f"{'memview FILE':<34}Open the app on a store"]
    for name in memview.list_commands(context):
        command = memview.get_command(context, name)
        assert command is not None
        parts = [part for part in command.collect_usage_pieces(context) if part != "[OPTIONS]"]
        lines.append(f"{' '.join(['memview', name, *parts]):<34}{command.get_short_help_str(80).rstrip('.')}")
    return "\n".join([*lines, "```"])


def filled(text: str) -> str:
    """The README's text with both parts made anew."""
    for name, part in (("keys", keys()), ("commands", commands())):
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(start)
        text = f"{before}{start}{part}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text()))
