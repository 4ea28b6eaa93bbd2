"""The app over a real store, driven by keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.app import MemviewApp
from memview.app.screens import browse, inbox, reviewing
from memview.clock import Clock


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the status says stays there: on no machine is a test too slow to see it."""
    for place in (browse, inbox, reviewing):
        monkeypatch.setattr(place, "SAID", 3_600.0)


@pytest.fixture
def opened(path: Path, clock: Clock) -> Open:
    """Opens the app on the store of this test: ``async with opened(size=(120, 36)) as driven``."""

    @asynccontextmanager
    async def opening(
        size: tuple[int, int] = (120, 36),
        *,
        read_only: bool = False,
        watched: bool = False,
        record_id: str | None = None,
    ) -> AsyncIterator[Driven]:
        app = MemviewApp(path, read_only=read_only, me="person:ana", record_id=record_id, clock=clock, watched=watched)
        async with app.run_test(size=size) as pilot:
            driven = Driven(app, pilot)
            await driven.settle()
            yield driven
            await driven.settle()

    return opening


@pytest.fixture
def filled(store: MemoryStore) -> MemoryStore:
    """A store with facts in several namespaces and two sessions of turns, closed to writers."""
    talk = store.conversation("s1", namespace="user:42")
    first = talk.record("We can only ship on Tuesday, 14 to 16", "Noted: Tuesday afternoons.")
    assert first is not None
    talk.record("And never on a Friday", "Never on Fridays.")
    store.conversation("s2", namespace="user:43").record("I live in Oslo", "Nice, Oslo!")
    forty_two = store.memory("user:42")
    forty_two.write("Deploy window is Tuesday, 14:00 to 16:00 UTC", turns=[first.id], session="s1", tags=["deploy"])
    forty_two.write("Never deploy on Friday afternoons", importance=9)
    forty_two.write("Staging skips the window")
    store.memory("user:43").write("Lives in Oslo")
    store.memory("project/atlas").write("Atlas deploys from main")
    store.memory("user").write("Users sign in by mail")
    return store
