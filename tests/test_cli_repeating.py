"""``memview duplicates`` and ``memview conflicts``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import FACT, cli, has_shape
from memview import MemoryStore
from memview.memory.person import person


@pytest.fixture
def ids(path: Path) -> dict[str, str]:
    """A store with an equal pair, a near pair and a conflict; the ids by their texts."""
    with MemoryStore(path, agent="planner") as store:
        written = store.memory("u").write_many(
            [
                "Prefers a window seat", "prefers a WINDOW seat.", "Tea is served at noon daily",
                "Tea is servd at noon daily", "Deploys on Tuesday", "Deploys on Thursday",
            ]
        )  # fmt: skip
    return {fact.content: fact.id for fact in written}


def count(path: Path) -> int:
    with MemoryStore(path, read_only=True) as store:
        return store.memory("u").count()


def test_duplicates_are_listed(path: Path, ids: dict[str, str]) -> None:
    ended = cli("duplicates", path)
    rows = [line.split("  ") for line in ended.out.splitlines()]
    assert [row[:3] for row in rows] == [
        ["1", "equal", "oldest"], ["1", "equal", "-"], ["2", "98%", "oldest"], ["2", "98%", "-"],
    ]  # fmt: skip
    assert rows[0][3:] == [ids["Prefers a window seat"], "u", "Prefers a window seat"]
    assert (ended.status, ended.sentence) == (0, "2 groups, 1 of equal texts; 4 of 6 facts.")
    assert len(cli("duplicates", path, "--limit", "1").out.splitlines()) == 2


def test_duplicates_as_json(path: Path, ids: dict[str, str]) -> None:
    equal, near = json.loads(cli("duplicates", path, "--json").out)
    assert (equal["equal"], near["equal"], equal["alike"]) == (True, False, 1.0)
    assert equal["keep"] == ids["Prefers a window seat"] == equal["facts"][0]["id"]
    assert (equal["namespace"], equal["tenant"], equal["reason"]) == ("u", "", "oldest")
    assert all(has_shape(fact, FACT) for fact in equal["facts"])
    nothing = cli("duplicates", path, "--json", "--namespace", "v")
    assert (nothing.status, json.loads(nothing.out)) == (1, [])


def test_equal_ones_are_merged_after_asking(path: Path, ids: dict[str, str]) -> None:
    assert cli("duplicates", path, "--merge", "--dry-run").sentence == "Would merge 1 fact into 1 that are kept."
    refused = cli("duplicates", path, "--merge")
    assert refused.status == 1
    assert "--yes" in refused.err
    assert count(path) == 6
    assert cli("duplicates", path, "--merge", "--yes").sentence == "Merged 1 fact."
    assert count(path) == 5
    assert cli("duplicates", path, "--merge", "--yes").sentence == "Nothing found."
    assert "merging 1 fact" in cli("undo", path).sentence
    assert count(path) == 6


def test_two_are_merged_or_told_apart_by_id(path: Path, ids: dict[str, str]) -> None:
    pair = ids["Tea is served at noon daily"], ids["Tea is servd at noon daily"]
    assert cli("duplicates", path, "--into", *pair, "--dry-run").status == 0
    assert cli("duplicates", path, "--into", *pair).sentence == "Merged 1 fact."
    assert count(path) == 5
    cli("undo", path)
    assert cli("duplicates", path, "--not-alike", *pair).status == 0
    assert cli("duplicates", path).sentence == "1 group, 1 of equal texts; 2 of 6 facts."
    assert "judging 1 pair" in cli("undo", path).sentence
    assert cli("duplicates", path, "--into", pair[0], "zzz").status == 1
    assert cli("duplicates", path, "--merge", "--into", *pair).status == 2


def test_conflicts_are_listed_and_settled(path: Path, ids: dict[str, str]) -> None:
    ended = cli("conflicts", path)
    assert [line.split("  ")[::5] for line in ended.out.splitlines()] == [
        ["1", "Deploys on Thursday"], ["1", "Deploys on Tuesday"],
    ]  # fmt: skip
    assert ended.sentence == "1 pair among 6 facts."
    (pair,) = json.loads(cli("conflicts", path, "--json").out)
    assert (pair["why"], pair["kind"], pair["values"]) == ("opposed", "weekday", ["thursday", "tuesday"])
    assert all(has_shape(fact, FACT) for fact in pair["facts"])
    both = ids["Deploys on Tuesday"], ids["Deploys on Thursday"]
    assert cli("conflicts", path, "--both", *both, "--dry-run").status == 0
    assert cli("conflicts", path, "--both", *both).sentence == "Noted: both hold."
    assert cli("conflicts", path).status == 1
    cli("undo", path)
    assert cli("conflicts", path, "--holds", *both, "--dry-run").sentence == "Would supersede 1 fact."
    assert cli("conflicts", path, "--holds", *both).sentence == "Superseded 1 fact."
    assert count(path) == 5
    assert "settling" in cli("undo", path).sentence
    assert count(path) == 6
    assert cli("conflicts", path, "--both", both[0], both[0]).status == 1


def test_who_did_it_is_known(path: Path, ids: dict[str, str]) -> None:
    cli("duplicates", path, "--merge", "--yes")
    with MemoryStore(path, read_only=True) as store:
        assert store.memory("u").history(ids["prefers a WINDOW seat."])[-1].actor == person()
