"""Changes of records, one line each: for ``history`` and ``watch``."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from memview.cli import secrecy
from memview.cli.output import Screen
from memview.cli.table import Column, table
from memview.memory.looking import ChangeRow, verb
from memview.memory.person import named, person
from memview.text import one_line

_DONE = {
    "write": "wrote", "record": "recorded", "edit": "edited", "forget": "forgot", "restore": "restored",
    "pin": "pinned", "unpin": "unpinned", "accept": "accepted", "link": "linked", "unlink": "unlinked",
    "undo": "took back", "redo": "did again", "erase": "erased", "delete": "deleted", "prune": "pruned",
    "correct": "corrected", "consolidate": "consolidated", "tag": "tagged", "import": "imported",
}  # fmt: skip
_BY_OP = {"insert": "added", "update": "changed", "delete": "removed", "erase": "erased"}
_COLUMNS = [Column("AT"), Column("BY", 16), Column("WHAT", 24), Column("NAMESPACE", 24), Column("ID", 26)]
_TEXTS = ("content", "request", "response")
_QUIET = ("updated_at", "hash", "version", "n")


def lines(connection: sqlite3.Connection, rows: Sequence[ChangeRow], on: Screen) -> list[str]:
    """The changes as a table."""
    return table(_COLUMNS, "TEXT", [cells(connection, row) for row in rows], on)


def cells(connection: sqlite3.Connection, row: ChangeRow) -> list[str]:
    """One change as the cells of a row, safe to show."""
    done = _DONE.get(verb(row.action)) or one_line(verb(row.action), 30) or _BY_OP.get(row.op, row.op)
    return [
        one_line(row.at, 40)[:19].replace("T", " "),
        one_line(named(row.actor, person()), 60),
        f"{done} {row.kind}",
        one_line(row.namespace or "", 200) or "-",
        one_line(row.id, 60),
        _text(connection, row) or "-",
    ]


def _text(connection: sqlite3.Connection, row: ChangeRow) -> str:
    if row.op == "update" and row.before:
        return _difference(row.before, row.after or {})
    held = row.after or row.before or {}
    if row.kind == "link":
        ends = (_content(connection, held.get(end)) for end in ("source", "target"))
        return f" {one_line(str(held.get('kind', '')), 40)} ".join(ends)
    if row.kind == "decision":
        return _content(connection, held.get("fact"))
    return " → ".join(secrecy.line(str(held[name])) for name in _TEXTS if held.get(name))


def _difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    names = [name for name in before if name not in _QUIET]
    return "; ".join(f"{one_line(name, 40)}: {_shown(before[name])} → {_shown(after.get(name))}" for name in names)


def _shown(value: object) -> str:
    return "-" if value is None or value == "" else secrecy.line(str(value), 200)


def _content(connection: sqlite3.Connection, id: object) -> str:
    row = connection.execute("SELECT substr(content, 1, 400) FROM facts WHERE id = ?", (id,)).fetchone()
    return secrecy.line(str(row[0])) if row else one_line(str(id or ""), 60)
