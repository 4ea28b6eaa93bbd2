"""The rows a long list holds at a time: those around the place looked at, and the lately seen."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

Row = TypeVar("Row")

PAGE = 64
"""Rows asked for at a time."""

KEPT = 50 * PAGE
"""Rows kept; the least recently used go first."""


class RowCache(Generic[Row]):
    """Rows by record number, of which the least recently used are let go.

    A row may be *stale*: it is still given out, so that nothing flickers, and asked for again. Each question has a
    number, for an answer that was read before a row became stale may come after it.

    Args:
        capacity: rows kept at most.
    """

    def __init__(self, capacity: int = KEPT) -> None:
        self._capacity = capacity
        self._rows: OrderedDict[int, Row] = OrderedDict()
        self._fresh: set[int] = set()
        self._asked: dict[int, int] = {}
        """The number of the question by which a record was asked for last."""
        self.question = 0
        """The number of the latest question."""

    def get(self, key: int) -> Row | None:
        """Return the row of a record, or None if it is not here."""
        row = self._rows.get(key)
        if row is not None:
            self._rows.move_to_end(key)
        return row

    def answer(self, question: int, rows: Mapping[int, Row]) -> None:
        """Keep the rows that a question asked for, but those that were asked for again since, or became stale."""
        self.put({key: row for key, row in rows.items() if self._asked.get(key) == question})

    def put(self, rows: Mapping[int, Row]) -> None:
        """Keep rows, as fresh, in place of what was here of them."""
        for key, row in rows.items():
            self._rows[key] = row
            self._rows.move_to_end(key)
            self._asked.pop(key, None)
        self._fresh.update(rows)
        while len(self._rows) > self._capacity:
            self._fresh.discard(self._rows.popitem(last=False)[0])

    def ask(self, keys: Iterable[int]) -> list[int]:
        """Return those of the records that are missing or stale and not yet asked for, as a new `question`."""
        wanted = [key for key in keys if key not in self._fresh and key not in self._asked]
        self.question += 1
        self._asked.update(dict.fromkeys(wanted, self.question))
        return wanted

    def stale(self, keys: Iterable[int] | None = None) -> None:
        """Have records asked for again when they are next looked at; all of them, if none are named."""
        if keys is None:
            self._fresh.clear()
            self._asked.clear()
        else:
            for key in keys:
                self._fresh.discard(key)
                self._asked.pop(key, None)

    def clear(self) -> None:
        """Let go of everything."""
        self._rows.clear()
        self.stale()


def around(keys: Sequence[int], first: int, height: int) -> tuple[Sequence[int], list[int]]:
    """The records of the pages in view, and those of one page before and after.

    Args:
        keys: all records in shown order.
        first: index of the first row in view.
        height: rows in view.
    """
    start = max(0, first) // PAGE * PAGE
    stop = -(-(first + max(1, height)) // PAGE) * PAGE
    return keys[start:stop], [*keys[stop : stop + PAGE], *keys[max(0, start - PAGE) : start]]


def find(keys: Sequence[int], key: int, hint: int, reach: int = 512) -> int | None:
    """Find a record's place, looking near where it was first.

    Args:
        keys: all records in shown order.
        key: the record.
        hint: index where it may be.
        reach: how far around the hint to look before looking everywhere.

    Returns:
        Its index, or None if it is not there.
    """
    near = max(0, hint - reach)
    window = keys[near : hint + reach]
    if key in window:
        return near + window.index(key)
    try:
        return keys.index(key)
    except ValueError:
        return None


def nearest(old: Sequence[int], new: Sequence[int], index: int, reach: int = 64) -> int:
    """Find the place in a new order for a cursor whose record is gone: the next old neighbour that is still there.

    Args:
        old: the records before.
        new: the records now.
        index: where the record was in `old`.
        reach: how many neighbours on each side to try.

    Returns:
        An index into `new`; 0 if it is empty.
    """
    near = max(0, index - 512)
    places = {key: near + at for at, key in enumerate(new[near : index + 512])}
    neighbours = [*old[index + 1 : index + reach], *reversed(old[max(0, index - reach) : index])]
    for key in neighbours:
        if key in places:
            return places[key]
    elsewhere = find(new, neighbours[0], index) if neighbours else None
    return max(0, min(index, len(new) - 1)) if elsewhere is None else elsewhere


def new_place(old: Sequence[int], new: Sequence[int], index: int) -> int:
    """Where the record at an index of the old order is in the new one, or the place nearest to it."""
    place = find(new, old[index], index)
    return nearest(old, new, index) if place is None else place


def as_array(keys: Iterable[int]) -> array[int]:
    """Record numbers as an array of 64-bit integers; one that is an array already is not copied."""
    return keys if isinstance(keys, array) else array("q", keys)


def runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Rising numbers as stretches without a gap, each by its first number and its length."""
    start = 0
    for at in range(1, len(numbers) + 1):
        if at == len(numbers) or numbers[at] != numbers[at - 1] + 1:
            yield numbers[start], at - start
            start = at
