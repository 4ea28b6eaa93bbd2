"""Which known fact a text repeats, found through the text index: a store of a million facts is never read through.

A fact that a text repeats has all its telling words, but for one that is misspelt
(:func:`memview.memory.likeness.repeats`). So it is among the facts that have all of them, or two of the three rarest.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from itertools import combinations
from operator import itemgetter

from rapidfuzz import fuzz, process

from memview.memory import likeness, wordlists
from memview.store import facts, index, select
from memview.store.facts import Scope
from memview.store.models import Fact
from memview.store.query import Query
from memview.store.words import STOP_WORDS, Term, expression, prepare, term

CANDIDATES = 400
"""The newest facts that one look into the index gives."""

COMMON = 4_000
"""Facts with a word, from which on it counts as common and is not counted further."""

WORTH = 80.0
"""The share of common words, in percent (rapidfuzz's ``token_set_ratio``), from which a candidate is read closely."""

_SILENT = frozenset().union(STOP_WORDS, wordlists.FILLERS, wordlists.NEGATIONS, wordlists.NUMBERS)
_KNOWN = ("active", "forgotten", "superseded")


def repeated(raw: sqlite3.Connection, scope: Scope, text: str, now: datetime) -> Fact | None:
    """The fact of a namespace that a text repeats: an active one, else one that was forgotten or superseded.

    Args:
        raw: an open connection; nothing is changed on it.
        scope: the tenant and the namespace.
        text: what is to be learnt.
        now: the present.
    """
    seen: set[int] = set()
    for terms in _looks(raw, text):
        query = Query(
            tenant=scope.tenant, namespace=scope.namespace, terms=terms, match="all", order="newest",
            statuses=_KNOWN, limit=CANDIDATES,
        )  # fmt: skip
        fresh = [n for n in select.find(raw, query, now).keys if n not in seen]
        seen.update(fresh)
        close = _close(text, facts.by_numbers(raw, fresh))
        if close:
            return min(close, key=lambda fact: (fact.status != "active", -likeness.similarity(text, fact.content)))
    return None


def _close(text: str, known: list[Fact]) -> list[Fact]:
    folded = [fact.content.casefold() for fact in known]
    worth = process.extract(text.casefold(), folded, scorer=fuzz.token_set_ratio, limit=None, score_cutoff=WORTH)
    return [known[at] for _, _, at in worth if likeness.repeats(text, known[at].content)]


def _looks(raw: sqlite3.Connection, text: str) -> Iterator[tuple[Term, ...]]:
    """What to look for, one after the other: all the words, then two of the three rarest."""
    words = _telling(text)
    if words:
        yield words
    rarest = _rarest(raw, words)
    if len(words) > 2:
        yield from combinations(rarest, 2)
    elif len(words) == 2:
        yield from ((word,) for word in rarest)


def _telling(text: str) -> tuple[Term, ...]:
    words = dict.fromkeys(prepare(text[: likeness.LONGEST]).split())
    telling = [word for word in words if word not in _SILENT] or list(words)
    return tuple(term(word) for word in telling[:64])


def _rarest(raw: sqlite3.Connection, words: tuple[Term, ...]) -> list[Term]:
    """The three words that the fewest facts have; those that none has are misspelt, or new."""
    hits = index.hits(raw, index.FACTS)
    counted = []
    for word in words:
        match = {"match": expression(word, prefix=False)}
        (found,) = raw.execute(f"SELECT count(*) FROM ({hits} LIMIT {COMMON})", match).fetchone()
        if found:
            counted.append((found, word))
    return [word for _, word in sorted(counted, key=itemgetter(0))[:3]]
