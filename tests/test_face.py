"""The face that programs rely on: names, arguments, defaults, the fields of a fact, and who stamps its origin."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import memview
from memview import ALL, Extraction, Fact, MemoryExtension, MemoryExtractor, MemoryStore
from memview.cli.main import memview as command
from memview.memory.extractor import DEFAULT_PROMPT
from memview.store.checks import CONFIDENTIALITY, ORIGINS
from memview.store.models import columns
from scripted import ScriptedChat, user
from support import LIMIT, SettableClock, plain

NEEDED: Any = inspect.Parameter.empty

FACE: dict[str, dict[str, Any]] = {
    "MemoryStore": {"path": NEEDED, "agent": None, "*read_only": False, "*synchronous": "FULL"},
    "MemoryStore.tenant": {"name": NEEDED},
    "MemoryStore.memory": {"namespace": NEEDED, "max_entries": None},
    "MemoryStore.conversation": {
        "session_id": NEEDED, "namespace": None, "depth": None, "enabled": True, "read_only": False, "on_trim": None,
        "max_turns": None, "background": False,
    },
    "MemoryStore.search_turns": {"query": NEEDED, "namespace": ALL, "session": ALL, "limit": 10, "context": True},
    "MemoryStore.erase": {"*ids": (), "*session": None, "*namespace": None, "*value": None, "*dry_run": False},
    "MemoryStore.namespaces": {}, "MemoryStore.stats": {}, "MemoryStore.undo": {}, "MemoryStore.redo": {},
    "Memory.write": {
        "content": NEEDED, "metadata": None, "*session": None, "*turns": (), "*origin": None, "*category": None,
        "*tags": (), "*keywords": (), "*summary": None, "*importance": 5, "*memory_type": "semantic",
        "*strength": 1.0, "*confidentiality": "public",
    },
    "Memory.get": {"id": NEEDED}, "Memory.list": {"limit": 50}, "Memory.count": {}, "Memory.history": {"id": NEEDED},
    "Memory.search": {"query": NEEDED, "limit": 5, "match": "any"}, "Memory.links": {"id": NEEDED},
    "Memory.update": {"id": NEEDED, "content": None, "*version": None},
    "Memory.correct": {"id": NEEDED, "content": NEEDED, "*version": None},
    "Memory.forget": {"id": NEEDED}, "Memory.restore": {"id": NEEDED}, "Memory.erase": {"id": NEEDED},
    "Memory.pin": {"id": NEEDED}, "Memory.accept": {"id": NEEDED}, "Memory.trash": {}, "Memory.tools": {},
    "Memory.link": {"a": NEEDED, "b": NEEDED, "kind": "related"}, "Memory.unlink": {"a": NEEDED, "b": NEEDED},
    "Memory.recall": {
        "query": "", "*category": None, "*tags": (), "*memory_type": None, "*min_strength": 0.0,
        "*max_confidentiality": None, "*prefix": None, "*limit": 10, "*reinforce": True, "*context": True,
    },
    "Memory.prune": {"min_strength": 0.1, "min_age": timedelta(hours=24), "prefix": None, "*dry_run": False},
    "Memory.consolidate": {"ids": NEEDED, "content": NEEDED},
    "Conversation.record": {"request": "", "response": ""},
    "Conversation.to_messages": {"*filter": None, "*since": None, "*token_budget": None},
    "Conversation.load": {}, "Conversation.turns": {}, "Conversation.size": {}, "Conversation.clear": {},
    "Conversation.delete": {}, "Conversation.close": {}, "Conversation.turn": {"request": NEEDED},
    "MemoryExtractor": {
        "chat": NEEDED, "memory": NEEDED, "system_prompt": DEFAULT_PROMPT, "max_candidates": 10,
        "max_transcript_messages": 60,
    },
    "MemoryExtractor.extract": {"transcript": NEEDED, "session_id": None},
    "MemoryExtension": {
        "memory": NEEDED, "*user_id": None, "*session": None, "*extractor": None, "*prefetch_k": 5, "*threshold": None,
        "*resident_persona": True, "*resident_limit": 20, "*flush_timeout": 5.0,
    },
    "MemoryExtension.on_user_message": {"text": NEEDED}, "MemoryExtension.system_prompt_snippets": {},
}  # fmt: skip
"""What each takes at least, in this order, with defaults; a star marks what is given by name alone."""


@pytest.mark.parametrize("name", FACE)
def test_names_that_programs_rely_on(name: str) -> None:
    owner, _, method = name.partition(".")
    called = getattr(getattr(memview, owner), method) if method else getattr(memview, owner)
    taken = inspect.signature(called).parameters.values()
    there = {
        ("*" if one.kind is one.KEYWORD_ONLY else "") + one.name: one.default for one in taken if one.name != "self"
    }
    assert {one: there.get(one, "missing") for one in FACE[name]} == FACE[name]
    assert [one for one in there if one in FACE[name]] == list(FACE[name])
    assert all(default is not NEEDED for one, default in there.items() if one not in {*FACE[name], "meta", "values"})


def test_values_that_programs_rely_on() -> None:
    found = Extraction()
    assert (found.extracted, found.skipped, found.error) == ([], [], None)
    for owner, names in {
        "Recalled": ("fact", "score", "why"), "Erased": ("places", "unreached"), "Undone": ("verb", "at", "records"),
    }.items():  # fmt: skip
        assert set(names) <= set(inspect.signature(getattr(memview, owner)).parameters), owner


# E: the fields of a fact

FIELDS = (
    "id", "content", "category", "tags", "keywords", "summary", "importance", "memory_type", "strength",
    "access_count", "created_at", "updated_at", "last_accessed_at", "version", "status", "pinned", "confidentiality",
    "agent", "session", "turns", "origin", "metadata",
)  # fmt: skip


def test_E_the_fields_of_a_fact_and_their_defaults(store: MemoryStore, clock: SettableClock) -> None:
    fact = store.memory("user:42").write("Deploys on Tuesdays")
    assert set(FIELDS) <= set(columns(Fact))
    told = {name: getattr(fact, name) for name in FIELDS if name not in ("id", "content")}
    assert told == {
        "category": None, "tags": [], "keywords": [], "summary": None, "importance": 5, "memory_type": "semantic",
        "strength": 1.0, "access_count": 0, "created_at": clock.now, "updated_at": clock.now,
        "last_accessed_at": clock.now, "version": 1, "status": "active", "pinned": False, "confidentiality": "public",
        "agent": "planner", "session": None, "turns": [], "origin": None, "metadata": {},
    }  # fmt: skip
    assert CONFIDENTIALITY == ("public", "internal", "confidential", "restricted")


@pytest.mark.parametrize("strength", [0.0, 0.05, 0.3, 1.0])
def test_E_strength_is_stored_as_given(store: MemoryStore, path: Path, strength: float) -> None:
    fact = store.memory("user:42").write("Deploys on Tuesdays", strength=strength)
    assert store.memory("user:42").get(fact.id).strength == strength
    with plain(path) as connection:
        assert connection.execute("SELECT strength FROM facts").fetchone() == (strength,)


def test_E_blocked_score_and_why_are_no_columns(store: MemoryStore) -> None:
    memory = store.memory("user:42")
    fact = memory.write("Deploys on Tuesdays")
    assert not {"blocked", "score", "why"} & set(columns(Fact))
    assert (fact.blocked, fact.score, fact.why) == (False, None, "")
    (found,) = memory.search("deploys")
    assert found.score is not None
    assert found.why
    assert found == fact


# beyond: who stamps an origin


def _captured(store: MemoryStore) -> None:
    with MemoryExtension(store.memory("user:42"), session="s1", flush_timeout=LIMIT) as remembering:
        remembering.on_user_message("I deploy on Tuesdays")


def _extracted(store: MemoryStore) -> None:
    chat = ScriptedChat(["Ada deploys on Tuesdays"])
    MemoryExtractor(chat, store.memory("user:42")).extract([user("I deploy on Tuesdays", turn_id="t1")], "s1")


def _told_by_a_model(store: MemoryStore) -> None:
    store.memory("user:42").tools(session="s1").call("write", {"content": "Ada deploys on Tuesdays"})


WAYS: dict[str, Callable[[MemoryStore], None]] = {
    "user": _captured, "extraction": _extracted, "assistant": _told_by_a_model,
}  # fmt: skip


@pytest.mark.parametrize("origin", WAYS)
def test_beyond_origin_is_stamped_by_the_library(store: MemoryStore, origin: str) -> None:
    WAYS[origin](store)
    (fact,) = store.memory("user:42").list()
    assert (fact.origin, fact.agent, fact.session) == (origin, "planner", "s1")
    assert fact.turns == (["t1"] if origin == "extraction" else [])


def test_beyond_an_origin_is_one_of_six(store: MemoryStore) -> None:
    assert set(ORIGINS) == {"user", "assistant", "tool", "import", "person", "extraction"}
    facts = store.memory("user:42").write_many([{"content": origin, "origin": origin} for origin in ORIGINS])
    assert [fact.origin for fact in facts] == list(ORIGINS)


# E.10: where a superseded fact is shown, it says so


def test_E10_a_superseded_fact_is_marked_where_it_is_shown(store: MemoryStore, path: Path) -> None:
    memory = store.memory("user:42")
    old, new = memory.write_many(["Deploys on Tuesdays", "Deploys on Mondays"])
    memory.link(new.id, old.id, "supersedes")
    assert memory.get(old.id).status == "superseded"
    assert [fact.id for fact in memory.list()] == [new.id]
    told = CliRunner().invoke(command, ["show", str(path), old.id]).output.split()
    assert told[told.index("state") + 1] == "superseded"
    (row,) = json.loads(CliRunner().invoke(command, ["search", str(path), "is:superseded", "--json"]).output)
    assert (row["id"], row["status"]) == (old.id, "superseded")
