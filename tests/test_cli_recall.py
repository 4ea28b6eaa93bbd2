"""``memview recall`` and ``memview consolidate``: what an agent would get, and facts put together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import FACT, cli, has_shape
from memview import MemoryStore
from support import folder, sql
from terminal import Terminal, memview


@pytest.fixture
def made(path: Path) -> Path:
    """A store of facts about deploys."""
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        memory.write("Deploy window is Tuesday", keywords=["deploy", "day"], importance=9)
        memory.write("They deploy on Tuesdays, mostly", keywords=["deploy", "day"], tags=["x"])
        memory.write("A secret deploy key", confidentiality="restricted")
        store.memory("user:43").write("Elsewhere they deploy daily \x1b[31m")
        store.tenant("acme").memory("user:42").write("Acme deploys by hand")
    return path


def test_recall_shows_what_an_agent_gets_and_changes_nothing(made: Path) -> None:
    before = folder(made)
    ended = cli("recall", made, "deploy?", "--namespace", "user:42", "--json")
    found = json.loads(ended.out)
    assert ended.status == 0
    assert has_shape(found[0], FACT)["content"] == "Deploy window is Tuesday"
    assert len(found) == 3
    for one in found:
        why, weights = one["why"], one["why"]["weights"]
        assert one["score"] == pytest.approx(sum(weights[part] * why[part] for part in weights))
        assert why["via"] is None
    assert folder(made) == before


def test_recall_explains_itself(made: Path) -> None:
    asked = ("recall", made, "deploy", "--namespace", "user:42", "--max-confidentiality", "internal", "--explain")
    found = json.loads(cli(*asked, "--limit", "1", "--json").out)
    assert [one["content"] for one in found["recalled"]] == ["Deploy window is Tuesday"]
    assert {one["content"][:10]: one["reason"] for one in found["left_out"]} == {
        "They deplo": "limit", "A secret d": "confidential", "Elsewhere ": "namespace",
    }  # fmt: skip
    shown = cli(*asked)
    assert "restricted, and nothing above internal was asked for" in shown.out
    assert "in namespace user:43" in shown.out
    assert "\x1b" not in shown.out


def test_the_parts_of_a_score_show_on_a_terminal_of_eighty_columns(made: Path) -> None:
    with MemoryStore(made) as store:
        memory = store.memory("user:42")
        memory.link(memory.search("window")[0].id, memory.write("Ada likes tea", importance=10).id)
        memory.forget(memory.write("A window to be forgotten").id)
    with Terminal(memview("recall", made, "window", "--explain", "--limit", "2"), columns=80) as terminal:
        assert terminal.ended() == 0
        lines = terminal.text.splitlines()
    assert lines[0].split() == ["ID", "SCORE", "REC", "IMP", "REL", "STR", "TEXT"]
    assert any(line.startswith("ID") and "LEFT OUT" in line for line in lines[3:])
    parts = {line.split()[6]: line.split()[2:6] for line in lines[1:3]}
    assert (parts["Deploy"][2], parts["Ada"][1:3]) == ("1.00", ["1.00", "link"])


def test_recall_reaches_one_tenant_and_says_when_nothing_is_found(made: Path) -> None:
    assert len(cli("recall", made, "deploy").out.splitlines()) == 4
    assert "Acme deploys by hand" in cli("recall", made, "deploy", "--tenant", "acme").out
    assert len(cli("recall", made).out.splitlines()) == 4
    ended = cli("recall", made, "zebra")
    assert (ended.status, ended.sentence) == (1, "Nothing found.")


def test_recall_counts_only_when_asked(made: Path) -> None:
    refused = cli("recall", made, "deploy", "--reinforce")
    assert (refused.status, "needs --namespace" in refused.err) == (2, True)
    ended = cli("recall", made, "deploy", "--namespace", "user:42", "--tag", "x", "--reinforce")
    assert (ended.status, ended.sentence) == (0, "Counted as recalled: 1.")
    assert sql(made, "SELECT content FROM facts WHERE access_count = 1") == [("They deploy on Tuesdays, mostly",)]


def test_consolidate_proposes_and_unites(made: Path) -> None:
    (group,) = json.loads(cli("consolidate", made, "--json").out)
    ids = [fact["id"] for fact in group["facts"]]
    assert (group["namespace"], len(ids)) == ("user:42", 2)
    assert len(cli("consolidate", made).out.splitlines()) == 2
    before = folder(made)
    trial = cli("consolidate", made, *ids, "--text", "Deploys are on Tuesday", "--dry-run")
    assert (trial.status, trial.sentence) == (0, "Would put one fact in the place of 2.")
    assert folder(made) == before
    ended = cli("consolidate", made, *ids, "--text", "-", "--json", stdin=b"Deploys are on Tuesday\n")
    assert ended.status == 0
    assert has_shape(json.loads(ended.out), FACT)["content"] == "Deploys are on Tuesday"
    assert (cli("consolidate", made).status, cli("consolidate", made).sentence) == (1, "Nothing to consolidate.")
    assert "consolidating" in cli("undo", made).err
    assert cli("consolidate", made).status == 0


def test_consolidate_refuses_what_makes_no_sense(made: Path) -> None:
    ids = [id for (id,) in sql(made, "SELECT id FROM facts WHERE tenant = '' ORDER BY n")]
    for arguments, status in (
        ((ids[0], "--text", "x"), 1), ((ids[0],), 2), (("--text", "x"), 2), ((ids[0], ids[3], "--text", "x"), 1),
        ((ids[0], "zzzz", "--text", "x"), 1),
    ):  # fmt: skip
        assert cli("consolidate", made, *arguments).status == status
    assert sql(made, "SELECT count(*) FROM facts") == [(5,)]
