"""What else rests on the wording of a fact: facts made from it, facts and turns that say the same."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from memview.memory import looking
from memview.memory.looking import FactDetail, FactRow, Query, TurnRow

NEAR = 90
"""How alike two texts are, of 100, to say the same (rapidfuzz's token set ratio)."""
_MOST = 50
"""How many records of a search are compared."""
_TELLING = re.compile(r"\w{3,}")


class Resting(NamedTuple):
    """What rests on a wording."""

    derived: list[FactRow]
    """Facts made from it."""
    same: list[FactRow]
    """Other facts of the namespace that say the same."""
    turns: list[TurnRow]
    """Turns that say it: those it came from, then others."""


def resting(raw: sqlite3.Connection, fact: FactDetail, now: datetime) -> Resting:
    """What rests on the wording of a fact, and agents still get.

    Args:
        raw: the open store.
        fact: the fact.
        now: the present moment.
    """
    near = looking.neighbours(raw, fact.row.id)
    derived = [n.fact for n in near if n.kind == "derived-from" and not n.outward and n.fact.status == "active"]
    known = {fact.row.id, *(row.id for row in derived)}
    says_it = _comparison(fact.content)
    asked = _query(fact, now)
    here = replace(asked, namespace=fact.row.namespace)
    found = looking.fact_rows(raw, _keys(raw, here, now)).values() if asked.terms else ()
    same = [row for row in found if row.id not in known and says_it(row.content)]
    return Resting(derived, same, _turns(raw, fact, replace(asked, kind="turns"), says_it, now))


def _turns(
    raw: sqlite3.Connection, fact: FactDetail, asked: Query, says_it: Callable[[str], bool], now: datetime
) -> list[TurnRow]:
    sources = [source.turn for source in looking.sources(raw, fact.turns) if source.turn is not None]
    found = looking.turn_rows(raw, _keys(raw, asked, now)).values() if asked.terms else ()
    known = {turn.id for turn in sources}
    return sources + [
        turn for turn in found if turn.id not in known and (says_it(turn.request) or says_it(turn.response))
    ]


def _query(fact: FactDetail, now: datetime) -> Query:
    """A search for the fact's telling words; letters and digits alone are no syntax."""
    base = Query(tenant=fact.row.tenant, match="any", order="relevance", limit=_MOST)
    return looking.parse(" ".join(_words(fact.content)), now=now, base=base).query


def _words(text: str) -> Iterable[str]:
    return dict.fromkeys(_TELLING.findall(text[:2_000].lower()))


def _keys(raw: sqlite3.Connection, query: Query, now: datetime) -> list[int]:
    return list(looking.find(raw, query, now).keys)


def _comparison(text: str) -> Callable[[str], bool]:
    """Tells of a text whether it says the same: one word in common is not enough."""
    from memview.fuzzy import fuzz

    words = list(_words(text))
    joined, telling, least = " ".join(words), set(words), min(2, len(words))

    def says_it(other: str) -> bool:
        theirs = list(_words(other))
        return len(telling.intersection(theirs)) >= least and fuzz.token_set_ratio(joined, " ".join(theirs)) >= NEAR

    return says_it
