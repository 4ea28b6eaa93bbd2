"""The real program under a real pseudo-terminal: what it writes, and what is left when it is killed."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memview import MemoryStore
from terminal import Terminal, memview

HOSTILE = (
    "\x1b]0;pwned\x07title",
    "\x1b]52;c;cHduZWQ=\x07clipboard",
    "\x1b[2J\x1b[31mcolour",
    "\x9b31m\x9d0;pwned\x9cc1",
    "carriage\rreturn and \x08\x08 and \x7f and \x00 end",
    "right\u202eto left \u2066isolate \u200fmark",
    "zero\u200b\u2060\ufeffwidth",
    "tags\U000e0041\U000e0042 here",
    "x [/red] y [@click=app.quit]z[/] [00] list[int] range [b + 3",
    "\x1bP1$r\x1b\\device \x1b_apc\x1b\\ \x1b^pm\x1b\\",
)
_OURS = re.compile(
    rb"\x1b\[[0-9;:]*m"  # colours
    rb"|\x1b\[\d*(?:;\d*)?[HfABCDGdJK]"  # moving and clearing
    rb"|\x1b\[[?>=<]?[\d;]*[hlunqrptcS$]+p?"  # modes and questions
    rb"|\x1b[78=>]"
    rb"|\x1b]22;[a-z-]*\x07"  # the shape of the mouse pointer
)
_FORBIDDEN = re.compile("[\x80-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


@pytest.fixture
def hostile(path: Path) -> Path:
    with MemoryStore(path, agent="\x1b]0;agent\x07") as store:
        for text in HOSTILE:
            turn = store.conversation(f"s{text}", namespace=f"ns:{text}").record(text, text[::-1])
            assert turn is not None
            memory = store.memory(f"ns:{text}".replace("\x00", ""))
            one = memory.write(
                text, tags=[text], category=text, summary=text, turns=[turn.id], session=text, metadata={"k": text}
            )
            memory.link(one.id, memory.write(f"other {text}").id)
            memory.update(one.id, f"changed {text}")
    named = path.with_name("agent\x1b]0;x\x07[red].db")
    shutil.move(path, named)
    return named


def test_hostile_text_reaches_the_terminal_as_text_alone(hostile: Path) -> None:
    with Terminal(memview(hostile)) as terminal:
        terminal.wait_for("pwned")
        for keys in (
            ("j",) * 12,
            ("3", "j", "j", "Enter"),
            ("]", "j", "j", "j"),
            ("1", "j", "j", "j"),
            ("?", "Escape"),
        ):
            terminal.press(*keys)
            terminal.settle()
        for typed in ("pwned", "Escape", "e", "Escape", "L", "x", "Escape", ":", "Escape"):
            if typed == "pwned":
                terminal.press("2", "/", "pwned", "Enter")
            else:
                terminal.press(typed)
            terminal.settle()
        terminal.press("ctrl+q")
        assert terminal.ended() == 0
        raw = bytes(terminal.raw)
    assert b"\\x1b]0;pwned" in raw, "it is shown, in words"
    left = _OURS.sub(b"", raw)
    assert b"\x1b" not in left, [left[m.start() : m.start() + 20] for m in re.finditer(b"\x1b", left)][:5]
    assert not re.search(rb"[\x00-\x06\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]", left)
    assert b"\x07" not in left
    assert not _FORBIDDEN.search(left.decode())


@pytest.fixture
def plain_store(path: Path) -> Path:
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write_many([f"Fact number {i}" for i in range(20)])
    return path


def contents(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [text for (text,) in connection.execute("SELECT content FROM facts ORDER BY n")]


def test_killed_in_an_edit_it_leaves_the_store_whole(plain_store: Path) -> None:
    before = contents(plain_store)
    with Terminal(memview(plain_store)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.press("d")
        terminal.wait_for("forgot 1")
        terminal.press("j", "e")
        terminal.wait_for("confidentiality")
        terminal.press("typed and lost")
        terminal.settle()
        terminal.process.kill()
        terminal.ended()
    assert contents(plain_store) == before
    with MemoryStore(plain_store) as store:
        assert store.memory("user:42").count() == 19


def test_looking_around_changes_no_byte_and_leaves_no_file(plain_store: Path) -> None:
    before = plain_store.read_bytes()
    with Terminal(memview(plain_store)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.press("j", "j", "Enter", "/", "fact", "Enter", "3", "1", "j", "]", "[", "?", "Escape")
        terminal.settle()
        terminal.press("q")
        assert terminal.ended() == 0
    assert plain_store.read_bytes() == before
    assert os.listdir(plain_store.parent) == [plain_store.name]


def test_an_edit_survives_a_restart(plain_store: Path) -> None:
    with Terminal(memview(plain_store)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.press("e")
        terminal.wait_for("confidentiality")
        terminal.press("Really ", "ctrl+s")
        terminal.wait_for("changed the")
        terminal.press("q")
        assert terminal.ended() == 0
    with Terminal(memview(plain_store)) as terminal:
        terminal.wait_for("Really Fact number 19")
        terminal.press("u")
        terminal.wait_for("Take it back?")
        terminal.press("y")
        terminal.wait_for(lambda text: "Really" not in text.splitlines()[3])
        terminal.press("ctrl+q")
        terminal.ended()
    assert "Fact number 19" in contents(plain_store)


def test_ctrl_c_twice_ends_it(plain_store: Path) -> None:
    with Terminal(memview(plain_store)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.press("ctrl+c", "ctrl+c")
        assert terminal.ended() == 0


def test_the_terminal_going_away_ends_it(plain_store: Path) -> None:
    with Terminal(memview(plain_store)) as terminal:
        terminal.wait_for("Fact number 19")
        terminal.hang_up()
        terminal.process.wait(timeout=20)
    assert len(contents(plain_store)) == 20
