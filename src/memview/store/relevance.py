"""How well the words of facts fit a question: bm25.

Where a question's words hit few facts, FTS5's own ``bm25`` weighs every one of them. Where they hit very many, that would
take longer than an agent waits: each word then brings its newest facts, rare words bring all of theirs, and the facts
with the most of the words come first of all; they are weighed by the same formula, each word counted once. So does a
row that another program wrote and that is not in the index yet.
"""

from __future__ import annotations

import math
import sqlite3
from array import array
from dataclasses import dataclass, field

from memview.store import index, ranking
from memview.store.ask import Ask, Limits
from memview.store.words import Term, expression, terms

EXACT = 1_000
"""Hits in the whole file up to which every one is weighed."""
NEWEST = 400
"""How many facts a word brings that has more."""
TOLD_APART = 8
"""How many words are asked for one by one where hits are many: the rarest."""
_K1, _B = 1.2, 0.75
_OWN, _BESIDE = 1.0, 0.6
"""What a word counts in the text, and in the tags, keywords, category and summary."""


def fits(raw: sqlite3.Connection, ask: Ask, limits: Limits, where: str) -> dict[int, float]:
    """The facts that have one of the words of a question, by number, each with its bm25.

    Args:
        raw: an open connection.
        ask: the question; ``limit`` 0 leaves out no fact.
        limits: the values of its conditions.
        where: which of its conditions hold, or others in their place.
    """
    asked = terms(ask.text)
    wanted = ranking.telling(asked)
    if not wanted:
        return _literally(raw, asked, limits, where, _most(ask, EXACT))
    any_word = " OR ".join(expression(term, prefix=False) for term in wanted)
    if "UNION ALL" in index.hits(raw, index.FACTS) or (ask.limit and _many(raw, any_word)):
        return _Words(raw, ask, limits, where).weigh(wanted)
    sql = (
        f"SELECT r.n, -bm25(facts_index, {_OWN}, {_BESIDE}) FROM facts_index "
        f"CROSS JOIN facts r ON r.n = facts_index.rowid WHERE facts_index MATCH :match AND {where}"
    )
    return dict(raw.execute(sql, {**limits.values, "match": any_word}).fetchall())


def _many(raw: sqlite3.Connection, match: str) -> bool:
    sql = f"SELECT 1 FROM facts_index WHERE facts_index MATCH ? LIMIT 1 OFFSET {EXACT}"
    return raw.execute(sql, (match,)).fetchone() is not None


def _most(ask: Ask, most: int) -> int:
    return max(most, ask.limit) if ask.limit else -1


def _literally(
    raw: sqlite3.Connection, asked: tuple[Term, ...], limits: Limits, where: str, most: int
) -> dict[int, float]:
    """The newest facts that hold signs without a letter, such as an emoji, as they stand."""
    signs = {f"sign{place}": term.text for place, term in enumerate(asked) if term.text}
    held = " OR ".join(f"instr(r.content, :{name})" for name in signs) or "1"
    sql = f"SELECT r.n FROM facts r WHERE {where} AND ({held}) ORDER BY r.n DESC LIMIT {most}"
    return {n: 1.0 for (n,) in raw.execute(sql, {**limits.values, **signs})}


@dataclass(slots=True)
class _Hits:
    """The newest facts that a word brought."""

    match: str
    numbers: array[int]
    common: bool
    """Whether there are more."""
    weight: float = 0.0
    """How much the word tells: its inverse document frequency."""


@dataclass(slots=True)
class _Words:
    """Weighs facts word by word."""

    raw: sqlite3.Connection
    ask: Ask
    limits: Limits
    where: str
    found: dict[int, dict[str, float]] = field(default_factory=dict)
    """By fact, the words it has and how much each tells."""

    def weigh(self, wanted: list[Term]) -> dict[int, float]:
        """The facts with one of the words and their bm25, each word counted once a fact."""
        (size,) = self.raw.execute("SELECT coalesce(max(n), 1) FROM facts").fetchone()
        words = [self._hits(expression(term, prefix=False), size) for term in wanted]
        words.sort(key=lambda word: -word.weight)
        for word in words[:TOLD_APART]:
            self._note(word.numbers, word)
        self._complete(words[:TOLD_APART])
        return self._scores()

    def _hits(self, match: str, size: int) -> _Hits:
        most = _most(self.ask, NEWEST)
        numbers = self._newest(match, most)
        common = len(numbers) == most
        # The newest stand as close together as all of them do.
        count = len(numbers) * size / max(1, size - numbers[-1] + 1) if common else len(numbers)
        count = min(float(size), count)
        return _Hits(match, numbers, common, math.log(1 + (size - count + 0.5) / (count + 0.5)))

    def _complete(self, words: list[_Hits]) -> None:
        """Facts that have several of the words, also where a common one would not have brought them."""
        common = [word for word in words if word.common]
        rare = " OR ".join(word.match for word in words if not word.common and word.numbers)
        for word in common if rare else ():
            self._note(self._newest(f"({rare}) AND {word.match}", _most(self.ask, EXACT)), word)
        for count in {2, len(common)} if len(common) > 1 else ():
            both = self._newest(" AND ".join(word.match for word in common[:count]), _most(self.ask, NEWEST))
            for word in common[:count]:
                self._note(both, word)

    def _newest(self, match: str, most: int) -> array[int]:
        sql = (
            f"SELECT r.n FROM ({index.hits(self.raw, index.FACTS)}) h CROSS JOIN facts r ON r.n = h.n "
            f"WHERE {self.where} ORDER BY h.n DESC LIMIT {most}"
        )
        return array("q", [n for (n,) in self.raw.execute(sql, {**self.limits.values, "match": match})])

    def _note(self, numbers: array[int], word: _Hits) -> None:
        for n in numbers:
            self.found.setdefault(n, {})[word.match] = word.weight

    def _scores(self) -> dict[int, float]:
        """``sum(idf (k1 + 1) / (1 + k1 (1 - b + b length / average)))``: bm25 where each word stands once."""
        lengths = _lengths(self.raw, list(self.found))
        average = sum(lengths.values()) / max(1, len(lengths)) or 1.0
        return {
            n: sum(words.values()) * (_K1 + 1) / (1 + _K1 * (1 - _B + _B * lengths.get(n, average) / average))
            for n, words in self.found.items()
        }


def _lengths(raw: sqlite3.Connection, numbers: list[int]) -> dict[int, float]:
    sql = "SELECT r.n, length(r.content) FROM json_each(?) w CROSS JOIN facts r ON r.n = w.value"
    return dict(raw.execute(sql, (str(numbers),)).fetchall())
