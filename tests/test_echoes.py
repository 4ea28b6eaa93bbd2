"""Echoes: what a memory handed to an agent is known when it comes back as something new."""

from __future__ import annotations

import pytest

from memview import MemoryStore, clock
from memview.memory.looking import Looker, Query
from memview.review import duplicates
from memview.review.health import health
from memview.store.echoes import echoes, unwrapped

FACT = "Maria moved to Oslo with two dogs."
FRAMES = [
    "<memory-context>\nWhat is known:\n- {}\n</memory-context>",
    "<recalled_memories>\n- [2026-03-01] {}\n</recalled_memories>",
    "The user said: I remember that {}",
    "I recall that {}",
    "According to my memory, {}",
    "As noted in memory: {}",
    "From memory: {}",
    "Relevant memories:\n1. {}",
    "[memory] {}",
    "The assistant remembers that {}",
    "Based on previous conversations, I know that {}",
    "I remember that the user said: {}",
]


@pytest.mark.parametrize("frame", FRAMES)
def test_an_echo_is_told_and_what_it_hands_back(frame: str) -> None:
    assert echoes(frame.format(FACT))
    assert unwrapped(frame.format(FACT)) == FACT


@pytest.mark.parametrize(
    "text",
    [
        "", FACT, "The user remembers that the harbour was closed", "From memory, Tomas can play the sonata",
        "The memory of the server is full", "Recalled the faulty batch in March", "The user said: hello",
        "Based on the past year, growth is slow", "Memory foam is what she prefers",
    ],
)  # fmt: skip
def test_an_honest_text_is_none(text: str) -> None:
    assert not echoes(text)
    assert unwrapped(text) == text


def test_an_echo_is_near_what_it_hands_back_and_never_the_one_to_keep(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    echo = memory.write("I remember that maria moved to Oslo with two dogs")
    fact = memory.write(FACT)
    memory.write("I remember that Maria moved to Bergen with two dogs")
    looker = Looker(store.path)
    found = duplicates.find(looker, Query(), clock.utc_now())
    looker.close()
    (group,) = found.groups
    assert not group.equal
    numbers = store._read(lambda raw: dict(raw.execute("SELECT id, n FROM facts").fetchall()))
    assert (group.keeper.n, [other.n for other in group.others]) == (numbers[fact.id], [numbers[echo.id]])


def test_health_counts_echoes(store: MemoryStore) -> None:
    store.memory("user:42").write_many([frame.format(FACT) for frame in FRAMES] + [FACT])
    found = store._read(lambda raw: health(raw, store.path, clock.utc_now()))
    (measure,) = [one for one in found.measures if one.name == "echoes"]
    assert (measure.count, len(measure.numbers)) == (len(FRAMES), len(FRAMES))
