"""How the records that have all words of a query are found soonest.

The index gives the records with a rare word in microseconds, but a word that very many have costs it milliseconds: all
of its records are passed, and of one that only begins words those of every word that it begins are merged first. So the
index is asked for the rare words, and a common word is looked for in the records that these leave. A word that begins
only few words is asked for as those, and one of a single letter as all beginnings of two. Which is cheaper is told by
the vocabulary's counts; that they may be out of date costs time, never a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import TYPE_CHECKING, NamedTuple

from memview.store.porter import stem
from memview.store.words import (
    STOP_WORDS,
    Term,
    all_of,
    beginning,
    expression,
    is_prefix,
    one_of,
    opened,
    together,
)

if TYPE_CHECKING:
    from memview.store.glimpse import Glimpse
    from memview.store.vocabulary import Vocabulary

A_ROW = 100
"""How many records of a word are passed in the time that it takes to read one record and look for the word in it."""
FEW = 8
"""Lists of words that are opened in the time that it takes to pass some thousands of hits."""
A_WORD = 700
"""How many records of a begun word are merged in the time that it takes to open the list of one word."""


Row = tuple[int, int, str]
"""A record's number, the letters of its text, and the prepared text with a blank before each word."""

Told = Callable[[str], Sequence[str] | None]
"""Tells with what the words begin that begin with a letter; None where it does not."""

INDEXED = 2
"""Letters of a beginning that the index has as if it were a word; see `memview.store.schema`."""


class Guide(NamedTuple):
    """What is known of an index before it is asked."""

    words: Vocabulary | Glimpse
    exact: bool
    """Whether it has every word that the index has."""


class Check(NamedTuple):
    """A word that is looked for in a record's prepared text, by the rules of the index."""

    filed: str
    prefix: bool

    @property
    def head(self) -> str:
        """What a word begins with whose stem begins with the filed one.

        A stem ends as its word does not where ``y`` became ``i``, or ``e`` or ``bl(e)`` stands in an ending's place.
        """
        changed = 2 if self.filed.endswith("ble") else 1 if self.filed.endswith(("i", "e", "bl")) else 0
        return self.filed[: len(self.filed) - changed] or self.filed

    def holds(self, text: str) -> bool:
        """Whether a prepared text, with a blank before each word, has the word."""
        head = f" {self.head}"
        start = text.find(head)
        while start >= 0:
            end = text.find(" ", start + 1)
            word = stem(text[start + 1 : end if end >= 0 else None])
            if word == self.filed or (self.prefix and word.startswith(self.filed)):
                return True
            start = text.find(head, end) if end >= 0 else -1
        return False


class Route(NamedTuple):
    """What the index is asked, and what is looked for in the records that it gives."""

    match: str
    checks: tuple[Check, ...] = ()
    expected: float = inf
    """How many records it may lead to, as far as is known."""
    merges: bool = True
    """Whether the index may have to merge the lists of many words."""

    @property
    def light(self) -> bool:
        """Whether the index may be asked several times: it opens few lists for that, and merges none."""
        return not self.merges and self.match.count('"') <= 2 * FEW


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A term, and what the vocabulary says of it."""

    match: str
    records: int
    """In how many records it may stand."""
    cost: int
    """What asking the index for it costs, as records merged."""
    filed: str
    """As the index files it, where it can be looked for in a text; else empty."""
    prefix: bool
    wide: int = 0
    """In how many records a word begins with its first letters, of which the index has a list; 0 where it has not."""
    open: Term | None = None
    """The term, where its last word is one letter, so that the index would merge all words that begin with it."""


def route(
    terms: Sequence[Term], guide: Guide | None, told: Told, *, prefix: bool, most: float = inf, part: float = 1
) -> Route:
    """The cheapest way to the newest records that have every term and none of the excluded ones.

    Args:
        terms: at least one of them neither literal nor excluded.
        guide: what is known of the index; without it only the shortest beginnings are not asked for.
        told: what is told of the index besides; see `memview.store.initials`.
        prefix: whether unquoted words stand for what they begin.
        most: how many records are wanted.
        part: which part of all records they are among; the others are passed unread.
    """
    wanted = [term for term in terms if not (term.literal or term.exclude)]
    if guide is None:
        return _unguided(wanted, terms, prefix)
    weighed = sorted((_weigh(term, guide, prefix) for term in wanted), key=lambda one: (bool(one.filed), one.records))
    size, left, needed = guide.words.records, guide.words.records * part, most
    asked: list[str] = []
    checks: list[Check] = []
    merges = False
    for one in weighed:
        share = min(1.0, max(one.records, 1) / size)
        if asked and one.filed and one.cost >= min(left, needed / share) * A_ROW:
            checks.append(Check(one.filed, one.prefix))
            needed /= share
            continue
        read = min(left * one.wide / size, needed * one.wide / max(one.records, 1))
        match, looked_for, merged = _asked(one, read, told)
        asked.append(match)
        checks += looked_for
        merges = merges or merged
        left *= share
    expected = size * part * prod(min(1.0, one.records / size) for one in weighed)
    return Route(together(asked, terms), tuple(checks), expected, merges)


def _asked(one: _Weighed, read: float, told: Told) -> tuple[str, tuple[Check, ...], bool]:
    """What the index is asked for a term, what is looked for in what it gives, and whether it merges lists for that.

    Args:
        one: the term.
        read: how many records would be read if its first letters were asked for.
        told: see `route`.
    """
    if len(one.filed) > INDEXED and one.wide and read * A_ROW < one.cost:
        return beginning(one.filed[:INDEXED]), (Check(one.filed, one.prefix),), False
    if one.open and (begun := told(one.open.pieces[-1])):
        return opened(one.open, begun), (), bool(one.open.whole)
    return one.match, (), bool(one.wide) or not one.filed


def _unguided(wanted: Sequence[Term], terms: Sequence[Term], prefix: bool) -> Route:
    """A short beginning is looked for in the records that have the other words."""
    short = [term for term in wanted if _is_short(term, prefix)]
    if len(short) == len(wanted):
        return Route(all_of(terms, prefix=prefix))
    asked = [expression(term, prefix=prefix) for term in wanted if term not in short]
    filed = [stem(term.pieces[0]) for term in short]
    return Route(together(asked, terms), tuple(Check(word, True) for word in filed))


def _is_short(term: Term, prefix: bool) -> bool:
    """Whether a term is a beginning for which the index certainly merges very many records."""
    if not (is_prefix(term, prefix=prefix) and _is_simple(term)):
        return False
    (word,) = term.pieces
    return len(word) < INDEXED or (len(word) == INDEXED + 1 and word in STOP_WORDS)


def told_by_text(terms: Sequence[Term], *, prefix: bool) -> tuple[Check, ...] | None:
    """What tells in a record's text whether it has every term; None where a text alone does not tell."""
    wanted = [term for term in terms if not (term.literal or term.exclude)]
    if not all(_is_simple(term) for term in wanted):
        return None
    return tuple(Check(stem(term.pieces[0]), is_prefix(term, prefix=prefix)) for term in wanted)


def _is_simple(term: Term) -> bool:
    return len(term.pieces) == 1 and not term.whole and term.pieces[0].isascii()


def passing(rows: Iterable[Row], checks: Sequence[Check]) -> Iterable[Row]:
    """Those of some rows whose texts hold what is looked for."""
    return (row for row in rows if all(check.holds(row[2]) for check in checks))


def _weigh(term: Term, guide: Guide, prefix: bool) -> _Weighed:
    begins, words = is_prefix(term, prefix=prefix), guide.words
    open_ended = term if begins and len(term.pieces[-1]) < INDEXED else None
    if not _is_simple(term):
        return _Weighed(expression(term, prefix=prefix), _reach(term, words, begins), 0, "", begins, open=open_ended)
    filed = stem(term.pieces[0])
    records = words.reach(filed, prefix=begins)
    begun = words.begun(filed, most=records // A_WORD) if begins and guide.exact else None
    if begun and (len(begun) > 1 or stem(begun[0]) != filed):
        return _Weighed(one_of(begun), records, A_WORD * len(begun) + records // 2, filed, begins)
    begins = begins and not begun
    merged = begins and len(filed) != INDEXED
    cost = records if merged else A_WORD + records // 2
    wide = words.reach(filed[:INDEXED], prefix=True) if merged else 0
    return _Weighed(expression(term, prefix=begins), records, cost, filed, begins, wide, open_ended if merged else None)


def _reach(term: Term, words: Vocabulary | Glimpse, begins: bool) -> int:
    """In how many records a term of several words may stand."""
    *first, last = map(stem, term.pieces)
    pieces = min([words.reach(last, prefix=begins), *(words.reach(piece, prefix=False) for piece in first)])
    return pieces + (words.reach(stem(term.whole), prefix=begins) if term.whole else 0)
