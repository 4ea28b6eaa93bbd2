"""The mouse in the real program: whatever looks like a button is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memview import MemoryStore
from terminal import Terminal, memview


@pytest.fixture
def small(path: Path) -> Path:
    with MemoryStore(path, agent="planner") as store:
        said = store.conversation("s1", namespace="user:42").record("Tuesdays suit me", "Noted: Tuesdays.")
        assert said is not None
        memory = store.memory("user:42")
        memory.write_many([f"Fact number {i}" for i in range(60)])
        one, other = memory.write("Deploys on Tuesdays", turns=[said.id]), memory.write("Ships on Fridays")
        memory.link(one.id, other.id)
        store.memory("user:43").write("Lives in Oslo")
    return path


def test_the_mouse_in_every_pane(small: Path) -> None:
    with Terminal(memview(small)) as terminal:
        terminal.wait_for("Lives in Oslo")
        terminal.wait_for("live")
        terminal.click("   Ships on Fridays", left=1)
        terminal.wait_for("1 marked")
        terminal.click("x   Ships on Fridays")
        terminal.wait_for(lambda text: "1 marked" not in text)
        terminal.click("   Ships on Fridays", button=3, left=-3)
        terminal.wait_for(lambda text: "Forget" in text and "Pin" in text)
        terminal.press("Escape")
        terminal.wait_for(lambda text: "Forget" not in text)
        terminal.click("Deploys on Tuesdays", times=2)
        terminal.wait_for(lambda text: "FACT " in text and "s1 turn 1" in text)
        terminal.click("s1 turn 1", times=2)
        terminal.wait_for(lambda text: "TURNS 1" in text and "Tuesdays suit me" in text)
        terminal.press("Backspace")
        terminal.wait_for(lambda text: "FACT " in text and "Ships on Fridays" in text)
        terminal.click("▾ user")
        terminal.wait_for("▸ user")
        terminal.click("▸ user")
        terminal.wait_for("▾ user")
        terminal.click("   43  ", left=-4)
        terminal.wait_for("in user:43")
        terminal.click("all  ")
        terminal.wait_for("63 in all namespaces")
        terminal.press("q")
        assert terminal.ended() == 0


def oldest(text: str) -> bool:
    """Whether the oldest fact is among the rows in view."""
    return re.search(r"┃[> ] +Fact number 0 ", text) is not None


def test_the_mouse_in_the_lines_around(small: Path) -> None:
    with Terminal(memview(small)) as terminal:
        terminal.wait_for("Lives in Oslo")
        terminal.wait_for("live")
        terminal.click("1 turn", left=-2)
        terminal.wait_for("TURNS 1")
        terminal.click("Facts 63")
        terminal.wait_for("FACTS 63")
        terminal.click("newest first")
        terminal.wait_for(lambda text: "oldest first" in text and "Fact number 9 " in text)
        terminal.scroll("Fact number 9")
        terminal.wait_for(lambda text: not oldest(text))
        terminal.scroll("Fact number 9", up=True)
        terminal.wait_for(oldest)
        terminal.click("search")
        terminal.wait_for("Enter keep")
        terminal.press("zebra")
        terminal.wait_for("No fact in all namespaces matches")
        terminal.click("keep")
        terminal.wait_for(lambda text: "Enter keep" not in text)
        terminal.press("Escape")
        terminal.wait_for("FACTS 63")
        terminal.click("? help")
        terminal.wait_for("Everywhere")
        terminal.press("Escape")
        terminal.wait_for(lambda text: "Everywhere" not in text)
        terminal.press("q")
        assert terminal.ended() == 0


def test_without_the_mouse_the_terminal_keeps_it(small: Path) -> None:
    for options, taken in (((), True), (("--no-mouse",), False)):
        with Terminal(memview(small, *options)) as terminal:
            terminal.wait_for("Lives in Oslo")
            terminal.press("q")
            assert terminal.ended() == 0
            assert (b"\x1b[?1000h" in terminal.raw) is taken
