"""What every test gets: a home of its own, no colour settings from outside, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memview import MemoryStore


class SettableClock:
    """Tells the time that a test gave it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **passed: float) -> None:
        """Let time pass: days, hours, minutes or seconds."""
        self.now += timedelta(**passed)


@pytest.fixture(autouse=True)
def _hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> SettableClock:
    """A clock that a test sets."""
    return SettableClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may be made; its folder is empty."""
    folder = tmp_path / "store"
    folder.mkdir()
    return folder / "agent.db"


@pytest.fixture
def store(path: Path, clock: SettableClock) -> Iterator[MemoryStore]:
    """An open, empty store of the agent ``planner``."""
    with MemoryStore(path, agent="planner", clock=clock) as store:
        yield store
