"""The command line under a real terminal: tables that line up, and text that cannot act."""

from __future__ import annotations

import json
import os
import re
import subprocess
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import cli, fill
from memview import MemoryStore
from memview.cli.output import Screen, to_json
from memview.cli.table import Column, fit, table, width
from memview.text import one_line
from support import SettableClock, sql
from terminal import Terminal, memview

HOSTILE = {
    "clear": "\x1b[2J\x1b[1;1H gone", "clipboard": "\x1b]52;c;ZXZpbA==\x07", "title": "\x1b]0;renamed\x1b\\",
    "c1": "\x9b2J \x9d0;renamed\x9c", "return": "safe\rEVIL", "backspace": "abc\x08\x08\x08xyz", "bell": "\x07\x07",
    "direction": "invoice\u202egnp.exe\u2066x\u200f", "zero width": "pass\u200bword\u2060\ufeff", "delete": "\x7f",
    "tags": "hello\U000e0001\U000e0041\U000e0042", "markup": "[bold]x[/red] [@click=app.quit]y[/]", "nul": "a\0b",
}  # fmt: skip
_HARMLESS = re.compile(rb"\x1b\[(1|22)m")


def shown(*arguments: str | os.PathLike[str], columns: int = 120, **env: str) -> bytes:
    """Every byte that a command sends to a terminal."""
    with Terminal(memview(*arguments), columns=columns, env=env) as terminal:
        assert terminal.ended() == 0
        return bytes(terminal.raw)


def acts(data: bytes) -> set[str]:
    """The characters in what was sent that a terminal would obey or hide."""
    text = _HARMLESS.sub(b"", data).decode().replace("\r\n", "\n")
    return {letter for letter in text if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co")}


@pytest.fixture
def hostile(path: Path) -> Path:
    """A store in which every text is hostile."""
    for name, text in HOSTILE.items():
        with MemoryStore(path, agent=text) as store:
            memory = store.memory(f"{name}:{text}")
            memory.write(text, category=text, tags=[text], session=text, summary=text, metadata={text: text})
            store.conversation(text, namespace=text).record(text, text)
    for table_ in ("facts (id, content)", "turns (id, request)"):
        sql(path, f"INSERT INTO {table_} VALUES (?, ?)", ("id" + HOSTILE["title"], HOSTILE["clipboard"]))
    return path


def test_hostile_text_is_inert_on_a_terminal(hostile: Path) -> None:
    data = shown("list", hostile)
    assert acts(data) == set()
    assert b"\\x1b]52;c" in data
    assert b"invoice\\u202egnp.exe" in data
    assert b"[@click=app.quit]y[/]" in data


def test_hostile_text_is_inert_in_every_command(hostile: Path) -> None:
    for command, *rest in (["list", "--turns"], ["stats"], ["history"], ["search", "renamed"]):
        told = cli(command, hostile, *rest)
        assert told.status == 0
        assert acts(told.raw) == set()


def test_hostile_text_is_inert_in_details_and_in_errors(hostile: Path) -> None:
    with MemoryStore(hostile) as store:
        facts = [store.memory(space.namespace).list(1) for space in store.namespaces() if space.namespace]
    for fact in (fact for found in facts for fact in found):
        told = cli("show", hostile, fact.id)
        assert acts(told.raw) == set()
        assert "\t" not in told.out
    for text in (text.replace("\0", "") for text in HOSTILE.values()):  # which no argument of a program can hold
        wrong = ([hostile, text, "x"], ["show", hostile, text], ["list", text], ["list", hostile, f"--{text}"])
        for arguments in wrong:
            told = cli(*arguments)
            assert told.status > 0
            assert acts(told.err.encode()) == set()


def test_json_of_hostile_text_is_inert_and_whole(hostile: Path) -> None:
    told = cli("list", hostile, "--json")
    assert acts(told.raw) == set()
    assert {fact["content"] for fact in json.loads(told.out)} == set(HOSTILE.values())


@given(st.text())
def test_json_says_exactly_the_text(text: str) -> None:
    written = to_json({"text": text})
    assert json.loads(written.encode()) == {"text": text}
    assert not re.search("[\x7f-\x9f\u200b-\u200f\u202a-\u202e]", written)


def test_a_table_lines_up_and_fits(path: Path, clock: SettableClock) -> None:
    fill(path, clock)
    with MemoryStore(path, agent="東京エージェント", clock=clock) as store:
        store.memory("用户:四十二").write("部署窗口是星期二，十四点到十六点" * 5)
        store.memory("e\u0301te\u0301").write("👩‍💻 fixes 🇫🇷 things " * 9)
        store.memory("short").write("last words")
    for columns in (60, 80, 120):
        with Terminal(memview("list", path), columns=columns) as terminal:
            assert terminal.ended() == 0
            lines = [line for line in terminal.text.splitlines() if line]
        assert len(lines) == 7
        titles = lines[0].split()
        assert (titles[0], titles[-1]) == ("ID", "TEXT")
        assert ("STRENGTH" in titles) == (columns > 80)
        places = {_columns_before(line, word) for line, word in ((lines[0], "TEXT"), (lines[1], "last"))}
        assert len(places) == 1
        assert all(_columns_before(line, "") <= columns for line in lines)


def _columns_before(line: str, word: str) -> int:
    """Where a word of the screen stands; a wide character takes two places of it."""
    return width(line[: line.index(word)] if word else line)


def test_matches_are_bold_where_the_terminal_may(path: Path, clock: SettableClock) -> None:
    fill(path, clock)
    assert b"\x1b[1mDeploy\x1b[22m window" in shown("search", path, "depl")
    assert b"\x1b" not in shown("search", path, "depl", NO_COLOR="1")
    assert b"\x1b" not in shown("search", path, "depl", TERM="dumb")
    assert b"\x1b" not in cli("search", path, "depl").raw


def test_a_pipe_gets_whole_plain_lines(path: Path, clock: SettableClock) -> None:
    ids = fill(path, clock)
    with MemoryStore(path) as store:
        store.memory("a\tb").write("tabs\tand\nnewlines " + "on " * 80 + "end")
    lines = cli("list", path).out.splitlines()
    assert len(lines) == 4
    assert lines[-1].split()[0] == ids["Deploy"]
    assert not any("\t" in line or "\x1b" in line for line in lines)
    assert "tabs and ↵ newlines" in lines[0]
    assert lines[0].endswith("end")


def test_a_missing_store_is_asked_about(path: Path) -> None:
    with Terminal(memview(path)) as terminal:
        terminal.wait_for("agent.db does not exist. Create it? [y/N]")
        terminal.press("n", "Enter")
        assert terminal.ended() == 1
    assert not path.exists()
    with Terminal(memview(path)) as terminal:
        terminal.wait_for("Create it? [y/N]")
        terminal.press("ctrl+c")
        with suppress(subprocess.TimeoutExpired):
            terminal.ended(10)
        if terminal.process.poll() is None:  # Python does not hear one that comes just before it begins to read
            terminal.press("ctrl+c")
        assert terminal.ended() == 130
    assert not path.exists()


@given(st.text(max_size=30), st.integers(1, 20))
def test_what_is_fitted_fits(text: str, columns: int) -> None:
    line = one_line(text)
    cut = fit(line, columns)
    assert width(cut) <= columns
    assert cut == line or cut.endswith("…")


def test_a_narrow_terminal_keeps_room_for_the_text() -> None:
    rows = [["x" * 40, "y" * 40, "the text of it"]]
    lines = table([Column("A", 12), Column("B", 30)], "TEXT", rows, Screen(True, 40, False))
    assert lines[1].split("  ") == ["xxxxxxxxxxx…", "the text of it"]


def test_wide_characters_take_two_columns() -> None:
    rows = [["東京", "1", "x"], ["e\u0301", "22", "y" * 90]]
    lines = table([Column("A"), Column("B", right=True)], "TEXT", rows, Screen(True, 40, False))
    assert lines == ["A      B  TEXT", "東京   1  x", f"e\u0301     22  {'y' * 29}…"]


def test_a_terminal_that_cannot_be_drawn_on_gets_no_app(path: Path) -> None:
    MemoryStore(path).close()
    with Terminal(memview(path), env={"TERM": "dumb"}) as terminal:
        assert terminal.ended() == 2
        assert "The app needs a terminal. Without one, use memview list" in terminal.text
