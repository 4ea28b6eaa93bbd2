"""Whether two facts are copies of each other: the shared measure, made tolerant of slips of the finger.

An agent that learns must not take ``text`` for a misspelt ``test``; a person who looks at both can tell. So two texts
are *near* when :func:`memview.memory.likeness.same` says so, or when they consist of the same words in any order, a
few of them mistyped or inflected. Numbers, negations, weekdays and dates are never taken for slips.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from memview.fuzzy import OSA, fuzz
from memview.memory import likeness, wordlists
from memview.store.porter import stem
from memview.store.sameness import signs as signs

Words = Sequence[str]
Slip = tuple[str, str]

NEAR = 0.85
"""How alike (:func:`alike`) two texts must be where one has words that the other has not."""
_SLIPS = 3
"""How many words of a text may be mistyped."""
_NAME = 7
"""How long a name must be for a letter of it to be a slip, and not another name (``Maria`` and ``Marie``)."""
_SHARE = 0.34
"""And at most this share of them."""
_TURNED = ("un", "in", "im", "dis", "non", "ir", "il", "de", "mis", "en", "ex", "de", "over", "under")
_MEANS = wordlists.WEEKDAYS | wordlists.DATES | wordlists.NUMBERS
_CLOSED = frozenset(wordlists.NEGATIONS | _MEANS.keys())
_BIND = (
    "an the of in on at to for by with from into and or as is are was were be been has have had will would which when "
    "their its our"
)
_BINDING = frozenset(_BIND.split())
"""Words that bind others and name nothing, so that in the place of one there is no other word but a slip of it."""
_POINT = (
    "i me my mine we us you your he him his she her hers they them so up out than then all any can may must such too "
    "onto upon over after but what who how why where some more most one use used"
)
_LITTLE = _BINDING | wordlists.FILLERS | frozenset(_POINT.split())
"""These and other words of a few letters, of which each is one of its own."""
_CLEAR = 6
"""How long a weekday, a month or a number in letters must be for a letter of it to be a slip."""
_MISSING = 0.3
"""Which share of the words of the longer text the other may lack; one word always."""


def near(a: str, b: str, words_a: Words, words_b: Words) -> bool:
    """Whether two texts are near copies.

    Args:
        a: one text.
        b: the other.
        words_a: its words, by :func:`memview.review.wording.spoken`.
        words_b: those of the other.
    """
    only_a, only_b = _apart(words_a, words_b)
    if max(len(only_a), len(only_b)) > max(1, _MISSING * max(len(words_a), len(words_b))):
        return False
    if len(only_a) == len(only_b) <= _most(words_a) and (slips := pairing(only_a, only_b)) is not None:
        return signs(a) == signs(b) and not _other_name(a, b, slips) and _same_order(_mended(words_a, slips), words_b)
    if _telling(only_a) and _telling(only_b):  # a word exchanged for another: the shared measure never allows it
        return False
    return alike(a, b) >= NEAR and likeness.same(a, b)


def alike(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1: the share of letters that both have, in the order of their words or sorted.

    1 minus the letters to be put in or taken out, of all (rapidfuzz's ``ratio``), of the normalised texts.
    """
    one, other = likeness.normalised(a), likeness.normalised(b)
    ordered = fuzz.ratio(one, other)
    shuffled = fuzz.ratio(" ".join(sorted(one.split())), " ".join(sorted(other.split())))
    return max(ordered, shuffled) / 100


def pairing(only_a: Words, only_b: Words) -> list[Slip] | None:
    """For each word of the one the word of the other that it is a slip or another form of; None where one is left."""
    left, found = list(only_b), list[Slip]()
    for word in only_a:
        twin = next((other for other in left if slip(word, other)), None)
        if twin is None:
            return None
        left.remove(twin)
        found.append((word, twin))
    return found


@lru_cache(maxsize=16_384)
def slip(a: str, b: str) -> bool:
    """Whether two words are one, mistyped or inflected; words that count by themselves never are."""
    if a in _CLOSED and b in _CLOSED:
        return _MEANS.get(a, a) == _MEANS.get(b, b)
    if not (a.isalpha() and b.isalpha()) or _turned(a, b):
        return False
    if a in _LITTLE and b in _LITTLE:
        return False
    if a in wordlists.NEGATIONS or b in wordlists.NEGATIONS:  # with a letter swapped or doubled, never another one
        return not (a in _LITTLE or b in _LITTLE) and set(a) == set(b) and OSA.distance(a, b, score_cutoff=1) < 2
    if a in _BINDING or b in _BINDING:
        return not (a in _CLOSED or b in _CLOSED) and OSA.distance(a, b, score_cutoff=1) < 2
    if min(len(a), len(b)) >= 4 and stem(a) == stem(b):
        return True
    if (a in _CLOSED or b in _CLOSED) and max(len(a), len(b)) < _CLEAR:
        return len(a) + len(b) >= _CLEAR + 3 and set(a) == set(b) and OSA.distance(a, b, score_cutoff=1) < 2
    longest, distance = max(len(a), len(b)), OSA.distance(a, b, score_cutoff=2)
    if distance == 2:
        return longest >= 9 and a[0] == b[0]
    return distance < 2 and longest >= (5 if _replaced(a, b) else 3)


def _apart(a: Words, b: Words) -> tuple[list[str], list[str]]:
    """The words of each that the other has not, as often as it has not."""
    only_a, only_b = [], list(b)
    for word in a:
        if word in only_b:
            only_b.remove(word)
        else:
            only_a.append(word)
    return only_a, only_b


def _most(words: Words) -> int:
    return min(_SLIPS, max(1, int(len(words) * _SHARE)))


def _telling(words: Words) -> bool:
    return any(word not in wordlists.FILLERS for word in words)


def _turned(a: str, b: str) -> bool:
    """Whether a prefix turns one word into the other, or another prefix."""
    return any(a == prefix + b or b == prefix + a for prefix in _TURNED) or any(
        a.startswith(one) and b.startswith(other) and a[len(one) :] == b[len(other) :]
        for one in _TURNED
        for other in _TURNED
        if one != other
    )


def _mended(words: Words, slips: Sequence[Slip]) -> list[str]:
    """The words with those that are slips as the other text has them."""
    mended = list(words)
    for word, twin in slips:
        mended[len(mended) - 1 - mended[::-1].index(word)] = twin
    return mended


def _same_order(a: Words, b: Words) -> bool:
    """Whether the order of the same words says the same: nothing else is negated, and no numbers changed places."""
    if list(a) == list(b):
        return True
    numbers_a, numbers_b = ([word for word in side if not word.isalpha()] for side in (a, b))
    if numbers_a != numbers_b and [w for w in a if w.isalpha()] == [w for w in b if w.isalpha()]:
        return False
    if wordlists.NEGATIONS.isdisjoint(a):
        return True
    return likeness.differs(" ".join(a), " ".join(b)) is None


def _other_name(a: str, b: str, slips: Sequence[Slip]) -> bool:
    """Whether a letter of a short name stands for another: ``Maria`` and ``Marie`` are two."""
    return any(
        len(word) < _NAME and _replaced(word, twin) and word.capitalize() in a and twin.capitalize() in b
        for word, twin in slips
    )


def _replaced(a: str, b: str) -> bool:
    """Whether letters stand for others, and do not only come, go or change places."""
    return len(a) == len(b) and sorted(a) != sorted(b)
