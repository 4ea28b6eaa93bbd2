"""Prune by a rule: what it would set aside, what stays and why, and one undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command import cli
from memview import MemoryStore
from memview.errors import Invalid
from memview.review.prune import RULE, Preview, preview, prune, rule
from support import SettableClock

ANN = "person:ann"


def seen(store: MemoryStore, text: str = RULE, **asked: bool) -> Preview:
    now = store.clock()
    return store._read(lambda raw: preview(raw, rule(text, now), now, **asked))


def fill(path: Path, clock: SettableClock) -> dict[str, str]:
    with MemoryStore(path, agent="planner", clock=clock) as store, MemoryStore(path, agent=ANN, clock=clock) as ann:
        memory, hers = store.memory("user:42"), ann.memory("user:42")
        ids = {word: memory.write(word).id for word in ("faded", "old", "pinned", "accepted", "edited", "recalled")}
        ids["written"] = hers.write("written").id
        hers.pin(ids["pinned"])
        hers.accept(ids["accepted"])
        hers.update(ids["edited"], importance=9)
        clock.forward(days=40)
        memory.recall("recalled")
        memory.write("fresh", strength=0.01)
    return ids


def contents(store: MemoryStore) -> set[str]:
    return {fact.content for fact in store.memory("user:42").list(limit=0)}


def test_the_preview_says_exactly_what_goes_and_why_the_rest_stays(path: Path, clock: SettableClock) -> None:
    fill(path, clock)
    with MemoryStore(path, agent=ANN, clock=clock) as store:
        found = seen(store)
        assert (len(found.would), found.active) == (2, 8)
        assert (found.pinned, found.accepted, found.edited) == (1, 1, 2)
        assert contents(store) >= {"faded", "old"}
        done = prune(store, found)
        assert (done.done.changed, done.arrived) == (2, 0)
        assert contents(store) == {"pinned", "accepted", "edited", "recalled", "written", "fresh"}
        assert {fact.status for fact in store.memory("user:42").trash()} == {"pruned"}
        store.undo()
        assert contents(store) >= {"faded", "old"}


def test_accepted_and_edited_go_only_when_asked_and_pinned_never(path: Path, clock: SettableClock) -> None:
    fill(path, clock)
    with MemoryStore(path, agent=ANN, clock=clock) as store:
        assert len(seen(store, accepted=True).would) == 3
        assert len(seen(store, edited=True).would) == 4
        prune(store, seen(store, accepted=True, edited=True))
        assert contents(store) == {"pinned", "recalled", "fresh"}


def test_one_that_is_left_out_stays(path: Path, clock: SettableClock) -> None:
    fill(path, clock)
    with MemoryStore(path, agent=ANN, clock=clock) as store:
        found = seen(store)
        (old,) = [f.n or 0 for f in store.memory("user:42").list(limit=0) if f.content == "old"]
        less = found.without([old, 999])
        assert (len(less.would), less.left_out) == (1, frozenset({old}))
        prune(store, less)
        assert "old" in contents(store)


def test_what_changed_or_came_after_the_count_is_named_and_not_touched(path: Path, clock: SettableClock) -> None:
    ids = fill(path, clock)
    with MemoryStore(path, agent=ANN, clock=clock) as store, MemoryStore(path, agent="planner", clock=clock) as agent:
        found = seen(store, "strength<0.10 recalled:0")
        agent.memory("user:42").update(ids["old"], tags=["kept"], strength=0.01)
        agent.memory("user:42").write("late", strength=0.01)
        done = prune(store, found)
        assert (done.done.changed, len(done.done.moved), done.arrived) == (2, 1, 1)
        assert {"old", "late"} <= contents(store)


def test_a_pruned_text_may_be_learnt_again(path: Path, clock: SettableClock) -> None:
    fill(path, clock)
    with MemoryStore(path, agent="planner", clock=clock) as store:
        prune(store, seen(store))
        assert not store.memory("user:42").write("old").blocked
        assert "old" in contents(store)


@pytest.mark.parametrize("text", ["", "strength<", "is:nonsense", "tag:"])
def test_a_rule_that_is_not_understood_is_refused(text: str, clock: SettableClock) -> None:
    with pytest.raises(Invalid):
        rule(text, clock())


def test_from_the_command_line(path: Path, clock: SettableClock) -> None:
    ids = fill(path, clock)
    counted = cli("prune", path, "ns:user", "--dry-run", "--json")
    assert counted.status == 0
    assert json.loads(counted.out)["would"] == 4
    assert json.loads(counted.out)["kept"] == {"pinned": 1, "accepted": 1, "edited": 2}
    refused = cli("prune", path, "ns:user")
    assert refused.status == 1
    assert "--yes" in refused.err
    done = cli("prune", path, "ns:user", "--leave", ids["old"], "--yes", "--json")
    assert (done.status, json.loads(done.out)["pruned"]) == (0, 3)
    assert cli("prune", path, "tag:").status == 2
    assert cli("prune", path, "nothing-like-it", "--yes").status == 1
    assert cli("undo", path).sentence.startswith("Took back pruning 3 facts in user:42")


@settings(max_examples=10)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.integers(0, 40)), min_size=1, max_size=10))
def test_exactly_what_was_counted_goes(
    tmp_path_factory: pytest.TempPathFactory, facts: list[tuple[float, bool, int]]
) -> None:
    clock = SettableClock()
    with MemoryStore(tmp_path_factory.mktemp("store") / "agent.db", agent="planner", clock=clock) as store:
        memory = store.memory("user:42")
        for number, (strength, pinned, days) in enumerate(facts):
            memory.pin(memory.write(str(number), strength=strength).id, pinned)
            clock.forward(days=days)
        found = seen(store, "strength<0.3 before:24h")
        assert len(found.would) + found.pinned <= found.active == len(facts)
        assert prune(store, found).done.changed == len(found.would) == len(facts) - memory.count()
        assert seen(store, "strength<0.3 before:24h").would == []
