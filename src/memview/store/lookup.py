"""A search as a person means it: all words; failing that the words they may have meant; failing that any of them.

A word may be mistyped, or be a part of one: ``ploy`` is in ``deploy``.

The fallbacks are for looking only. Counts and bulk actions take the query as it stands.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Literal, NamedTuple

from memview.store import index, select
from memview.store.conditions import Query
from memview.store.select import Found
from memview.store.words import Term, distinct, expression, term

if TYPE_CHECKING:
    from memview.store.vocabulary import Vocabulary

_STALE_AFTER = 1_000
"""Changes after which a vocabulary is read again, at least."""
_STALE_SHARE = 0.02
"""The share of the records that must have changed by then, for at a million the words take a second to read."""

_READINGS = 4
"""How many ways to read mistyped words are looked for."""

_TELLING = 5
"""A shorter stem that a word begins with says little of what was meant; a correction comes first."""


class _Known(NamedTuple):
    seq: int
    """The last change that the words know of."""
    words: Vocabulary
    whole: bool
    """Whether no record waited to be indexed when the words were read."""

    @property
    def good_until(self) -> float:
        """The change from which on the words are read again."""
        return self.seq + max(_STALE_AFTER, _STALE_SHARE * self.words.records)


class Lookup:
    """Searches over a store, with the vocabulary that corrections need kept between them.

    Args:
        learns: whether a search that needs the vocabulary reads it, which takes a second where there are a million
            records; else somebody calls `learn`, and nothing is corrected before.
        scored: whether scores are wanted; see `select.find`.
    """

    def __init__(self, *, learns: bool = True, scored: bool = True) -> None:
        self._learns = learns
        self._scored = scored
        self._known: dict[str, _Known] = {}

    def knows(self, kind: Literal["facts", "turns"], seq: int | None = None) -> bool:
        """Whether there is a vocabulary for searches of a kind, and it is still good at a change."""
        known = self._known.get(kind)
        return known is not None and (seq is None or known.seq <= seq < known.good_until)

    def learn(self, raw: sqlite3.Connection, kind: Literal["facts", "turns"]) -> None:
        """Read the vocabulary for searches of a kind, unless the one at hand is still good."""
        what = index.FACTS if kind == "facts" else index.TURNS
        seq = _last(raw)
        if not self.knows(kind, seq):
            from memview.store.vocabulary import Vocabulary

            (size,) = raw.execute(f"SELECT coalesce(max(n), 0) FROM {what.table}").fetchone()
            self._known[kind] = _Known(seq, Vocabulary(_words(raw, what), size), not _waiting(raw))

    def find(self, raw: sqlite3.Connection, query: Query, now: datetime) -> Found:
        """The records of a query, or where it has none those of its corrected or loosened words; ``how`` says which."""
        words = [wanted for wanted in query.terms if not (wanted.literal or wanted.exclude)]
        hopeless = query.match == "all" and any(self._is_unknown(raw, query, wanted) for wanted in words)
        found = Found(array("q")) if hopeless else self._find(raw, query, now)
        if found.keys or not words or query.match == "any":
            return found
        readings = self._readings(raw, query)
        if readings != [query.terms]:
            found = self._of_readings(raw, query, now, readings)
            if found.keys:
                return found
        if len(words) > 1:
            found = select.find(raw, replace(query, terms=readings[0], match="any", prefix=False), now)
            if found.keys:
                return replace(found, how="any", terms=readings[0])
        return replace(found, how="all", terms=query.terms)

    def _of_readings(
        self, raw: sqlite3.Connection, query: Query, now: datetime, readings: Sequence[tuple[Term, ...]]
    ) -> Found:
        """The records of what may have been meant: of the likeliest, and of the others where these are not enough."""
        all_found, meant, known = Found(array("q"), how="corrected"), [], set[int]()
        for reading in readings:
            left = None if query.limit is None else query.limit - len(known)
            if left == 0:
                break
            found = self._find(raw, replace(query, terms=reading), now)
            keys = [n for n in found.keys if n not in known][:left]
            if keys:
                meant.append(reading)
                known.update(keys)
                all_found.keys.extend(keys)
                all_found.scores.update((n, found.scores[n]) for n in keys if n in found.scores)
                all_found.why.update((n, found.why[n]) for n in keys if n in found.why)
        return replace(all_found, terms=distinct(chain.from_iterable(meant)), readings=tuple(meant))

    def _find(self, raw: sqlite3.Connection, query: Query, now: datetime) -> Found:
        known = self._known.get(query.kind)
        if known is None:
            return select.find(raw, query, now, scored=self._scored)
        from memview.store.narrowing import Guide

        exact = known.whole and known.seq == _last(raw) and not _waiting(raw)
        return select.find(raw, query, now, Guide(known.words, exact), scored=self._scored)

    def _is_unknown(self, raw: sqlite3.Connection, query: Query, wanted: Term) -> bool:
        """Whether no record has a word, by the vocabulary and then by the index: quicker than all words."""
        known = self._known.get(query.kind)
        if known is None or len(wanted.pieces) != 1 or wanted.whole or known.words.has_prefix(wanted.text):
            return False
        hits = index.hits(raw, index.FACTS if query.kind == "facts" else index.TURNS)
        match = expression(wanted, prefix=query.prefix)
        return raw.execute(f"SELECT 1 FROM ({hits}) LIMIT 1", {"match": match}).fetchone() is None

    def _readings(self, raw: sqlite3.Connection, query: Query) -> list[tuple[Term, ...]]:
        """What the words may have meant, the likeliest first; the words alone where nothing is known."""
        if self._learns:
            self.learn(raw, query.kind)
        known = self._known.get(query.kind)
        if known is None:
            return [query.terms]
        meant = [_meant(wanted, known.words) for wanted in query.terms]
        return list(islice(product(*meant), _READINGS))


def _last(raw: sqlite3.Connection) -> int:
    (seq,) = raw.execute("SELECT coalesce(max(seq), 0) FROM changes").fetchone()
    return int(seq)


def _waiting(raw: sqlite3.Connection) -> bool:
    return raw.execute("SELECT 1 FROM queue LIMIT 1").fetchone() is not None


def _words(raw: sqlite3.Connection, what: index.Indexed) -> Iterable[tuple[str, int]]:
    name = f"{what.table}_vocabulary"
    raw.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{name} USING fts5vocab('main', '{what.words}', 'row')")
    return raw.execute(f"SELECT term, doc FROM temp.{name}")


def _meant(wanted: Term, vocabulary: Vocabulary) -> list[Term]:
    """What a term may have meant where the index does not know it, the likeliest first; else the term alone."""
    word = wanted.whole or "".join(wanted.pieces)
    if wanted.exclude or wanted.phrase or not (wanted.whole or len(wanted.pieces) == 1) or vocabulary.has_prefix(word):
        return [wanted]
    stem = None if wanted.whole else vocabulary.stem_of(wanted.text)
    typed = word if wanted.whole else wanted.text
    meant = vocabulary.corrections(typed, closest=True) or vocabulary.holding(typed)
    if stem is not None:
        meant = [stem, *meant] if len(stem) >= _TELLING else [*meant, stem][: len(meant) or 1]
    return [term(instead) for instead in meant] or [wanted]
