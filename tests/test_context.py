"""What was said around helps to find a turn, and a fact by the turns it came from."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memview import MemoryStore, Turn

TALK = (
    "Caroline: I joined a class on Main Street last week.",
    "Melanie: Oh nice, is that the pottery one?",
    "Caroline: Yes, and I made a blue bowl for my sister.",
    "Melanie: What a lovely present.",
)


@pytest.fixture
def talk(store: MemoryStore) -> list[Turn]:
    said = store.conversation("s1", namespace="talk")
    turns = [said.record(text, at=datetime(2023, 5, 8, tzinfo=UTC)) for text in TALK]
    other = store.conversation("s2", namespace="talk")
    other.record("Melanie: The gardener left a bowl of soup.", at=datetime(2023, 7, 1, tzinfo=UTC))
    return [turn for turn in turns if turn is not None]


def said(turns: list[Turn]) -> list[str]:
    return [turn.request for turn in turns]


def test_beyond_a_turn_is_found_by_the_words_beside_it(store: MemoryStore, talk: list[Turn]) -> None:
    found = store.search_turns("Who got the pottery bowl?")
    assert {TALK[1], TALK[2]} == set(said(found[:2]))
    assert "pottery" in found[0].why
    assert TALK[0] in said(found)
    alone = store.search_turns("pottery bowl", context=False)
    assert TALK[0] not in said(alone)


def test_what_was_said_in_another_session_is_not_beside(store: MemoryStore, talk: list[Turn]) -> None:
    assert said(store.search_turns("gardener")) == ["Melanie: The gardener left a bowl of soup."]


def test_a_limit_holds_for_turns_that_only_stand_beside(store: MemoryStore, talk: list[Turn]) -> None:
    assert len(store.search_turns("pottery", limit=2)) == 2
    assert said(store.search_turns("pottery", session="s2")) == []
    assert said(store.tenant("other").search_turns("pottery")) == []


def test_a_month_in_a_question_prefers_what_was_said_then(store: MemoryStore, talk: list[Turn]) -> None:
    assert said(store.search_turns("Whose bowl was it in July 2023?"))[0].endswith("bowl of soup.")
    assert said(store.search_turns("Whose bowl was it on May 8?"))[0] == TALK[2]


def test_beyond_a_fact_is_recalled_by_its_turns_and_their_neighbours(store: MemoryStore, talk: list[Turn]) -> None:
    memory = store.memory("Caroline")
    fact = memory.write("She gave her sister a present", turns=[talk[2].id])
    memory.write("She drives a bus")
    (found,) = memory.recall("pottery", reinforce=False)
    assert found.fact.id == fact.id
    assert memory.recall("pottery", context=False, reinforce=False) == []
    assert store.memory("Melanie").recall("pottery", reinforce=False) == []


def test_a_forgotten_fact_is_not_found_by_its_turns(store: MemoryStore, talk: list[Turn]) -> None:
    memory = store.memory("Caroline")
    memory.forget(memory.write("She gave her sister a present", turns=[talk[2].id]).id)
    assert memory.recall("pottery", reinforce=False) == []
    assert memory.search("pottery") == []


def test_an_owner_is_found_without_the_apostrophe(store: MemoryStore, talk: list[Turn]) -> None:
    assert TALK[0] in said(store.search_turns("Caroline's class", context=False))
