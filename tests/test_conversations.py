"""Conversations: the turns of a session, recorded by hand and given back as messages."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memview import BusyStore, Conversation, Invalid, MemoryStore, Turn
from support import LIMIT, SettableClock, plain, run, sql

Message = dict[str, str]


@pytest.fixture
def chat(store: MemoryStore) -> Conversation:
    return store.conversation("s1")


def said(turns: list[Turn]) -> list[str]:
    return [turn.request for turn in turns]


def fill(chat: Conversation, count: int) -> None:
    for number in range(count):
        chat.record(request=f"q{number}", response=f"a{number}")


def asked(messages: list[Message]) -> list[str]:
    return [message["content"] for message in messages if message["role"] == "user"]


def _refuse(turns: list[Turn]) -> None:
    raise RuntimeError("no room")


# 1. recording is by hand


def test_C1_nothing_is_stored_unless_it_is_recorded(chat: Conversation, path: Path) -> None:
    chat.load(), chat.turns(), chat.to_messages()
    with chat:
        pass
    assert sql(path, "SELECT * FROM turns") == []


def test_C1_a_turn_is_recorded_when_its_block_ends_well(chat: Conversation) -> None:
    with chat.turn("hello", model="m1") as turn:
        turn.response = "hi"
    with pytest.raises(ZeroDivisionError), chat.turn("again") as turn:
        turn.response = str(1 // 0)
    (recorded,) = chat.turns()
    assert (recorded.request, recorded.response, recorded.meta) == ("hello", "hi", {"model": "m1"})


# 2. what is recorded


def test_C2_a_turn_comes_back_as_it_was_recorded(chat: Conversation, store: MemoryStore, clock: SettableClock) -> None:
    turn = chat.record(request="hello", response="hi", tokens=12, tools=["search"])
    assert turn is not None
    assert (turn.at, turn.agent, turn.session, turn.namespace) == (clock.now, "planner", "s1", None)
    assert turn.meta == {"tokens": 12, "tools": ["search"]}
    assert store.conversation("s1").turns() == [turn]
    given = datetime(2026, 1, 1, 12, tzinfo=UTC)
    chat.record(request="later", at=given)
    assert store.conversation("s1").turns()[1].at == given


@pytest.mark.parametrize("text", ["", "a\0b", "🦊", "x" * 100_000, "\x1b]52;c;aGk=\x07", "\u202e"])
def test_C2_any_text_is_recorded_as_it_is(chat: Conversation, store: MemoryStore, text: str) -> None:
    chat.record(request=text, response=text)
    (turn,) = store.conversation("s1").turns()
    assert (turn.request, turn.response) == (text, text)


@pytest.mark.parametrize(
    "values", [{"request": None}, {"response": b"x"}, {"request": "\ud800"}, {"request": "x", "meta": {1, 2}}]
)
def test_C2_what_cannot_be_stored_is_refused(chat: Conversation, values: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        chat.record(**values)
    assert chat.size() == 0


def test_C2_a_time_must_be_a_time(chat: Conversation) -> None:
    with pytest.raises(Invalid):
        chat.record(request="x", at="yesterday")  # type: ignore[arg-type]
    assert chat.size() == 0


# 3. switches


def test_C3_a_conversation_that_is_off_reads_and_writes_nothing(store: MemoryStore, chat: Conversation) -> None:
    chat.record(request="kept")
    off = store.conversation("s1", enabled=False)
    assert off.record(request="no") is None
    assert (off.turns(), off.to_messages(), off.size(), off.delete()) == ([], [], 0, 0)
    assert chat.size() == 1


def test_C3_a_read_only_conversation_loads_and_records_nothing(
    store: MemoryStore, chat: Conversation, path: Path
) -> None:
    chat.record(request="kept")
    reading = store.conversation("s1", read_only=True)
    assert said(reading.turns()) == ["kept"]
    assert reading.record(request="no") is None
    assert reading.delete() == 0
    with MemoryStore(path, read_only=True) as looking:
        assert looking.conversation("s1").record(request="no") is None
        assert said(looking.conversation("s1").turns()) == ["kept"]
    assert chat.size() == 1


# 4. messages


def test_C4_messages_are_two_a_turn_and_an_empty_side_is_left_out(chat: Conversation) -> None:
    chat.record(request="hello", response="hi")
    chat.record(request="", response="are you there?")
    chat.record(request="yes")
    assert chat.to_messages() == [
        {"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"},
        {"role": "assistant", "content": "are you there?"}, {"role": "user", "content": "yes"},
    ]  # fmt: skip


def test_C4_filter_and_since_come_before_depth_and_budget(store: MemoryStore, clock: SettableClock) -> None:
    chat = store.conversation("s1", depth=2)
    start = clock.now
    for number in range(6):
        chat.record(request=f"q{number}", kind="even" if number % 2 == 0 else "odd")
        clock.forward(minutes=1)
    fresh = store.conversation("s1", depth=2)
    assert said(fresh.turns()) == asked(fresh.to_messages()) == ["q4", "q5"]
    assert asked(fresh.to_messages(filter=lambda turn: turn.meta["kind"] == "even")) == ["q2", "q4"]
    assert asked(fresh.to_messages(since=start + timedelta(minutes=5))) == ["q5"]
    assert asked(fresh.to_messages(filter=lambda turn: turn.request < "q3", since=start + timedelta(minutes=1))) == [
        "q1", "q2",
    ]  # fmt: skip
    assert asked(fresh.to_messages(filter=lambda turn: turn.request < "q3", token_budget=1)) == ["q2"]
    assert fresh.size() == 6


def test_C4_since_keeps_turns_at_it_and_turns_without_a_readable_time(
    chat: Conversation, path: Path, clock: SettableClock
) -> None:
    chat.record(request="old", at=clock.now - timedelta(days=1))
    chat.record(request="at it")
    sql(path, "INSERT INTO turns (session, request, at) VALUES ('s1', 'when?', 'no time'), ('s1', 'blob', x'ff')")
    assert asked(chat.load().to_messages(since=clock.now)) == ["at it", "when?", "blob"]
    assert asked(chat.to_messages(since=clock.now.replace(tzinfo=None))) == ["at it", "when?", "blob"]


@pytest.mark.parametrize(("budget", "expected"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (100, 4)])
def test_C4_a_budget_takes_whole_turns_from_the_newest(chat: Conversation, budget: int, expected: int) -> None:
    for number in range(4):
        chat.record(request=f"{number}abc", response="1")  # five characters: two tokens
    assert math.ceil(5 / 4) == 2
    assert len(asked(chat.to_messages(token_budget=budget))) == expected


def test_C4_a_budget_stops_at_the_first_turn_that_does_not_fit(chat: Conversation) -> None:
    for text in ("tiny", "x" * 400, "last"):
        chat.record(request=text)
    assert asked(chat.to_messages(token_budget=50)) == ["last"]
    assert asked(chat.to_messages(token_budget=3, count_tokens=lambda text: 1)) == ["tiny", "x" * 400, "last"]


# 5. isolation


@pytest.mark.parametrize("name", ["work", "", "None", "a:b", "🦊"])
def test_C5_a_namespace_isolates_within_a_session(store: MemoryStore, name: str) -> None:
    nameless, named = store.conversation("s1"), store.conversation("s1", namespace=name)
    nameless.record(request="nameless")
    named.record(request="named")
    store.conversation("s2", namespace=name).record(request="another session")
    assert said(store.conversation("s1").turns()) == ["nameless"]
    assert said(store.conversation("s1", namespace=name).turns()) == ["named"]
    assert named.delete() == 1
    assert (nameless.size(), named.size()) == (1, 0)
    assert {(space.namespace, space.turns) for space in store.namespaces()} == {(None, 1), (name, 1)}


# 6. trimming


def test_C6_above_the_limit_the_oldest_tenth_goes_after_it_was_shown(store: MemoryStore) -> None:
    trimmed: list[list[str]] = []
    chat = store.conversation("s1", max_turns=20, on_trim=lambda turns: trimmed.append(said(turns)))
    fill(chat, 20)
    assert trimmed == []
    chat.record(request="q20")
    assert trimmed == [["q0", "q1"]]
    assert chat.size() == 19
    assert said(chat.turns()) == [f"q{number}" for number in range(2, 21)]
    fill(chat, 1)
    assert len(trimmed) == 1


def test_C6_nothing_is_dropped_unasked(chat: Conversation) -> None:
    fill(chat, 30)
    assert chat.size() == 30


@pytest.mark.parametrize("limit", [1, 2, 9])
def test_C6_a_small_limit_drops_one_at_a_time(store: MemoryStore, limit: int) -> None:
    chat = store.conversation("s1", max_turns=limit)
    fill(chat, limit + 3)
    assert said(chat.turns()) == [f"q{number}" for number in range(3, limit + 3)]
    with pytest.raises(Invalid):
        store.conversation("s1", max_turns=0)


def test_C6_facts_keep_the_ids_of_turns_that_went(store: MemoryStore) -> None:
    chat = store.conversation("s1", max_turns=1)
    turn = chat.record(request="I live in Berlin")
    assert turn is not None
    fact = store.memory("user:42").write("They live in Berlin", turns=[turn.id])
    chat.record(request="bye")
    assert store.memory("user:42").get(fact.id).turns == [turn.id]


def test_C6_turns_are_there_still_when_they_are_shown(store: MemoryStore) -> None:
    shown: list[tuple[int, list[str]]] = []

    def keep(turns: list[Turn]) -> None:
        shown.append((store.conversation("s1").size(), [turn.id for turn in turns]))
        store.memory("user:42").write("They said q0", turns=[turn.id for turn in turns])

    chat = store.conversation("s1", max_turns=3, on_trim=keep, background=True)
    fill(chat, 4)
    chat.close()
    (fact,) = store.memory("user:42").list()
    assert shown == [(4, fact.turns)]
    assert chat.size() == 3


def test_C6_what_the_caller_cannot_keep_is_not_dropped(store: MemoryStore) -> None:
    chat = store.conversation("s1", max_turns=2, on_trim=_refuse)
    fill(chat, 2)
    with pytest.raises(RuntimeError, match="no room"):
        chat.record(request="q2")
    assert said(store.conversation("s1").turns()) == ["q0", "q1"]


# 7. clearing, deleting, loading


def test_C7_clear_touches_no_storage(chat: Conversation, store: MemoryStore) -> None:
    fill(chat, 3)
    chat.load().clear()
    assert (chat.turns(), chat.to_messages(), chat.to_messages(filter=bool), chat.size()) == ([], [], [], 3)
    chat.record(request="after")
    assert said(chat.turns()) == asked(chat.to_messages()) == asked(chat.to_messages(filter=bool)) == ["after"]
    assert len(chat.load().turns()) == 4


def test_C7_delete_removes_this_session_alone(chat: Conversation, store: MemoryStore) -> None:
    fill(chat, 3)
    fill(store.conversation("s2"), 2)
    assert chat.delete() == 3
    assert (chat.turns(), chat.size(), chat.delete()) == ([], 0, 0)
    assert store.conversation("s2").size() == 2
    assert store.search_turns("q0", session="s1") == []


def test_C7_what_others_record_shows_after_load(chat: Conversation, store: MemoryStore) -> None:
    assert chat.turns() == []
    store.conversation("s1").record(request="from elsewhere")
    assert said(chat.load().turns()) == ["from elsewhere"]


# searching turns


def test_turns_are_found_by_their_words(store: MemoryStore) -> None:
    store.conversation("s1").record(request="How is the pottery class?", response="We made a bowl")
    store.conversation("s2", namespace="work").record(request="東京の天気は?", response="sunny")
    (found,) = store.search_turns("bowls")
    assert found.request == "How is the pottery class?"
    assert found.score is not None
    assert said(store.search_turns("天気")) == ["東京の天気は?"]
    assert store.search_turns("pottery", namespace="work") == store.search_turns("pottery", session="s2") == []
    assert len(store.search_turns("pottery sunny", namespace=None)) == 1
    assert store.search_turns(" ") == []
    assert len(store.search_turns("pottery sunny", limit=1)) == 1


# 8. in the background


def test_C8_background_turns_are_written_in_order_and_close_flushes(store: MemoryStore) -> None:
    with store.conversation("s1", background=True) as chat:
        for number in range(50):
            assert chat.record(request=f"q{number}") is None
    assert said(store.conversation("s1").turns()) == [f"q{number}" for number in range(50)]
    chat.record(request="after closing")
    assert chat.size() == 51
    chat.close()


def test_C8_reads_see_what_was_recorded_in_the_background(store: MemoryStore) -> None:
    with store.conversation("s1", background=True) as chat:
        chat.record(request="one")
        assert (chat.size(), said(chat.load().turns()), asked(chat.to_messages(filter=bool))) == (1, ["one"], ["one"])
        chat.record(request="two")
        assert chat.delete() == 2


def test_C8_an_error_in_the_background_reaches_the_next_call(store: MemoryStore, path: Path) -> None:
    store.close()
    with MemoryStore(path, timeout=0.05) as impatient, plain(path) as other:
        chat = impatient.conversation("s1", background=True)
        other.execute("BEGIN IMMEDIATE")
        chat.record(request="lost")
        with pytest.raises(BusyStore):
            chat.close()
        other.execute("ROLLBACK")
        chat.record(request="kept")
        chat.close()
        assert said(chat.load().turns()) == ["kept"]


@pytest.mark.parametrize("call", ["turns", "to_messages", "size", "load", "delete", "record", "close", "clear"])
def test_C8_an_error_reaches_the_next_call_whichever_it_is(store: MemoryStore, call: str) -> None:
    chat = store.conversation("s1", max_turns=1, on_trim=_refuse, background=True)
    chat.record(request="kept")
    assert said(chat.turns()) == ["kept"]
    chat.record(request="refused")
    assert chat._writer is not None
    chat._writer.flush()
    with pytest.raises(RuntimeError, match="no room"):
        getattr(chat, call)()
    assert said(chat.turns()) == ["kept"]
    chat.close()


def test_C8_the_first_error_is_raised_and_those_after_it_are_logged(
    store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    queued = threading.Event()

    def refuse(turns: list[Turn]) -> None:
        assert queued.wait(30)
        _refuse(turns)

    chat = store.conversation("s1", max_turns=1, on_trim=refuse, background=True)
    for number in range(3):
        chat.record(request=f"q{number}")
    queued.set()
    with pytest.raises(RuntimeError, match="no room"):
        chat.close()
    assert caplog.text.count("another turn could not be recorded") == 1
    chat.close()


def test_C8_turns_that_are_loaded_follow_what_is_recorded(store: MemoryStore) -> None:
    with store.conversation("s1", background=True) as chat:
        assert chat.turns() == []
        for number in range(20):
            chat.record(request=f"q{number}")
        assert said(chat.turns()) == asked(chat.to_messages()) == [f"q{number}" for number in range(20)]


def held(chat: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be written until somebody waits for it."""
    writer, go = chat._writer, threading.Event()
    assert writer is not None
    writer.put(lambda: go.wait(LIMIT))
    monkeypatch.setattr(writer, "flush", after(go, writer.flush))


def after(event: threading.Event, work: Callable[[], object]) -> Callable[[], None]:
    """What sets an event first."""

    def call() -> None:
        event.set()
        work()

    return call


def telling_its_end(put: Callable[[Any], None], ending: threading.Event) -> Callable[[Any], None]:
    """What takes jobs, and sets an event once no more are to come."""

    def call(job: Any) -> None:
        put(job)
        if job is None:
            ending.set()

    return call


def test_C8_clearing_empties_what_was_recorded_before(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.conversation("s1", background=True) as chat:
        assert chat.turns() == []
        held(chat, monkeypatch)
        chat.record(request="before")
        chat.clear()
        assert chat.turns() == []
        assert chat.size() == 1


def test_C8_after_clearing_a_filter_sees_what_was_recorded_since(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.conversation("s1", background=True) as chat:
        chat.record(request="before")
        chat.clear()
        held(chat, monkeypatch)
        chat.record(request="since")
        assert asked(chat.to_messages(filter=bool)) == ["since"]


def test_C8_what_is_recorded_while_another_thread_closes_is_kept_in_its_order(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = store.conversation("s1", background=True)
    writer, ending, go = chat._writer, threading.Event(), threading.Event()
    assert writer is not None
    writer.put(lambda: go.wait(LIMIT) and chat._record("before", "", None, {}))
    jobs = writer._jobs
    monkeypatch.setattr(jobs, "put", telling_its_end(jobs.put, ending))
    monkeypatch.setattr(jobs, "join", after(go, jobs.join))
    monkeypatch.setattr(jobs, "task_done", after(go, jobs.task_done))
    closing = threading.Thread(target=chat.close, daemon=True)
    closing.start()
    assert ending.wait(LIMIT)
    chat.record(request="meanwhile")  # its writer looks for work while the other one is still at its last
    assert chat.size() == 2
    closing.join(LIMIT)
    assert not closing.is_alive()
    chat.close()
    assert said(chat.turns()) == ["before", "meanwhile"]


def test_C8_reads_see_what_another_thread_is_closing(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = store.conversation("s1", background=True)
    writer, ending, go = chat._writer, threading.Event(), threading.Event()
    assert writer is not None
    writer.put(lambda: go.wait(LIMIT))
    chat.record(request="one")
    jobs = writer._jobs
    monkeypatch.setattr(jobs, "put", telling_its_end(jobs.put, ending))
    monkeypatch.setattr(jobs, "join", after(go, jobs.join))
    closing = threading.Thread(target=chat.close, daemon=True)
    closing.start()
    assert ending.wait(LIMIT)
    assert chat.size() == 1
    closing.join(LIMIT)
    assert not closing.is_alive()


def test_C8_the_end_of_the_interpreter_flushes(path: Path) -> None:
    run(
        "import sys; from memview import MemoryStore\n"
        "chat = MemoryStore(sys.argv[1]).conversation('s1', background=True)\n"
        "for number in range(100): chat.record(request=str(number))",
        path,
    )
    with MemoryStore(path) as store:
        assert store.conversation("s1").size() == 100


def test_C8_an_error_that_nobody_asks_for_is_logged(store: MemoryStore, caplog: pytest.LogCaptureFixture) -> None:
    chat = store.conversation("s1", background=True)
    store.close()
    chat.record(request="lost")
    with caplog.at_level(logging.ERROR, "memview"), pytest.raises(ValueError, match="closed"):
        chat.close()
