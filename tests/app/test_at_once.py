from __future__ import annotations

from pathlib import Path

import pytest

from driving import Open
from memview import MemoryStore
from memview.app.editing import Editing, Outcome
from memview.clock import Clock
from memview.errors import BusyStore

pytestmark = pytest.mark.asyncio


async def test_counts_order_and_what_waits_are_buttons(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:

        async def click(line: int, word: str) -> None:
            x = driven.lines()[line].index(word) + 1
            await driven.pilot.click(offset=(x, line))
            await driven.settle()

        await click(1, "newest first")
        assert driven.found.endswith("oldest first")
        await click(1, "6 in all")
        assert driven.screen.spot == "tree"
        await click(0, "3 turns")
        assert driven.rows()[0].startswith("I live") or driven.rows()[-1].startswith("I live")
        await click(0, "6 facts")
        assert driven.title.upper() == "FACTS 6  TURNS 3"
        assert driven.rows()[0] == "Users sign in by mail"
        await driven.press("2", "j")
        filled.memory("user").write("Something new")
        driven.screen.desk.watch.check()
        driven.screen.desk.watch.check()
        await driven.settle()
        filled.memory("user").write("Something else new")
        driven.screen.desk.watch.check()
        await driven.until(lambda: "above (gg)" in driven.text() or "more (gg)" in driven.text())
        line = next(at for at, shown in enumerate(driven.lines()) if "(gg)" in shown)
        await click(line, "(gg)")
        assert "Something else new" in driven.rows()


async def test_the_theme_changes_at_once(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        assert driven.app.theme == "memview-dark"
        await driven.press("colon")
        await driven.type("theme: li")
        await driven.until(lambda: "Theme: light" in driven.text())
        await driven.press("enter", "enter")
        await driven.until(lambda: driven.app.theme == "memview-light")


async def test_a_step_of_an_earlier_sitting_is_taken_back_by_y_alone(
    filled: MemoryStore, clock: Clock, path: Path, opened: Open
) -> None:
    with MemoryStore(path, agent="person:ana", clock=clock) as mine:
        fact = mine.memory("user").list()[0]
        mine.memory("user").forget(fact.id)
    clock.forward(hours=3)  # type: ignore[attr-defined]
    async with opened() as driven:
        await driven.press("u")
        assert "Your last change was forgetting, 3h ago. Take it back?" in driven.text()
        await driven.press("u", "enter", "space", "escape")
        assert filled.memory("user").list() == []
        assert driven.app.screen is driven.screen
        await driven.press("u", "y")
        assert len(filled.memory("user").list()) == 1
        assert "brought back 1 fact in user, from 3h ago" in driven.status


async def test_a_forgotten_row_is_shown_so_at_once_and_taken_back_if_it_fails(
    filled: MemoryStore, monkeypatch: pytest.MonkeyPatch, opened: Open
) -> None:
    def fail(*_: object) -> Outcome:
        raise BusyStore("Another program is writing.")

    monkeypatch.setattr(Editing, "forget", fail)
    async with opened() as driven:
        driven.screen.doing.run("forget")
        row = driven.screen.list.cursor_row
        assert row is not None
        assert (row.note, row.dimmed) == ("forgotten", True)
        await driven.settle()
        row = driven.screen.list.cursor_row
        assert row is not None
        assert not row.dimmed
        assert "Another program is writing." in driven.status


async def test_it_quits_also_where_the_outcome_of_an_act_could_not_be_told(filled: MemoryStore, opened: Open) -> None:
    def told(_: object) -> None:
        raise LookupError("its screen has closed")

    async with opened() as driven:
        driven.screen.desk.acts.run(lambda: Outcome("done"), told)
        driven.send("q")
        await driven.until(lambda: not driven.app.is_running)
    assert driven.app.return_code == 0
