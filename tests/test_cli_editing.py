"""One fact put right from a script: edit, correct, link."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import FACT, Ended, cli, fill, has_shape
from memview import MemoryStore
from support import SettableClock, folder


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


def fact(path: Path, id: str) -> Any:
    found = json.loads(cli("show", path, id, "--json").out)
    del found["effective_strength"]  # which fades while the test runs
    return found


def test_edit_changes_what_is_given_and_nothing_else(path: Path, ids: dict[str, str]) -> None:
    id = ids["Deploy"]
    before = fact(path, id)
    told = cli(
        "edit", path, id[:-1], "--category", "rule", "--tag", "ops", "--tag", "deploy", "--untag", "none",
        "--importance", "3", "--metadata", '{"seen": [1]}', "--json",
    )  # fmt: skip
    assert (told.status, told.err) == (0, "Edited; this is version 3.\n")
    after = has_shape(json.loads(told.out), FACT)
    assert (after["category"], after["tags"], after["importance"]) == ("rule", ["deploy", "ops"], 3)
    assert (after["metadata"], after["content"]) == ({"seen": [1]}, before["content"])
    assert fact(path, id).items() <= after.items()
    assert cli("edit", path, id, "--untag", "ops", "--category", "").status == 0
    assert (fact(path, id)["tags"], fact(path, id)["category"]) == (["deploy"], None)


def test_edit_takes_the_text_from_stdin_as_it_is(path: Path, ids: dict[str, str]) -> None:
    told = cli("edit", path, ids["Deploy"], "--content", "-", stdin="  Zwei\nZeilen – 東京\r\n".encode())
    assert told.status == 0
    assert fact(path, ids["Deploy"])["content"] == "  Zwei\nZeilen – 東京"
    told = cli("edit", path, ids["Deploy"], "--content", "-", stdin=b"\xff\xfe")
    assert (told.status, told.err.splitlines()[-1]) == (2, "memview: What came on stdin is not valid UTF-8.")


def test_an_edit_to_the_same_changes_nothing(path: Path, ids: dict[str, str]) -> None:
    before = fact(path, ids["Deploy"])
    told = cli("edit", path, ids["Deploy"], "--content", before["content"], "--tag", "deploy", "--importance", "8")
    assert (told.status, told.err) == (0, "It is so already.\n")
    assert fact(path, ids["Deploy"]) == before


@pytest.mark.parametrize("command", [["edit", "--content", "Mine \x1b[2J"], ["correct", "--", "Mine \x1b[2J"]])
def test_a_conflict_says_both_texts_and_changes_nothing(
    command: list[str], path: Path, ids: dict[str, str], clock: SettableClock
) -> None:
    with MemoryStore(path, agent="scribe", clock=clock) as store:
        store.memory("user:42").update(ids["Deploy"], "Theirs, and longer")
    name, *rest = command
    told = cli(name, path, "--version", "2", ids["Deploy"], *rest)
    assert (told.status, told.out) == (5, "")
    assert told.err.splitlines()[1:] == [
        "  content, yours: Mine \\x1b[2J", "  content, there: Theirs, and longer",
    ]  # fmt: skip
    assert fact(path, ids["Deploy"])["content"] == "Theirs, and longer"
    assert cli(name, path, "--version", "3", ids["Deploy"], *rest).status == 0


def test_another_fact_with_this_text_is_a_conflict(path: Path, ids: dict[str, str]) -> None:
    told = cli("edit", path, ids["Deploy"], "--content", "Thursday was the deploy day once")
    assert (told.status, told.out) == (5, "")
    assert ids["Thursday"] in told.sentence


@pytest.mark.parametrize(
    "options",
    [[], ["--importance", "11"], ["--metadata", "[1]"], ["--metadata", "{"], ["--version", "0", "--tag", "x"],
     ["--metadata", '{"x": "\udcff"}']],
)  # fmt: skip
def test_what_cannot_be_is_refused(options: list[str], path: Path, ids: dict[str, str]) -> None:
    before = folder(path)
    told = cli("edit", path, ids["Deploy"], *options)
    assert told.status in (1, 2)
    assert told.out == ""
    assert folder(path) == before


def test_a_blank_text_and_an_unknown_fact_are_refused(path: Path, ids: dict[str, str]) -> None:
    assert cli("edit", path, ids["Deploy"], "--content", " ").sentence.startswith("memview: content is required.")
    for id in ("nothing", ids["turn"]):
        told = cli("edit", path, id, "--content", "x")
        assert (told.status, told.out) == (1, "")


def test_another_tenants_fact_is_edited_where_it_is(path: Path, ids: dict[str, str]) -> None:
    assert cli("edit", path, ids["Acme"], "--content", "Acme deploys by robot").status == 0
    assert (fact(path, ids["Acme"])["tenant"], fact(path, ids["Acme"])["namespace"]) == ("acme", "user:42")


def test_correct_keeps_the_old_wording_from_coming_back(path: Path, ids: dict[str, str]) -> None:
    told = cli("correct", path, ids["Deploy"], "Deploy window is Wednesday")
    assert (told.status, told.out.split("  ")[-1]) == (0, "Deploy window is Wednesday\n")
    with MemoryStore(path, agent="planner") as store:
        assert store.memory("user:42").write("Deploy window is Tuesday").blocked
    told = cli("correct", path, ids["Deploy"], "-", stdin=b"Deploy window is Wednesday\n")
    assert (told.status, told.err) == (0, "It says so already.\n")


def test_who_did_it_stands_in_the_history(path: Path, ids: dict[str, str]) -> None:
    cli("edit", path, ids["Deploy"], "--tag", "x")
    cli("edit", path, ids["Deploy"], "--tag", "y", "--agent", "curator")
    actors = [change["actor"] for change in json.loads(cli("history", path, ids["Deploy"], "--json").out)[-2:]]
    assert actors[0].startswith("person:")
    assert actors[1] == "curator"


def links(path: Path, id: str) -> list[tuple[str, bool]]:
    return [(link["kind"], link["outward"]) for link in fact(path, id)["links"]]


def test_link_and_unlink(path: Path, ids: dict[str, str]) -> None:
    def run(*options: str) -> Ended:
        return cli("link", path, ids["Deploy"], ids["Répond"], *options)

    before = folder(path)
    assert run("--dry-run", "--kind", "contradicts").err == "Would link them as contradicts.\n"
    assert run("--remove").status == 1
    assert folder(path) == before
    assert run().err == "Linked, as related.\n"
    assert run().err == "They are linked already, as related.\n"
    assert run("--kind", "supersedes").err == "Linked, as supersedes.\n"
    assert fact(path, ids["Répond"])["status"] == "superseded"
    assert run("--remove", "--dry-run").err == "Would remove 2 links.\n"
    assert run("--remove", "--dry-run", "--kind", "related").err == "Would remove 1 link.\n"
    assert len(links(path, ids["Répond"])) == 2
    assert run("--remove").err == "Removed 2 links.\n"
    assert links(path, ids["Répond"]) == []
    assert fact(path, ids["Répond"])["status"] == "active"
    assert links(path, ids["Thursday"]) == [("supersedes", False)]


def test_no_link_to_itself_nor_to_another_tenant(path: Path, ids: dict[str, str]) -> None:
    assert cli("link", path, ids["Deploy"], ids["Deploy"]).sentence.startswith("memview: A fact cannot be linked to")
    assert cli("link", path, ids["Deploy"], ids["Acme"]).status == 1
    assert cli("link", path, ids["Deploy"], "nothing").status == 1
    assert cli("link", path, ids["Deploy"], ids["Répond"], "--kind", "likes").status == 2
