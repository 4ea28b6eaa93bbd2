"""Values that make no sense are refused in a sentence that names them, before anything is read or written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memview import Invalid, MemoryExtension, MemoryStore, NotFound
from support import sql

HUGE = 10**400
EARLIEST = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
Ask = Callable[[Any], object]
"""What a program asks of a store; ``Any``, since a type checker would stop it."""


@pytest.mark.parametrize("limit", [-1, True, None, "x", 1.5, float("nan")])
@pytest.mark.parametrize(
    "ask",
    [
        lambda store, limit: store.memory("user:42").list(limit=limit),
        lambda store, limit: store.memory("user:42").trash(limit=limit),
        lambda store, limit: store.memory("user:42").search("Berlin", limit=limit),
        lambda store, limit: store.memory("user:42").recall("Berlin", limit=limit),
        lambda store, limit: store.search_turns("Berlin", limit=limit),
    ],
)
def test_a_limit_is_a_whole_number_from_zero(store: MemoryStore, ask: Callable[..., Any], limit: Any) -> None:
    store.memory("user:42").write("Berlin")
    store.conversation("s1").record("Berlin")
    with pytest.raises(Invalid, match="limit"):
        ask(store, limit)
    assert len(ask(store, 10**30)) == (0 if "trash" in ask.__code__.co_names else 1)


@pytest.mark.parametrize(
    ("named", "ask"),
    [
        ("importance", lambda store: store.memory("u").write("x", importance=HUGE)),
        ("strength", lambda store: store.memory("u").write("x", strength=HUGE)),
        ("query", lambda store: store.memory("u").search(None)),
        ("query", lambda store: store.memory("u").recall(5)),
        ("query", lambda store: store.search_turns(None)),
        ("match", lambda store: store.memory("u").search("x", match="some")),
        ("min_strength", lambda store: store.memory("u").recall("x", min_strength=HUGE)),
        ("min_strength", lambda store: store.memory("u").prune(min_strength=HUGE)),
        ("prefix", lambda store: store.memory("u").recall("x", prefix="\ud800")),
        ("prefix", lambda store: store.memory("u").prune(prefix=5)),
        ("category", lambda store: store.memory("u").recall("x", category=5)),
        ("weights", lambda store: store.memory("u").recall("x", weights=(1, 1, 1, 1))),
        ("max_entries", lambda store: store.memory("u", max_entries="3")),
        ("max_entries", lambda store: store.memory("u", max_entries=1.5)),
        ("max_entries", lambda store: store.memory("u", max_entries=True)),
        ("max_entries", lambda store: store.memory("u", max_entries=0)),
        ("list of facts", lambda store: store.memory("u").write_many("one fact")),
        ("fact", lambda store: store.memory("u").write_many([5])),
        ("ids", lambda store: store.memory("u").consolidate(None, "x")),
        ("ids", lambda store: store.erase(ids="01m8mvndm216x5p18s4kxcr3yc")),
        ("session", lambda store: store.erase(session=5)),
        ("namespace", lambda store: store.erase(namespace="\ud800")),
        ("query", lambda store: store.select(None)),
        ("depth", lambda store: store.conversation("s", depth=-1)),
        ("depth", lambda store: store.conversation("s", depth="all")),
        ("max_turns", lambda store: store.conversation("s", max_turns=float("nan"))),
        ("token_budget", lambda store: store.conversation("s").to_messages(token_budget="x")),
        ("since", lambda store: store.conversation("s").to_messages(since="2026-01-01")),
        ("since", lambda store: store.conversation("s").to_messages(since=EARLIEST)),
        ("at", lambda store: store.conversation("s").record("x", at=EARLIEST)),
        ("at", lambda store: store.conversation("s", background=True).record("x", at=EARLIEST)),
    ],
)
def test_what_makes_no_sense_is_named(store: MemoryStore, path: Path, named: str, ask: Ask) -> None:
    with pytest.raises(Invalid, match=named):
        ask(store)
    assert sql(path, "SELECT count(*) FROM changes") == [(0,)]


@pytest.mark.parametrize("id", ["half a pair \ud800", None, 5, []])
@pytest.mark.parametrize("verb", ["get", "forget", "restore", "pin", "accept", "history", "links", "erase"])
def test_an_id_is_a_text(store: MemoryStore, verb: str, id: Any) -> None:
    with pytest.raises(Invalid, match=r"^id "):
        getattr(store.memory("u"), verb)(id)


@pytest.mark.parametrize("verb", ["link", "unlink"])
def test_the_other_id_is_a_text_too(store: MemoryStore, verb: str) -> None:
    memory = store.memory("u")
    with pytest.raises(Invalid, match=r"^id "):
        getattr(memory, verb)(memory.write("x").id, [])
    with pytest.raises(Invalid, match=r"^id "):
        memory.correct(memory.write("y").id, "z", also_forget=["\ud800"])
    assert [fact.content for fact in memory.list()] == ["y", "x"]


def test_an_id_of_nothing_is_not_found(store: MemoryStore) -> None:
    for id in ("", "a\0b", "x" * 1_000_000):
        with pytest.raises(NotFound):
            store.memory("u").get(id)


@pytest.mark.parametrize(
    ("name", "value"),
    [("session", 5), ("threshold", "x"), ("prefetch_k", -1), ("resident_limit", 1.5), ("flush_timeout", "5")],
)
def test_an_extension_is_told_at_once(store: MemoryStore, name: str, value: Any) -> None:
    with pytest.raises(Invalid, match=name):
        MemoryExtension(store.memory("u"), **{name: value})


def test_words_with_half_a_character_are_captured(store: MemoryStore) -> None:
    memory = store.memory("u")
    with MemoryExtension(memory, flush_timeout=60) as remembering:
        remembering.on_user_message("I like tea \ud83d")
        with pytest.raises(Invalid, match="text"):
            remembering.on_user_message(None)  # type: ignore[arg-type]
    assert [fact.content for fact in memory.list()] == ["I like tea \ufffd"]


@pytest.mark.parametrize("name", ["a\0b", "half a pair \ud800"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    for read_only in (False, True):
        with pytest.raises(Invalid, match="No file"):
            MemoryStore(f"{tmp_path}/{name}", read_only=read_only)


@pytest.mark.parametrize("told", [datetime(2026, 3, 1), "now", None])
def test_a_clock_tells_an_aware_time(path: Path, told: Any) -> None:
    with pytest.raises(Invalid, match="clock"):
        MemoryStore(path, clock=lambda: told)
    assert not path.exists()


@pytest.mark.parametrize("timeout", [-1, "5", None, float("nan"), HUGE])
def test_a_timeout_is_a_number_of_seconds(path: Path, timeout: Any) -> None:
    with pytest.raises(Invalid, match="timeout"):
        MemoryStore(path, timeout=timeout)
    assert not path.exists()


def test_any_time_will_do(path: Path) -> None:
    for now in (datetime(1, 1, 2, tzinfo=UTC), datetime(1969, 12, 31, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)):
        with MemoryStore(path, clock=lambda now=now: now) as store:  # type: ignore[misc]
            fact = store.memory("u").write(f"written in {now.year}")
            turn = store.conversation("s").record("hello", at=now)
            assert turn is not None
            assert fact.created_at == turn.at == now
            assert store.memory("u").recall("written", limit=0, reinforce=False)
    with MemoryStore(path, clock=lambda: datetime(2026, 3, 1, tzinfo=UTC)) as store:
        assert len(store.memory("u").recall("written", reinforce=False)) == 3
        assert store.memory("u").prune() == 2  # the one that lies ahead does not fade
