"""An agent that remembers, beside the running app: a person follows what it learns, and from which turn."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from memview import MemoryExtractor, MemoryStore
from memview.app.describe import About, tell_fact
from memview.memory import looking
from memview.memory.looking import Looker
from terminal import Terminal, memview

LOOP = Path(__file__).parents[2] / "examples" / "agent_loop.py"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEARNT = ("Ada looks after the billing", "service is…", "service is never", "Ada prefers short answers")
"""What can be seen of each fact in the list."""


def row(screen: str, beginning: str) -> list[str]:
    """The words of the line of the list in which a fact stands, what is left of the list left out."""
    line = next((line for line in screen.splitlines() if beginning in line), "")
    return line[line.rindex("┃", 0, line.index(beginning)) + 1 :].split() if "┃" in line else line.split()


def follow(terminal: Terminal, path: Path) -> None:
    """Go on until the app marks what is written as new: from then on it misses nothing."""
    with MemoryStore(path, agent="scribe") as store:
        for number in count():
            text = f"note{number}"
            store.memory("notes").write(text)
            if "●" in row(terminal.wait_for(text), text):
                return


def test_what_the_loop_learns_appears_live_with_its_turn(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    with Terminal(memview(path, "--create")) as terminal:
        terminal.wait_for("It shows here as it is written.")
        follow(terminal, path)
        loop = subprocess.run(
            [sys.executable, LOOP, path, "--pause", "0"], capture_output=True, text=True, timeout=120, check=True
        )
        assert loop.stdout.count(" learns  ") == len(LEARNT)
        terminal.wait_for("Turns 4")
        for fact in LEARNT:
            terminal.wait_for(lambda text, fact=fact: {"●", "helper"} <= {*row(text, fact)})  # type: ignore[misc]
        terminal.press("/", "prefers", "Enter")
        terminal.wait_for(lambda text: "FACTS 1" in text and "chat 1 turn 3" in text and '"Keep your answers' in text)
        terminal.resize(60, 20)
        terminal.wait_for(lambda text: "╭" not in text and row(text, "Ada prefers")[:2] == [">", "●"])
        terminal.press("Enter")
        terminal.wait_for(lambda text: "chat 1 turn 3" in text and "Keep your answers short, please." in text)
        terminal.press("Enter")
        terminal.wait_for(lambda text: "Turns 4" in text and row(text, "Keep your answers short")[:2] == [">", "●"])


def test_an_extraction_is_noted_in_one_line(tmp_path: Path) -> None:
    path, then = tmp_path / "agent.db", NOON - timedelta(days=3)
    with MemoryStore(path, clock=lambda: then) as store:
        chat = lambda _: '["Lives in Oslo"]'  # noqa: E731
        MemoryExtractor(chat, store.memory("user:ada")).extract([{"role": "user", "content": "I moved to Oslo"}])
        own = {"extracted": True, "extracted_at": "mine"}
        store.memory("user:ada").write("Likes tea", metadata=own, origin="user")
    looker = Looker(path)
    told = [looker.read(lambda raw, n=n: looking.fact(raw, n)) for n in (1, 2)]  # type: ignore[misc]
    looker.close()
    lines = [[f"{p.label.plain}{p.content.plain}" for p in tell_fact(one, About(NOON, None))] for one in told if one]
    assert [line for line in lines[0] if line.startswith("extracted")] == ["extracted      3d ago"]
    assert [line for line in lines[1] if line.startswith("extracted")] == [
        "extracted      true", "extracted_at   mine",
    ]  # fmt: skip
