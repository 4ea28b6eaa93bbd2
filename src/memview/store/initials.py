"""How the words of an index go on that begin with one letter.

For a word of which only the first letter is known the index merges the lists of all words that begin so, before it
gives the first record: of a million 40 to 130 milliseconds. But it has a list of each beginning of two letters, and to
open one takes some microseconds.
"""

from __future__ import annotations

import sqlite3

from memview.store.index import Indexed

MOST = 100
"""Beginnings of two letters up to which they are asked for; where there are more, words are no words."""

_BEYOND = "\U0010ffff"
"""Comes after every letter."""


def beginnings(raw: sqlite3.Connection, what: Indexed, letter: str) -> list[str] | None:
    """What the index's words begin with that begin with a letter: two letters each, and the letter if it is a word.

    Args:
        raw: an open connection, in the transaction in which the index is then asked.
        what: where to look.
        letter: as the index files it.

    Returns:
        None where there are more than `MOST`, or where records wait that the index does not have yet.
    """
    if raw.execute("SELECT 1 FROM main.queue LIMIT 1").fetchone() is not None:
        return None
    name = f"{what.table}_instances"
    raw.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{name} USING fts5vocab('main', '{what.words}', 'instance')")
    found: list[str] = []
    beyond = letter
    while len(found) <= MOST:
        row = raw.execute(f"SELECT term FROM temp.{name} WHERE term >= ? LIMIT 1", (beyond,)).fetchone()
        if row is None or not row[0].startswith(letter):
            return found
        found.append(row[0][:2])
        beyond = found[-1] + (_BEYOND if len(found[-1]) == 2 else "\0")
    return None
