"""Conflicts on the screen: a person sees two facts side by side and says which holds, by keys."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.conflicts import ConflictsScreen
from memview.app.widgets.cards import Card
from support import SettableClock

pytestmark = pytest.mark.asyncio

TUESDAY, THURSDAY = "The release goes out on Tuesday", "The release goes out on Thursday"


@pytest.fixture
def opposed(store: MemoryStore, clock: SettableClock) -> MemoryStore:
    """A pair that differs in the weekday, the newer of it with the turn it came from."""
    memory = store.memory("user:42")
    memory.write(TUESDAY)
    clock.forward(days=2)
    talk = store.conversation("s3", namespace="user:42").record("we release on thursday now", "Thursday, noted.")
    assert talk is not None
    memory.write(THURSDAY, turns=[talk.id], session="s3", origin="user")
    return store


def states(path: Path) -> dict[str, str]:
    with sqlite3.connect(path) as raw:
        return dict(raw.execute("SELECT content, status FROM facts ORDER BY n").fetchall())


def lit(driven: Driven, place: int) -> str:
    """The underlined letters of a card."""
    card = driven.app.screen.query(Card)[place].query_one(".said")
    strips = [card.render_line(y) for y in range(card.size.height)]
    return "".join(part.text for strip in strips for part in strip if part.style and part.style.underline)


async def test_a_pair_stands_side_by_side_with_why(opposed: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "c")
        shown = driven.text()
        assert "Conflicts  pair 1 of 1 · weekday · all namespaces" in shown
        line = next(line for line in driven.lines() if THURSDAY in line)
        assert line.index(THURSDAY) < line.index(TUESDAY)
        assert (lit(driven, 0), lit(driven, 1)) == ("Thursday", "Tuesday")
        assert "newer · user:42 · planner · from the user · just now" in shown
        assert "older · user:42 · planner · 2d ago" in shown
        assert '"we release on thursday now"  s3 turn 1' in shown
        assert "another weekday: thursday or tuesday" in shown
        assert "1 holds · 2 is superseded: agents do not get it any more" in shown


REASONS = {
    "number": (["Uses 14 workers for the import", "Uses 16 workers for the import"], "another number: 16 or 14"),
    "negation": (["Backups are encrypted at rest", "Backups are not encrypted at rest"], "a negation: 1 says no to"),
    "name": (["The user lives in Berlin", "The user lives in Oslo"], "another name: oslo or berlin"),
    "value": (["The default color is red", "The default color is blue"], "another value: blue or red"),
}


@pytest.mark.parametrize(("texts", "why"), REASONS.values(), ids=REASONS)
async def test_why_two_facts_exclude_each_other(store: MemoryStore, opened: Open, texts: list[str], why: str) -> None:
    store.memory("u").write_many(texts)
    async with opened(size=(60, 20)) as driven:
        await driven.press("g", "c")
        assert why in driven.text()


async def test_links_are_conflicts_too(store: MemoryStore, opened: Open, path: Path) -> None:
    memory = store.memory("u")
    tea, nobody, old = memory.write_many(["Tea is at noon", "Nobody drinks tea", "Coffee is at ten"])
    memory.link(tea.id, nobody.id, "contradicts")
    new = memory.write("Coffee comes early")
    memory.link(new.id, old.id, "supersedes")
    memory.restore(old.id)
    async with opened() as driven:
        await driven.press("g", "c")
        assert "pair 1 of 2 · linked" in driven.text()
        assert "they are linked as a contradiction, and agents get both" in driven.text()
        await driven.press("l", "m")
        assert states(path)["Nobody drinks tea"] == "superseded"
        assert "pair 2 of 2 · superseded" in driven.text()
        assert "one supersedes the other, and yet agents get both" in driven.text()


async def test_this_holds_and_undo(opposed: MemoryStore, opened: Open, path: Path) -> None:
    async with opened() as driven:
        await driven.press("g", "c", "m")
        assert states(path) == {TUESDAY: "superseded", THURSDAY: "active"}
        assert "Every pair is decided: 1 pair among 2 facts of all namespaces." in driven.text()
        await driven.press("u")
        assert states(path) == {TUESDAY: "active", THURSDAY: "active"}
        assert "pair 1 of 1" in driven.text()
        await driven.press("j", "m")
        assert states(path) == {TUESDAY: "active", THURSDAY: "superseded"}
        assert "2 holds, the other is superseded · u takes that back" in driven.text()


async def test_both_hold_is_remembered(opposed: MemoryStore, opened: Open, path: Path) -> None:
    async with opened() as driven:
        await driven.press("g", "c", "n", "q", "g", "c")
        assert "No conflicts among 2 facts of all namespaces." in driven.text()
        await driven.press("u", "ctrl+l")
        assert "pair 1 of 1" in driven.text()
        assert states(path) == {TUESDAY: "active", THURSDAY: "active"}


async def test_an_edit_that_ends_the_conflict_settles_it(opposed: MemoryStore, opened: Open, path: Path) -> None:
    async with opened() as driven:
        await driven.press("g", "c", "j", "e")
        await driven.type("Before March: ")
        await driven.press("ctrl+s")
        assert states(path) == {"Before March: " + TUESDAY: "active", THURSDAY: "active"}
        assert "Every pair is decided" in driven.text()


async def test_origin_later_and_the_way_to_the_fact(opposed: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "c", "o")
        assert "assistant  Thursday, noted." in driven.text()
        await driven.press("escape", "]")
        assert "that was the last pair" in driven.text()
        await driven.press("j", "enter")
        assert driven.cursor_text == TUESDAY


async def test_a_change_by_an_agent_refuses_the_decision(opposed: MemoryStore, opened: Open, path: Path) -> None:
    memory = opposed.memory("user:42")
    old = next(fact for fact in memory.list() if fact.content == TUESDAY)
    async with opened() as driven:
        await driven.press("g", "c")
        memory.update(old.id, tags=["new"])
        await driven.press("m")
        assert "nothing was done: planner changed a fact of it · this is the pair as it is now" in driven.text()
        assert states(path) == {TUESDAY: "active", THURSDAY: "active"}
        await driven.press("m")
        assert states(path) == {TUESDAY: "superseded", THURSDAY: "active"}


async def test_read_only_looks_and_says_why_it_does_nothing(opposed: MemoryStore, opened: Open, path: Path) -> None:
    opposed.close()
    before = path.read_bytes()
    async with opened(read_only=True) as driven:
        await driven.press("g", "c", "j")
        for key in ("m", "n", "e", "u"):
            await driven.press(key)
            assert "this store is open read-only · nothing was changed" in driven.text()
    assert path.read_bytes() == before


@pytest.mark.parametrize("size", [(120, 36), (60, 20), (60, 10), (20, 5)])
async def test_hostile_text_and_the_mouse_at_any_size(
    store: MemoryStore, opened: Open, path: Path, size: tuple[int, int]
) -> None:
    texts = [f"[@click=app.quit]uses {n} [/red] \x1b[31m workers" for n in (14, 16)]
    store.memory("[/red]\x1b").write_many(texts)
    store.close()
    async with opened(size=size) as driven:
        await driven.press("g", "c")
        if size[0] < 60:
            return
        assert "[@click=app.quit]uses 14 [/red] \\x1b[31m workers" in driven.text()
        assert isinstance(driven.app.screen, ConflictsScreen)
        cards = driven.app.screen.query(Card)
        await driven.pilot.click(cards[1], offset=(10, 0))
        await driven.settle()
        assert driven.app.cursor_position == cards[1].region.offset
        await driven.pilot.click(offset=(driven.lines()[-1].index("holds"), size[1] - 1))
        await driven.settle()
        assert states(path) == dict(zip(texts, ("active", "superseded"), strict=True))
