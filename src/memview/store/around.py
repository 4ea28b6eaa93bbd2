"""What was said around: a turn is found by the words of its neighbours too, and a fact by those of its turns.

A question's words rarely stand all in the turn that answers it: the exchange before named the place, the one after the
day. Each word therefore counts for a turn by its rarity where it stands in the turn, and by less where it stands in one
of the three turns before or after it in the session; each word counts once, where it is nearest. A fact that knows its
turns is found by what counts for them, a little less than by its own words. Nothing of that is kept in an index. A
question that names a month, a year or a day is also answered rather by what was said then.

How much is looked at is bounded: rare words first, and of a word that very many turns have, the newest.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any, NamedTuple

from memview.store import index
from memview.store.words import Term, as_text, expression

BESIDE = (1.0, 0.6, 0.42, 0.35)
"""What a word counts in the turn itself, in the next one, in the one after that: ``0.6 / sqrt(distance)``."""
OF_SOURCE = 0.9
"""What it counts for a fact where it counts for a turn that the fact came from."""
NEWEST = 400
"""How many turns a word brings that has more."""
LOOKED_AROUND = 800
"""How many turns with one of the words are looked around from."""
FOLLOWED = 300
"""From how many of the best turns, and of the best facts, the way to the other kind is followed."""
COUNTED = 20_000
"""Turns up to which the frequency of a word is told exactly."""

Told = dict[int, dict[str, float]]
"""By record, the words that speak for it and how much each does."""


class Word(NamedTuple):
    """A word of a question."""

    match: str
    """What FTS5 is asked."""
    weight: float
    """How much it tells: its inverse document frequency among the turns."""


@dataclass(slots=True)
class Scene:
    """Where to look: the turns ``r`` for which some conditions hold."""

    raw: sqlite3.Connection
    where: str
    values: dict[str, Any] = field(default_factory=dict)
    bounded: bool = True
    """False leaves out no turn, at any cost."""

    def rows(self, sql: str, **values: Any) -> list[Any]:
        """What a statement gives with the values of the conditions and its own."""
        return self.raw.execute(sql, {**self.values, **values}).fetchall()


def turns(scene: Scene, wanted: Sequence[Term], text: str) -> Told:
    """The turns for which words of a question speak, in the turn itself or beside it.

    Args:
        scene: where to look.
        wanted: the words, none of them literal.
        text: the whole question, for the dates in it.
    """
    hits = _hits(scene, _weighed(scene, wanted))
    told: Told = {}
    for n, before, after in _neighbours(scene, hits):
        words = hits[n]
        _tell(told, n, words, BESIDE[0])
        for side in (before, after):
            for share, other in zip(BESIDE[1:], json.loads(side), strict=False):
                _tell(told, other, words, share)
    _tell_dates(scene, told, text)
    return told


def facts(facts_: Scene, own: Told, said: Told) -> Told:
    """The facts for which words speak: their own, or those around the turns that they came from.

    Args:
        facts_: which facts ``r`` there are.
        own: what the facts' own words tell.
        said: what :func:`turns` gave.
    """
    told = {n: dict(words) for n, words in own.items()}
    sources = _sources(facts_, _reached(facts_, _best(said, facts_.bounded)) | set(_best(own, facts_.bounded)))
    for n, turn in sources:
        if words := said.get(turn):
            _tell(told, n, words, OF_SOURCE)
    return told


def scores(told: Told) -> dict[int, float]:
    """How much all words together tell for each record."""
    return {n: sum(words.values()) for n, words in told.items()}


def _tell(told: Told, n: int, words: dict[str, float], share: float) -> None:
    known = told.setdefault(n, {})
    for match, weight in words.items():
        if weight * share > known.get(match, 0.0):
            known[match] = weight * share


def _weighed(scene: Scene, wanted: Iterable[Term]) -> list[Word]:
    """The words, rarest first; those that no turn has are left out."""
    (size,) = scene.raw.execute("SELECT coalesce(max(n), 1) FROM turns").fetchone()
    counted = f"SELECT count(*) FROM (SELECT n FROM ({index.hits(scene.raw, index.TURNS)}) LIMIT {COUNTED})"
    found = []
    for match in dict.fromkeys(expression(term, prefix=False) for term in wanted):
        (count,) = scene.raw.execute(counted, {"match": match}).fetchone()
        if count:
            found.append(Word(match, math.log(1 + (max(size - count, 0) + 0.5) / (count + 0.5))))
    return sorted(found, key=lambda word: -word.weight)


def _hits(scene: Scene, words: Iterable[Word]) -> Told:
    """The turns that have one of the words themselves."""
    found: Told = {}
    most = NEWEST if scene.bounded else -1
    sql = (
        f"SELECT r.n FROM ({index.hits(scene.raw, index.TURNS)}) h CROSS JOIN turns r ON r.n = h.n "
        f"WHERE {scene.where} ORDER BY h.n DESC LIMIT {most}"
    )
    for word in words:
        if scene.bounded and len(found) >= LOOKED_AROUND:
            break
        for (n,) in scene.rows(sql, match=word.match):
            found.setdefault(n, {})[word.match] = word.weight
    return found


def _neighbours(scene: Scene, numbers: Iterable[int]) -> list[tuple[int, str, str]]:
    """Each turn with the numbers of those before it and after it in its session, the nearest first."""
    same = "b.tenant = r.tenant AND b.namespace IS r.namespace AND b.session = r.session"
    side = (
        f"(SELECT json_group_array(n) FROM (SELECT b.n FROM turns b WHERE {same} AND b.n {{}} r.n "
        f"ORDER BY b.n {{}} LIMIT {len(BESIDE) - 1}))"
    )
    sql = (
        f"SELECT r.n, {side.format('<', 'DESC')}, {side.format('>', 'ASC')} "
        "FROM json_each(:numbers) w CROSS JOIN turns r ON r.n = w.value"
    )
    return scene.rows(sql, numbers=json.dumps(list(numbers)))


def _reached(scene: Scene, numbers: list[int]) -> set[int]:
    """The facts that came from these turns."""
    sql = (
        "SELECT r.n FROM json_each(:numbers) w CROSS JOIN turns t ON t.n = w.value "
        f"CROSS JOIN evidence e ON e.turn = t.id CROSS JOIN facts r ON r.id = e.fact WHERE {scene.where}"
    )
    return {n for (n,) in scene.rows(sql, numbers=json.dumps(numbers))}


def _sources(scene: Scene, numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Each of these facts with each of the turns that it came from."""
    sql = (
        "SELECT r.n, t.n FROM json_each(:numbers) w CROSS JOIN facts r ON r.n = w.value CROSS JOIN "
        "json_each(iif(json_valid(r.turns), r.turns, '[]')) s CROSS JOIN turns t ON t.id = s.value "
        "WHERE t.tenant = r.tenant"
    )
    return scene.rows(sql, numbers=json.dumps(list(numbers)))


def _best(told: Told, bounded: bool) -> list[int]:
    if not bounded or len(told) <= FOLLOWED:
        return list(told)
    fits = scores(told)
    return nlargest(FOLLOWED, fits, key=lambda n: (fits[n], n))


_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTHS = _MONTH.split("|")
_DATE = re.compile(
    rf"\b(?:(?P<before>[0-3]?\d)(?:st|nd|rd|th)?(?: of)? )?(?P<month>{_MONTH})\b(?: (?P<after>[0-3]?\d)\b(?!\d))?"
    rf"|\b(?P<year>(?:19|20)\d\d)\b"
)
_TELLS = {"month": math.log(12), "day": math.log(30), "year": math.log(3)}
"""How much a part of a date tells: one month in twelve has it."""


def _tell_dates(scene: Scene, told: Told, text: str) -> None:
    """Let the parts of dates in a question speak for the turns of that time among those that were found."""
    asked = _dates(text)
    if not asked or not told:
        return
    sql = "SELECT r.n, r.at FROM json_each(:numbers) w CROSS JOIN turns r ON r.n = w.value"
    for n, at in scene.rows(sql, numbers=json.dumps(list(told))):
        stood = as_text(at)
        parts = {"year": stood[:4], "month": stood[5:7], "day": stood[8:10]}
        told[n].update({part: _TELLS[part] for part, value in asked if parts[part] == value})


def _dates(text: str) -> set[tuple[str, str]]:
    """The years, months and days that a question names, as they stand in a stored time. A month has a capital."""
    found = set()
    for date in _DATE.finditer(text):
        if date["year"]:
            found.add(("year", date["year"]))
            continue
        found.add(("month", f"{_MONTHS.index(date['month']) + 1:02d}"))
        day = date["before"] or date["after"]
        if day:
            found.add(("day", f"{int(day):02d}"))
    return found
