"""Duplicates on the screen: a person goes through them group by group and makes one fact of each, by keys."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.duplicates import DuplicatesScreen
from memview.app.screens.edit import EditScreen
from memview.app.screens.message import MessageScreen
from memview.app.widgets.cards import Card
from memview.memory.looking import Query
from memview.review.duplicates import Group
from memview.review.progress import Progress
from support import SettableClock

pytestmark = pytest.mark.asyncio

FIRST, SECOND = "Never deploy on Friday afternoons", "Never deploy on friday afternoon"
SEATS = ["window", "aisle", "front", "rear", "sunny", "shaded", "corner", "upper", "lower", "narrow"]
PLACES = ["trains", "planes", "ferries"]


@pytest.fixture
def doubled(store: MemoryStore, clock: SettableClock) -> MemoryStore:
    """One near pair with tags, links, turns and a strict copy, beside a fact that is like nothing."""
    talk = store.conversation("s3", namespace="user:42").record("never on friday afternoons", "Noted.")
    assert talk is not None
    memory = store.memory("user:42")
    memory.write(FIRST, turns=[talk.id], session="s3", tags=["deploy", "ops"])
    clock.forward(days=3)
    other = memory.write("Rollback needs two approvals")
    second = memory.write(SECOND, tags=["ci"], confidentiality="internal", importance=8)
    memory.link(second.id, other.id, "related")
    store.memory("user:43").write(FIRST)
    return store


def table(path: Path, name: str = "facts") -> list[dict[str, object]]:
    """All rows of a table but for the version, which every change counts up, and the time of the last access."""
    with sqlite3.connect(path) as raw:
        raw.row_factory = sqlite3.Row
        return [
            {**row, "version": 0, "last_accessed_at": ""} for row in raw.execute(f"SELECT * FROM {name} ORDER BY id")
        ]


def states(path: Path) -> dict[str, str]:
    with sqlite3.connect(path) as raw:
        return dict(raw.execute("SELECT content, status FROM facts ORDER BY n").fetchall())


def screen(driven: Driven) -> DuplicatesScreen:
    assert isinstance(driven.app.screen, DuplicatesScreen)
    return driven.app.screen


def lit(driven: Driven, place: int) -> str:
    """The underlined letters of a card."""
    card = driven.app.screen.query(Card)[place].query_one(".said")
    strips = [card.render_line(y) for y in range(card.size.height)]
    return "".join(part.text for strip in strips for part in strip if part.style and part.style.underline)


async def test_a_group_shows_what_differs_and_what_a_merge_would_make(doubled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "d")
        shown = driven.text()
        assert "Duplicates  group 1 of 1 · 98% alike · all namespaces · measured on normalised text" in shown
        assert "keep (oldest)" in shown
        assert '"never on friday afternoons"  s3 turn 1' in shown
        assert (lit(driven, 0), lit(driven, 1)) == ("Friday afternoons", "friday afternoon")
        rows = {line[2:16].strip(): line[16:].strip(" │") for line in shown.split("After m")[1].splitlines()}
        assert rows["text"] == "of 1"
        assert rows["tags"] == "deploy ops +ci from 2"
        assert rows["links"] == "1 +1"
        assert rows["origins"] == "s3 turn 1"
        assert rows["confidential"] == "internal the strictest"
        assert rows["superseded"] == "2 (restorable)"
        await driven.press("j")
        assert "keep (your choice)" in driven.text()
        assert "of 2" in driven.text()
        assert "merge into 2" in driven.text()


async def test_merge_and_undo_bring_every_row_back(doubled: MemoryStore, opened: Open, path: Path) -> None:
    doubled.close()
    async with opened() as driven:
        before = [table(path, name) for name in ("facts", "links", "decisions", "judgements")]
        await driven.press("g", "d", "m")
        assert states(path)[SECOND] == "superseded"
        assert "merged 1 fact into 1 · u takes the merge apart" in driven.text()
        assert "Every group is decided" in driven.text()
        await driven.press("u")
        assert [table(path, name) for name in ("facts", "links", "decisions", "judgements")] == before
        assert "group 1 of 1" in driven.text()
        assert "took the merge of 2 facts apart" in driven.text()


async def test_sixty_near_duplicates_in_thirty_groups(store: MemoryStore, opened: Open, path: Path) -> None:
    memory = store.memory("u")
    for seat in SEATS:
        for place in PLACES:
            memory.write(f"Prefers a {seat} seat on long {place} abroad")
            memory.write(f"On long {place} abroad prefers a {seat} seat")
    store.close()
    async with opened(size=(60, 20)) as driven:
        await driven.press("g", "d")
        assert "Duplicates 1 of 30" in driven.text()
        for number in range(30):
            await driven.press(*(["m"] if number % 10 else ["j", "m"]))
        assert "Every group is decided: 30 groups" in driven.text()
        left = list(states(path).values())
        assert (left.count("active"), left.count("superseded")) == (30, 30)
        await driven.press("u", "u")
        assert "Duplicates 29 of 30" in driven.text()
        await driven.press("m")
        assert "Duplicates 30 of 30" in driven.text()


async def test_later_leaves_a_group_and_brings_it_again(store: MemoryStore, opened: Open) -> None:
    write_equal(store, 3)
    async with opened() as driven:
        await driven.press("g", "d", "]")
        assert "group 2 of 3" in driven.text()
        await driven.press("m", "]")
        assert "group 1 of 3" in driven.text()
        assert "that was the last group" in driven.text()
        await driven.press("[")
        assert "group 3 of 3" in driven.text()


def write_equal(store: MemoryStore, groups: int) -> None:
    for seat in SEATS[:groups]:
        store.memory("u").write_many([f"Prefers a {seat} seat", f"prefers a {seat.upper()} seat."])
    store.close()


async def test_all_equal_groups_at_once_after_a_count(store: MemoryStore, opened: Open, path: Path) -> None:
    store.memory("u").write_many(["Tea is served at noon daily", "Tea is servd at noon daily"])
    write_equal(store, 5)
    before = table(path)
    async with opened() as driven:
        await driven.press("g", "d", "A")
        assert isinstance(driven.app.screen, MessageScreen)
        assert "Merge 5 facts into 5 with equal text in all namespaces?" in driven.text()
        assert "2×  Prefers a window seat" in driven.text()
        assert "and 2 more groups" in driven.text()
        await driven.press("enter")
        assert isinstance(driven.app.screen, MessageScreen)
        await driven.press("y")
        assert list(states(path).values()).count("superseded") == 5
        assert "group 6 of 6" in driven.text()
        await driven.press("u")
        assert table(path) == before
        assert "group 1 of 6" in driven.text()


async def test_keep_only_forgets_the_others(doubled: MemoryStore, opened: Open, path: Path) -> None:
    doubled.close()
    async with opened() as driven:
        await driven.press("g", "d", "j", "M")
        assert states(path)[SECOND] == "active"
        assert "kept 2, forgot 1 fact · u brings back" in driven.text()
        with sqlite3.connect(path) as raw:
            assert raw.execute("SELECT namespace FROM facts WHERE status = 'forgotten'").fetchall() == [("user:42",)]


async def test_not_alike_is_remembered_and_the_rest_stays_a_group(store: MemoryStore, opened: Open) -> None:
    store.memory("u").write_many(["Tea is served at noon", "tea is served at noon", "TEA is served at noon."])
    store.close()
    async with opened() as driven:
        await driven.press("g", "d")
        assert "3 FACTS" in driven.text()
        await driven.press("G", "n")
        assert "2 FACTS" in driven.text()
        assert "TEA" not in driven.text()
        await driven.press("n")
        assert "Every group is decided" in driven.text()
        await driven.press("ctrl+l")
        assert "Every group" not in driven.text()
        await driven.press("u", "u", "ctrl+l")
        assert "3 FACTS" in driven.text()


async def test_edit_merges_with_the_new_text_in_one_step(doubled: MemoryStore, opened: Open, path: Path) -> None:
    doubled.close()
    before = table(path)
    async with opened() as driven:
        await driven.press("g", "d", "e")
        assert isinstance(driven.app.screen, EditScreen)
        await driven.type("Really: ")
        await driven.press("ctrl+s")
        assert states(path)["Really: " + FIRST] == "active"
        assert states(path)[SECOND] == "superseded"
        await driven.press("u")
        assert table(path) == before
        assert "group 1 of 1" in driven.text()


async def test_origin_shows_the_turn_and_leads_to_it(doubled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "d", "o")
        assert "s3 turn 1" in driven.text()
        assert "user  never on friday afternoons" in driven.text()
        await driven.press("escape", "j", "o")
        assert "it names no turn it came from" in driven.text()
        await driven.press("k", "o", "enter")
        assert driven.app.screen is driven.screen
        assert driven.screen.listing.view.tab == "turns"


async def test_a_change_by_an_agent_is_said_and_drawn(doubled: MemoryStore, opened: Open, path: Path) -> None:
    memory = doubled.memory("user:42")
    second = next(fact for fact in memory.list() if fact.content == SECOND)
    async with opened() as driven:
        await driven.press("g", "d")
        memory.update(second.id, tags=["new"])
        await driven.press("m")
        told = "nothing was done: planner changed a fact of it · this is the group as it is now"
        assert told in driven.text()
        assert states(path)[SECOND] == "active"
        assert "tags new" in driven.text()
        memory.update(second.id, content="Never deploy on Monday")
        screen(driven).reload()
        await driven.settle()
        assert "planner changed a fact of it · this group is settled" in driven.text()


async def test_only_the_scope_that_is_looked_at(doubled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("1", "G", "g", "d")
        assert "No duplicates among 1 fact of user:43." in driven.text()
        assert "ctrl+l compares again   gc shows conflicts" in driven.text()


async def test_escape_stops_the_search_with_what_was_found(
    doubled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("g", "d")
        shown = screen(driven)
        find = shown.find

        def stopped(query: Query, progress: Progress) -> tuple[list[Group], int, bool]:
            shown.step_back()
            return find(query, progress)

        monkeypatch.setattr(shown, "find", stopped)
        await driven.press("ctrl+l")
        assert not shown.complete
        assert "Stopped: none was found by then." in driven.text()
        await driven.press("escape")
        assert driven.app.screen is driven.screen


async def test_read_only_looks_and_says_why_it_does_nothing(doubled: MemoryStore, opened: Open, path: Path) -> None:
    doubled.close()
    before = path.read_bytes()
    async with opened(read_only=True) as driven:
        await driven.press("g", "d", "j")
        for key in ("m", "M", "n", "A", "e", "u"):
            await driven.press(key)
            assert "this store is open read-only · nothing was changed" in driven.text()
        await driven.press("enter")
        assert driven.app.screen is driven.screen
    assert path.read_bytes() == before


@pytest.mark.parametrize("size", [(120, 36), (60, 20), (60, 10), (200, 60), (20, 5)])
async def test_hostile_text_and_the_mouse_at_any_size(
    store: MemoryStore, opened: Open, path: Path, size: tuple[int, int]
) -> None:
    text = "[@click=app.quit]tea[/] \x1b]0;x\x07 [/red] at noon"
    for said in (text, text.upper()):
        store.memory("[/red]\x1b").write(said, tags=["[b]x"])
    store.close()
    async with opened(size=size) as driven:
        await driven.press("g", "d")
        if size[0] < 60:
            return
        assert "[@click=app.quit]tea[/] \\x1b]0;x\\x07 [/red] at noon" in driven.text()
        cards = screen(driven).query(Card)
        await driven.pilot.click(cards[1], offset=(10, 0))
        await driven.settle()
        assert driven.app.cursor_position == cards[1].region.offset
        place = driven.lines()[-1].index("merge")
        await driven.pilot.click(offset=(place, size[1] - 1))
        await driven.settle()
        assert states(path) == {text: "superseded", text.upper(): "active"}
