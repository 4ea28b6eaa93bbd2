"""How well the words of facts fit a question: bm25.

Where a question's words hit few facts, FTS5's own ``bm25`` weighs every one of them. Where they hit very many, that
would take longer than an agent waits: each word then speaks for itself (:mod:`memview.store.weighing`), and facts are
weighed by the same formula, as if all were of one length. So are rows that another program wrote and that are not in
the index yet.
"""

from __future__ import annotations

import sqlite3

from memview.store import around, index, ranking, weighing
from memview.store.ask import Ask, Limits
from memview.store.words import Term, expression, terms

EXACT = 1_000
"""Hits in the whole file up to which every one is weighed."""
NEWEST = 100
"""How many facts a word brings that has more."""
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
        return around.scores(_told(raw, ask, limits, where, wanted))
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
    own = _told(raw, ask, limits, where, wanted)
    return around.scores(around.facts(facts, own, around.turns(turns, wanted, ask.text)))


def _told(raw: sqlite3.Connection, ask: Ask, limits: Limits, where: str, wanted: list[Term]) -> around.Told:
    """The facts with one of the words, and how much each of them tells, as if all texts were of one length."""
    scope = limits.scope if where == limits.matches else None
    reach = weighing.Reach(index.FACTS, where, limits.values, scope)
    return weighing.Words(raw, reach, _most(ask, NEWEST)).told(wanted)


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
