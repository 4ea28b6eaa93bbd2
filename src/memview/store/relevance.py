"""How well the words of facts fit a question: bm25.

Where a question's words hit few facts, FTS5's own ``bm25`` weighs every one of them. Where they hit very many, that would
take longer than an agent waits: each word then brings its newest facts, rare words bring all of theirs, and the facts
with the most of the words come first of all; they are weighed by the same formula, as if all were of one length. So are
rows that another program wrote and that are not in the index yet.
"""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass

from memview.store import around, index, ranking
from memview.store.ask import Ask, Limits
from memview.store.words import Term, expression, terms

EXACT = 1_000
"""Hits in the whole file up to which every one is weighed."""
NEWEST = 200
"""How many facts a word brings that has more."""
TOLD_APART = 8
"""How many words are asked for one by one where hits are many: the rarest."""
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
    if ask.context and raw.execute("SELECT 1 FROM evidence LIMIT 1").fetchone():
        return _in_context(raw, ask, limits, where, wanted)
    any_word = " OR ".join(expression(term, prefix=False) for term in wanted)
    if "UNION ALL" in index.hits(raw, index.FACTS) or (ask.limit and _many(raw, any_word)):
        return _Words(raw, ask, limits, where).weigh(wanted)
    sql = (
        f"SELECT r.n, -bm25(facts_index, {_OWN}, {_BESIDE}) FROM facts_index "
        f"CROSS JOIN facts r ON r.n = facts_index.rowid WHERE facts_index MATCH :match AND {where}"
    )
    return dict(raw.execute(sql, {**limits.values, "match": any_word}).fetchall())


def _in_context(raw: sqlite3.Connection, ask: Ask, limits: Limits, where: str, wanted: list[Term]) -> dict[int, float]:
    """The facts that their own words find, or those around the turns they came from, each with what all words tell."""
    bounded = bool(ask.limit)
    turns = around.Scene(raw, "r.tenant = :tenant", {"tenant": ask.tenant}, bounded)
    facts = around.Scene(raw, where, limits.values, bounded)
    own = _Words(raw, ask, limits, where).told(wanted)
    return around.scores(around.facts(facts, own, around.turns(turns, wanted, ask.text)))


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
    """The facts that a word brought."""

    match: str
    numbers: set[int]
    common: bool
    """Whether there are more; these are the newest."""
    tells: float
    """How much the word tells: its inverse document frequency."""


class _Words:
    """Weighs facts word by word."""

    def __init__(self, raw: sqlite3.Connection, ask: Ask, limits: Limits, where: str) -> None:
        self._raw = raw
        self._values = limits.values
        self._sql = (
            f"SELECT r.n FROM ({index.hits(raw, index.FACTS)}) h CROSS JOIN facts r ON r.n = h.n "
            f"WHERE {where} ORDER BY h.n DESC LIMIT "
        )
        self._most = _most(ask, NEWEST)

    def weigh(self, wanted: list[Term]) -> dict[int, float]:
        """The facts with one of the words and their bm25, as if all were of one length and had each word once."""
        return around.scores(self.told(wanted))

    def told(self, wanted: list[Term]) -> around.Told:
        """The facts with one of the words, and how much each of the words tells."""
        (size,) = self._raw.execute("SELECT coalesce(max(n), 1) FROM facts").fetchone()
        words = [self._hits(expression(term, prefix=False), size) for term in wanted]
        words = sorted(words, key=lambda word: -word.tells)[:TOLD_APART]
        self._complete(words)
        found: around.Told = {}
        for word in words:
            for n in word.numbers:
                found.setdefault(n, {})[word.match] = word.tells
        return found

    def _hits(self, match: str, size: int) -> _Hits:
        numbers = self._newest(match)
        common = len(numbers) == self._most
        # The newest stand as close together as all of them do.
        count = len(numbers) * size / max(1, size - numbers[-1] + 1) if common else len(numbers)
        count = min(float(size), count)
        return _Hits(match, set(numbers), common, math.log(1 + (size - count + 0.5) / (count + 0.5)))

    def _complete(self, words: list[_Hits]) -> None:
        """Find the facts that have several of the words, also where a common one would not have brought them."""
        common = [word for word in words if word.common]
        rare = " OR ".join(word.match for word in words if word.numbers and not word.common)
        for word in common if rare else ():
            word.numbers.update(self._newest(f"({rare}) AND {word.match}"))
        for count in {2, len(common)} if len(common) > 1 else ():
            together = self._newest(" AND ".join(word.match for word in common[:count]))
            for word in common[:count]:
                word.numbers.update(together)

    def _newest(self, match: str) -> list[int]:
        found = self._raw.execute(self._sql + str(self._most), {**self._values, "match": match})
        return [n for (n,) in found.fetchall()]
