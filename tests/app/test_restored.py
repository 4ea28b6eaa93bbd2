"""The file of an open store gets other contents in its place, or is away when it is first looked for."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from textual.message import Message

from driving import Open
from memview import MemoryStore
from memview.app.live import Watch
from memview.app.messages import StoreGone, StoreReplaced
from support import SettableClock


@pytest.mark.asyncio
@pytest.mark.parametrize("which", ["older", "longer"])
async def test_a_copy_that_is_written_over_the_file_is_read_anew(
    filled: MemoryStore, opened: Open, path: Path, clock: SettableClock, which: str
) -> None:
    filled.close()
    copy = path.with_name("copy.db")
    if which == "older":
        shutil.copy(path, copy)
    with MemoryStore(path, agent="planner") as store:
        store.memory("user").write("Written since")
    if which == "longer":
        clock.forward(hours=1)
        with MemoryStore(copy, agent="scribe", clock=clock) as store:
            store.memory("elsewhere").write_many([f"Of another store {n}" for n in range(60)])
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.screen.desk.watch.watching)
        await driven.settle()
        assert "Written since" in driven.rows()
        shutil.copyfile(copy, path)
        await driven.until(lambda: "it was read anew" in driven.status)
        await driven.settle()
        assert "Written since" not in driven.rows()
        assert len(driven.screen.list.keys) == {"older": 6, "longer": 60}[which]


def test_a_file_that_was_away_at_the_first_look_is_read_anew(filled: MemoryStore, path: Path) -> None:
    filled.close()
    told: list[Message] = []
    watch = Watch(path, told.append)
    away = path.with_name("away.db")
    os.replace(path, away)
    watch.check()
    os.replace(away, path)
    watch.check()
    watch.stop()
    assert [type(message) for message in told] == [StoreGone, StoreReplaced]
