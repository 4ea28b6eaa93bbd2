"""Erase from the command line: counted, agreed to, gone from every file, and never typed as an argument."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Ended, cli, fill
from memview import MemoryStore
from support import SettableClock, folder, plain
from terminal import Terminal, memview

SECRET = "hunter2canary"


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


@pytest.fixture
def secret(path: Path, ids: dict[str, str]) -> str:
    """The id of a fact that holds a secret, as do a turn and a former wording of another fact."""
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        id = memory.write(f"The key is {SECRET}", tags=["key"]).id
        memory.update(ids["Deploy"], f"Deploy with {SECRET}")
        memory.update(ids["Deploy"], "Deploy with the key")
        memory.link(id, ids["Deploy"])
        store.conversation("s9", namespace="user:42").record(f"my key is {SECRET}", "noted")
    return id


def held(path: Path) -> bool:
    return SECRET.encode() in b"".join(folder(path).values())


def places(told: Ended) -> dict[str, int]:
    return {name: int(count) for name, count in (line.split() for line in told.out.splitlines())}


@pytest.mark.parametrize(
    ("what", "counts"),
    [
        (["{secret}"], {"facts": 1, "turns": 0, "links": 1, "history": 0}),
        (["{Deploy}", "{turn}"], {"facts": 1, "turns": 1, "links": 2, "history": 3}),
        (["--session", "s9"], {"facts": 0, "turns": 1, "links": 0, "history": 0}),
        (["--namespace", "user:42"], {"facts": 3, "turns": 2, "links": 2, "history": 4}),
        (["--tenant", "acme", "--namespace", "user:42"], {"facts": 1, "turns": 0, "links": 0, "history": 0}),
        (["{Acme}"], {"facts": 1, "turns": 0, "links": 0, "history": 0}),
        (["--value", "-"], {"facts": 1, "turns": 1, "history": 1}),
    ],
)
def test_a_dry_run_counts_exactly_what_is_then_erased(
    what: list[str], counts: dict[str, int], path: Path, ids: dict[str, str], secret: str
) -> None:
    arguments = [part.format(**ids, secret=secret) for part in what]
    before = folder(path)
    counted = cli("erase", path, *arguments, "--dry-run", stdin=SECRET.encode())
    assert (counted.status, places(counted)) == (0, counts)
    refused = cli("erase", path, *arguments, stdin=SECRET.encode())
    assert (refused.status, refused.out) == (1, "")
    assert refused.sentence.endswith("There is no undo. Nobody can be asked here. Add --yes to do it.")
    assert folder(path) == before
    done = cli("erase", path, *arguments, "--yes", stdin=SECRET.encode() + b"\n")
    assert (done.status, done.out) == (0, counted.out)
    assert done.err.splitlines()[0] == counted.err.strip().replace("Would erase", "Erased")
    again = cli("erase", path, *arguments, "--dry-run", stdin=SECRET.encode())
    assert again.status == 1


def test_a_value_leaves_every_file_and_is_said_nowhere(path: Path, secret: str) -> None:
    assert held(path)
    told = cli("erase", path, "--value", "-", "--yes", "--json", stdin=SECRET.encode())
    assert json.loads(told.out) == {"places": {"facts": 1, "turns": 1, "history": 1}, "unreached": []}
    assert SECRET not in told.out + told.err
    assert not held(path)
    assert "The key is [erased]" in cli("show", path, secret).out
    told = cli("erase", path, "--value", "-", "--yes", stdin=SECRET.encode())
    assert (told.status, SECRET in told.err) == (1, False)


def test_a_value_on_the_command_line_is_refused_unread(path: Path, secret: str) -> None:
    told = cli("erase", path, "--value", SECRET, "--yes")
    assert (told.status, told.out) == (2, "")
    assert SECRET not in told.err
    assert held(path)


def test_a_deleted_record_is_erased_from_what_is_remembered_of_it(path: Path, secret: str) -> None:
    with plain(path) as connection:
        connection.execute("DELETE FROM facts WHERE id = ?", (secret,))
        connection.execute("DELETE FROM turns WHERE session = 's9'")
    assert cli("erase", path, secret, "--yes").status == 0
    assert cli("erase", path, "--session", "s9", "--yes").status == 0
    assert cli("erase", path, "--value", "-", "--dry-run", stdin=SECRET.encode()).out.split()[-1] == "1"


def test_one_wrong_id_erases_nothing(path: Path, ids: dict[str, str]) -> None:
    before = folder(path)
    for wrong in ("nothing", ids["Deploy"][:1]):
        told = cli("erase", path, ids["Deploy"], wrong, "--yes")
        assert (told.status, told.out) == (1, "")
    assert cli("erase", path, ids["Deploy"], ids["Acme"], "--yes").sentence.startswith("memview: These belong to more")
    assert cli("erase", path, ids["Acme"], "--tenant", "", "--yes").status == 1
    assert cli("erase", path, ids["Acme"], "--namespace", "user:42", "--yes").status == 1
    assert folder(path) == before


@pytest.mark.parametrize(
    "arguments", [[], ["--tenant", "acme"], ["--value", "-", "--session", "s7"], ["x", "--value", "-"]]
)
def test_what_to_erase_has_to_be_said(arguments: list[str], path: Path, ids: dict[str, str]) -> None:
    assert cli("erase", path, *arguments, "--yes").status == 2


def test_a_short_value_is_refused(path: Path, ids: dict[str, str]) -> None:
    assert cli("erase", path, "--value", "-", "--yes", stdin=b"a\n").sentence.startswith(
        "memview: A value to erase has"
    )


def test_what_was_not_reached_is_named_and_is_four(path: Path, secret: str) -> None:
    with plain(path) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM facts").fetchone()
        told = cli("erase", path, secret, "--yes", "--wait", "0")
        assert told.status == 4
        assert "bytes of agent.db may hold it until another program lets go" in told.err
        assert cli("show", path, secret).status == 1
        reader.execute("COMMIT")


def test_on_a_terminal_the_value_is_typed_unseen_and_the_word_has_to_be_typed(path: Path, secret: str) -> None:
    for word, status, words in (
        ("y", 1, "Nothing was erased."),
        ("erase", 0, "Erased 1 fact, 1 turn, 1 history entry."),
    ):
        with Terminal(memview("erase", path, "--value", "-")) as terminal:
            terminal.wait_for("The text to erase:")
            terminal.press(SECRET, "Enter")
            terminal.wait_for("Type erase to go on")
            assert "Erase 1 fact, 1 turn, 1 history entry from agent.db? There is no undo." in terminal.text
            terminal.press(word, "Enter")
            assert terminal.ended() == status
            assert words in terminal.text
            assert SECRET.encode() not in terminal.raw
    assert not held(path)
