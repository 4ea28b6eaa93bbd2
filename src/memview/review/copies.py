"""The search for copies among texts: which are equal once normalised, and which are near each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from memview.memory.likeness import normalised
from memview.review.blocking import SAMPLE, Blocks, frequent
from memview.review.nearness import near, signs
from memview.review.wording import said
from memview.store.echoes import unwrapped

_TICK = 1_024
_READING = 0.6
"""Which share of the work it is to take the texts apart."""


class Copies:
    """What is equal and what is near among some texts, by their numbers; of an echo what it hands back is compared.

    Args:
        texts: the texts by number, in the order in which they were written.
    """

    def __init__(self, texts: Mapping[int, str]) -> None:
        self._texts = texts
        self._handed_back: dict[int, str] = {}
        self.first: dict[int, int] = {}
        """For each text that equals an earlier one the first that is so."""
        self.near: dict[int, set[int]] = {}
        """The texts near each other, of equal ones only the first, from both ends."""
        self._with_words: dict[bytes, int] = {}
        self._alike: dict[bytes, dict[object, int]] = {}

    def search(self, tick: Callable[[int], object]) -> None:
        """Find them.

        Args:
            tick: told now and then how many texts are done; what it raises ends the search, and what was found stays.
        """
        count = len(self._texts)
        sample = islice(self._texts.values(), None, None, 1 + count // SAMPLE)
        blocks = Blocks(frequent(said(text).split() for text in sample))
        numbers: list[int] = []
        spoken: list[bytes] = []
        for done, (n, text) in enumerate(self._texts.items()):
            if done % _TICK == 0:
                tick(int(done * _READING))
            if (plain := unwrapped(text)) != text:
                self._handed_back[n] = plain
            words = said(plain).split()
            row = b" ".join(words)
            if not self._equals(n, row):
                blocks.add(row, words)
                numbers.append(n)
                spoken.append(row)
        for i, j in blocks.candidates(lambda done: tick(int(count * _READING + done * (1 - _READING)))):
            a, b = numbers[i], numbers[j]
            if near(self.text(a), self.text(b), _words(spoken[i]), _words(spoken[j])):
                self.near.setdefault(a, set()).add(b)
                self.near.setdefault(b, set()).add(a)

    def text(self, n: int) -> str:
        """A text as it is compared."""
        return self._handed_back.get(n) or self._texts[n]

    def equal(self, a: int, b: int) -> bool:
        """Whether two texts are the same once normalised."""
        return self.first.get(a, a) == self.first.get(b, b)

    def copies(self, a: int, b: int) -> bool:
        """Whether two texts are equal or near."""
        a, b = self.first.get(a, a), self.first.get(b, b)
        return a == b or b in self.near.get(a, ())

    def clusters(self) -> Iterator[list[int]]:
        """The texts that are joined by being copies, also over others, each cluster in order."""
        equal: dict[int, list[int]] = {}
        for n, first in self.first.items():
            equal.setdefault(first, [first]).append(n)
        seen: set[int] = set()
        for start in sorted({*equal, *self.near}):
            if start not in seen:
                joined = self._joined(start)
                seen |= joined
                yield sorted(n for first in joined for n in equal.get(first, (first,)))

    def _joined(self, start: int) -> set[int]:
        joined, waiting = {start}, [start]
        while waiting:
            more = self.near.get(waiting.pop(), set()) - joined
            joined |= more
            waiting += more
        return joined

    def _equals(self, n: int, row: bytes) -> bool:
        """Whether a text equals an earlier one, which has the same words and the same signs; if so it is noted."""
        first = self._with_words.setdefault(row, n)
        if first == n:
            return False
        alike = self._alike.setdefault(row, {})
        if not alike:
            alike[self._normalised(first)] = first
        known = alike.setdefault(self._normalised(n), n)
        if known != n:
            self.first[n] = known
        return known != n

    def _normalised(self, n: int) -> object:
        text = self.text(n)
        return normalised(text), frozenset((+signs(text)).items())


def _words(row: bytes) -> list[str]:
    return row.decode("utf-8", "surrogatepass").split()
