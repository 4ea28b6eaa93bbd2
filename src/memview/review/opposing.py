"""Whether texts give the same thing different values, so that only one of them can hold.

The measure: two texts are alike in all their telling words (by their stems, in their order) but for one place, where
each has other numbers, weekdays or times; or nothing differs but that one of them says no. Any other one or two words,
names among them, exclude others only after a word that speaks of something of which there is one: where somebody lives,
what the default is, who leads (:data:`SINGLE`); or, with two more words the same, after what is preferred. Where more
than :data:`MOST` values stand in the same place it is a list (``Invoice 17 was paid``), not a conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from memview.memory import wordlists
from memview.review.wording import spoken
from memview.store.porter import stem

Kind = Literal["number", "negation", "weekday", "date", "word"]

MOST = 4
"""How many values of one place may exclude each other; more are a list of things."""
_LONGEST = 60
"""Telling words of a text that is looked at; a longer one says many things."""
_FILLERS = wordlists.FILLERS | {"s", "user", "now", "still", "to"}
_SINGLE = (
    "lives living based located office headquarters employer married born birthday timezone default defaults favorite "
    "favourite named called primary main owner lead leads manager manages version branch password host port deadline "
    "due scheduled starts ends opens closes region capital"
)
SINGLE = frozenset(map(stem, _SINGLE.split()))
"""Stems of words that speak of something of which there is one."""
_PREFERRED = frozenset(map(stem, ("prefers", "preferred", "preference")))
_WEEKDAYS = frozenset(map(stem, wordlists.WEEKDAYS))
_DATES = frozenset(map(stem, wordlists.DATES))


class Slot(NamedTuple):
    """A place of a text in which a value stands."""

    frame: tuple[str, ...]
    """The stems of the other words, with a gap where the value stands."""
    value: tuple[str, ...]
    """The value, in words; for a negation ``yes`` or ``no``."""


def slots(text: str) -> Iterator[Slot]:
    """Every place of a text in which another value would exclude it."""
    said = spoken(text)
    words = [word for word in said if word not in _FILLERS and word not in wordlists.NEGATIONS]
    if not 2 <= len(words) <= _LONGEST:
        return
    stems = [stem(word) for word in words]
    negated = sum(word in wordlists.NEGATIONS for word in said) % 2
    for start, end in (*_closed(stems), *_single(stems)):
        yield Slot((*stems[:start], "", *stems[end:], *_NOT[:negated]), tuple(words[start:end]))
    yield Slot(tuple(stems), _YES_NO[negated])


def kind_of(a: Sequence[str], b: Sequence[str]) -> Kind:
    """What two values of one place differ in."""
    if a in _YES_NO:
        return "negation"
    return next((class_of(stem(x)) for x, y in zip(a, b, strict=False) if x != y), "number")


@lru_cache(maxsize=65_536)
def class_of(word: str) -> Kind:
    """What a stem is: a number, a weekday, a time, or any other word."""
    if word in wordlists.NUMBERS or (not word.isalpha() and any(map(str.isdigit, word))):
        return "number"
    return "weekday" if word in _WEEKDAYS else "date" if word in _DATES else "word"


_NOT = ("not",)
_YES_NO = (("yes",), ("no",))


def _closed(stems: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where numbers, weekdays and times stand, those beside each other as one.

    A number that only tells which thing is spoken of is none, as in ``server 2 uses 14 workers``.
    """
    at = 0
    for open_, run in groupby(stems, key=lambda word: class_of(word) == "word"):
        end = at + len(list(run))
        if not open_ and end - at < len(stems) and not (at == 1 and any(class_of(w) == "number" for w in stems[end:])):
            yield at, end
        at = end


def _single(stems: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where one or two words stand of which there can only be one."""
    if SINGLE.isdisjoint(stems) and _PREFERRED.isdisjoint(stems):
        return
    single = preferred = False
    for at, word in enumerate(stems):
        for end in range(at + 1, min(at + 2, len(stems)) + 1):
            rest = len(stems) - (end - at)
            if (single or (preferred and rest > 1)) and all(class_of(value) == "word" for value in stems[at:end]):
                yield at, end
        single, preferred = single or word in SINGLE, preferred or word in _PREFERRED
