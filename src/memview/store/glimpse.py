"""How common words are, as far as the newest records tell: for as long as the words of an index are not read."""

from __future__ import annotations

import sqlite3

from memview.store.index import Indexed
from memview.store.narrowing import Check

LOOKED_AT = 200
"""How many of the newest records are looked at."""
LONGEST = 1_000
"""Letters of a text that are looked at."""
LARGE = 20_000
"""Records from which on that pays."""


class Glimpse:
    """What `memview.store.vocabulary.Vocabulary` says of words, guessed.

    Args:
        raw: an open connection.
        what: where to look.
        records: how many records there are.
    """

    def __init__(self, raw: sqlite3.Connection, what: Indexed, records: int) -> None:
        text = "||".join(f"' '||substr({column}, 1, {LONGEST})" for column in what.columns)
        sql = f"SELECT {text} FROM {what.words} ORDER BY rowid DESC LIMIT {LOOKED_AT}"
        self._texts = [text for (text,) in raw.execute(sql).fetchall()]
        self.records = records

    def reach(self, filed: str, *, prefix: bool) -> int:
        """In about how many records a filed word stands, or a word that it begins."""
        check = Check(filed, prefix)
        found = sum(map(check.holds, self._texts))
        return int(self.records * (found + 0.5) / (len(self._texts) + 1))

    def begun(self, filed: str, most: int) -> list[str] | None:
        """None: which words begin with a filed one is not known."""
        return None
