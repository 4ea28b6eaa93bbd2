"""Misreadings: of two facts of one turn that differ in a word, the turn itself tells whether both can hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memview import MemoryStore, clock
from memview.memory.looking import Looker, Query
from memview.review import conflicts
from memview.review.conflicts import Opposition


@pytest.fixture
def looker(store: MemoryStore) -> Iterator[Looker]:
    looker = Looker(store.path)
    yield looker
    looker.close()


def pairs(looker: Looker) -> list[Opposition]:
    return conflicts.find(looker, Query(), clock.utc_now()).pairs


def learn(store: MemoryStore, said: str, *facts: str) -> None:
    turn = store.conversation("s1", namespace="talk").record(said)
    assert turn is not None
    for fact in facts:
        store.memory("user:42").write(fact, turns=[turn.id])


@pytest.mark.parametrize(
    ("said", "a", "b", "values"),
    [
        ("We fly to Boston next week!", "Ines booked a flight to Boston", "Ines booked a flight to Paris",
         ("paris", "boston")),
        ("The violin calms me", "Ines likes to play the violin at home", "Ines likes to play the bass guitar at home",
         ("bass guitar", "violin")),
    ],
)  # fmt: skip
def test_the_turn_says_the_one_and_not_the_other(
    store: MemoryStore, looker: Looker, said: str, a: str, b: str, values: tuple[str, str]
) -> None:
    learn(store, said, a, b)
    (found,) = pairs(looker)
    assert (found.why, found.kind, found.values) == ("opposed", "word", values)
    assert looker.read(lambda connection: conflicts.again(connection, found)) == found


@pytest.mark.parametrize(
    ("said", "a", "b"),
    [
        ("I have a dog and a cat", "Ines has a dog at home", "Ines has a cat at home"),
        ("My pets are fine", "Ines has a dog at home", "Ines has a cat at home"),
        ("We fly to Boston", "Ines flies to Boston", "Tomas stays in Paris with a friend"),
        ("The dogs are fine", "Ines has a dog at home", "Ines has dogs at home"),
        ("We fly to Boston", "Flies to Boston", "Flies to Paris"),
    ],
)
def test_what_can_both_hold_or_is_not_told_is_no_conflict(
    store: MemoryStore, looker: Looker, said: str, a: str, b: str
) -> None:
    learn(store, said, a, b)
    assert pairs(looker) == []


def test_other_turns_prove_nothing(store: MemoryStore, looker: Looker) -> None:
    learn(store, "We fly to Boston", "Ines booked a flight to Boston")
    learn(store, "And then on", "Ines booked a flight to Paris")
    assert pairs(looker) == []
