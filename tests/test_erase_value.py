"""Erase of a value: every copy of it, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from memview import Invalid, MemoryStore, NotFound

KEY = 'ghp_Q7"canaryé\\AbC'


def leaves(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_a_key_in_facts_turns_and_history_is_in_no_file(store: MemoryStore, path: Path) -> None:
    memory = store.memory("user:42")
    inside = memory.write(f"The deploy key is {KEY}, keep it", tags=["deploy"])
    alone = memory.write(KEY)
    beside = memory.write("Has a key", metadata={"keys": [{"value": KEY}]}, keywords=[KEY])
    past = memory.write("Deploys by hand")
    memory.update(past.id, f"Deploys with {KEY}")
    memory.update(past.id, "Deploys by robot")
    memory.forget(memory.write(f"Gone: {KEY}").id)
    talk = store.conversation("s1")
    talk.record(f"my key is {KEY}", "noted")
    counted = store.erase(value=KEY, dry_run=True)
    assert counted.places == {"facts": 4, "turns": 1, "history": 1}
    assert KEY in memory.get(inside.id).content
    assert store.erase(value=KEY) == counted
    assert memory.get(inside.id).content == "The deploy key is [erased], keep it"
    assert memory.get(inside.id).tags == ["deploy"]
    assert memory.get(beside.id).metadata == {"keys": [{"value": "[erased]"}]}
    assert memory.get(past.id).content == "Deploys by robot"
    assert [turn.request for turn in talk.load().turns()] == ["my key is [erased]"]
    with pytest.raises(NotFound):
        memory.get(alone.id)
    store.close()
    assert b"canary" not in leaves(path).lower()
    assert KEY.encode().hex().upper().encode() not in leaves(path)


def test_the_rest_can_still_be_found(store: MemoryStore) -> None:
    memory = store.memory("u")
    memory.write("token abcd-efgh for staging")
    store.erase(value="abcd-efgh")
    assert [fact.content for fact in memory.search("staging")] == ["token [erased] for staging"]
    assert memory.search("efgh") == []


def test_two_facts_that_become_the_same_are_one(store: MemoryStore) -> None:
    memory = store.memory("u")
    memory.write_many(["key is aaaa", "key is [erased]"])
    store.erase(value="aaaa")
    assert [fact.content for fact in memory.list()] == ["key is [erased]"]


def test_a_name_that_holds_it_is_told(store: MemoryStore) -> None:
    store.memory("client secret99").write("secret99 is in the name too")
    erased = store.erase(value="secret99")
    assert erased.unreached == ["It is also part of the name of a namespace, which stays."]


def test_what_cannot_be_erased_is_said(store: MemoryStore) -> None:
    store.memory("u").write("abc")
    with pytest.raises(Invalid, match="4 characters"):
        store.erase(value="abc")
    with pytest.raises(NotFound):
        store.erase(value="nowhere to be found")
    with pytest.raises(Invalid, match="alone"):
        store.erase(value="abcdef", session="s")


def test_other_tenants_keep_theirs(store: MemoryStore) -> None:
    store.memory("u").write("shared-value here")
    store.tenant("acme").memory("u").write("shared-value here")
    store.tenant("acme").erase(value="shared-value")
    assert store.memory("u").search("shared-value")
