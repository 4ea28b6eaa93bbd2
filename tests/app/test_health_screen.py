"""Health: each number is exact and opens its list; nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driving import Driven, Open
from gates import Gate
from memview import MemoryStore
from memview.app.lane import Lane
from memview.app.screens.erase import EraseScreen
from memview.app.screens.health import HealthScreen
from memview.app.wellness import bars, size
from memview.app.widgets.lines import Lines
from memview.app.widgets.record_list import RecordList
from memview.review.health import Health, Measure, Progress
from memview.review.secrets import MASK
from support import SettableClock, folder, sql

ASYNC = pytest.mark.asyncio

VALUE = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1234"
KEY = f"ghp_{VALUE}"


@pytest.fixture
def unwell(filled: MemoryStore, clock: SettableClock) -> MemoryStore:
    """The store with a key in three facts and two turns, hostile text, an order, a repeat and a lost turn."""
    talk = filled.conversation("s7", namespace="user:42")
    lost = talk.record("Say something", "Something")
    assert lost is not None
    talk.record(f"Deploy with {KEY}", "Done")
    talk.record("What was it?", f"It is {KEY}")
    memory = filled.memory("user:42")
    for text in (f"Deploy key is {KEY}", f"The CI uses {KEY} too", f"Old: {KEY}"):
        memory.write(text)
    memory.write("Something was said", turns=[lost.id])
    memory.write("[@click=app.quit]x[/] \u202e [/red]")
    filled.memory("user:43").write("lives in oslo")
    filled.close()
    sql(filled.path, "DELETE FROM turns WHERE id = ?", (lost.id,))
    clock.forward(days=3)
    return filled


def numbers(driven: Driven) -> dict[str, str]:
    """The numbers on the screen by their words."""
    lines = (line[:48].lstrip("!").split(maxsplit=1) for line in driven.lines(driven.app.screen.query_one(Lines)))
    return {line[1].strip(): line[0] for line in lines if len(line) == 2}


async def choose(driven: Driven, words: str) -> None:
    """Put the cursor on a number."""
    screen = driven.app.screen
    assert isinstance(screen, HealthScreen)
    await driven.press("g", "g")
    for _ in range(20):
        if screen.entry is not None and screen.entry.words == words:
            return
        await driven.press("j")
    raise AssertionError(words)


@ASYNC
async def test_numbers_are_exact_and_nothing_is_written(unwell: MemoryStore, opened: Open, path: Path) -> None:
    before = folder(path)
    async with opened() as driven:
        await driven.press("g", "h")
        found = numbers(driven)
        assert found["hold a secret"] == "5"
        assert found["hold hidden or unsafe characters"] == "1"
        assert found["only repeat another"] == "1"
        assert found["lost the turns they came from"] == "1"
        assert found["were recalled and not used"] == "-"
        assert found["were never recalled"] == "12"
        assert "12 facts · 5 turns" in driven.text()
        await choose(driven, "were recalled and not used")
        assert "Not measurable" in driven.text()
        await driven.press("escape")
    assert folder(path)[path.name] == before[path.name]


@ASYNC
async def test_a_number_opens_its_search_and_erase_there_reaches_every_copy(
    unwell: MemoryStore, opened: Open, path: Path
) -> None:
    async with opened() as driven:
        await driven.press("g", "h")
        await choose(driven, "hold a secret")
        assert "3 facts · 2 turns" in driven.text()
        assert f"ghp_{MASK}" in driven.text()
        assert VALUE[:6] not in driven.text()
        await driven.press("enter")
        assert driven.app.screen is driven.screen
        assert len(driven.rows()) == 3
        assert "FACTS 3  Turns 2" in driven.title
        await driven.press("g", "e")
        erase = driven.app.screen
        assert isinstance(erase, EraseScreen)
        for _ in range(6):
            if erase.target.value == KEY:
                break
            await driven.press("down")
        assert erase.target.value == KEY
        assert "3 facts" in driven.text()
        await driven.press("enter")
        await driven.type("erase")
        await driven.press("enter", "escape")
    left = sql(path, "SELECT content FROM facts UNION ALL SELECT request || response FROM turns")
    assert not [text for (text,) in left if VALUE in text]
    assert not [name for name, data in folder(path).items() if VALUE.encode() in data]


@ASYNC
async def test_a_number_without_a_search_opens_its_records(unwell: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "h")
        await choose(driven, "lost the turns they came from")
        await driven.press("enter")
        assert driven.app.screen.query_one(RecordList).has_focus
        assert "Something was said" in driven.text()
        await driven.press("escape")
        assert driven.app.screen.query_one(Lines).has_focus
        await driven.press("l", "enter")
        assert driven.app.screen is driven.screen
        assert driven.cursor_text == "Something was said"


@ASYNC
async def test_hostile_text_is_listed_by_a_search(unwell: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "h")
        await choose(driven, "hold hidden or unsafe characters")
        assert "[@click=app.quit]x[/] \\u202e [/red]" in driven.text()
        await driven.press("enter")
        assert driven.app.screen is driven.screen
        assert driven.screen.search.input.value == "is:hostile"
        assert driven.cursor_text == "[@click=app.quit]x[/] \u202e [/red]"


@ASYNC
async def test_turns_are_listed_as_well(unwell: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "h")
        await choose(driven, "hold a secret")
        await driven.press("right_square_bracket")
        assert f"Deploy with ghp_{MASK}" in driven.text()
        await driven.press("l", "enter")
        assert driven.screen.listing.view.tab == "turns"


@ASYNC
async def test_escape_stops_and_what_is_known_stands(
    unwell: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(raw: Any, file: Any, now: Any, progress: Progress, measured: Callable[[Health], object]) -> None:
        measured(Health(now, 0, 0, [Measure("stale", "faded", 7, query="is:stale")], [], {}))
        while not Event().wait(0.001):
            progress(5_000, 100_000)

    monkeypatch.setattr("memview.app.screens.health.health", endless)
    async with opened() as driven:
        driven.send("g")
        driven.send("h")
        await driven.until(lambda: "read 5,000 of 100,000 · Esc stops" in driven.text())
        assert numbers(driven)["have faded"] == "7"
        driven.send("escape")
        await driven.settle()
        screen = driven.app.screen
        assert isinstance(screen, HealthScreen)
        assert not screen.whole
        assert "stopped" in driven.text()
        await driven.press("escape")
        assert driven.app.screen is driven.screen


@ASYNC
async def test_a_change_asks_to_measure_again_and_that_is_done(
    unwell: MemoryStore, opened: Open, path: Path, clock: SettableClock
) -> None:
    async with opened(size=(60, 20)) as driven:
        await driven.press("g", "h")
        with MemoryStore(path, agent="scribe", clock=clock) as agent:
            agent.memory("user:42").write(f"Another {KEY}")
        screen = driven.app.screen
        assert isinstance(screen, HealthScreen)
        screen.store_changed()
        await driven.settle()
        assert numbers(driven)["hold a secret"] == "5"
        await driven.press("ctrl+l")
        assert numbers(driven)["hold a secret"] == "6"


@given(st.lists(st.integers(0, 10**9), max_size=20))
def test_bars_show_whatever_is_there(counts: list[int]) -> None:
    drawn = bars(counts)
    assert len(drawn) == len(counts)
    assert [bar != "·" for bar in drawn] == [count > 0 for count in counts]
    assert not any(counts) or "█" in drawn


def test_sizes_are_short() -> None:
    assert [size(count) for count in (0, 999, 1_000, 69_124_096)] == ["0 bytes", "999 bytes", "1.0 kB", "69.1 MB"]


@pytest.mark.asyncio
async def test_quitting_at_once_leaves_no_file_beside_the_store(
    filled: MemoryStore, path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_thread(lane: Lane) -> bool:
        return current_thread() is not main_thread()

    filled.close()
    async with opened() as driven:
        await driven.press("a", "g", "h")
        assert isinstance(driven.app.screen, HealthScreen)
        closing = Gate(monkeypatch, Lane, "close", only=in_thread)
        driven.send("ctrl+q")
        await driven.until(lambda: not driven.app.is_running)
    left = [file.name for file in path.parent.glob(f"{path.name}-*")]
    closing.open()
    assert not left
