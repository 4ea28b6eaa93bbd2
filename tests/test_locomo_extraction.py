"""Real conversations go through extraction, session by session: what is learnt matches the data's own observations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import locomo
from memview import Extraction, Memory, MemoryExtractor, MemoryStore

PLACE = locomo.folder()
pytestmark = pytest.mark.skipif(
    PLACE is None,
    reason=f"the LoCoMo conversations are not part of this repository; {locomo.SETTING} names their folder",
)

Observed = list[tuple[str, list[str]]]
"""Each observation of a session with the ids that the data gives its turns."""


@pytest.fixture(params=["26", "30"])
def data(request: pytest.FixtureRequest) -> locomo.Data:
    assert PLACE is not None
    return dict(locomo.conversations(PLACE))[request.param]


def observed(data: locomo.Data, number: int) -> Observed:
    given = data.get(f"session_{number}_observation", {}).values()
    return [(text, [ids] if isinstance(ids, str) else ids) for speaker in given for text, ids in speaker]


def passes(data: locomo.Data, memory: Memory) -> Iterator[tuple[Extraction, Observed, dict[str, str]]]:
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
        reply = [{"fact": text, "from": [places[id] for id in ids if id in places]} for text, ids in stated]
        extractor = MemoryExtractor(
            chat=lambda _, reply=reply: json.dumps({"facts": reply}),  # type: ignore[misc]
            memory=memory, max_candidates=len(reply), max_transcript_messages=len(said),
        )  # fmt: skip
        yield extractor.extract(transcript, session_id=f"s{number}"), stated, turns


def test_B_real_sessions_are_learnt_with_their_turns(data: locomo.Data, store: MemoryStore) -> None:
    memory = store.memory("both")
    learnt: list[tuple[str, list[str]]] = []
    for found, stated, turns in passes(data, memory):
        assert found.error is None
        texts = [fact.content for fact in found.extracted]
        skipped = [one.text for one in found.skipped]
        assert sorted(texts + skipped) == sorted(text for text, _ in stated)
        expected: dict[str, Any] = {
            text: [turns[id] for id in dict.fromkeys(ids) if id in turns] for text, ids in stated
        }
        learnt += [(text, expected[text]) for text in texts]
        assert all(one.fact.id != "" and one.fact.content != "" for one in found.skipped)
    facts = list(reversed(memory.list(0)))
    assert [(fact.content, fact.turns) for fact in facts] == learnt
    everything = [text for number in locomo.sessions(data) for text, _ in observed(data, number)]
    assert len(everything) - len(facts) <= 1  # the data repeats itself at most once
    assert len(facts) >= 168


def test_B_the_same_sessions_again_teach_nothing(data: locomo.Data, store: MemoryStore) -> None:
    memory = store.memory("both")
    first = {text: fact for found, _, _ in passes(data, memory) for text, fact in _facts(found)}
    for found, stated, _ in passes(data, memory):
        assert (found.extracted, found.error) == ([], None)
        assert [(one.text, one.fact.content) for one in found.skipped] == [(text, first[text]) for text, _ in stated]


def _facts(found: Extraction) -> Iterator[tuple[str, str]]:
    """For each text that was offered, the fact that says it now."""
    yield from ((fact.content, fact.content) for fact in found.extracted)
    yield from ((one.text, one.fact.content) for one in found.skipped)
