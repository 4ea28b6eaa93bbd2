"""Undo and redo from the command line: one's own last action, in a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import cli, fill
from memview import MemoryStore
from memview.text import is_hostile
from support import SettableClock, plain


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


def facts(path: Path) -> object:
    found = json.loads(cli("list", path, "--json").out)
    return [{key: fact[key] for key in ("id", "content", "status", "tags", "pinned")} for fact in found]


ACTIONS = {
    "forgetting 2 facts in 2 namespaces": ["forget", "{path}", "{Deploy}", "{Répond}"],
    "forgetting 1 fact in user:42": ["forget", "{path}", "{Acme}"],
    "forgetting 2 facts in user:42": ["forget", "{path}", "{Deploy}", "{Acme}"],
    "editing 1 fact in user:42": ["edit", "{path}", "{Deploy}", "--tag", "x"],
    "correcting 1 fact in user:42": ["correct", "{path}", "{Deploy}", "Right"],
    "restoring 1 fact in user:42": ["restore", "{path}", "{Thursday}"],
    "linking 1 link": ["link", "{path}", "{Deploy}", "{Répond}"],
    "removing 1 link in user:42": ["link", "{path}", "{Deploy}", "{Thursday}", "--remove"],
}


@pytest.mark.parametrize("sentence", ACTIONS)
def test_what_was_done_is_taken_back_and_done_again(sentence: str, path: Path, ids: dict[str, str]) -> None:
    before = facts(path)
    assert cli(*(part.format(path=path, **ids) for part in ACTIONS[sentence])).status == 0
    after = facts(path)
    told = cli("undo", path)
    assert told.status == 0
    assert told.sentence.startswith(f"Took back {sentence}")
    assert facts(path) == before
    assert cli("undo", path).sentence == "There is nothing to take back."
    told = cli("redo", path)
    assert told.sentence.startswith(f"Did again: {sentence}")
    assert facts(path) == after
    assert (cli("redo", path).status, cli("redo", path).err) == (1, "There is nothing to do again.\n")


def test_what_somebody_else_changed_since_is_a_conflict(path: Path, ids: dict[str, str]) -> None:
    cli("edit", path, ids["Deploy"], "--content", "Mine")
    with MemoryStore(path, agent="scribe") as store:
        store.memory("user:42").update(ids["Deploy"], "Theirs")
    told = cli("undo", path)
    assert (told.status, told.out) == (5, "")
    assert told.err.splitlines()[1:] == [
        "  content, yours: Deploy window is Tuesday", "  content, there: Theirs",
    ]  # fmt: skip
    assert "Theirs" in cli("show", path, ids["Deploy"]).out


def test_of_many_those_that_changed_since_are_left(path: Path, ids: dict[str, str]) -> None:
    cli("forget", path, ids["Deploy"], ids["Répond"])
    with MemoryStore(path, agent="scribe") as store:
        store.memory("user:42").restore(ids["Deploy"])
    assert cli("undo", path).err.splitlines() == [
        "Took back forgetting 1 fact in user:43, just now.", "1 changed since, and left alone.",
    ]  # fmt: skip


def test_only_ones_own_in_the_tenant_that_was_named(path: Path, ids: dict[str, str]) -> None:
    assert cli("undo", path).status == 1
    cli("forget", path, ids["Deploy"])
    cli("forget", path, ids["Acme"])
    cli("forget", path, ids["Répond"], "--agent", "curator")
    assert "user:42" in cli("undo", path, "--tenant", "").sentence
    assert cli("search", path, "window").status == 0
    assert cli("search", path, "hand").status == 1
    assert cli("undo", path, "--agent", "curator").status == 0
    assert cli("search", path, "toujours").status == 0
    assert cli("undo", path).status == 0
    assert cli("search", path, "hand").status == 0


def test_a_store_that_is_not_there_is_not_made(path: Path) -> None:
    for command in (["undo"], ["redo"], ["edit", "x", "--tag", "y"], ["forget", "--query", "x"], ["erase", "x"]):
        name, *rest = command
        assert cli(name, path, *rest).status == 3
    assert list(path.parent.iterdir()) == []


def test_a_lock_that_stays_is_four_and_changes_nothing(path: Path, ids: dict[str, str]) -> None:
    cli("forget", path, ids["Répond"])
    before = facts(path)
    with plain(path) as writer:
        writer.execute("BEGIN IMMEDIATE")
        for command in (
            ["edit", ids["Deploy"], "--tag", "x"], ["correct", ids["Deploy"], "x"],
            ["link", ids["Deploy"], ids["Acme"]],
            ["forget", "--query", "deploy", "--yes"], ["undo"], ["erase", ids["Deploy"], "--yes"], ["import", "-"],
        ):  # fmt: skip
            name, *rest = command
            told = cli(name, path, *rest, "--wait", "0", stdin=b"{}")
            assert (told.status, told.out) == (4, ""), command
            assert told.sentence.startswith("memview: agent.db is")
    assert facts(path) == before


def test_hostile_text_is_inert_in_what_is_told(path: Path) -> None:
    bad = "\x1b]0;renamed\x07 \u202e [/red] \x9b2J"
    with MemoryStore(path, agent=bad) as store:
        one, two = store.memory(bad).write_many([f"a {bad}", f"b {bad}"])
    lines = json.dumps({"record": "fact", "id": "x", "content": "y", f"column\nmemview: {bad}": 1}).encode()
    for command in (
        ["edit", one.id, "--tag", bad], ["edit", one.id, "--version", "1", "--content", bad],
        ["edit", bad, "--tag", "x"],
        ["correct", one.id, f"c {bad}"], ["undo"], ["redo"], ["link", one.id, two.id, "--kind", "contradicts"],
        ["link", bad, two.id], ["forget", "--query", "b", "--agent", bad], ["undo", "--agent", bad],
        ["forget", "--query", f'"{bad}" is:{bad}'], ["erase", one.id, "--dry-run"], ["erase", bad, "--yes"],
        ["export", "-o", f"{path.parent / 'x'}\x1b[2J"], ["import", "-"],
    ):  # fmt: skip
        name, *rest = command
        told = cli(name, path, *rest, stdin=lines)
        assert told.out + told.err
        assert not is_hostile(told.out + told.err), command
    assert told.err.count("\n") == 2
