"""Real conversations go through extraction, session by session: what is learnt matches the data's own observations."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import locomo
from memview import Extraction, Memory, MemoryExtractor, MemoryStore
from memview.memory import looking

PLACE = locomo.folder()
pytestmark = pytest.mark.skipif(
    PLACE is None,
    reason=f"the LoCoMo conversations are not part of this repository; {locomo.SETTING} names their folder",
)

Observed = list[tuple[str, list[str]]]
"""Each observation of a session with the ids that the data gives its turns."""


LEARNT = {"26": (184, 0), "30": (168, 1)}
"""How many observations of a conversation are learnt, and how many repeat another."""


@pytest.fixture(params=LEARNT)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def data(name: str) -> locomo.Data:
    assert PLACE is not None
    return dict(locomo.conversations(PLACE))[name]


def observed(data: locomo.Data, number: int) -> Observed:
    given = data.get(f"session_{number}_observation", {}).values()
    return [(text, [ids] if isinstance(ids, str) else ids) for speaker in given for text, ids in speaker]


def dressed(text: str) -> str:
    """The same statement in other signs."""
    return f"  {text.rstrip('.').upper()} !"


def passes(
    data: locomo.Data, memory: Memory, dress: Callable[[str], str] = str
) -> Iterator[tuple[Extraction, Observed, dict[str, str]]]:
    """Each session through extraction, by a model that states the data's observations."""
    turns: dict[str, str] = {}
    for number in locomo.sessions(data):
        talk = memory.store.conversation(f"s{number}", namespace="talk")
        said = data[f"session_{number}"]
        if not talk.size():
            for one in said:
                talk.record(f"{one['speaker']}: {one['text']}")
        transcript = talk.load().to_messages(turn_ids=True)
        places = {one["dia_id"]: place for place, one in enumerate(said, 1)}
        turns |= {id: transcript[place - 1]["turn_id"] for id, place in places.items()}
        stated = observed(data, number)
        reply = [{"fact": dress(text), "from": [places[id] for id in ids if id in places]} for text, ids in stated]
        extractor = MemoryExtractor(
            chat=lambda _, reply=reply: json.dumps({"facts": reply}),  # type: ignore[misc]
            memory=memory, max_candidates=len(reply), max_transcript_messages=len(said),
        )  # fmt: skip
        yield extractor.extract(transcript, session_id=f"s{number}"), stated, turns


def test_B_real_sessions_are_learnt_with_their_turns(data: locomo.Data, name: str, store: MemoryStore) -> None:
    memory = store.memory("both")
    learnt: list[tuple[str, list[str]]] = []
    repeated: list[tuple[str, str]] = []
    turns: dict[str, str] = {}
    for found, stated, turns in passes(data, memory):
        assert found.error is None
        texts = [fact.content for fact in found.extracted]
        skipped = [one.text for one in found.skipped]
        assert sorted(texts + skipped) == sorted(text for text, _ in stated)
        expected: dict[str, Any] = {
            text: [turns[id] for id in dict.fromkeys(ids) if id in turns] for text, ids in stated
        }
        learnt += [(text, expected[text]) for text in texts]
        repeated += [(one.text, one.fact.content) for one in found.skipped]
    facts = list(reversed(memory.list(0)))
    assert [(fact.content, fact.turns) for fact in facts] == learnt
    assert (len(facts), len(repeated)) == LEARNT[name]
    assert all(_words(text) in _words(fact) for text, fact in repeated)
    assert led_back(store, turns) == {
        id: sorted(text for text, ids in learnt if id in ids)
        for id in turns.values()
        if any(id in ids for _, ids in learnt)
    }


def led_back(store: MemoryStore, turns: dict[str, str]) -> dict[str, list[str]]:
    """The facts to which each turn leads."""

    def work(raw: sqlite3.Connection) -> dict[str, list[str]]:
        numbers = looking.numbers_of(raw, "turn", turns.values())
        found = {id: looking.turn(raw, number) for id, number in numbers.items()}
        return {id: sorted(fact.content for fact in turn.facts) for id, turn in found.items() if turn and turn.facts}

    return store._read(work)


def _words(text: str) -> str:
    return " ".join(text.lower().rstrip(".").split())


def test_B_the_same_sessions_again_teach_nothing(data: locomo.Data, store: MemoryStore) -> None:
    memory = store.memory("both")
    first = {text: fact for found, _, _ in passes(data, memory) for text, fact in _facts(found)}
    for found, stated, _ in passes(data, memory, dressed):
        assert (found.extracted, found.error) == ([], None)
        assert [(one.text, one.fact.content) for one in found.skipped] == [
            (dressed(text).strip(), first[text]) for text, _ in stated
        ]


def _facts(found: Extraction) -> Iterator[tuple[str, str]]:
    """For each text that was offered, the fact that says it now."""
    yield from ((fact.content, fact.content) for fact in found.extracted)
    yield from ((one.text, one.fact.content) for one in found.skipped)
