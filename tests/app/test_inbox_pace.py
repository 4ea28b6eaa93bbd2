"""How many keys a review takes: a hundred facts, decided one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.inbox import InboxScreen
from memview.memory.looking import Looker
from memview.memory.person import person
from memview.review.inbox import count
from terminal import Terminal, memview

SESSIONS = (14, 9, 17, 11, 20, 8, 13, 8)
"""How many facts were learnt in each."""
MOST = 110


def learnt(path: Path, sizes: tuple[int, ...]) -> None:
    """A store with facts of several sessions and agents that wait."""
    for number, size in enumerate(sizes, 1):
        with MemoryStore(path, agent="planner" if number % 2 else "scribe") as store:
            facts = [f"Note {at} of s{number} is {at * 31 + number}" for at in range(size)]
            store.memory("user:42").write_many({"content": text, "session": f"s{number}"} for text in facts)


def left(path: Path, who: str) -> int:
    """How many facts wait for a person."""
    looker = Looker(path)
    try:
        return looker.read(lambda raw: count(raw, who))
    finally:
        looker.close()


def kept(path: Path) -> int:
    """How many facts agents still get."""
    with MemoryStore(path, read_only=True) as store:
        return store.memory("user:42").count()


def decided(driven: Driven) -> int:
    """How many facts the first line says are decided."""
    return int(driven.lines()[0].split("Inbox")[1].split(" of ")[0])


@pytest.mark.asyncio
async def test_a_hundred_facts_take_a_hundred_and_ten_keys_with_the_way_there_and_some_put_off(
    path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InboxScreen, "CALM", 0.0)
    monkeypatch.setattr("memview.app.screens.inbox.SLOW", 1e9)
    learnt(path, SESSIONS)
    assert sum(SESSIONS) == 100
    pressed = 0
    async with opened(size=(60, 12)) as driven:

        async def press(key: str) -> None:
            nonlocal pressed
            pressed += 1
            await driven.press(key)

        await press("i")
        assert "100 facts of 8 sessions wait here" in driven.text()
        await press("a")
        for at in range(100):
            assert decided(driven) == at
            if at % 25 == 18:
                await press("j")
            if "put off" in driven.text() and "left here" not in driven.lines()[0]:
                await press("j")
            await press("d" if at % 8 == 3 else "p" if at % 25 == 8 else "a")
        assert "All decided: 100 facts" in driven.text()
        await press("q")
        assert pressed <= MOST - 1
        who = driven.app.browse.desk.me
    assert left(path, who) == 0
    assert kept(path) == 100 - len(range(3, 100, 8))


def test_in_a_real_terminal_a_fact_costs_a_key_too(path: Path) -> None:
    learnt(path, (3, 2))
    keys = 0
    with Terminal(memview(path)) as terminal:
        terminal.wait_for("i inbox 5")
        for key, then in (("i", "5 facts of 2 sessions wait here"), ("a", "0 of 5 decided")):
            terminal.press(key)
            keys += 1
            terminal.wait_for(then)
        for at in range(1, 6):
            terminal.wait_for(lambda text: "NEW  user:42" in text)
            terminal.settle(1.5 * InboxScreen.CALM)
            terminal.press("d" if at == 2 else "a")
            keys += 1
            terminal.wait_for(f"  {at} of 5 decided")
        terminal.wait_for("All decided: 5 facts")
        terminal.press("q")
        keys += 1
        terminal.wait_for("live")
        terminal.press("q")
        assert terminal.ended() == 0
    assert keys == 5 + 3
    assert (left(path, person()), kept(path)) == (0, 4)
