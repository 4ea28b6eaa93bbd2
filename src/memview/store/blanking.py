"""Erasing a value rather than a record: every copy of a key, a name or a number, wherever it was written.

A fact or turn that is nothing but the value goes whole; in any other the value is blanked. Earlier wordings that held
it leave the change feed. The value itself is written nowhere.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any, NamedTuple

from memview import clock
from memview.errors import Invalid
from memview.store import checks, index
from memview.store.database import Transaction
from memview.store.ids import identity
from memview.store.index import Indexed

BLANK = "[erased]"
"""What stands where a value was."""

SHORTEST = 4
"""Characters that a value must have: a shorter one stands inside too many innocent words."""

_TEXTS = {
    "facts": ("content", "category", "tags", "keywords", "summary", "metadata"),
    "turns": ("request", "response", "metadata"),
}
_NAMES = {"facts": ("namespace", "session", "agent"), "turns": ("namespace", "session", "agent")}
_JSON = ("tags", "keywords", "metadata")
_WHOLE = {"facts": ("content",), "turns": ("request", "response")}


class Holders(NamedTuple):
    """Who holds a value, in one tenant."""

    facts: list[int]
    turns: list[int]
    history: list[int]
    """The changes whose earlier wording holds it, by ``seq``."""
    names: list[str]
    """Names (of namespaces, sessions, agents) that hold it: those are not blanked."""

    def __bool__(self) -> bool:
        return bool(self.facts or self.turns or self.history)

    @property
    def places(self) -> dict[str, int]:
        """How many of each there are."""
        return {"facts": len(self.facts), "turns": len(self.turns), "history": len(self.history)}


def holders(raw: sqlite3.Connection, tenant: str, value: str) -> Holders:
    """Everything of a tenant that holds a value, letter for letter.

    Raises:
        Invalid: the value is too short to be told from innocent words.
    """
    if len(checks.text(value, "value").strip()) < SHORTEST:
        raise Invalid(
            f"A value to erase has at least {SHORTEST} characters.", "Erase the records by their ids instead."
        )
    forms = _forms(value)
    found = {
        table: [
            n
            for (n,) in raw.execute(
                f"SELECT n FROM {table} WHERE tenant = ? AND ({_holding(columns, len(forms))})",
                (tenant, *(form for _ in columns for form in forms)),
            )
        ]
        for table, columns in _TEXTS.items()
    }
    past = [*forms, *(form.encode().hex().upper() for form in forms)]
    history = raw.execute(
        f"SELECT seq FROM changes WHERE tenant = ? AND ({_holding(('before',), len(past))})", (tenant, *past)
    ).fetchall()
    return Holders(found["facts"], found["turns"], [seq for (seq,) in history], _names(raw, tenant, value))


def blank(tx: Transaction, found: Holders, value: str) -> None:
    """Take the value out of everything that holds it, names aside."""
    (last,) = tx.raw.execute("SELECT coalesce(max(seq), 0) FROM changes").fetchone()
    for what, numbers in ((index.FACTS, found.facts), (index.TURNS, found.turns)):
        for n in numbers:
            _blank_row(tx, what, n, value)
    tx.raw.execute(
        "UPDATE changes SET before = NULL, op = iif(op = 'delete', 'erase', op) "
        "WHERE seq > ? OR seq IN (SELECT value FROM json_each(?))",
        (last, json.dumps(found.history)),
    )
    tx.raw.execute("DELETE FROM replaced")


def _blank_row(tx: Transaction, what: Indexed, n: int, value: str) -> None:
    columns = _TEXTS[what.table]
    row = tx.raw.execute(f"SELECT {', '.join(columns)} FROM {what.table} WHERE n = ?", (n,)).fetchone()
    held = dict(zip(columns, row, strict=True))
    new = {name: _blanked(name, stored, value) for name, stored in held.items()}
    texts = [new[name] for name in _WHOLE[what.table]]
    if any(text and text.strip() != BLANK for text in texts if isinstance(text, str)) and _store(
        tx, what, n, held, new
    ):
        index.refresh(tx.raw, what, (n,))
        return
    tx.raw.execute(f"DELETE FROM {what.table} WHERE n = ?", (n,))
    index.drop(tx.raw, what, n)


def _store(tx: Transaction, what: Indexed, n: int, held: dict[str, Any], new: dict[str, Any]) -> bool:
    """Write the blanked columns; False where the blanked text is another fact's already."""
    changed = {name: text for name, text in new.items() if text != held[name]}
    sets = ", ".join(f"{name} = ?" for name in changed)
    values: list[Any] = list(changed.values())
    if what is index.FACTS:
        sets += ", version = version + 1, updated_at = ?"
        values.append(clock.to_text(tx.at))
        if "content" in changed:
            scope = tx.raw.execute("SELECT tenant, namespace FROM facts WHERE n = ?", (n,)).fetchone()
            digest = identity(scope[0], scope[1], changed["content"])
            if tx.raw.execute("SELECT 1 FROM facts WHERE hash = ? AND n <> ?", (digest, n)).fetchone():
                return False
            sets += ", hash = ?"
            values.append(digest)
    tx.raw.execute(f"UPDATE {what.table} SET {sets} WHERE n = ?", (*values, n))
    return True


def _blanked(name: str, stored: Any, value: str) -> Any:
    if isinstance(stored, bytes):
        return stored.replace(value.encode(), BLANK.encode())
    if not isinstance(stored, str):
        return stored
    if name in _JSON:
        try:
            written = json.dumps(_deep(json.loads(stored), value), ensure_ascii=False, separators=(",", ":"))
        except (ValueError, RecursionError):
            return stored.replace(value, BLANK)
        return written if any(form in stored for form in _forms(value)) else stored
    return stored.replace(value, BLANK)


def _deep(part: Any, value: str) -> Any:
    if isinstance(part, str):
        return part.replace(value, BLANK)
    if isinstance(part, list):
        return [_deep(item, value) for item in part]
    if isinstance(part, dict):
        return {str(_deep(key, value)): _deep(item, value) for key, item in part.items()}
    return part


def _forms(value: str) -> list[str]:
    """How the value may stand in a column: as it is, or as JSON writes it."""
    written = (json.dumps(value, ensure_ascii=plain)[1:-1] for plain in (False, True))
    return list(dict.fromkeys([value, *written]))


def _holding(columns: tuple[str, ...], forms: int) -> str:
    return " OR ".join(f"instr(CAST({column} AS TEXT), ?)" for column in columns for _ in range(forms))


def _names(raw: sqlite3.Connection, tenant: str, value: str) -> list[str]:
    found: dict[str, None] = {}
    for table, columns in _NAMES.items():
        for column in columns:
            sql = f"SELECT DISTINCT {column} FROM {table} WHERE tenant = ? AND instr({column}, ?)"
            found.update(dict.fromkeys(column for _ in raw.execute(sql, (tenant, value)).fetchall()))
    return list(found)
