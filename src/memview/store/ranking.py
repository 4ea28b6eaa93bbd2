"""The order of records that match words: the one place that decides which come first.

``any`` (an agent's question): more matched words rank higher, then rarer ones, and ties are the newest first. ``all``
(what a person typed): the records that have every word whole come before those where one only begins a word, and of
each the short texts first; where very many match, no order by words says much, and the newest come first. So the first
rows cost little also where words are common. Both explain themselves in a few words.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Collection, Iterator
from functools import partial
from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING, Any

from memview.store import around, glimpse, initials, narrowing, walking, weighing, within
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

Sized = tuple[int, int]
"""A record's number and the letters of its text."""

Ranked = tuple[int, float, str]
"""A record's number, its score and what the score rests on."""


def ranked(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[Ranked]:
    """The plan's rows, best first, at most ``limit`` (-1 for all)."""
    if plan.query.context and plan.query.kind == "turns":
        return _in_context(raw, plan, limit)
    return _by_rarity(raw, plan, limit) if plan.query.match == "any" else _whole_first(raw, plan, limit)


def numbers(raw: sqlite3.Connection, plan: Plan) -> array[int]:
    """The numbers of all the plan's rows that match all words, in the order of `ranked`, in little memory."""
    whole, begun = (_numbers(raw, plan, _route(plan, inf, prefix=prefix)) for prefix in (False, plan.query.prefix))
    return _ordered(raw, plan, whole) + _ordered(raw, plan, _without(begun, whole))


def _numbers(raw: sqlite3.Connection, plan: Plan, route: narrowing.Route) -> array[int]:
    """The numbers of the rows on a route, newest first."""
    if route.checks:
        return array("q", (n for n, _, _ in _texts(raw, plan, route)))
    return array("q", chain.from_iterable(_hits(raw, plan, f"{plan.sql('r.n')} ORDER BY h.n DESC", route)))


def _without(found: array[int], known: array[int]) -> array[int]:
    """Numbers that are not among others; both are in falling order."""
    if not known or len(known) == len(found):
        return array("q") if known else found
    others = iter(known)
    other = next(others)
    left = array("q")
    for n in found:
        while other > n:
            other = next(others, -1)
        if other != n:
            left.append(n)
    return left


def _ordered(raw: sqlite3.Connection, plan: Plan, found: array[int]) -> array[int]:
    """Rows of one kind as `_short_first` orders them, given newest first."""
    if len(found) > RANKED or len(found) < 2:
        return found
    sql = f"SELECT r.n, {_letters(plan)} FROM {plan.what.table} r WHERE r.n IN (SELECT value FROM json_each(?))"
    rows = raw.execute(sql, (json.dumps(found.tolist()),)).fetchall()
    return array("q", [n for n, _, _ in _short_first(rows, 0.0, "")])


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
    most = max(limit, RANKED + 1) if limit >= 0 else None
    rows, rest = _at_once(raw, plan, most) or _one_by_one(raw, plan, limit, most)
    found = [*_short_first(rows, 2.0, "all words"), *_short_first(rest, 1.0, "words that begin so")]
    return found[: limit if limit >= 0 else None]


def _one_by_one(raw: sqlite3.Connection, plan: Plan, limit: int, most: int | None) -> tuple[list[Sized], list[Sized]]:
    """The newest rows with all words whole, and those with a begun one unless the former are enough."""
    whole, begun = _routes(raw, plan, most)
    rows = _sized(raw, plan, whole, most, prefix=False)
    if whole[:2] == begun[:2] or 0 <= limit <= len(rows):
        return rows, []
    if most is None and not (whole.checks or begun.checks):  # of all rows most have the words whole
        begun = begun._replace(match=f"({begun.match}) NOT ({whole.match})")
    known = {n for n, _ in rows}
    rest = _sized(raw, plan, begun, None if most is None else most + len(known), prefix=True)
    return rows, [row for row in rest if row[0] not in known]


def _at_once(raw: sqlite3.Connection, plan: Plan, most: int | None) -> tuple[list[Sized], list[Sized]] | None:
    """The same in one go, the texts telling which rows are which: where so few are expected that all are read."""
    whole, begun = _routes(raw, plan, most)
    words = narrowing.told_by_text(plan.query.terms, prefix=False)
    if words is None or most is None or whole[:2] == begun[:2] or begun.expected >= most:
        return None
    found = list(islice(_texts(raw, plan, begun), most))
    if len(found) == most:
        return None
    known = {n for n, _, _ in narrowing.passing(found, words)}
    sized = [(n, letters) for n, letters, _ in found]
    return [row for row in sized if row[0] in known], [row for row in sized if row[0] not in known]


def _routes(raw: sqlite3.Connection, plan: Plan, most: int | None) -> list[narrowing.Route]:
    """The ways to the rows with all words whole and to those with all words begun."""
    wanted = inf if most is None else most
    if plan.guide is None and plan.records >= glimpse.LARGE:
        plan.guide = narrowing.Guide(glimpse.Glimpse(raw, plan.what, plan.records), exact=False)
    return [_route(plan, wanted, prefix=prefix) for prefix in (False, plan.query.prefix)]


def _route(plan: Plan, most: float, *, prefix: bool) -> narrowing.Route:
    beginnings = partial(initials.beginnings, plan.raw, plan.what)
    return narrowing.route(plan.query.terms, plan.guide, beginnings, prefix=prefix, most=most, part=plan.part)


def newest(raw: sqlite3.Connection, plan: Plan, limit: int) -> list[int]:
    """The numbers of the plan's newest rows with all words."""
    begun = _routes(raw, plan, limit)[1]
    return [n for n, _ in _sized(raw, plan, begun, limit, prefix=plan.query.prefix)]


def _sized(
    raw: sqlite3.Connection, plan: Plan, route: narrowing.Route, most: int | None, *, prefix: bool
) -> list[Sized]:
    """The newest rows on a route, each with its letters."""
    read = None if most is None else _read(plan, route, most, prefix)
    if read is not None:
        return [(n, letters) for n, letters, _ in islice(read, most)]
    if route.checks:
        return [(n, letters) for n, letters, _ in islice(_texts(raw, plan, route), most)]
    limit = -1 if most is None else most
    sql = f"{plan.sql(f'r.n, {_letters(plan)}')} ORDER BY h.n DESC LIMIT {limit}"
    return list(islice(_hits(raw, plan, sql, route), most))


def _read(plan: Plan, route: narrowing.Route, most: int, prefix: bool) -> Iterator[narrowing.Row] | None:
    """The rows on a route without asking the index, where that is quicker."""
    words = narrowing.told_by_text(plan.query.terms, prefix=prefix and plan.query.prefix)
    excluded = any(term.exclude and not term.literal for term in plan.query.terms)
    return None if words is None or excluded else walking.newest(plan, words, most, route, _letters(plan))


def _texts(raw: sqlite3.Connection, plan: Plan, route: narrowing.Route) -> Iterator[narrowing.Row]:
    """The rows on a route, newest first, each with its letters and its prepared text."""
    text = "||".join(f"' '||h.{column}" for column in plan.what.columns)
    heads = {f"head{place}": f" {check.head}" for place, check in enumerate(route.checks)}
    where = "".join(f" AND instr({text}, :{name})" for name in heads)  # spares most rows the way to the record
    sql = f"{plan.sql(f'r.n, {_letters(plan)}, {text}', texts=True)}{where} ORDER BY h.n DESC"
    return iter(narrowing.passing(_hits(raw, plan, sql, route, **heads), route.checks))


def _hits(raw: sqlite3.Connection, plan: Plan, sql: str, route: narrowing.Route, **values: str) -> Iterator[Any]:
    """What a SELECT of the hits on a route gives, newest first."""
    marked = plan.marked if route.light else None
    return within.newest(raw, sql, {**plan.values, **values, "match": route.match}, marked)


def _letters(plan: Plan) -> str:
    return " + ".join(f"coalesce(length(r.{column}), 0)" for column in _TEXTS[plan.what.kind])


def _short_first(rows: list[Sized], least: float, what: str) -> list[Ranked]:
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
    one_state = len(plan.query.statuses) == 1
    reach = weighing.Reach(plan.what, " AND ".join(plan.where), plan.values, plan.scope, one_state)
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
