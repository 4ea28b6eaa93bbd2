"""Forget and restore by a query: exactly what was counted, and only after a yes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command import cli, fill
from memview import MemoryStore
from memview.cli import access
from support import SettableClock, folder
from terminal import Terminal, memview


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


@pytest.fixture
def many(path: Path) -> Path:
    """A store with facts of several ages, tags and namespaces."""
    with MemoryStore(path, agent="planner") as store:
        for space in ("user:42", "user:43", "project"):
            store.memory(space).write_many(
                {"content": f"Old fact {n} of {space}", "tags": ["old"] if n % 2 else [], "importance": n}
                for n in range(6)
            )
        memory = store.memory("project")
        memory.pin(memory.list(1)[0].id)
        store.tenant("acme").memory("user:42").write("Old fact of acme", tags=["old"])
    return path


def active(path: Path) -> set[str]:
    return {fact["id"] for fact in json.loads(cli("list", path, "--limit", "0", "--json").out)}


QUERIES = [
    "old", "ol", "tag:old", "-tag:old", "ns:user", "ns:=user:42 tag:old", "importance>=4", "is:pinned", "-is:pinned",
    "after:1d", '"fact 3"', "fact -project", 'cat:""', "old importance<3", "before:1d", "nothing-at-all",
    "is:forgotten",
]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
def test_a_dry_run_counts_exactly_what_is_then_done(query: str, many: Path) -> None:
    before, all_ = folder(many), active(many)
    counted = cli("forget", many, "--query", query, "--dry-run")
    assert folder(many) == before
    done = cli("forget", many, "--query", query, "--yes")
    assert (done.status, done.out) == (counted.status, counted.out)
    assert done.err == counted.err.replace("Would forget", "Forgot")
    gone = {line.split()[0] for line in done.out.splitlines()}
    assert all_ - active(many) == gone
    if gone:
        counted = cli("restore", many, "--query", query.replace("is:forgotten", ""), "--dry-run")
        back = cli("restore", many, "--query", query, "--yes")
        assert back.out == counted.out
        assert {line.split()[0] for line in back.out.splitlines()} == gone
        assert active(many) == all_


def test_a_query_means_what_search_finds(many: Path) -> None:
    found = cli("search", many, "ol", "tag:old", "--tenant", "", "--limit", "0", "--json")
    aimed = cli("forget", many, "--query", "ol tag:old", "--dry-run")
    assert {line.split()[0] for line in aimed.out.splitlines()} == {fact["id"] for fact in json.loads(found.out)}
    assert aimed.err == "Would forget 9 facts.\n"
    assert cli("forget", many, "--query", "tag:old", "--tenant", "acme", "--dry-run").err == "Would forget 1 fact.\n"


def test_more_than_one_needs_a_yes_where_nobody_can_be_asked(many: Path) -> None:
    before = folder(many)
    told = cli("forget", many, "--query", "tag:old")
    assert (told.status, told.out) == (1, "")
    assert told.err.splitlines()[-1] == (
        "memview: Forget 9 facts, 1 of them pinned, in agent.db? Nobody can be asked here. Add --yes to do it."
    )
    assert folder(many) == before
    assert cli("forget", many, "--query", "importance:5 ns:project").err == "Forgot 1 fact.\n"


@pytest.mark.parametrize(
    "query",
    ["", "  ", "tag:", "tag:old ns:", "-tag:", "tag: old", "is:gone", "strength<lots", "before:yesterdayish",
     "x " * 6_000, "ns:a ns:b"],
)  # fmt: skip
@pytest.mark.parametrize("command", ["forget", "restore"])
def test_a_query_that_is_not_understood_is_refused(command: str, query: str, many: Path) -> None:
    before = folder(many)
    told = cli(command, many, "--query", query, "--yes")
    assert (told.status, told.out) == (2, "")
    assert "Usage: memview" in told.err
    assert folder(many) == before


@settings(max_examples=60, deadline=None)
@given(st.text(' "-:=<tagnsiold🦊\u200b\\', max_size=8))
def test_no_scrap_of_a_query_means_everything(query: str) -> None:
    from datetime import UTC, datetime

    import click

    from memview.cli.choosing import meant
    from memview.memory.looking import Query

    with click.Context(click.Command("forget")):
        try:
            asked = meant(query, tenant="", statuses=("active",), now=datetime(2026, 3, 1, tzinfo=UTC))
        except click.UsageError:
            return
    assert asked != Query(tenant="", statuses=("active",), prefix=True, order="newest")
    assert all(term.text.strip() for term in asked.terms)


def test_ids_or_a_query_and_not_both(many: Path) -> None:
    assert cli("forget", many).status == 2
    assert cli("forget", many, "0", "--query", "old", "--yes").status == 2


def test_restore_means_the_trash_unless_it_is_told_otherwise(path: Path, ids: dict[str, str]) -> None:
    assert cli("restore", path, "--query", "deploy", "--yes").err == "Nothing found.\n"
    assert cli("restore", path, "--query", "deploy is:superseded").err == "Restored 1 fact.\n"


def test_what_changed_since_it_was_counted_is_left(
    path: Path, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(_: Path) -> None:
        with MemoryStore(path, agent="scribe") as store:
            store.memory("user:42").update(ids["Deploy"], "Deploy window is Wednesday")
            store.memory("user:42").write("Deploy even later")

    monkeypatch.setattr(access, "require_writing", meanwhile)
    told = cli("forget", path, "--query", "ns:user", "--yes", "--agent", "curator")
    assert told.status == 5
    assert told.err.splitlines() == [
        "1 changed by somebody else meanwhile, and left alone.", "Forgot 1 fact.",
    ]  # fmt: skip
    assert len(cli("search", path, "wednesday").out.splitlines()) == 1
    assert len(cli("search", path, "later").out.splitlines()) == 1
    assert json.loads(cli("history", path, "--limit", "1", "--json").out)[0]["actor"] == "curator"


def test_thousands_at_once(path: Path) -> None:
    with MemoryStore(path, synchronous="NORMAL") as store:
        store.memory("n").write_many(f"Fact {number}" for number in range(2_500))
    assert cli("forget", path, "--query", "fact", "--yes").err == "Forgot 2,500 facts.\n"
    assert cli("undo", path).err == "Took back forgetting 2,500 facts in n, just now.\n"
    assert json.loads(cli("stats", path, "--json").out)["facts"] == 2_500


def test_on_a_terminal_it_asks(many: Path) -> None:
    for answer, status, words in (("n", 1, "Nothing was changed."), ("y", 0, "Forgot 9 facts.")):
        with Terminal(memview("forget", many, "--query", "tag:old")) as terminal:
            shown = terminal.wait_for("Forget 9 facts, 1 of them pinned, in agent.db? [y/N]")
            assert shown.count("Old fact") == 3
            assert "and 6 more" in shown
            terminal.press(answer, "Enter")
            assert terminal.ended() == status
            assert words in terminal.text
