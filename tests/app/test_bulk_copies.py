"""The copy of the day that a bulk action of the app leaves, and an erase in the app that reaches it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from driving import Open
from memview import MemoryStore
from memview.app.screens.erase import EraseScreen
from memview.review.secrets import MASK
from memview.store import backup, state
from support import folder

pytestmark = pytest.mark.asyncio

VALUE = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1234"
KEY = f"ghp_{VALUE}"


async def test_a_bulk_action_leaves_a_copy_and_an_erase_reaches_it(
    filled: MemoryStore, opened: Open, path: Path
) -> None:
    memory = filled.memory("user:77")
    memory.write_many([f"Deploy key is {KEY}", "Zebra one", "Zebra two"])
    filled.close()
    async with opened() as driven:
        await driven.press("slash")
        await driven.type("zebra")
        await driven.press("enter", "asterisk", "d", "y")
        (copy,) = backup.copies(path)
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert VALUE.encode() in copy.read_bytes()
        await driven.press("slash", "ctrl+u")
        await driven.type("is:secret")
        await driven.press("enter")
        assert driven.cursor_text == f"Deploy key is ghp_{MASK}"
        await driven.press("g", "e")
        erase = driven.app.screen
        assert isinstance(erase, EraseScreen)
        for _ in range(6):
            if erase.target.value == KEY:
                break
            await driven.press("down")
        assert erase.target.value == KEY
        assert "1 backup" in driven.text()
        await driven.press("enter")
        await driven.type("erase")
        await driven.press("enter", "escape")
    assert backup.copies(path) == []
    assert all(VALUE.encode() not in file.read_bytes() for file in state.kept(path))
    assert not [name for name, data in folder(path).items() if VALUE.encode() in data]
