"""The text index: what is in it, how it follows the records, and how a looker sees what is not in it yet.

Each kind of record has an FTS5 table whose texts Python prepared (:mod:`memview.store.words`); a row's rowid is the
record's ``n``. Our own transactions keep it as they write. Rows that another program wrote stand in ``queue``: a handle
that writes drains it, a handle that only looks builds a TEMP overlay of those rows and searches both.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memview.store.ids import identity
from memview.store.words import TOKENIZE, as_text, prepare

DRAINED_AT_ONCE = 2_000
"""How many queued rows one transaction indexes: some milliseconds of someone else's waiting."""


class Indexed(NamedTuple):
    """How a kind of record is indexed."""

    kind: str
    table: str
    words: str
    """Its FTS5 table."""
    columns: tuple[str, str]
    """The columns of the index."""
    read: str
    """SQL for what goes into them, as many expressions as it takes."""


FACTS = Indexed("fact", "facts", "facts_index", ("content", "extra"), "content, tags, keywords, category, summary")
TURNS = Indexed("turn", "turns", "turns_index", ("request", "response"), "request, response")
KINDS = {"fact": FACTS, "turn": TURNS}
_INTO = {
    what.kind: f"INSERT INTO {what.words} (rowid, {', '.join(what.columns)}) VALUES (?, ?, ?)"
    for what in KINDS.values()
}


def fact_texts(content: object, *extra: object) -> tuple[str, str]:
    """What the index holds of a fact: its text, and the words beside it (tags, keywords, category, summary)."""
    beside = [prepare(as_text(part)) for part in extra if part and part != "[]"]
    return prepare(as_text(content)), " ".join(beside) if beside else ""


def turn_texts(request: object, response: object) -> tuple[str, str]:
    """What the index holds of a turn."""
    return prepare(as_text(request)), prepare(as_text(response))


def put(raw: sqlite3.Connection, what: Indexed, n: int, texts: tuple[str, str], *, new: bool = False) -> None:
    """Index a record; ``new`` promises that nothing stands under its number yet."""
    if not new:
        drop(raw, what, n)
    raw.execute(_INTO[what.kind], (n, *texts))


def add(raw: sqlite3.Connection, what: Indexed, texts: Iterable[tuple[int, str, str]]) -> None:
    """Index new records, each by its number and two texts: nothing stands under it yet."""
    raw.executemany(_INTO[what.kind], texts)


def drop(raw: sqlite3.Connection, what: Indexed, n: int) -> None:
    """Take a record out of the index."""
    raw.execute(f"DELETE FROM {what.words} WHERE rowid = ?", (n,))


def refresh(raw: sqlite3.Connection, what: Indexed, numbers: Iterable[int]) -> None:
    """Bring the index in line with the records of these numbers, whether they still exist or not."""
    for n in numbers:
        texts = _texts(raw, what, n)
        if texts is None:
            drop(raw, what, n)
        else:
            put(raw, what, n, texts)


def differing(raw: sqlite3.Connection, what: Indexed) -> list[int]:
    """The numbers under which the index holds something else than the record, or no record is; queued ones aside."""
    columns = ", ".join([*(f"w.{name}" for name in what.columns), *(f"r.{name}" for name in what.read.split(", "))])
    waiting = f"SELECT n FROM queue WHERE kind = '{what.kind}'"
    rows = raw.execute(
        f"SELECT r.n, w.rowid, {columns} FROM {what.table} r LEFT JOIN {what.words} w ON w.rowid = r.n "
        f"WHERE r.n NOT IN ({waiting})"
    )
    make = fact_texts if what is FACTS else turn_texts
    try:
        found = [row[0] for row in rows if row[1] is None or _said(row[2:4]) != _said(make(*row[4:]))]
    finally:
        rows.close()
    orphaned = f"SELECT rowid FROM {what.words} WHERE rowid NOT IN (SELECT n FROM {what.table} UNION ALL {waiting})"
    return [*found, *(n for (n,) in raw.execute(orphaned).fetchall())]


def _said(texts: Iterable[object]) -> list[list[str]]:
    """The words of prepared texts; the signs between them differ by who wrote the row."""
    return [re.findall(r"\w+", as_text(text)) for text in texts]


def drain(raw: sqlite3.Connection, limit: int = DRAINED_AT_ONCE) -> int:
    """Index rows that other programs wrote, and give facts among them their identity. Returns how many."""
    queued = raw.execute("SELECT kind, n FROM queue LIMIT ?", (limit,)).fetchall()
    for kind, n in queued:
        if kind in KINDS:
            refresh(raw, KINDS[kind], (n,))
        if kind == "fact":
            _identify(raw, n)
        raw.execute("DELETE FROM queue WHERE kind = ? AND n = ?", (kind, n))
    return len(queued)


def _identify(raw: sqlite3.Connection, n: int) -> None:
    row = raw.execute("SELECT tenant, namespace, content FROM facts WHERE n = ? AND hash IS NULL", (n,)).fetchone()
    if row and isinstance(row[2], str):
        raw.execute("UPDATE OR IGNORE facts SET hash = ? WHERE n = ?", (identity(*row), n))


def _texts(raw: sqlite3.Connection, what: Indexed, n: int) -> tuple[str, str] | None:
    row: Sequence[object] | None = raw.execute(f"SELECT {what.read} FROM {what.table} WHERE n = ?", (n,)).fetchone()
    if row is None:
        return None
    return fact_texts(*row) if what is FACTS else turn_texts(row[0], row[1])


def hits(raw: sqlite3.Connection, what: Indexed, *, texts: bool = False) -> str:
    """SQL of the numbers that match ``:match``, the queue's rows as they are now included.

    Args:
        raw: an open connection.
        what: where to look.
        texts: whether the prepared texts come along, under the names of the index's columns.
    """
    columns = ", ".join(("rowid AS n", *what.columns)) if texts else "rowid AS n"
    plain = f"SELECT {columns} FROM {what.words} WHERE {what.words} MATCH :match"
    if not _overlaid(raw):
        return plain
    return (
        f"{plain} AND rowid NOT IN (SELECT n FROM main.queue WHERE kind = '{what.kind}') UNION ALL "
        f"SELECT {columns} FROM temp.{what.table}_overlay WHERE {what.table}_overlay MATCH :match"
    )


def _overlaid(raw: sqlite3.Connection) -> bool:
    """Whether rows wait in the queue; then the connection's overlay is up to date."""
    waiting = raw.execute("SELECT 1 FROM main.queue LIMIT 1").fetchone() is not None
    made = raw.execute("SELECT 1 FROM sqlite_temp_schema WHERE name = 'overlaid'").fetchone() is not None
    if not waiting:
        if made:
            _forget_overlay(raw)
        return False
    if not made:
        _make_overlay(raw)
    now = raw.execute(
        "SELECT (SELECT coalesce(max(seq), 0) FROM main.changes), count(*), total(n) FROM main.queue"
    ).fetchone()
    seen = raw.execute("SELECT seq, rows, numbers FROM temp.overlaid").fetchone()
    if seen != now:
        for what in (FACTS, TURNS):
            _fill_overlay(raw, what, seen[0])
        raw.execute("UPDATE temp.overlaid SET seq = ?, rows = ?, numbers = ?", now)
    return True


def _make_overlay(raw: sqlite3.Connection) -> None:
    words = f'tokenize = "{TOKENIZE}"'
    for what in (FACTS, TURNS):
        raw.execute(f"CREATE VIRTUAL TABLE temp.{what.table}_overlay USING fts5({', '.join(what.columns)}, {words})")
    raw.execute("CREATE TABLE temp.overlaid (seq INTEGER, rows INTEGER, numbers REAL)")
    raw.execute("INSERT INTO temp.overlaid VALUES (-1, 0, 0.0)")


def _forget_overlay(raw: sqlite3.Connection) -> None:
    for name in ("facts_overlay", "turns_overlay", "overlaid"):
        raw.execute(f"DROP TABLE temp.{name}")


def _fill_overlay(raw: sqlite3.Connection, what: Indexed, seen: int) -> None:
    """Put in the queued rows that changed after ``seen`` or are not there yet, or all where nothing was seen."""
    changed = raw.execute(
        f"SELECT q.n FROM main.queue q LEFT JOIN main.{what.table} r ON r.n = q.n WHERE q.kind = :kind AND (:seen < 0 "
        f"OR r.id IS NULL OR NOT EXISTS (SELECT 1 FROM temp.{what.table}_overlay o WHERE o.rowid = q.n) "
        "OR r.id IN (SELECT id FROM main.changes WHERE seq > :seen AND kind = :kind))",
        {"kind": what.kind, "seen": seen},
    ).fetchall()
    for (n,) in changed:
        texts = _texts(raw, what, n)
        raw.execute(f"DELETE FROM temp.{what.table}_overlay WHERE rowid = ?", (n,))
        if texts is not None:
            columns = ", ".join(what.columns)
            raw.execute(f"INSERT INTO temp.{what.table}_overlay (rowid, {columns}) VALUES (?, ?, ?)", (n, *texts))
