"""The weekly review, by keys alone in the real program."""

from __future__ import annotations

from pathlib import Path

from memview import MemoryStore
from memview.app.screens.inbox import InboxScreen
from memview.memory.looking import Looker
from memview.memory.person import person
from memview.review.inbox import count
from support import integrity
from terminal import Terminal, memview

SIZES = (19, 22, 19, 31, 14, 9, 11, 8, 7)
"""How many facts were learnt in each of nine sessions, 140 in all."""


def learnt(path: Path) -> None:
    """A store with what agents learnt in a week."""
    assert sum(SIZES) == 140
    for number, size in enumerate(SIZES, 1):
        with MemoryStore(path, agent="planner" if number % 2 else "scribe") as store:
            memory = store.memory("user:42")
            for i in range(size):
                memory.write(f"Week fact {i} of s{number} is {i * 31 + number}", session=f"s{number}")


def left(path: Path) -> int:
    """How many facts wait for the person."""
    looker = Looker(path)
    try:
        return looker.read(lambda raw: count(raw, person()))
    finally:
        looker.close()


def decide(terminal: Terminal, key: str, done: int) -> None:
    """Decide on the card that stands, once it has stood long enough to take a decision."""
    terminal.wait_for(lambda text: f"  {done - 1} of 140 decided" in text and "NEW  user:42" in text)
    terminal.settle(1.5 * InboxScreen.CALM)
    terminal.press(key)
    terminal.wait_for(f"  {done} of 140 decided")


def test_the_weekly_review_is_left_half_way_and_taken_up_again_there(path: Path) -> None:
    learnt(path)
    with Terminal(memview(path)) as terminal:
        terminal.wait_for("i inbox 140")
        terminal.press("i")
        terminal.wait_for("140 facts of 9 sessions wait here")
        terminal.press("a")
        terminal.wait_for("session 1 of 9: s9 planner")
        for done in range(1, 4):
            decide(terminal, "d" if done == 2 else "a", done)
        terminal.press("A")
        terminal.wait_for("Accept 4 facts, the rest of s9 planner?")
        terminal.press("y")
        terminal.wait_for("7 of 140 decided")
        terminal.wait_for("session 2 of 9: s8 scribe")
        decide(terminal, "a", 8)
        decide(terminal, "a", 9)
        terminal.wait_for("NEW  user:42 · 3rd of 8")
        terminal.wait_for("accepted 1 fact")
        terminal.press("j")
        terminal.wait_for("NEW  user:42 · 4th of 8")
        decide(terminal, "a", 10)
        terminal.wait_for("Week fact 4 of s8")
        terminal.wait_for("NEW  user:42 · 5th of 8")
        terminal.press("q")
        terminal.wait_for("i inbox 130")
        terminal.press("q")
        assert terminal.ended() == 0
    assert left(path) == 130
    with Terminal(memview(path)) as terminal:
        terminal.wait_for("i inbox 130")
        terminal.press("i")
        terminal.wait_for("10 of 140 decided · session 2 of 9: s8 scribe")
        terminal.wait_for(lambda text: "Week fact 4 of s8" in text and "next  NEW  Week fact 5 of s8" in text)
        terminal.press("u")
        terminal.wait_for(lambda text: "9 of 140 decided" in text or "Take it back?" in text)
        if "Take it back?" in terminal.text:
            terminal.press("y")
        terminal.wait_for(lambda text: "9 of 140 decided" in text and "next  NEW  Week fact 4 of s8" in text)
        terminal.press("q")
        terminal.wait_for("i inbox 131")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(path, read_only=True) as store:
        assert store.memory("user:42").count() == 139
    integrity(path)
