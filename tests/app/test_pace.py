"""What others write is counted again once nobody types, and in the end in any case."""

from __future__ import annotations

from collections.abc import Callable
from sqlite3 import Connection
from typing import Any, cast

import pytest
from textual.app import App
from textual.message import Message

from driving import Open
from memview import MemoryStore
from memview.app import pace
from memview.app.pace import Pace


class Timers:
    """Takes timers, and lets them go off when a test says so."""

    def __init__(self) -> None:
        self.set: list[tuple[float, Callable[[], object]]] = []

    def set_timer(self, seconds: float, callback: Callable[[], object]) -> None:
        self.set.append((seconds, callback))

    def call_later(self, callback: Callable[..., object], *args: object) -> None:
        callback(*args)

    def go_off(self) -> float:
        """Let the only timer go off; how many seconds it was set for."""
        ((seconds, callback),) = self.set
        self.set.clear()
        callback()
        return seconds


def nothing(raw: Connection) -> Message:
    return Message()


def paced() -> tuple[Pace, Timers, list[str]]:
    """A pace, its timers, and the lanes that were counted."""
    timers, counted = Timers(), list[str]()

    def ask(lane: str, work: object, then: Callable[[float], object]) -> None:
        counted.append(lane)
        then(0.0)

    return Pace(cast("App[Any]", timers), ask), timers, counted


def test_what_others_wrote_is_counted_once_nobody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, timers, counted = paced()
    monkeypatch.setattr(pace, "CALM", 1e6)
    monkeypatch.setattr(pace, "LONGEST", 1e9)
    counts.ask("spaces", nothing, behind=True)
    counts.searched()
    assert timers.go_off() == pace.BEHIND
    assert counted == []
    counts.ask("spaces", nothing, behind=True)
    assert 0 < timers.go_off() <= 1e6
    assert counted == []
    monkeypatch.setattr(pace, "CALM", 0.0)
    timers.go_off()
    assert counted == ["spaces"]
    assert timers.go_off() == pace.BREATH
    assert (counted, timers.set, counts.waiting) == (["spaces"], [], {})


def test_what_others_wrote_is_counted_in_the_end_though_somebody_types(monkeypatch: pytest.MonkeyPatch) -> None:
    counts, timers, counted = paced()
    monkeypatch.setattr(pace, "CALM", 1e9)
    monkeypatch.setattr(pace, "LONGEST", 1e6)
    counts.searched()
    counts.ask("spaces", nothing, behind=True)
    timers.go_off()
    assert (counted, timers.set[0][0] <= 1e6) == ([], True)
    monkeypatch.setattr(pace, "LONGEST", 0.0)
    timers.go_off()
    assert counted == ["spaces"]


def test_what_a_person_did_is_counted_at_once_though_they_typed() -> None:
    counts, _, counted = paced()
    counts.ask("spaces", nothing)
    counts.searched()
    counts.hurry()
    counts.ask("spaces", nothing)
    assert counted == ["spaces", "spaces"]


@pytest.mark.asyncio
async def test_counts_wait_for_the_letters_of_a_search(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    async with opened(watched=True) as driven:
        monkeypatch.setattr(Pace, "searched", lambda self: told.append("searched"))
        await driven.press("slash", "d", "a")
        assert told == ["searched", "searched"]
        filled.memory("user:42").write("dark roast is liked best")
        await driven.until(lambda: "dark roast" in driven.text())
        assert told == ["searched", "searched"]
