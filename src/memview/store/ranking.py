"""The order of records that match words: the one place that decides which come first.

``any`` (an agent's question): each word counts by its rarity, ``ln(1 + N / df)``; more matched words rank higher, and
ties are the newest first. ``all`` (what a person typed): FTS5's bm25, by which rare words and short texts come first;
where very many match, no order by words says much, and the newest come first. Both explain themselves in a few words.
"""

from __future__ import annotations

import math
import sqlite3
from typing import TYPE_CHECKING

from memview.store import around, index
from memview.store.words import STOP_WORDS, Term, expression
from memview.store.words import term as term_of

if TYPE_CHECKING:
    from memview.store.select import Plan

RANKED = 2_000
"""Matches up to which bm25 decides: some milliseconds."""

Ranked = tuple[int, float, str]
"""A record's number, its score and what the score rests on."""


def ranks(raw: sqlite3.Connection, plan: Plan) -> bool:
    """Whether the plan's words order its rows; else the newest come first."""
    if plan.query.match == "any":
        return True
    return not ("UNION ALL" in plan.source or _too_many(raw, plan))  # rows of an overlay have no rank to be compared


def ranked(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    """The plan's rows, best first, at most ``limit`` (-1 for all)."""
    if plan.query.context and plan.query.kind == "turns":
        return _in_context(raw, plan, limit)
    return _by_rarity(raw, plan, limit) if plan.query.match == "any" else _by_bm25(raw, plan, limit)


def _in_context(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    """Turns by their own words and those of the turns beside them."""
    terms = telling(plan.query.terms)
    text = " ".join(term.text for term in plan.query.terms)
    scene = around.Scene(raw, " AND ".join(plan.where) or "1", plan.values, limit >= 0)
    told = around.turns(scene, terms, text)
    fits = around.scores(told)
    best = sorted(told, key=lambda n: (-fits[n], -n))
    names = {expression(term, prefix=False): term.text for term in terms}
    return [(n, fits[n], _heard(told[n], names)) for n in best[: limit if limit >= 0 else None]]


def _heard(words: dict[str, float], names: dict[str, str]) -> str:
    return "here or beside: " + ", ".join(names.get(word, word) for word in words)


def _by_bm25(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    where = " AND ".join([f"{plan.what.words} MATCH :match", *plan.where])
    sql = (
        f"SELECT r.n, -bm25({plan.what.words}, 1.0, 0.6) AS score FROM {plan.what.words} "
        f"CROSS JOIN {plan.what.table} r ON r.n = {plan.what.words}.rowid WHERE {where} "
        f"ORDER BY score DESC, r.n DESC LIMIT {limit}"
    )
    return [(n, score, "all words") for n, score in raw.execute(sql, plan.values).fetchall()]


def _too_many(raw: sqlite3.Connection, plan: Plan) -> bool:
    sql = f"SELECT 1 FROM {plan.what.words} WHERE {plan.what.words} MATCH :match LIMIT 1 OFFSET {RANKED}"
    return raw.execute(sql, {"match": plan.match}).fetchone() is not None


def _by_rarity(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    terms = telling(plan.query.terms)
    (size,) = raw.execute(f"SELECT coalesce(max(n), 1) FROM {plan.what.table}").fetchone()
    hits = index.hits(raw, plan.what)
    arms = []
    for place, term in enumerate(terms):
        match = expression(term, prefix=plan.query.prefix)
        (found,) = raw.execute(f"SELECT count(*) FROM ({hits})", {"match": match}).fetchone()
        weight = 1 + math.log1p(size / max(found, 1)) / 100
        arms.append(f"SELECT n, {weight!r} AS w, {place} AS t FROM ({hits.replace(':match', f':m{place}')})")
        plan.values[f"m{place}"] = match
    scored = f"SELECT n, sum(w) AS score, group_concat(t) AS places FROM ({' UNION ALL '.join(arms)}) GROUP BY n"
    where = f" WHERE {' AND '.join(plan.where)}" if plan.where else ""
    sql = (
        f"SELECT r.n, s.score, s.places FROM ({scored}) s CROSS JOIN {plan.what.table} r ON r.n = s.n{where} "
        f"ORDER BY s.score DESC, r.n DESC LIMIT {limit}"
    )
    rows = raw.execute(sql, plan.values).fetchall()
    return [(n, score, _matched(terms, places)) for n, score, places in rows]


def telling(terms: tuple[Term, ...]) -> list[Term]:
    """The words of a question that say something; all of them where none does."""
    wanted = [_owner(term) for term in terms if not (term.literal or term.exclude)]
    return [term for term in wanted if not STOP_WORDS.issuperset(term.pieces)] or wanted


def _owner(wanted: Term) -> Term:
    """``Melanie`` where a question says ``Melanie's``: the text may name her otherwise."""
    if len(wanted.pieces) == 2 and wanted.pieces[1] == "s" and not wanted.phrase and wanted.text[-2:-1] in "'\u2019":
        return term_of(wanted.text[:-2])
    return wanted


def _matched(terms: list[Term], places: str) -> str:
    return "matches " + ", ".join(terms[int(place)].text for place in sorted(places.split(","), key=int))
