"""Every command of a review by the same rules: dry runs that count what is done after, JSON alone on stdout."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from command import cli
from memview import MemoryStore
from memview.text import is_hostile
from support import SettableClock, sql

HOSTILE = "Clears \x1b[2J the screen \u202e and \x9b more"


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    """A store with something for every command, hostile text in each place; ids of its facts by a word."""
    with MemoryStore(path, agent="plan\x1b[31mner", clock=clock) as store:
        memory = store.memory("ns\x1b[2J")
        store.conversation("s\x1b]0;x\x07", namespace="ns").record(HOSTILE, HOSTILE)
        made = {
            "one": memory.write(HOSTILE, keywords=["deploy", "key"]),
            "two": memory.write(HOSTILE.upper(), keywords=["deploy", "key"]),
            "older": memory.write(f"{HOSTILE}, on 4 machines"), "newer": memory.write(f"{HOSTILE}, on 5 machines"),
            "faded": memory.write(f"Faded: {HOSTILE}", strength=0.01), "gone": memory.write(f"Gone: {HOSTILE}"),
            "three": memory.write("Something else by now"),
        }  # fmt: skip
        memory.link(made["newer"].id, made["older"].id, "contradicts")
        memory.forget(made["gone"].id)
    sql(path, "UPDATE facts SET created_at = '2020-01-01T00:00:00.000000Z' WHERE content LIKE 'Faded%'")
    return {name: fact.id for name, fact in made.items()}


LISTS = {
    "list": ["list"], "search": ["search", "clears"], "recall": ["recall", "clears"], "show": ["show", "{one}"],
    "history": ["history"], "duplicates": ["duplicates"], "conflicts": ["conflicts"], "health": ["health"],
    "stats": ["stats"], "doctor": ["doctor"], "proposals": ["consolidate"], "review": ["review"],
}  # fmt: skip
"""Commands that only look."""
ACTS = {
    "forget": ["forget", "{one}", "{two}", "{gone}"], "forget by query": ["forget", "--query", "machines", "--yes"],
    "restore": ["restore", "{gone}"], "prune": ["prune", "--yes"], "merge": ["duplicates", "--merge", "--yes"],
    "into": ["duplicates", "--into", "{one}", "{two}"], "not alike": ["duplicates", "--not-alike", "{one}", "{two}"],
    "holds": ["conflicts", "--holds", "{newer}", "{older}"], "both": ["conflicts", "--both", "{newer}", "{older}"],
    "consolidate": ["consolidate", "{one}", "{two}", "--text", "Both of them"], "undo": ["undo", "--agent", "ana"],
    "erase": ["erase", "{one}", "--yes"], "link": ["link", "{one}", "{two}"],
    "unlink": ["link", "{newer}", "{older}", "--remove"], "repair": ["doctor", "--repair", "--yes"],
}  # fmt: skip
"""Commands that change something, each with ``--dry-run``."""


def run(path: Path, ids: dict[str, str], command: list[str], *more: str) -> Any:
    name, *rest = (part.format(**ids) for part in command)
    return cli(name, path, *rest, *more)


def state(path: Path) -> list[Any]:
    """What a store holds, the feed included."""
    tables = ("facts", "turns", "links", "decisions", "judgements", "changes", "settings")
    return [sql(path, f"SELECT * FROM {table}") for table in tables]


def prepared(path: Path, ids: dict[str, str], name: str) -> list[str]:
    """The command, with what it needs done before."""
    if name == "undo":
        run(path, ids, ["forget", "{one}", "{two}", "--agent", "ana"])
    if name == "repair":
        sql(path, "DELETE FROM facts_index")
    return ACTS[name]


@pytest.mark.parametrize("name", [*LISTS, *ACTS])
def test_json_is_one_value_alone_and_nothing_unsafe_is_printed(path: Path, ids: dict[str, str], name: str) -> None:
    command = LISTS.get(name) or prepared(path, ids, name)
    for more in (("--dry-run",), ()) if name in ACTS else ((),):
        told = run(path, ids, command, *more, "--json")
        assert told.status in (0, 1), told.err
        json.loads(told.out)
        assert not any(is_hostile(line) for line in [*told.out.splitlines(), *told.err.splitlines()])


@pytest.mark.parametrize("name", [*LISTS, *ACTS])
def test_what_people_read_is_safe_and_fits(path: Path, ids: dict[str, str], name: str) -> None:
    command = LISTS.get(name) or [*prepared(path, ids, name), "--dry-run"]
    if name == "review":
        command = [*command, "--plain", "--start", "all"]
    told = run(path, ids, command)
    assert told.status in (0, 1), told.err
    assert told.out + told.err
    assert not any(is_hostile(line) for line in [*told.out.splitlines(), *told.err.splitlines()])


def numbers(sentence: str) -> list[str]:
    return re.findall(r"\d[\d,]*(?= (?:facts?|links?|of|into|history|records?))", sentence)


@pytest.mark.parametrize("name", ACTS)
def test_a_dry_run_changes_nothing_and_counts_what_is_done_after(path: Path, ids: dict[str, str], name: str) -> None:
    command = prepared(path, ids, name)
    before = state(path)
    would = run(path, ids, command, "--dry-run")
    assert state(path) == before
    done = run(path, ids, command)
    assert done.status == 0 if name != "forget" else done.status in (0, 1), done.err
    if name == "repair":
        assert "Indexed" in done.err
        return
    assert state(path) != before
    counted = [numbers(line) for line in would.err.splitlines() if line.startswith("Would")]
    assert counted
    for count in counted[0][:1]:
        assert any(count in numbers(line) for line in done.err.splitlines()), (would.err, done.err)


@pytest.mark.parametrize("name", [*LISTS, *ACTS])
def test_a_missing_store_is_said_in_a_sentence(path: Path, name: str) -> None:
    command = [part.replace("{", "").replace("}", "") for part in LISTS.get(name) or ACTS[name]]
    told = cli(command[0], path, *command[1:], "--json")
    assert (told.status, told.out) == (3, "")
    assert told.err.startswith("memview: ")


@pytest.mark.parametrize("name", ["forget by query", "prune", "merge", "erase", "repair"])
def test_what_asks_refuses_without_a_terminal(path: Path, ids: dict[str, str], name: str) -> None:
    command = [part for part in prepared(path, ids, name) if part != "--yes"]
    before = state(path)
    told = run(path, ids, command)
    assert told.status == 1
    assert "Add --yes" in told.err
    assert state(path) == before
