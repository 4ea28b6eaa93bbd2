"""The search for copies among texts: which are equal once normalised, and which are near each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from memview.memory.likeness import normalised
from memview.review import blocking
from memview.review.nearness import near, signs

_TICK = 4_096
_READING = 0.4
"""Which share of the work it is to take the texts apart."""


class Copies:
    """What is equal and what is near among some texts, by their numbers.

    Args:
        texts: the texts by number, in the order in which they were written.
    """

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.texts = texts
        self.first: dict[int, int] = {}
        """For each text that equals an earlier one the first that is so."""
        self.near: dict[int, set[int]] = {}
        """The texts near each other, of equal ones only the first, from both ends."""

    def search(self, tick: Callable[[int], object]) -> None:
        """Find them.

        Args:
            tick: told now and then how many texts are done; what it raises ends the search, and what was found stays.
        """
        count = len(self.texts)
        words: dict[int, list[str]] = {}
        for done, (n, text) in enumerate(self.texts.items()):
            words[n] = blocking.spoken(text)
            if done % _TICK == 0:
                tick(int(done * _READING))
        self._find_equal(words)
        numbers = [n for n in words if n not in self.first]
        said = [words[n] for n in numbers]
        for i, j in blocking.candidates(said, lambda done: tick(int(count * _READING + done * (1 - _READING)))):
            a, b = numbers[i], numbers[j]
            if near(self.texts[a], self.texts[b], said[i], said[j]):
                self.near.setdefault(a, set()).add(b)
                self.near.setdefault(b, set()).add(a)

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

    def _find_equal(self, words: Mapping[int, Sequence[str]]) -> None:
        alike: dict[str, list[int]] = {}
        for n, said in words.items():
            alike.setdefault(" ".join(said), []).append(n)
        for numbers in alike.values():
            if len(numbers) > 1:
                self._sort_out(numbers)

    def _sort_out(self, numbers: Sequence[int]) -> None:
        """Join those of some texts with the same words that are equal with their signs as well."""
        firsts: dict[str, int] = {}
        for n in numbers:
            first = firsts.setdefault(normalised(self.texts[n]), n)
            if first != n and signs(self.texts[first]) == signs(self.texts[n]):
                self.first[n] = first
