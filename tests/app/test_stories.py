"""What people come to do, by keys alone in the real program, and what the store holds afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from memview import MemoryStore
from memview.memory.person import person
from support import Process, integrity, run
from terminal import Terminal, memview

SIZES = pytest.mark.parametrize(("columns", "rows"), [(120, 36), (60, 20)])

_WRITE = """
import sys
from memview import MemoryStore
with MemoryStore(sys.argv[1], agent="planner") as store:
    print(store.memory("user:42").write(sys.argv[2]).blocked)
"""


@SIZES
def test_why_does_my_agent_think_that_i_live_in_berlin(path: Path, columns: int, rows: int) -> None:
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        said = store.conversation("s1", namespace="user:42").record("I am back from Berlin", "Welcome home.")
        assert said is not None
        memory.write("User lives in Berlin", turns=[said.id])
    with MemoryStore(path, agent=person()) as store:
        store.memory("user:42").write_many([f"Likes tea number {i}" for i in range(30)])
    with Terminal(memview(path), columns=columns, rows=rows) as terminal:
        terminal.wait_for("Likes tea number 29")
        terminal.press("/", "berlin")
        terminal.wait_for(lambda text: "facts 1" in text.lower() or "User lives in Berlin" in text)
        terminal.press("Enter")
        terminal.wait_for(lambda text: "facts 1" in text.lower() and "Enter open" in text)
        terminal.press("o")
        terminal.wait_for(lambda text: "turns 1" in text.lower() and "I am back from Berlin" in text)
        terminal.press("Backspace")
        terminal.wait_for(lambda text: "facts 1" in text.lower() and "/ berlin" in text)
        terminal.press("c")
        terminal.wait_for(lambda text: "Correct" in text and "a turn says it" in text)
        terminal.press("End", *("Backspace",) * len("Berlin"), "Hamburg", "ctrl+s")
        terminal.wait_for("the old wording is blocked")
        terminal.wait_for("User lives in Hamburg")
        assert run(_WRITE, path, "User lives in Berlin") == ["True"]
        terminal.press("gt")
        terminal.wait_for(lambda text: "/ is:forgotten" in text and "† User lives in Berlin" in squeezed(text))
        terminal.press("i")
        terminal.wait_for("start from now")
        terminal.press("a")
        terminal.wait_for(lambda text: "TRIED AGAIN BY planner" in text and "User lives in Berlin" in text)
        terminal.wait_for("it is forgotten and stays so")
        terminal.press("ctrl+q")
        assert terminal.ended() == 0
    with MemoryStore(path, read_only=True) as store:
        (right,) = [fact for fact in store.memory("user:42").list(0) if fact.content.startswith("User lives")]
        assert right.content == "User lives in Hamburg"
        assert right.turns == [said.id]
    integrity(path)


def squeezed(text: str) -> str:
    """A screen with every stretch of blanks made one."""
    return " ".join(text.split())


def listed(count: int) -> Callable[[str], bool]:
    """Whether the list has the focus and so many facts, which its title says in capitals, or alone without."""
    return lambda text: f"facts {count:,}" in text.lower() and "Enter open" in text


KEY = "sk-live-9f8E7d6C5b4A3z2Y1x0W"


@SIZES
def test_a_leaked_key_is_erased_from_every_file(path: Path, columns: int, rows: int) -> None:
    with MemoryStore(path, agent="planner") as store:
        memory, talk = store.memory("user:42"), store.conversation("s1", namespace="user:42")
        talk.record(f"my key is {KEY}, keep it", "Noted.")
        talk.record("what was my key?", f"It is {KEY}.")
        memory.write("Prefers tea")
        memory.write_many([f"Use {KEY} for billing", f"Deploy with token={KEY} on Tuesday", f"The API key is {KEY}"])
    with Terminal(memview(path), columns=columns, rows=rows) as terminal:
        terminal.wait_for("The API key is")
        terminal.press("/", "api", "Enter")
        terminal.wait_for(listed(1))
        terminal.press("ge")
        terminal.wait_for("every copy of")
        terminal.press("j")
        terminal.wait_for("3 facts, 2 turns")
        terminal.press("Enter")
        terminal.press("erase", "Enter")
        terminal.wait_for("Erased 3 facts, 2 turns")
        terminal.wait_for("It looks like a key")
        terminal.press("Escape")
        terminal.wait_for("The API key is [erased]")
        terminal.wait_for(lambda text: KEY not in text)
        assert not holding(path, KEY), "while the program runs"
        terminal.settle(0.5)
        terminal.press("ctrl+q")
        assert terminal.ended() == 0
    assert not holding(path, KEY)
    with MemoryStore(path, read_only=True) as store:
        assert {fact.content for fact in store.memory("user:42").list(0)} == {
            "Prefers tea", "Use [erased] for billing", "Deploy with token=[erased] on Tuesday",
            "The API key is [erased]",
        }  # fmt: skip
    integrity(path)


def holding(path: Path, text: str) -> list[Path]:
    """The files of the store's folder and of the home folder that hold a text."""
    everywhere = [*path.parent.rglob("*"), *Path.home().rglob("*")]
    program = "import sys\nfor p in sys.argv[2:]:\n    if sys.argv[1].encode() in open(p, 'rb').read(): print(p)"
    return [Path(line) for line in run(program, text, *(file for file in everywhere if file.is_file()))]


@SIZES
def test_thousands_are_forgotten_and_brought_back_by_one_key(path: Path, columns: int, rows: int) -> None:
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        memory.write_many([f"{'Stale' if i < 5_000 else 'Fresh'} fact number {i}" for i in range(12_000)])
    with Terminal(memview(path), columns=columns, rows=rows) as terminal:
        terminal.wait_for("12,000 in all namespaces")
        terminal.press("/", "stale", "Enter")
        terminal.wait_for(listed(5_000))
        terminal.press("*")
        terminal.wait_for("marked 5,000 facts")
        terminal.press("d")
        terminal.wait_for("Forget 5,000 facts in user:42?")
        terminal.press("y")
        terminal.wait_for("forgot 5,000 facts")
        assert active(path) == 7_000
        terminal.press("u")
        terminal.wait_for("brought back 5,000 facts")
        assert active(path) == 12_000
        terminal.press("q")
        terminal.ended()
    integrity(path)


def active(path: Path) -> int:
    """How many facts agents see."""
    with MemoryStore(path, read_only=True) as store:
        return store.memory("user:42").count()


_STREAM = """
import sys, threading
from memview import MemoryStore
with MemoryStore(sys.argv[1], agent="streamer") as store:
    memory, stop, count = store.memory("user:42"), threading.Event(), 0
    threading.Thread(target=lambda: (sys.stdin.readline(), stop.set())).start()
    print("ready", flush=True)
    while not stop.wait(0.2):
        memory.write(f"Streamed fact {count}")
        count += 1
    print(count, flush=True)
"""


@SIZES
def test_an_edit_while_another_program_writes(path: Path, columns: int, rows: int) -> None:
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write_many([f"Fact number {i}" for i in range(20)])
    with Terminal(memview(path), columns=columns, rows=rows) as terminal, Process(_STREAM, path) as streamer:
        terminal.wait_for("Fact number 19")
        assert streamer.line() == "ready"
        terminal.wait_for("Streamed fact 1")
        terminal.press("/", '"number 7"', "Enter")
        terminal.wait_for(listed(1))
        terminal.press("e")
        terminal.wait_for("ctrl+s")
        for letter in "Slowly typed ":
            terminal.press(letter)
            terminal.pump(0.05)
        terminal.wait_for("Slowly typed Fact number 7")
        terminal.press("ctrl+s")
        terminal.wait_for(lambda text: "Slowly typed Fact number 7" in text and "ctrl+s" not in text)
        terminal.press("Escape")
        terminal.wait_for(lambda text: bool(re.search(r"Streamed fact \d", text)))
        streamer.tell()
        written = int(streamer.line())
        terminal.wait_for(f"{20 + written} in all namespaces")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(path, read_only=True) as store:
        texts = {fact.content for fact in store.memory("user:42").list(0)}
    wanted = {f"Fact number {i}" for i in range(20) if i != 7} | {f"Streamed fact {i}" for i in range(written)}
    assert texts == wanted | {"Slowly typed Fact number 7"}
    assert written > 3
