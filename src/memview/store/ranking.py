"""The order of records that match words: the one place that decides which come first.

``any`` (an agent's question): more matched words rank higher, then rarer ones, and ties are the newest first. ``all``
(what a person typed): the records that have every word whole come before those where one only begins a word, and of
each the short texts first; where very many match, no order by words says much, and the newest come first. So the first
rows cost little also where words are common. Both explain themselves in a few words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING

from memview.store import around, narrowing, weighing
from memview.store.words import STOP_WORDS, Term, expression
from memview.store.words import term as term_of

if TYPE_CHECKING:
    from memview.store.select import Plan

RANKED = 300
"""Matches up to which short texts come first; of more the newest do."""

ORDINARY = 100
"""Letters of a text that is neither short nor long."""

NEWEST = 500
"""How many records a word of a question brings that has more."""

Ranked = tuple[int, float, str]
"""A record's number, its score and what the score rests on."""


def ranked(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    """The plan's rows, best first, at most ``limit`` (-1 for all)."""
    if plan.query.context and plan.query.kind == "turns":
        return _in_context(raw, plan, limit)
    return _by_rarity(raw, plan, limit) if plan.query.match == "any" else _whole_first(raw, plan, limit)


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


def _whole_first(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    """Rows with all words as they stand, then those in which one of them begins a longer word."""
    terms, most = plan.query.terms, max(limit, RANKED + 1) if limit >= 0 else None
    whole, begun = (narrowing.route(terms, plan.guide, prefix=prefix) for prefix in (False, plan.query.prefix))
    rows = _sized(raw, plan, whole, most)
    found = _short_first(rows, 2.0, "all words")
    if whole != begun and (limit < 0 or len(found) < limit):
        known = {n for n, _ in rows}
        if most is None and not (whole.checks or begun.checks):  # of all rows most have the words whole
            begun = begun._replace(match=f"({begun.match}) NOT ({whole.match})")
        rest = _sized(raw, plan, begun, None if most is None else most + len(known))
        found += _short_first([row for row in rest if row[0] not in known], 1.0, "words that begin so")
    return found[: limit if limit >= 0 else None]


def _sized(raw: sqlite3.Connection, plan: Plan, route: narrowing.Route, most: int | None) -> list[tuple[int, int]]:
    """The newest rows on a route, each with its letters."""
    columns = "r.n, " + " + ".join(f"coalesce(length(r.{column}), 0)" for column in _TEXTS[plan.what.kind])
    values = {**plan.values, "match": route.match}
    if not route.checks:
        limit = -1 if most is None else most
        return raw.execute(f"{plan.sql(columns)} ORDER BY h.n DESC LIMIT {limit}", values).fetchall()
    columns = ", ".join((columns, *(f"h.{column}" for column in plan.what.columns)))
    rows = raw.execute(f"{plan.sql(columns, plan.hits(texts=True))} ORDER BY h.n DESC", values)
    try:
        return list(islice(narrowing.passing(rows, route.checks), most))
    finally:
        rows.close()


def _short_first(rows: list[tuple[int, int]], least: float, what: str) -> list[Ranked]:
    if len(rows) > RANKED:
        why = f"{what}, newest first"
        return [(n, least, why) for n, _ in rows]
    why = f"{what}, short texts first"
    ordered = sorted(rows, key=lambda row: (row[1], -row[0]))
    return [(n, least + ORDINARY / (ORDINARY + letters), why) for n, letters in ordered]


_TEXTS = {"fact": ("content",), "turn": ("request", "response")}


def _by_rarity(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    terms = telling(plan.query.terms)
    names = {expression(term, prefix=plan.query.prefix): term.text for term in terms}
    reach = weighing.Reach(plan.what, " AND ".join(plan.where), plan.values)
    most = max(limit, NEWEST) if limit >= 0 else -1
    told = weighing.Words(raw, reach, most, prefix=plan.query.prefix).told(terms)
    fits = {n: sum(1 + tells / 100 for tells in words.values()) for n, words in told.items()}
    best = sorted(fits, key=lambda n: (-fits[n], -n))
    return [(n, fits[n], _matched(told[n], names)) for n in best[: limit if limit >= 0 else None]]


def telling(terms: tuple[Term, ...]) -> list[Term]:
    """The words of a question that say something; all of them where none does."""
    wanted = [_owner(term) for term in terms if not (term.literal or term.exclude)]
    return [term for term in wanted if not STOP_WORDS.issuperset(term.pieces)] or wanted


def _owner(wanted: Term) -> Term:
    """``Melanie`` where a question says ``Melanie's``: the text may name her otherwise."""
    if len(wanted.pieces) == 2 and wanted.pieces[1] == "s" and not wanted.phrase and wanted.text[-2:-1] in "'\u2019":
        return term_of(wanted.text[:-2])
    return wanted


def _matched(words: Collection[str], names: dict[str, str]) -> str:
    return "matches " + ", ".join(name for match, name in names.items() if match in words)
