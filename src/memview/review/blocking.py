"""Which texts of many are worth comparing: those that share unusual words.

Comparing 100,000 texts pair by pair would take five billion comparisons. So the words are put in one order, the same
for all texts: first those that are not frequent, by a hash, then the frequent ones, the less frequent first. Of each
text the first few in that order are looked at, and texts with two of them in common are compared (with one, where a
text has few words). Where two texts differ in two words, they share all but two of those.

Where many texts share the same two, a third is asked for, and where many share that as well, as sentences from a
template do, each is compared with its neighbours in the order of the words.

Words are taken for their 32-bit hashes, and what is looked up lies side by side in flat arrays, with no object for a
text. Two words of one hash make a comparison more, never a copy.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, combinations, pairwise
from zlib import crc32

Pair = tuple[int, int]
Words = Collection[bytes]
Tick = Callable[[int], object]

SAMPLE = 2_000
"""How many texts tell which words are frequent."""
_LOOKED_AT = 4
"""How many words of a text are looked at."""
_FREQUENT = (5, 0.0025)
"""In how many of the sample a word stands that is frequent: in at least so many, and in this share."""
_SHORT = 3
"""Words of a text that is compared with what shares one of them."""
_MANY = 12
"""How many texts with the same words in common are all compared."""
_WINDOW = 3
"""How far a text is compared in a longer list."""
_TICK = 1_024
_PARTS = 256
_LOW = (1 << 32) - 1
_SPREAD = 0x9E3779B1
"""An odd number, so that two words have another hash than the same two in the places of each other."""


def frequent(texts: Iterable[Words]) -> dict[bytes, int]:
    """The words that stand in many of some texts, by their rank, the less frequent first."""
    some = list(map(frozenset, texts))
    count = Counter(chain.from_iterable(some))
    least = max(_FREQUENT[0], _FREQUENT[1] * len(some))
    found = sorted((number, word) for word, number in count.items() if number >= least)
    return {word: rank for rank, (_, word) in enumerate(found)}


class Blocks:
    """Texts by the words that they share.

    Args:
        frequent: the frequent words by their rank.
    """

    def __init__(self, frequent: dict[bytes, int]) -> None:
        self._rank = frequent
        self._frequent = frozenset(frequent)
        self._texts: list[bytes] = []
        self._looked_at = array("I")
        self._parts = [array("Q") for _ in range(_PARTS)]

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, text: bytes, words: Words) -> None:
        """Put a text in; they are numbered in their order.

        Args:
            text: the words, with a blank between them.
            words: the same, one by one.
        """
        number = len(self._texts)
        telling = set(words)
        chosen = sorted(map(crc32, telling - self._frequent))[:_LOOKED_AT]
        if (missing := _LOOKED_AT - len(chosen)) > 0:
            others = sorted(telling & self._frequent, key=self._rank.__getitem__)
            chosen += map(crc32, others[:missing])
        parts = self._parts
        for place, word in enumerate(chosen[:-1], 1):
            spread = word * _SPREAD
            parts[word % _PARTS].extend([(spread + other & _LOW) << 32 | number for other in chosen[place:]])
        if len(chosen) <= _SHORT:
            for word in chosen:
                parts[word % _PARTS].append(word << 32 | number)
        self._texts.append(text)
        self._looked_at.extend((*chosen, 0, 0, 0, 0)[:_LOOKED_AT])

    def candidates(self, tick: Tick) -> Iterator[Pair]:
        """Pairs of texts worth comparing, each once, the smaller number first.

        Args:
            tick: told now and then how many texts are done; what it raises ends the search.
        """
        seen: set[Pair] = set()
        for done, part in enumerate(self._parts):
            now = done * len(self._texts) // _PARTS
            tick(now)
            for at, pair in enumerate(chain.from_iterable(self._within(texts, now, tick) for texts in _runs(part))):
                if at % _TICK == 0:
                    tick(now)
                if pair not in seen:
                    seen.add(pair)
                    yield pair

    def _within(self, texts: list[int], now: int, tick: Tick) -> Iterator[Pair]:
        """The pairs of texts of which all share the same words."""
        if len(texts) <= _MANY:
            yield from combinations(texts, 2)
            return
        sharing: dict[int, list[int]] = {}
        for at, text in enumerate(texts):
            for word in self._looked_at[text * _LOOKED_AT : (text + 1) * _LOOKED_AT]:
                sharing.setdefault(word, []).append(text)
            if at % _TICK == 0:
                tick(now)
        for found in sharing.values():
            if len(found) <= _MANY:
                yield from combinations(found, 2)
            elif len(found) < len(texts) or len(sharing) <= _SHORT:
                yield from self._neighbours(found)

    def _neighbours(self, texts: list[int]) -> Iterator[Pair]:
        """Each text with those that follow in the order of their words, from the front and from the back."""
        for order in (self._texts.__getitem__, self._backwards):
            ordered = sorted(texts, key=order)
            for at, text in enumerate(ordered):
                for other in ordered[at + 1 : at + 1 + _WINDOW]:
                    yield (text, other) if text < other else (other, text)

    def _backwards(self, text: int) -> bytes:
        return b" ".join(self._texts[text].split()[::-1])


def _runs(part: array[int]) -> Iterator[list[int]]:
    """The texts that share a key, those of one key in one list."""
    ordered = sorted(part)
    texts: list[int] = []
    last = -1
    for at in [at for at, (a, b) in enumerate(pairwise(ordered)) if a ^ b <= _LOW]:
        if at != last:
            if texts:
                yield texts
            texts = [ordered[at] & _LOW]
        texts.append(ordered[at + 1] & _LOW)
        last = at + 1
    if texts:
        yield texts
