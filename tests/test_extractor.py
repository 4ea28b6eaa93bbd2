"""Learning: a model reads a conversation, and what is new in it becomes facts that know where they came from."""

from __future__ import annotations

from typing import Any

import pytest

from memview import Extraction, Memory, MemoryExtractor, MemoryStore
from memview.memory.extractor import DEFAULT_PROMPT, NOTHING
from scripted import ScriptedChat, user
from support import SettableClock

TALK = [user("I moved to Berlin"), {"role": "assistant", "content": "How is it?"}]


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


def learn(memory: Memory, *replies: Any, transcript: Any = TALK, **options: Any) -> Extraction:
    extractor = MemoryExtractor(chat=ScriptedChat(*replies), memory=memory, **options)
    return extractor.extract(transcript, session_id="s1")


def contents(found: Extraction) -> list[str]:
    return [fact.content for fact in found.extracted]


# 1. what is sent


def test_B1_one_call_with_what_user_and_assistant_said(memory: Memory) -> None:
    chat = ScriptedChat({"facts": []})
    MemoryExtractor(chat=chat, memory=memory).extract(
        [
            {"role": "system", "content": "be brief"}, *TALK, {"role": "tool", "content": "42 rows"},
            {"role": "assistant", "content": None}, user("  "), {"role": "assistant"},
            user([{"type": "text", "text": "see this"}, {"type": "image_url", "image_url": {"url": "x"}}]),
        ]
    )  # fmt: skip
    (sent,) = chat.sent
    assert sent[0] == {"role": "system", "content": DEFAULT_PROMPT}
    assert chat.read == "[1] user: I moved to Berlin\n[2] assistant: How is it?\n[3] user: see this"


def test_B1_the_last_messages_are_sent_oldest_dropped_first(memory: Memory) -> None:
    chat = ScriptedChat({"facts": []}, {"facts": []})
    many = [user(f"message {number};") for number in range(100)]
    MemoryExtractor(chat=chat, memory=memory).extract(many)
    assert "message 39;" not in chat.read
    assert "message 40;" in chat.read
    assert chat.read.count("\n") == 59
    MemoryExtractor(chat=chat, memory=memory, max_transcript_messages=2, system_prompt="Note.").extract(many)
    assert chat.read == "[1] user: message 98;\n[2] user: message 99;"
    assert chat.sent[-1][0]["content"] == "Note."


def test_B1_recalled_memory_is_not_read_as_something_new(memory: Memory) -> None:
    chat = ScriptedChat({"facts": []})
    MemoryExtractor(chat=chat, memory=memory).extract(
        [user("<memory-context>\n- Lives in Rome\n</memory-context>\nhello")]
    )
    assert chat.read == "[1] user: hello"


# 2. what is understood


@pytest.mark.parametrize(
    "reply",
    [
        '{"facts": ["Lives in Berlin", "Likes tea"]}',
        '["Lives in Berlin", "Likes tea"]',
        'Here is what I found [2 facts]: ["Lives in Berlin", "Likes tea"] - anything else?',
        'Sure!\n```json\n{"facts": ["Lives in Berlin", "Likes tea"]}\n```\nDone.',
        '```\n["Lives in Berlin", "Likes tea"]\n```',
        'I noted {"facts": ["Lives in Berlin", "Likes tea"]}.',
        '{"facts": ["Lives in Berlin", "", "   ", null, "Likes tea"]}',
        '{"facts": [{"fact": "Lives in Berlin", "from": [1]}, {"fact": " Likes tea "}]}',
        'See [1] and [2]: ["Lives in Berlin", "Likes tea"]',
    ],
)
def test_B2_a_reply_is_understood_however_it_is_dressed(memory: Memory, reply: str) -> None:
    found = learn(memory, reply)
    assert (contents(found), found.skipped, found.error) == (["Lives in Berlin", "Likes tea"], [], None)


def test_B2_what_is_no_string_becomes_one(memory: Memory) -> None:
    found = learn(memory, {"facts": [42, True, {"city": "Zürich"}, ["a", 1], 0.5]})
    assert contents(found) == ["42", "true", '{"city": "Zürich"}', '["a", 1]', "0.5"]


@pytest.mark.parametrize(
    "reply",
    ["", "I found nothing.", "{", '{"facts": ', "[1, 2", '{"facts": null}', '{"other": 1}', "null", "[" * 20_000, "12"],
)
def test_B2_garbage_is_no_facts_returned(memory: Memory, reply: str) -> None:
    assert learn(memory, reply) == Extraction(error=NOTHING) == Extraction([], [], "no facts returned")
    assert memory.count() == 0


def test_B2_a_chat_that_returns_no_text_is_garbage_too(memory: Memory) -> None:
    assert MemoryExtractor(chat=lambda _: None, memory=memory).extract(TALK).error == NOTHING  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("reply", [{"facts": []}, [], {"facts": ["", None]}])
def test_B2_nothing_worth_remembering_is_no_error(memory: Memory, reply: Any) -> None:
    assert learn(memory, reply) == Extraction()


def test_B2_a_half_character_is_no_reason_to_lose_a_fact(memory: Memory) -> None:
    assert contents(learn(memory, '{"facts": ["Likes \\ud83d tea"]}')) == ["Likes \ufffd tea"]


# 3. nothing to read, and failures


@pytest.mark.parametrize("transcript", [[], [user("")], [{"role": "system", "content": "x"}], iter(())])
def test_B3_an_empty_transcript_asks_nobody(memory: Memory, transcript: Any) -> None:
    chat = ScriptedChat()
    assert MemoryExtractor(chat=chat, memory=memory).extract(transcript) == Extraction([], [], None)
    assert chat.sent == []


def test_B3_a_chat_that_raises_is_an_error_with_its_message(memory: Memory) -> None:
    assert learn(memory, RuntimeError("quota exceeded")) == Extraction(error="quota exceeded")
    assert learn(memory, KeyError()).error == "KeyError"


def test_B3_it_never_raises(store: MemoryStore, memory: Memory) -> None:
    assert learn(memory, transcript=["no message"]).error is not None
    store.close()
    found = learn(memory, {"facts": ["Lives in Berlin"]})
    assert (found.extracted, found.skipped) == ([], [])
    assert found.error is not None


# 4. duplicates


@pytest.mark.parametrize(
    "again",
    [
        "The deploy window is every Tuesday afternoon",
        "the DEPLOY window  is every tuesday afternoon!",
        "Deploy window",
        "The deploy window's every Tuesday afternoon",
        "The deploy windows are each Tuesday afternoon",
        "The delpoy window is every Tuesday afternoon",
    ],
)
def test_B4_a_duplicate_is_skipped_and_says_what_it_repeats(memory: Memory, again: str) -> None:
    known = memory.write("The deploy window is every Tuesday afternoon")
    found = learn(memory, {"facts": [again, "Likes tea"]})
    assert contents(found) == ["Likes tea"]
    assert [(skipped.text, skipped.fact.id) for skipped in found.skipped] == [(again, known.id)]
    assert memory.count() == 2


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Never deploys on Friday", "Deploys on Friday"),
        ("The team of Ann has 12 members in the office", "The team of Ann has 13 members in the office"),
        ("The lease of the flat ends on 5 May", "The lease of the flat ends on 6 May"),
        ("The review of the team is on Monday", "The review of the team is on Tuesday"),
        ("Caroline went to the pottery class", "Melanie went to the pottery class"),
        ("Likes tea", "Likes tea with milk"),
        ("User likes art", "User likes artichokes"),
    ],
)
def test_B4_what_says_something_else_is_learnt(memory: Memory, known: str, new: str) -> None:
    memory.write(known)
    found = learn(memory, {"facts": [new]})
    assert (contents(found), found.skipped) == ([new], [])


def test_B4_duplicates_within_one_reply_are_skipped_too(memory: Memory) -> None:
    found = learn(memory, {"facts": ["The user lives in Berlin", "User lives in Berlin.", "Likes tea"]})
    assert contents(found) == ["The user lives in Berlin", "Likes tea"]
    assert found.skipped == [("User lives in Berlin.", found.extracted[0])]


def test_B4_another_namespace_does_not_count(store: MemoryStore, memory: Memory) -> None:
    store.memory("user:7").write("Lives in Berlin")
    store.tenant("acme").memory("user:42").write("Lives in Berlin")
    assert contents(learn(memory, {"facts": ["Lives in Berlin"]})) == ["Lives in Berlin"]


@pytest.mark.parametrize("again", ["The user smokes cigars", "user smokes cigars."])
def test_B4_what_a_person_forgot_is_not_learnt_in_other_words(memory: Memory, again: str) -> None:
    gone = memory.write("The user smokes cigars")
    memory.forget(gone.id)
    found = learn(memory, {"facts": [again]})
    assert (contents(found), [skipped.fact.id for skipped in found.skipped]) == ([], [gone.id])
    assert memory.count() == 0


def test_B4_a_duplicate_is_found_among_very_many(memory: Memory) -> None:
    memory.write_many(f"The user has visited place {number} with friends" for number in range(3_000))
    (known, *_) = memory.search("place 1234", match="all")
    found = learn(memory, {"facts": ["User has visited place 1234 with friends", "The user has visited place 3001"]})
    assert [skipped.fact.id for skipped in found.skipped] == [known.id]
    assert contents(found) == ["The user has visited place 3001"]


# 5. how many


def test_B5_the_first_ones_are_taken_in_the_models_order(memory: Memory) -> None:
    found = learn(memory, {"facts": ["d", "c", "b", "a"]}, max_candidates=2)
    assert contents(found) == ["d", "c"]
    assert [fact.content for fact in memory.list()] == ["c", "d"]
    many = [f"Visited place {number}" for number in range(30)]
    assert contents(learn(memory, {"facts": many})) == many[:10]


# 6. where facts come from


def test_B6_facts_carry_their_provenance(memory: Memory, store: MemoryStore, clock: SettableClock) -> None:
    talk = store.conversation("s1")
    turns = [talk.record(request=text) for text in ("I moved to Berlin", "I like tea")]
    first, second = (turn.id for turn in turns if turn is not None)
    transcript = [user("I moved to Berlin", turn_id=first), user("I like tea", turn_id=second), user("bye")]
    stated = [
        {"fact": "Lives in Berlin", "from": [1]},
        {"fact": "Likes tea", "from": 2},
        {"fact": "Says bye", "from": [9]},
    ]
    clock.forward(hours=1)
    found = learn(memory, {"facts": stated}, transcript=transcript)
    assert [memory.get(fact.id).turns for fact in found.extracted] == [[first], [second], [first, second]]
    for fact in map(memory.get, (fact.id for fact in found.extracted)):
        assert (fact.session, fact.origin, fact.created_at, fact.agent) == ("s1", "extraction", clock.now, "planner")
        assert fact.meta == {"extracted": True, "extracted_at": "2026-03-01T10:30:00.000000Z"}


def test_B6_a_conversation_gives_a_transcript_that_leads_back_to_its_turns(memory: Memory, store: MemoryStore) -> None:
    talk = store.conversation("s1")
    turn = talk.record(request="I moved to Berlin", response="How is it?")
    assert turn is not None
    transcript = talk.to_messages(turn_ids=True)
    assert transcript == [{**message, "turn_id": turn.id} for message in talk.to_messages()]
    (fact,) = learn(memory, {"facts": ["Lives in Berlin"]}, transcript=transcript).extracted
    assert fact.turns == [turn.id]


def test_B6_an_extraction_is_one_step_that_a_person_can_take_back(memory: Memory, store: MemoryStore) -> None:
    learn(memory, {"facts": ["Lives in Berlin", "Likes tea"]})
    undone = store.undo()
    assert undone is not None
    assert len(undone.records) == 2
    assert memory.count() == 0
