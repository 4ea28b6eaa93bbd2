"""Another program holds the lock while a fact is forgotten: it is waited for, then said; the app goes on meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from driving import Open
from memview import MemoryStore
from support import Process
from terminal import Terminal, memview

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
print("let go", flush=True)
"""


def test_it_is_waited_for_and_the_app_moves_meanwhile(filled: MemoryStore, path: Path) -> None:
    filled.close()
    with Terminal(memview(path)) as terminal, Process(HOLD, path) as other:
        terminal.wait_for("Users sign in by mail")
        terminal.wait_for("? help")
        assert other.line() == "held"
        terminal.press("d")
        terminal.wait_for(lambda text: "forgotten" in text)  # at once, while the other one still writes
        terminal.press("j")
        terminal.wait_for(lambda text: any(">" in line and "Atlas deploys" in line for line in text.splitlines()))
        other.tell()
        assert other.line() == "let go"
        terminal.wait_for("forgot 1 in user · u brings it back")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(path, read_only=True) as left:
        assert left.memory("user").list() == []


@pytest.mark.asyncio
async def test_what_could_not_be_done_is_said_and_the_row_is_as_before(
    filled: MemoryStore, path: Path, opened: Open
) -> None:
    filled.close()
    async with opened() as driven:
        driven.screen.desk.editing._timeout = 0.1
        with Process(HOLD, path) as other:
            assert other.line() == "held"
            await driven.press("d", "j")
            assert "agent.db is locked by another process. Nothing was changed; try again." in driven.status
            await driven.press("k")
            row = driven.screen.list.cursor_row
            assert row is not None
            assert (row.text, row.note, row.dimmed) == ("Users sign in by mail", "", False)
            other.tell()
            assert other.line() == "let go"
            await driven.press("d")
            assert "forgot 1 in user" in driven.status
