"""What --json gives: the documented shapes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import CHANGE, FACT, ORIGIN, STATS, TURN, cli, fill, has_shape
from support import SettableClock


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


def test_a_list_of_facts_as_json(path: Path, ids: dict[str, str]) -> None:
    found = json.loads(cli("list", path, "--json").out)
    assert [fact["id"] for fact in found] == [ids["Acme"], ids["Répond"], ids["Deploy"]]
    fact = has_shape(found[2], FACT)
    assert has_shape(fact["origin"], ORIGIN) == {
        "agent": "planner", "session": "s7", "turns": [ids["turn"]], "kind": "user",
    }  # fmt: skip
    assert (fact["tags"], fact["category"], fact["metadata"]) == (["deploy"], "preference", {"by": "hand"})
    assert (fact["pinned"], fact["importance"], fact["strength"]) == (True, 8, 1.0)
    assert fact["created_at"] == "2026-03-01T09:30:00.000000Z"
    assert 0 <= fact["effective_strength"] <= 1
    assert (found[0]["origin"]["kind"], found[0]["origin"]["session"], found[0]["category"]) == (None, None, None)


def test_turns_as_json(path: Path, ids: dict[str, str]) -> None:
    newest, turn = json.loads(cli("list", path, "--turns", "--json").out)
    assert has_shape(newest, TURN)["namespace"] is None
    assert has_shape(turn, TURN)["meta"] == {"channel": "chat"}
    (found,) = json.loads(cli("search", path, "weekend", "--turns", "--json").out)
    assert has_shape(found, {**TURN, "score": float, "why": str})["session"] == "s8"


def test_stats_as_json(path: Path, ids: dict[str, str]) -> None:
    found = has_shape(json.loads(cli("stats", path, "--json").out), STATS)
    assert (found["path"], found["format"]) == (str(path), "memview")
    assert (found["facts"], found["turns"], found["sessions"], found["links"]) == (3, 2, 2, 1)
    assert {"tenant": "acme", "namespace": "user:42", "facts": 1, "turns": 0} in found["by_namespace"]
    assert {"tenant": "", "namespace": None, "facts": 0, "turns": 1} in found["by_namespace"]
    assert found["namespaces"] == len(found["by_namespace"])


def test_history_as_json_is_newest_last(path: Path, ids: dict[str, str]) -> None:
    changes = [has_shape(change, CHANGE) for change in json.loads(cli("history", path, "--json").out)]
    assert [change["seq"] for change in changes] == sorted(change["seq"] for change in changes)
    of_one = json.loads(cli("history", path, ids["Deploy"], "--json").out)
    assert [change["op"] for change in of_one] == ["insert", "update"]
    assert of_one[0]["after"]["tags"] == ["deploy"]
    assert (of_one[1]["before"]["pinned"], of_one[1]["after"]["pinned"]) == (0, 1)
    assert json.loads(cli("history", path, "--limit", "2", "--json").out) == changes[-2:]
    assert json.loads(cli("history", path, "--limit", "0", "--json").out) == changes


def test_show_as_json_adds_sources_and_links(path: Path, ids: dict[str, str]) -> None:
    fact = has_shape(json.loads(cli("show", path, ids["Deploy"], "--json").out), FACT)
    assert fact["sources"][0]["request"] == "We ship tuesdays, 14 to 16"
    assert (fact["links"][0]["kind"], fact["links"][0]["fact"]) == ("supersedes", ids["Thursday"])
    turn = has_shape(json.loads(cli("show", path, ids["turn"], "--json").out), TURN)
    assert turn["facts"] == [ids["Deploy"]]


def test_a_search_as_json_adds_score_and_why(path: Path, ids: dict[str, str]) -> None:
    (fact, _) = json.loads(cli("search", path, "depl", "--json").out)
    has_shape(fact, {**FACT, "score": float, "why": str})
    assert "depl" in fact["content"].lower()
