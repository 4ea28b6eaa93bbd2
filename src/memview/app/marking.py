"""Which facts a person has marked: exactly these records, as they were when they were marked."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memview.memory.looking import Query

Versions = Mapping[int, int]
"""The version that was seen of each fact, by number; 0 where that is still to be read."""


class Matched(NamedTuple):
    """All that matched, at the moment at which it was marked; what comes later is named and not touched."""

    query: Query
    numbers: frozenset[int]


class Marks:
    """Numbers of facts with the versions seen. Neither searching nor another scope changes them."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._before: dict[int, int] | None = None
        """While a range is open: the marks without it."""
        self._anchor = 0
        self._last: tuple[frozenset[int], Matched | None] = (frozenset(), None)
        self.matched: Matched | None = None
        """What had been asked where all that matched were marked."""
        self.numbers: frozenset[int] = frozenset()
        """The marked facts."""
        self._hidden: tuple[frozenset[int], array[int] | None, int] = (frozenset(), None, 0)

    def __len__(self) -> int:
        """How many are marked."""
        return len(self._seen)

    @property
    def versions(self) -> Versions:
        """What was seen of each marked fact."""
        return self._seen

    @property
    def ranging(self) -> bool:
        """Whether a range is open."""
        return self._before is not None

    def toggle(self, number: int, version: int) -> None:
        """Mark a fact, or take its mark off."""
        self.end_range()
        if self._seen.pop(number, None) is None:
            self._seen[number] = version
        self._changed()

    def add(self, versions: Versions, matched: Matched | None = None) -> None:
        """Mark these too.

        Args:
            versions: what was seen of them.
            matched: what had been asked, where these are all that matched.
        """
        self.end_range()
        self._seen = {**self._seen, **versions}
        self.matched = matched or self.matched
        self._changed()

    def read(self, versions: Versions) -> None:
        """Note the versions of facts that were marked before they were read; one already known stays."""
        for number, version in versions.items():
            if self._seen.get(number) == 0:
                self._seen[number] = version

    @property
    def unread(self) -> list[int]:
        """The marked facts whose versions are still to be read."""
        return [number for number, version in self._seen.items() if not version]

    def clear(self) -> None:
        """Let go of all marks; they can be had back."""
        if self._seen:
            self._last = (self.numbers, self.matched)
        self._before, self._seen = None, {}
        self._changed()

    @property
    def last(self) -> tuple[frozenset[int], Matched | None]:
        """The marks that were let go of last."""
        return self._last

    # A range

    def begin_range(self, number: int) -> None:
        """Mark from this fact on."""
        self._before, self._anchor = dict(self._seen), number
        self.extend([number])

    @property
    def anchor(self) -> int:
        """The fact at which the open range began."""
        return self._anchor

    def extend(self, numbers: Iterable[int]) -> None:
        """Let the open range be these facts."""
        if self._before is not None:
            known, before = self._seen, self._before
            self._seen = before | {n: before.get(n) or known.get(n, 0) for n in numbers}
            self._changed()

    def end_range(self) -> None:
        """Keep what the range marked."""
        self._before = None

    def drop_range(self) -> None:
        """Take the marks of the range off again."""
        if self._before is not None:
            self._seen, self._before = self._before, None
            self._changed()

    def _changed(self) -> None:
        self.numbers = frozenset(self._seen)
        if not self.numbers:
            self.matched = None

    # Words

    def hidden(self, listed: array[int]) -> int:
        """How many marked facts are not in a list.

        Args:
            listed: the numbers in it; an array that is never changed in place.
        """
        numbers, keys, count = self._hidden
        if numbers is not self.numbers or keys is not listed:
            count = len(self.numbers.difference(listed))
            self._hidden = (self.numbers, listed, count)
        return count

    def told(self, listed: array[int]) -> str:
        """The marks in words, for the last line of the list; empty where there are none."""
        if not self.numbers and not self.ranging:
            return ""
        count, hidden = len(self.numbers), self.hidden(listed)
        missing = (
            "" if not hidden else ", not in this list" if hidden == count else f", {hidden:,} of them not in this list"
        )
        return f"{count:,} marked{missing}" + (" · v ends the range" if self.ranging else "")
