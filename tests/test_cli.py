"""The commands, as a script uses them: what comes out, and how they end."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command import cli, fill, memview
from memview import MemoryStore
from memview.cli import access
from memview.memory.person import person
from support import SettableClock, folder, sql


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


def test_every_command_runs_as_a_program(path: Path, ids: dict[str, str]) -> None:
    id = ids["Deploy"]
    assert "Deploy window is Tuesday" in memview("list", path).out
    assert json.loads(memview("search", path, "window", "--json").out)[0]["content"] == "Deploy window is Tuesday"
    assert memview("show", path, id).out.startswith("Deploy window is Tuesday\n")
    assert "3 facts, 2 turns in 2 sessions, 1 links" in memview("stats", path).out
    assert "pinned fact" in memview("history", path).out
    assert memview("forget", path, id).err == "Forgot 1 fact.\n"
    assert memview("restore", path, id).err == "Restored 1 fact.\n"
    assert memview("link", path, id, ids["Acme"]).status == 1
    assert memview("--version").out.startswith("memview, version ")
    assert memview("demo").status == 2


def test_every_command_that_changes_runs_as_a_program(path: Path, ids: dict[str, str]) -> None:
    id, copy = ids["Deploy"], path.with_name("copy.db")
    assert memview("edit", path, id, "--content", "-", stdin=b"Piped in\n").err == "Edited; this is version 3.\n"
    assert memview("correct", path, id, "Deploy on Wednesday").err.startswith("Corrected; this is version 4.")
    assert memview("undo", path).err == "Took back correcting 1 fact in user:42, just now.\n"
    assert memview("redo", path).err == "Did again: correcting 1 fact in user:42, just now.\n"
    exported = memview("export", path)
    assert memview("import", copy, "-", "--create", stdin=exported.raw).status == 0
    assert cli("export", copy).raw == exported.raw
    assert memview("erase", path, "--value", "-", "--yes", stdin=b"Wednesday\n").status == 0
    files = folder(path)
    assert [name for name, data in files.items() if b"Wednesday" in data] == ["copy.db"]


@pytest.mark.parametrize(
    "command",
    ["list", "search", "show", "stats", "history", "watch", "edit", "correct", "link", "forget", "restore", "undo",
     "redo", "erase", "export", "import", "demo"],
)  # fmt: skip
def test_help_names_every_command_and_each_explains_itself(command: str) -> None:
    assert re.search(rf"^  {command} +\S", cli("--help").out, re.MULTILINE)
    told = cli(command, "--help")
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith(f"Usage: memview {command} ")


def test_help_documents_exit_codes_and_the_options_of_the_app() -> None:
    told = cli("--help").out
    assert all(re.search(rf"^ +{code}  \w", told, re.MULTILINE) for code in range(6))
    told = cli("agent.db", "--help").out
    assert told.startswith("Usage: memview FILE [OPTIONS]\n")
    assert all(option in told for option in ("--read-only", "--create", "--id", "--no-mouse"))


def test_history_finds_its_last_rows_across_gaps(path: Path, ids: dict[str, str]) -> None:
    sql(path, "DELETE FROM changes WHERE seq > 2 AND seq % 3 <> 0")
    assert len(json.loads(cli("history", path, "--limit", "3", "--json").out)) == 3


def test_show_tells_everything_in_words(path: Path, ids: dict[str, str]) -> None:
    told = cli("show", path, ids["Deploy"]).out
    for words in (
        "Deploy window is Tuesday",
        "user:42",
        "pinned",
        "planner",
        "s7 turn 1: We ship",
        "supersedes",
        "deploy",
    ):
        assert words in told
    assert "Noted" in cli("show", path, ids["turn"]).out


def test_scope_limits_a_list(path: Path, ids: dict[str, str]) -> None:
    def contents(*options: str) -> list[str]:
        return [fact["content"].split()[0] for fact in json.loads(cli("list", path, *options, "--json").out)]

    assert contents("--namespace", "user:42") == ["Acme", "Deploy"]
    assert contents("--namespace", "user") == []
    assert contents("--tenant", "acme") == ["Acme"]
    assert contents("--tenant", "") == ["Répond", "Deploy"]
    assert contents("--limit", "1") == ["Acme"]
    assert contents("--limit", "0", "--order", "oldest") == ["Deploy", "Répond", "Acme"]
    assert contents("--order", "importance")[0] == "Deploy"


def test_a_limit_of_none_gives_more_than_a_page(path: Path) -> None:
    with MemoryStore(path) as store:
        store.memory("n").write_many(f"Fact {number}" for number in range(1_203))
    assert len(json.loads(cli("list", path, "--limit", "0", "--json").out)) == 1_203
    assert len(cli("list", path, "--limit", "0").out.splitlines()) == 1_203
    assert len(json.loads(cli("list", path, "--json").out)) == 50


def test_nothing_found_is_said_and_is_one(path: Path, ids: dict[str, str]) -> None:
    for arguments in (("search", path, "zebra"), ("list", path, "--namespace", "none")):
        told = cli(*arguments)
        assert (told.status, told.out, told.err) == (1, "", "Nothing found.\n")
        assert json.loads(cli(*arguments, "--json").out) == []
    assert cli("show", path, "nothing").status == 1


def test_an_id_may_be_shortened(path: Path, ids: dict[str, str]) -> None:
    id = ids["Deploy"]
    shortest = next(id[:size] for size in range(1, 27) if cli("show", path, id[:size]).status == 0)
    assert json.loads(cli("show", path, shortest, "--json").out)["id"] == id
    told = cli("show", path, shortest[:-1])
    assert told.status == 1
    assert "More than one id begins with" in told.err
    told = cli("forget", path, id[:1], "--dry-run")
    assert (told.status, told.out) == (1, "")
    assert "More than one id begins with 0: " in told.err
    told = cli("show", path, "%")
    assert (told.status, told.err) == (1, "memview: There is no fact or turn %. memview list shows the ids.\n")


def test_forget_and_restore(path: Path, ids: dict[str, str]) -> None:
    both = (ids["Deploy"], ids["Acme"])
    before = folder(path)
    told = cli("forget", path, *both, "--dry-run")
    assert (told.status, told.err) == (0, "Would forget 2 facts.\n")
    assert [line.split()[0] for line in told.out.splitlines()] == list(both)
    assert folder(path) == before
    assert cli("forget", path, *both).err == "Forgot 2 facts.\n"
    assert cli("search", path, "deploy").status == 1
    told = cli("forget", path, *both)
    assert (told.status, told.err) == (1, "2 already forgotten.\nForgot 0 facts.\n")
    assert cli("restore", path, *both).err == "Restored 2 facts.\n"
    assert len(cli("search", path, "deploy").out.splitlines()) == 2


def test_what_a_person_does_is_theirs(path: Path, ids: dict[str, str]) -> None:
    cli("forget", path, ids["Deploy"])
    last = json.loads(cli("history", path, ids["Deploy"], "--json").out)[-1]
    assert last["actor"].startswith("person:")
    assert last["action"].startswith("forget:")
    assert "you" in cli("history", path, ids["Deploy"]).out.splitlines()[-1]


def test_all_that_was_forgotten_together_is_one_step_for_undo(path: Path, ids: dict[str, str]) -> None:
    cli("forget", path, ids["Deploy"], ids["Répond"])
    with MemoryStore(path, agent=person()) as store:
        undone = store.undo()
        assert undone is not None
        assert len(undone.records) == 2
        assert store.undo() is None
    assert cli("search", path, "window").status == cli("search", path, "toujours").status == 0


def test_a_fact_that_somebody_else_changed_is_left_alone(
    path: Path, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(_: Path) -> None:
        with MemoryStore(path, agent="scribe") as store:
            store.memory("user:42").update(ids["Deploy"], "Deploy window is Wednesday")
            store.erase(ids=[ids["Répond"]])

    monkeypatch.setattr(access, "require_writing", meanwhile)
    told = cli("forget", path, ids["Deploy"], ids["Répond"], ids["Acme"])
    assert told.status == 5
    assert told.err.splitlines() == [
        "1 changed by somebody else meanwhile, and left alone.", "1 gone meanwhile.", "Forgot 1 fact.",
    ]  # fmt: skip
    assert cli("search", path, "wednesday").status == 0


def test_one_missing_id_does_not_stop_the_rest(path: Path, ids: dict[str, str]) -> None:
    told = cli("forget", path, "nothing", ids["Deploy"], ids["turn"])
    assert told.status == 1
    assert "There is no fact nothing." in told.err
    assert f"There is no fact {ids['turn']}." in told.err
    assert told.err.endswith("Forgot 1 fact.\n")


def test_no_old_text_comes_back_under_an_id_used_again(path: Path, ids: dict[str, str]) -> None:
    cli("forget", path, ids["Deploy"])
    with MemoryStore(path) as store:
        store.erase(ids=[ids["Deploy"]])
    sql(
        path,
        "INSERT INTO facts (id, namespace, content) VALUES (?, 'user:42', 'Quite another matter')",
        (ids["Deploy"],),
    )
    assert cli("search", path, "window").status == 1
    assert cli("search", path, "another matter").status == 0
    assert "Tuesday" not in cli("show", path, ids["Deploy"]).out


def test_looking_changes_no_byte(path: Path, ids: dict[str, str]) -> None:
    before = folder(path)
    for arguments in (["list"], ["search", "deploy"], ["show", ids["Deploy"]], ["stats"], ["history"]):
        command, *rest = arguments
        assert cli(command, path, *rest).status == 0
    assert folder(path) == before


def test_without_a_terminal_the_app_says_what_to_use(path: Path, ids: dict[str, str]) -> None:
    told = memview(path)
    assert (told.status, told.out) == (2, "")
    assert told.sentence == f"memview: The app needs a terminal. Without one, use memview list {path}."


def test_create_makes_a_store_or_fills_an_empty_file(path: Path) -> None:
    assert cli(path, "--create").status == 0
    assert json.loads(cli("stats", path, "--json").out)["facts"] == 0
    assert cli(path, "--create").status == 2
    empty = path.with_name("empty.db")
    empty.touch()
    assert cli(empty, "--create").err.startswith("Created empty.db.\n")
    assert cli("stats", empty).status == 0
    assert cli(path.parent / "no" / "agent.db", "--create").status == 3


def test_a_file_named_like_a_command(path: Path, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    path.rename("list")
    assert cli("list", "list").status == 0
    assert "needs a terminal" in cli("./list").err
    assert "Missing argument" in cli("list").err


@pytest.mark.parametrize(
    "arguments",
    [["search"], ["search", "{}"], ["search", "{}", " "], ["search", "{}", "--limt=5", "x"],
     ["list", "{}", "--limit", "-1"], ["list", "{}", "--order", "best"], ["list", "{}", "more"], ["show", "{}"],
     ["show", "{}", "\udcff"], ["{}", "--nonsense"], ["--nonsense"], ["{}", "--create", "--read-only"], []],
)  # fmt: skip
def test_wrong_usage_is_two(arguments: list[str], path: Path, ids: dict[str, str]) -> None:
    told = cli(*(argument.format(path) for argument in arguments))
    assert (told.status, told.out) == (2, "")
    assert "Usage: memview" in told.err
