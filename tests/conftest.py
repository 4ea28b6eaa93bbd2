"""What every test gets: a home of its own, no colour settings from outside, and a clock that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from memview import MemoryStore
from support import LIMIT, SettableClock

settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("calm")  # a busy machine is no reason to fail


@pytest.fixture(autouse=True)
def _hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
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
    """An open, empty store of the agent ``planner``, which waits for others as long as a test does."""
    with MemoryStore(path, agent="planner", timeout=LIMIT, clock=clock) as store:
        yield store
