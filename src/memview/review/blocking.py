"""Which texts of many are worth comparing: those that share rare words.

Comparing 100,000 texts pair by pair would take five billion comparisons. Near copies share most of their words, so
they share rare ones: of each text the rarest words that stand in another text as well are taken, and only texts with
three of them in common are compared (with one, where hardly any text has it; with fewer, where a text has no more).
Where many texts share the same three, as sentences from a template do, each is compared with its neighbours in the
order of the words. What then shares too few of all its words is passed over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, pairwise

from memview.store.words import SPACELESS, flatten

Words = Sequence[str]
Pair = tuple[int, int]
Tick = Callable[[int], object]

_RARE = 5
"""How many words of a text are looked at."""
_FEW = 4
"""How many texts with one rare word in common are all compared."""
_MANY = 12
"""How many texts with the same rare words in common are all compared."""
_WINDOW = 3
"""How far a text is compared in a longer list."""
_MISSING = 0.3
"""Which share of the words of the longer text the other may lack; one word always."""
_TICK = 4_096

_DROPPED = b"'"
_PLAIN = bytes.maketrans(bytes(range(33)) + b'"#$%&()*+,-./:;<=>?@[\\]^_`{|}~!\x7f', b" " * (33 + 32))
_APOSTROPHES = str.maketrans("", "", "'’ʼ")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WIDE = re.compile(rf"[{SPACELESS}]+|(?:(?![{SPACELESS}])[^\W_])+")
_IS_SPACELESS = re.compile(rf"[{SPACELESS}]")


def spoken(text: str) -> list[str]:
    """The words of a text, folded, without any sign; texts that differ in nothing but signs have the same.

    Characters of scripts that write no spaces are words in overlapping pairs.
    """
    flat = flatten(text).casefold()
    if "," in flat:
        flat = _THOUSANDS.sub("", flat)
    if flat.isascii():
        return flat.encode().translate(_PLAIN, _DROPPED).decode().split()
    found = _WIDE.findall(flat.translate(_APOSTROPHES))
    return list(chain.from_iterable(_pieces(word) for word in found))


def _pieces(word: str) -> list[str]:
    if len(word) < 3 or not _IS_SPACELESS.match(word):
        return [word]
    return [a + b for a, b in pairwise(word)]


def candidates(texts: Sequence[Words], tick: Tick) -> Iterator[Pair]:
    """Pairs of places of texts worth comparing, each once, the smaller place first.

    Args:
        texts: the words of each.
        tick: told now and then how many texts are done; what it raises ends the search.
    """
    sets = [frozenset(words) for words in texts]
    rare = _rarest(sets)
    sharing: dict[int, list[int]] = {}
    for place, ranks in enumerate(rare):
        for rank in ranks:
            sharing.setdefault(rank, []).append(place)
    may_miss = [max(1, _MISSING * count) for count in range(1 + max(map(len, sets), default=0))]
    done, told, seen = 0, 0, set[Pair]()
    for rank in sorted(sharing):
        places = sharing.pop(rank)
        for a, b in _within(places, rank, rare, texts):
            one, other = sets[a], sets[b]
            longer = len(one) if len(one) > len(other) else len(other)
            if longer - len(one & other) <= may_miss[longer] and (a, b) not in seen:
                seen.add((a, b))
                yield a, b
        done += len(places)
        if done - told >= _TICK:
            told = done
            tick(done // _RARE)


def _rarest(texts: Sequence[frozenset[str]]) -> list[tuple[int, ...]]:
    """Of each text the rarest words that stand in another one as well, as their ranks: the rarest first."""
    count = Counter(chain.from_iterable(texts))
    shared = sorted((number, word) for word, number in count.items() if number > 1)
    rank = {word: place for place, (_, word) in enumerate(shared)}
    return [tuple(sorted([rank[word] for word in words if word in rank])[:_RARE]) for words in texts]


def _within(places: list[int], rank: int, rare: Sequence[tuple[int, ...]], texts: Sequence[Words]) -> Iterator[Pair]:
    """The pairs of texts that share one word and, where those are many, others."""
    if len(places) <= _FEW:
        yield from combinations(places, 2)
        return
    first: dict[object, int] = {}
    sharing: dict[object, list[int]] = {}
    for place in places:
        for others in _with_others(rare[place], rank):
            known = first.setdefault(others, place)
            if known != place:
                sharing.setdefault(others, [known]).append(place)
    for alike in sharing.values():
        if len(alike) <= _MANY:
            yield from combinations(alike, 2)
        else:
            yield from _neighbours(alike, texts)


def _with_others(ranks: tuple[int, ...], rank: int) -> list[object]:
    """What a text must share with another besides its word of this rank: two more, or fewer if it has no more."""
    after = ranks[ranks.index(rank) + 1 :]
    found: list[object] = list(combinations(after, 2))
    if len(ranks) <= 3:
        found += after
    if len(ranks) <= 2:
        found.append(None)
    return found


def _neighbours(places: list[int], texts: Sequence[Words]) -> Iterator[Pair]:
    """Each text with those that follow in the order of their words, from the front and from the back."""
    for step in (1, -1):
        ordered = sorted(places, key=lambda place: list(texts[place])[::step])
        for at, place in enumerate(ordered):
            for other in ordered[at + 1 : at + 1 + _WINDOW]:
                yield (place, other) if place < other else (other, place)
