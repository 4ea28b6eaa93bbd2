"""Facts drawn from the same turn that differ in a word or two, where the turn says what the one has and not the other.

Somebody who has a dog and a cat is no contradiction: the turn says both. Where it says only one of two values, the fact
with the other is a misreading, whatever the word speaks of.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from memview.memory import wordlists
from memview.review.nearness import slip
from memview.review.wording import spoken
from memview.store.porter import stem
from memview.store.words import as_text

Words = Sequence[str]

_REST = 3
"""Telling words that the two must have in common, in the same order."""
_VALUE = 2
"""How many words a value has at most."""
_MOST = 12
"""Facts of one turn that are compared with each other; of more only the first ones are."""


class Misread(NamedTuple):
    """Two facts and what they say where they differ."""

    a: int
    b: int
    value_a: tuple[str, ...]
    value_b: tuple[str, ...]


def misread(connection: sqlite3.Connection, texts: Mapping[int, str]) -> list[Misread]:
    """The pairs among some facts of which one misreads the turn that both came from.

    Args:
        connection: an open connection.
        texts: the facts' texts by their numbers; those of one namespace.
    """
    shared: dict[tuple[int, int], list[str]] = {}
    for turn, numbers in _by_turn(connection, texts):
        for a, b in combinations(numbers[:_MOST], 2):
            shared.setdefault((a, b), []).append(turn)
    differing = {pair: found for pair in shared if (found := exchanged(texts[pair[0]], texts[pair[1]])) is not None}
    said = _said(connection, {turn for pair in differing for turn in shared[pair]})
    wrong = []
    for (a, b), (value_a, value_b) in differing.items():
        heard = frozenset().union(*(said.get(turn, frozenset()) for turn in shared[a, b]))
        if _heard(value_a, heard) != _heard(value_b, heard):
            wrong.append(Misread(a, b, value_a, value_b))
    return wrong


def exchanged(a: str, b: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """What two texts say in the one place where they differ; None where more differs, or only a letter or an ending."""
    one, other = _telling(a), _telling(b)
    start = next((at for at, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), None)
    if start is None:
        return None
    left_one, left_other = one[start:], other[start:]
    while left_one and left_other and left_one[-1] == left_other[-1]:
        left_one, left_other = left_one[:-1], left_other[:-1]
    few = 0 < len(left_one) <= _VALUE and 0 < len(left_other) <= _VALUE
    if not few or len(one) - len(left_one) < _REST:
        return None
    if len(left_one) == len(left_other) and all(slip(x, y) for x, y in zip(left_one, left_other, strict=True)):
        return None
    return tuple(left_one), tuple(left_other)


def _telling(text: str) -> list[str]:
    return [word for word in spoken(text) if word not in wordlists.FILLERS]


def _heard(value: Words, said: frozenset[str]) -> bool:
    return all(stem(word) in said for word in value)


def _by_turn(connection: sqlite3.Connection, texts: Mapping[int, str]) -> Iterator[tuple[str, list[int]]]:
    """The turns that more than one of the facts came from."""
    rows = connection.execute(
        "SELECT e.value, f.n FROM json_each(?) w CROSS JOIN facts f ON f.n = w.value "
        "CROSS JOIN json_each(f.turns) e WHERE f.turns <> '[]' ORDER BY f.n",
        (json.dumps(list(texts)),),
    ).fetchall()
    found: dict[str, list[int]] = {}
    for turn, n in rows:
        found.setdefault(as_text(turn), []).append(n)
    return ((turn, numbers) for turn, numbers in found.items() if len(numbers) > 1)


def _said(connection: sqlite3.Connection, turns: set[str]) -> dict[str, frozenset[str]]:
    """The words of some turns, by their stems."""
    rows = connection.execute(
        "SELECT t.id, t.request, t.response FROM json_each(?) w CROSS JOIN turns t ON t.id = w.value",
        (json.dumps(sorted(turns)),),
    ).fetchall()
    return {as_text(id): frozenset(map(stem, spoken(f"{as_text(a)} {as_text(b)}"))) for id, a, b in rows}
