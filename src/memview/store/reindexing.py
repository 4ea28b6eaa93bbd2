"""The text index as a thing that may break: whether it holds together, and making it anew from the records.

What is looked at here is what a search reads, not the texts that the index keeps beside it: every word that it has is
counted, and must be as many as its records have.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from memview.store.index import FACTS, Indexed, add, fact_texts, turn_texts
from memview.store.schema import MIGRATIONS


def torn(raw: sqlite3.Connection, what: Indexed) -> str:
    """Why the index of a kind of record cannot be searched, or finds less than it should; empty where it is whole.

    Nothing is changed.
    """
    try:
        raw.execute(f"SELECT rowid FROM {what.words} LIMIT 1").fetchone()
        words = _words(raw, what)
        held = sum(sum(_counts(size)) for (size,) in raw.execute(f"SELECT sz FROM {what.words}_docsize").fetchall())
        sized, kept = (
            raw.execute(f"SELECT count(*) FROM {what.words}_{part}").fetchone()[0] for part in ("docsize", "content")
        )
    except sqlite3.DatabaseError as error:
        if "interrupted" in str(error) or "locked" in str(error):
            raise
        return "it cannot be read"
    return "" if words == held and sized == kept else "words are missing"


def remake(raw: sqlite3.Connection, what: Indexed) -> int:
    """Make the index of a kind of record anew, whatever state it is in; inside a transaction.

    Returns:
        How many records are in it.
    """
    try:
        raw.execute(f"DROP TABLE IF EXISTS {what.words}")
    except sqlite3.DatabaseError:  # what cannot be opened cannot be dropped: take its name away, then its parts
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("DELETE FROM sqlite_schema WHERE name = ?", (what.words,))
        raw.execute("PRAGMA writable_schema = RESET")
    for part in ("data", "idx", "content", "docsize", "config"):
        raw.execute(f"DROP TABLE IF EXISTS {what.words}_{part}")
    made = f"CREATE VIRTUAL TABLE {what.words} "
    raw.execute(next(sql for each in MIGRATIONS for sql in each.statements if sql.startswith(made)))
    add(raw, what, _texts(raw, what))
    count: int = raw.execute(f"SELECT count(*) FROM {what.table}").fetchone()[0]
    return count


def _texts(raw: sqlite3.Connection, what: Indexed) -> Iterator[tuple[int, str, str]]:
    for n, *values in raw.execute(f"SELECT n, {what.read} FROM {what.table} ORDER BY n"):
        yield n, *(fact_texts(*values) if what is FACTS else turn_texts(*values))


def _words(raw: sqlite3.Connection, what: Indexed) -> int:
    """How many words the index has, each as often as it stands in a text."""
    name = f"{what.table}_counted"
    raw.execute(f"CREATE VIRTUAL TABLE temp.{name} USING fts5vocab('main', '{what.words}', 'row')")
    try:
        count: int = raw.execute(f"SELECT coalesce(sum(cnt), 0) FROM temp.{name}").fetchone()[0]
        return count
    finally:
        raw.execute(f"DROP TABLE temp.{name}")


def _counts(size: bytes) -> Iterator[int]:
    """The numbers of words of each column of a record, which stand as varints (sqlite.org/fileformat2.html#varint)."""
    value = 0
    for byte in size:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            yield value
            value = 0
