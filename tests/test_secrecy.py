"""Secrets on the command line: hidden from people until they ask, whole for programs with a word on stderr."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import cli
from memview import MemoryStore
from support import SettableClock

VALUE = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1234"
KEY = f"ghp_{VALUE}"
ASK = "--show-secrets"

COMMANDS = {
    "list": ["list"], "turns": ["list", "--turns"], "search": ["search", "deploy"], "recall": ["recall", "deploy key"],
    "explain": ["recall", "deploy key", "--explain"], "show": ["show", "{fact}"], "show turn": ["show", "{turn}"],
    "history": ["history"], "history of one": ["history", "{fact}"], "duplicates": ["duplicates"],
    "conflicts": ["conflicts"], "edit": ["edit", "{fact}", "--importance", "7"],
    "correct": ["correct", "{other}", f"The key is {KEY} now"],
}  # fmt: skip
"""Commands that show stored texts and have ``--json``."""
PLAIN = {
    "forget": ["forget", "{fact}"], "forget dry": ["forget", "{fact}", "--dry-run"],
    "samples": ["forget", "--query", "is:secret"], "restore dry": ["restore", "{gone}", "--dry-run"],
    "prune samples": ["prune", "is:secret"],
    "consolidate": ["consolidate", "{fact}", "{other}", "--text", "Both", "--dry-run"],
    "proposals": ["consolidate"], "review": ["review", "--plain", "--start", "all"],
    "moved": ["edit", "{fact}", "--content", f"A new one: {KEY[:-1]}5", "--version", "1"],
}  # fmt: skip
"""Commands that show them and have none, or not for this."""


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    """A store with a key in everything; ids of its records by a word."""
    with MemoryStore(path, agent="planner", clock=clock) as store:
        turn = store.conversation("s1", namespace="ns").record(f"Deploy with {KEY}", "Noted")
        assert turn is not None
        memory = store.memory("ns")
        fact = memory.write(f"Deploy key is {KEY}", turns=[turn.id], keywords=["deploy", "key"])
        other = memory.write(f"deploy key is {KEY}.", keywords=["deploy", "key"])
        older = memory.write(f"The server uses {KEY} on 4 machines")
        newer = memory.write(f"The server uses {KEY} on 5 machines")
        memory.link(newer.id, older.id, "contradicts")
        gone = memory.write(f"Old key {KEY}")
        memory.forget(gone.id)
        memory.update(fact.id, importance=6)
    return {"fact": fact.id, "other": other.id, "gone": gone.id, "turn": turn.id}


def run(path: Path, ids: dict[str, str], command: list[str], *more: str) -> tuple[str, str]:
    """What a command puts out and says."""
    name, *rest = (part.format(**ids) for part in command)
    done = cli(name, path, *rest, *more)
    return done.out, done.err


@pytest.mark.parametrize("name", [*COMMANDS, *PLAIN])
def test_a_person_sees_no_secret_and_hears_how_to(path: Path, ids: dict[str, str], name: str) -> None:
    command = COMMANDS.get(name) or PLAIN[name]
    out, err = run(path, ids, command)
    assert VALUE[:8] not in out + err
    assert "••••" in out + err
    assert ASK in err.splitlines()[-1]


@pytest.mark.parametrize("name", [*COMMANDS, *PLAIN])
def test_a_person_who_asks_sees_it(path: Path, ids: dict[str, str], name: str) -> None:
    out, err = run(path, ids, COMMANDS.get(name) or PLAIN[name], ASK)
    assert VALUE in out + err
    assert "••••" not in out + err
    assert "looks like a secret" not in err


@pytest.mark.parametrize("name", COMMANDS)
def test_a_program_gets_it_whole_with_a_word_on_stderr(path: Path, ids: dict[str, str], name: str) -> None:
    out, err = run(path, ids, COMMANDS[name], "--json")
    assert VALUE in out
    assert "written out as it is" in err
    assert VALUE[:8] not in err


def test_nothing_is_said_where_nothing_is_secret(path: Path, clock: SettableClock) -> None:
    with MemoryStore(path, clock=clock) as store:
        store.memory("ns").write("Ships on Tuesday")
    assert cli("list", path).err == ""
    assert cli("list", path, "--json").err == ""


def test_a_review_shows_a_secret_where_it_is_asked_for(path: Path, ids: dict[str, str]) -> None:
    shown = cli("review", path, "--plain", "--start", "all", stdin=b"!q").out
    assert shown.count(KEY) == 1
    assert "! " in shown.split("[", 1)[1].split("]", 1)[0] + " "
