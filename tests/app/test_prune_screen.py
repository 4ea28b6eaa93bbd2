"""Prune: what a rule would set aside is seen, narrowed, agreed to and taken back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.message import MessageScreen
from memview.app.screens.prune import PruneScreen
from memview.app.widgets.record_list import RecordList
from support import SettableClock, sql

pytestmark = pytest.mark.asyncio


@pytest.fixture
def faded(store: MemoryStore, clock: SettableClock) -> MemoryStore:
    """Twelve faded facts: one pinned, one accepted, one a person's; and a fresh one."""
    memory = store.memory("user:42")
    turn = store.conversation("s1", namespace="user:42").record("Is it raining in Oslo?", "It is.")
    assert turn is not None
    memory.write("Asked about the weather in Oslo", turns=[turn.id], session="s1")
    facts = [memory.write(f"Passing remark number {n}") for n in range(9)]
    memory.pin(facts[0].id)
    with MemoryStore(store.path, agent="person:ana", clock=clock) as ana:
        ana.memory("user:42").accept(facts[1].id)
        ana.memory("user:42").write("I drink tea", origin="person")
    memory.write("[@click=app.quit]x[/] \x1b]0;x\x07 [/red]")
    clock.forward(days=90)
    memory.write("Fresh as of today")
    store.close()
    return store


def screen(driven: Driven) -> PruneScreen:
    shown = driven.app.screen
    assert isinstance(shown, PruneScreen)
    return shown


def listed(driven: Driven) -> RecordList:
    return screen(driven).query_one(RecordList)


def statuses(path: Path) -> dict[str, int]:
    return dict(sql(path, "SELECT status, count(*) FROM facts GROUP BY status"))


async def test_the_rule_is_offered_with_exact_counts(faded: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "p")
        shown = driven.text()
        assert "strength<0.10 before:24h recalled:0" in shown
        assert "would prune 9 of 13   kept: 1 pinned, 1 accepted, 1 edited by you · as of 09:30:00 UTC" in shown
        assert len(listed(driven).keys) == 9
        assert "[@click=app.quit]x[/] \\x1b]0;x\\x07 [/red]" in shown


async def test_one_is_left_out_and_taken_in_again(faded: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "p", "j", "space")
        assert "would prune 8 of 13" in driven.text()
        assert "left out 1" in driven.text()
        assert listed(driven).cursor == 2
        await driven.press("k", "space")
        assert "would prune 9 of 13" in driven.text()
        assert "left out" not in driven.text().replace("leave out", "")


async def test_only_y_agrees_and_one_undo_brings_all_back(faded: MemoryStore, opened: Open, path: Path) -> None:
    async with opened() as driven:
        await driven.press("g", "p", "space", "d")
        assert isinstance(driven.app.screen, MessageScreen)
        asked = driven.text()
        assert "Prune 8 facts in all namespaces?" in asked
        assert "and 5 more" in asked
        assert "stay as they are: 1 pinned, 1 accepted, 1 edited by you, 1 left out" in asked
        await driven.press("enter", "space", "escape")
        assert statuses(path) == {"active": 13}
        await driven.press("d", "y")
        assert statuses(path) == {"active": 5, "pruned": 8}
        assert "pruned 8 facts · u brings them back" in driven.text()
        assert len(listed(driven).keys) == 9  # nothing leaves under the cursor
        await driven.press("d")
        assert "it is done" in driven.text()
        await driven.press("u")
        assert statuses(path) == {"active": 13}
        assert "would prune 8 of 13" in driven.text()


async def test_accepted_and_edited_go_where_that_is_asked_for_and_pinned_never(
    faded: MemoryStore, opened: Open, path: Path
) -> None:
    async with opened() as driven:
        await driven.press("g", "p", "A")
        assert "would prune 10 of 13   kept: 1 pinned, 1 edited by you · accepted ones too" in driven.text()
        await driven.press("E", "d", "y")
        assert statuses(path) == {"active": 2, "pruned": 11}
        assert sql(path, "SELECT content FROM facts WHERE pinned") == [("Passing remark number 0",)]


async def test_a_wrong_rule_is_explained_in_place_and_prunes_nothing(faded: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "p", "slash", "ctrl+u")
        await driven.type("strength<nonsense")
        await driven.press("enter")
        assert not listed(driven).keys
        assert "would prune" not in driven.text()
        await driven.press("d")
        assert "mend the rule first" in driven.text()
        await driven.press("slash", "ctrl+u")
        await driven.type("number before:24h")
        assert "would prune 7 of 13" in driven.text()


async def test_the_rule_that_is_taken_is_lit(faded: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "p")
        assert lit(driven) == ["faded"]
        await driven.press("]")
        assert lit(driven) == ["never recalled"]
        await driven.press("[", "[")
        assert lit(driven) == ["old"]


def lit(driven: Driven) -> list[str]:
    """Which of the rules that are offered is drawn bold."""
    presets = screen(driven).query_one("#presets")
    return [segment.text for segment in presets.render_line(0) if segment.style is not None and segment.style.bold]


async def test_the_other_rules_are_taken_by_key_and_by_click(faded: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "p", "right_square_bracket")
        assert screen(driven).ask.text == "recalled:0 before:30d"
        await driven.press("left_square_bracket")
        assert "would prune 9" in driven.text()
        presets = screen(driven).query_one("#presets")
        row = driven.lines()[presets.region.y]
        await driven.pilot.click(offset=(row.index("old"), presets.region.y))
        await driven.settle()
        assert screen(driven).ask.text == "before:6mo"
        assert "Nothing to prune by this rule." in driven.text()


async def test_sort_origin_and_open(faded: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "p", "s", "s")
        assert "newest first" in driven.text()
        first = listed(driven).keys[0]
        await driven.press("s")
        assert listed(driven).keys[-1] == first
        await driven.press("o")
        assert driven.rows() == ["Is it raining in Oslo? ▸ It is."]
        await driven.press("g", "p", "enter")
        assert driven.cursor_text


async def test_what_came_since_is_named_and_not_touched(
    faded: MemoryStore, opened: Open, clock: SettableClock, path: Path
) -> None:
    async with opened() as driven:
        await driven.press("g", "p")
        with MemoryStore(path, agent="scribe", clock=clock) as agent:
            memory = agent.memory("user:42")
            for fact in memory.list():
                if fact.content == "Passing remark number 0":
                    memory.pin(fact.id, False)
        screen(driven).store_changed()
        await driven.settle()
        assert "+1 since, not touched" in driven.text()
        await driven.press("d")
        assert "not touched: 1 that came to match" in driven.text()
        await driven.press("y")
        assert statuses(path) == {"active": 4, "pruned": 9}
        assert "1 came to match since, not touched" in driven.text()
        await driven.press("ctrl+l")
        assert "would prune 1 of 4" in driven.text()


async def test_escape_stops_and_nothing_is_changed(
    faded: MemoryStore, opened: Open, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memview.store.bulk.PORTION", 2)
    async with opened() as driven:
        await driven.press("g", "p", "d")
        doing, told = screen_below(driven)._all, []

        async def stop(done: int, of: int) -> None:
            told.append((done, of))
            if done:
                driven.send("escape")
                while doing._stop is not None and not doing._stop.is_set():
                    await asyncio.sleep(0.001)

        monkeypatch.setattr(doing, "_say_how_far", stop)
        await driven.press("y")
        assert told[:2] == [(0, 9), (2, 9)]
        assert statuses(path) == {"active": 13}
        assert "nothing was changed" in driven.text()


def screen_below(driven: Driven) -> PruneScreen:
    below = driven.app.screen_stack[-2]
    assert isinstance(below, PruneScreen)
    return below
