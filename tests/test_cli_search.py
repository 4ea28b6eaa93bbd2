"""Searching from the command line: the language of the app, and no text that is an error."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command import cli, fill
from memview import MemoryStore
from support import SettableClock


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


def test_search_takes_the_language_of_the_app(path: Path, ids: dict[str, str]) -> None:
    def found(*words: str) -> list[str]:
        return sorted(fact["content"].split()[0] for fact in json.loads(cli("search", path, "--json", *words).out))

    assert found("window", "deploy") == ["Deploy"]
    assert found("deploy", "-window") == ["Acme"]
    assert found("tag:deploy") == ["Deploy"]
    assert found('"window is"') == ["Deploy"]
    assert found("deploy", "is:superseded") == ["Thursday"]
    assert found("importance>=8") == ["Deploy"]
    assert found("東京") == ["Répond"]
    assert found("ns:=user:43", "toujours") == ["Répond"]
    assert found("--any", "toujours", "hand") == ["Acme", "Répond"]
    assert found("--", "deploy", "-window") == ["Acme"]


def test_search_says_when_it_guessed(path: Path, ids: dict[str, str]) -> None:
    told = cli("search", path, "windwo")
    assert (told.status, told.err) == (0, "Nothing has these words; this is what has: window\n")
    told = cli("search", path, "window", "toujours")
    assert told.err == "Nothing has all of these words; this is what has any of: window toujours\n"
    assert len(told.out.splitlines()) == 2


@pytest.mark.parametrize("words", [["strength<lots"], ["is:gone"], ["before:yesterdayish"]])
def test_a_wrong_operator_is_explained(words: list[str], path: Path, ids: dict[str, str]) -> None:
    told = cli("search", path, *words)
    assert (told.status, told.out) == (2, "")
    assert re.search(r"(compared with a number|takes .* or )", told.err)


SEARCHES = [
    "don't", "a/b", "POL-358", "20.04", '"', "*", "AND", "col:", "NEAR(", "^x", "-", "()", "a" * 10_000,
    "'; DROP TABLE facts; --", "\\", "%", "_", "x\ny", "OR NOT", '"unclosed phrase', "🦊", "\0",
]  # fmt: skip


@pytest.mark.parametrize("words", SEARCHES, ids=[repr(words)[:20] for words in SEARCHES])
def test_no_search_is_an_error(words: str, path: Path) -> None:
    with MemoryStore(path) as store:
        store.memory("n").write(f"Before {words} after")
        store.memory("n").write("Something else altogether")
    told = cli("search", path, "--json", "--", words)
    assert told.status == 0
    assert [fact["content"] for fact in json.loads(told.out)] == [f"Before {words} after"]
