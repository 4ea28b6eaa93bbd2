"""How much the words of a question tell about records: each word is asked for by itself, and brings a bounded few.

A rare word brings every record that has it. One that very many have brings the newest of them, and those that also have
a rare word, or the other common ones: where a question has no more words than are told apart, and none brings more than
the bound, nothing is left out.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, NamedTuple

from memview.store import around, index, within
from memview.store.words import Term, expression

TOLD_APART = 8
"""How many words are asked for one by one: the rarest."""
COMMON = 3_000
"""Hits in the whole file from which on a word calls for the numbers of the one namespace that is asked for."""


class Reach(NamedTuple):
    """Which records ``r`` are looked at."""

    what: index.Indexed
    where: str
    """The conditions, as SQL."""
    values: dict[str, Any]
    """The values of the conditions."""
    scope: tuple[str, str] | None = None
    """The tenant and the namespace of facts that they name."""
    one_state: bool = True
    """Whether they name one status as well: an index then tells of a fact of a scope before it is read."""


@dataclass(slots=True)
class _Hits:
    """The records that a word brought."""

    match: str
    numbers: set[int]
    common: bool
    """Whether there are more; these are the newest."""
    tells: float
    """How much the word tells: its inverse document frequency."""


class Words:
    """Weighs records word by word.

    Args:
        raw: an open connection.
        reach: which records.
        most: how many records a word brings; -1 leaves out none.
        prefix: whether words also stand for what they begin.
    """

    def __init__(self, raw: sqlite3.Connection, reach: Reach, most: int, *, prefix: bool = False) -> None:
        self._raw = raw
        self._table = reach.what.table
        self._where = reach.where or "1"
        self._values = reach.values
        self._scope = reach.scope
        self._same = "BETWEEN h.n AND h.n" if reach.scope and reach.one_state else "= h.n"
        """For = SQLite reads each row of a hit, and most may be of other namespaces; for a range it asks the index."""
        self._marked: within.Marks | None = None
        self._found = index.hits(raw, reach.what)
        self._most = most
        self._prefix = prefix

    def told(self, wanted: Sequence[Term]) -> around.Told:
        """The records with one of the words, and how much each of its words tells: ``ln(1 + (N - df) / df)``."""
        (size,) = self._raw.execute(f"SELECT coalesce(max(n), 1) FROM {self._table}").fetchone()
        matches = dict.fromkeys(expression(term, prefix=self._prefix) for term in wanted)
        if self._scope and any(map(self._is_common, matches)):
            self._marked = within.marked(self._raw, *self._scope)
        words = sorted((self._hits(match, size) for match in matches), key=lambda word: -word.tells)[:TOLD_APART]
        self._complete(words)
        found: around.Told = {}
        for word in words:
            for n in word.numbers:
                found.setdefault(n, {})[word.match] = word.tells
        return found

    def _is_common(self, match: str) -> bool:
        """Whether a word has so many hits that the numbers of a namespace are sooner taken than each is looked at."""
        sql = f"SELECT 1 FROM ({self._found}) LIMIT 1 OFFSET {COMMON}"
        return self._raw.execute(sql, {"match": match}).fetchone() is not None

    def _hits(self, match: str, size: int) -> _Hits:
        numbers = self._newest(match)
        common = len(numbers) == self._most
        # The newest stand as close together as all of them do.
        count = len(numbers) * size / max(1, size - numbers[-1] + 1) if common else len(numbers)
        count = min(float(size), count)
        return _Hits(match, set(numbers), common, math.log(1 + (size - count + 0.5) / (count + 0.5)))

    def _complete(self, words: list[_Hits]) -> None:
        """Find the records that have several of the words, also where a common one would not have brought them."""
        common = [word for word in words if word.common]
        rare = " OR ".join(word.match for word in words if word.numbers and not word.common)
        for word in common if rare else ():
            word.numbers.update(self._newest(f"({rare}) AND {word.match}"))
        for count in {2, len(common)} if len(common) > 1 else ():
            together = self._newest(" AND ".join(word.match for word in common[:count]))
            for word in common[:count]:
                word.numbers.update(together)

    def _newest(self, match: str) -> list[int]:
        where, values = [self._where], {**self._values, "match": match}
        if self._marked:
            where.insert(0, within.MARKED)
            values |= self._marked.values
        sql = (
            f"SELECT r.n FROM ({self._found}) h CROSS JOIN {self._table} r ON r.n {self._same} "
            f"WHERE {' AND '.join(where)} ORDER BY h.n DESC LIMIT {self._most}"
        )
        rows = chain.from_iterable(within.newest(self._raw, sql, values, None if self._prefix else self._marked))
        return list(islice(rows, self._most if self._most >= 0 else None))
