"""Write the README's tables: keys from the command table, commands from the command line's help, speed from results.

``python assets/readme.py`` rewrites what stands between the markers, and the results in docs/measurements.md; the tests
compare. The results are those of the last ``make bench-full``, in benchmarks/results.json.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
MEASUREMENTS = ROOT / "docs" / "measurements.md"
RESULTS = ROOT / "benchmarks" / "results.json"
Results = Mapping[str, Mapping[str, Any]]
"""What was measured: by item its day, its machine, whether it was a full run, and its rows."""

FOREMOST = (
    ("keystroke", "keystroke at", "a search as you type, without the screen"),
    ("keystroke", "keystroke against rapidfuzz", "the same, beside rapidfuzz over all texts"),
    ("keystroke", "keystroke against fzf", "the same, beside `fzf --filter`"),
    ("pressing", "key to painted list,", "from a key to the painted list"),
    ("keystroke", "meant text", "the meant text in the first ten, most queries mistyped"),
    ("recall", "recall@10", "the right sentence among ten recalled"),
    ("starting", "first rows", "first rows of the app, from the shell"),
    ("moving", "jump to the end,", "a jump to the end of the list"),
    ("moving", "half a page,", "half a page on"),
    ("moving", "another order,", "the list in another order"),
    ("memory", "peak memory,", "the most memory that the app takes"),
    ("writing", "write, one", "a fact written, safe from a power cut"),
    ("writing", "write_many, 1,000", "a thousand facts written at once, each"),
    ("writers", "8 writers, a second", "eight processes writing into one file"),
    ("writers", "8 writers, a write", "one write of those"),
    ("recalling", "recall, one namespace of", "a recall with scores from one namespace"),
    ("live", "commit to known against", "another program's commit, until it is known"),
    ("live", "commit to painted", "the same, until its row is painted"),
    ("idle", "idle", "the app while nobody touches it"),
    ("nearby", "known already?", "whether a text is known already, before it is written"),
    ("nearby", "near copies found", "near copies found by that"),
    ("pressing", "key to painted list among", "a key while fifty agents write"),
    ("checkpoints", "TRUNCATE", "checkpoints meanwhile"),
    ("consistency", "index, searches", "after random operations by two programs, what disagrees"),
)
"""Of each item the rows that the README shows, by how their names begin, and what it says in plain words."""


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


def speed(results: Results) -> str:
    """The table of the most important figures; those of items that were not measured are missing."""
    lines = ["| what | memview | beside | ratio | asked | |", "|---|---|---|---|---|---|"]
    for name, begins, words in FOREMOST:
        for row in results.get(name, {}).get("rows", ()):
            if row["item"].startswith(begins):
                size = row["item"].removeprefix(begins).removeprefix(" of").strip(" ,:")
                lines.append(_cells(f"{words} ({size})" if size[:1].isdigit() else words, row, _VERDICT[row["met"]]))
                break
    return "\n".join(lines)


def measured(results: Results) -> str:
    """Everything that was measured, a table for each machine, day and size."""
    runs: dict[tuple[str, str, bool], list[str]] = {}
    for run in results.values():
        rows = [_cells(row["item"], row, _VERDICT[row["met"]]) for row in run["rows"]]
        runs.setdefault((run["day"], run["machine"], run["full"]), []).extend(rows)
    tables = []
    for (day, machine, full), rows in runs.items():
        size = "a million facts" if full else "100,000 facts"
        head = ["| what | memview | beside | ratio | asked | |", "|---|---|---|---|---|---|"]
        tables.append("\n".join([f"{day}, {size}, {machine}. Times are median / p95 / p99.", "", *head, *rows]))
    return "\n\n".join(tables)


_VERDICT = {None: "", True: "ok", False: "not reached"}


def _cells(what: str, row: Mapping[str, Any], *more: str) -> str:
    cells = (what, row["ours"], row["peer"], row["ratio"], row["asked"], *more)
    return f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |"


def results() -> Results:
    """What was measured last."""
    found: Results = json.loads(RESULTS.read_text())
    return found


def filled(text: str) -> str:
    """The README's text with its parts made anew."""
    return _filled(text, {"keys": keys, "commands": commands, "speed": lambda: speed(results())})


def filled_measurements(text: str) -> str:
    """The text of docs/measurements.md with the results made anew."""
    return _filled(text, {"results": lambda: measured(results())})


def _filled(text: str, parts: Mapping[str, Callable[[], str]]) -> str:
    for name, make in parts.items():
        part = make()
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(start)
        text = f"{before}{start}{part}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text()))
    MEASUREMENTS.write_text(filled_measurements(MEASUREMENTS.read_text()))
