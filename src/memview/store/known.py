"""The values that the columns of a store hold: what is offered while a person types one."""

from __future__ import annotations

import sqlite3
from typing import Literal

from memview.store.words import as_text

Field = Literal["tag", "cat", "agent", "session"]
"""An operator of the search language whose values are free."""

_ALL = "SELECT %s AS value FROM facts WHERE status = 'active'"
_VALUES: dict[Field, str] = {
    "tag": "SELECT t.value AS value FROM facts f, json_each(iif(json_valid(f.tags), f.tags, '[]')) t "
    "WHERE f.status = 'active'",
    "cat": _ALL % "category",
    "agent": _ALL % "agent",
    "session": _ALL % "session",
}


def known(connection: sqlite3.Connection, field: Field, limit: int = 200) -> list[str]:
    """The values that the active facts of all tenants have in a field, the most frequent first."""
    found = connection.execute(
        f"SELECT value FROM ({_VALUES[field]}) WHERE value IS NOT NULL AND value <> '' "
        "GROUP BY value ORDER BY count(*) DESC, value LIMIT ?",
        (limit,),
    )
    return [as_text(value) for (value,) in found]
