"""Who wrote a forgotten text again is told where the fact is shown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from memview import MemoryStore
from memview.app.describe import About, tell_fact
from memview.cli.main import memview
from memview.memory import looking
from memview.memory.looking import Looker

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEXT = "Rollback needs two people on call"


@pytest.fixture
def forgotten(tmp_path: Path) -> tuple[Path, str]:
    """A store, and a fact of it that two agents wrote again after it was forgotten."""
    path = tmp_path / "agent.db"
    with MemoryStore(path, agent="person:ada") as store:
        id = store.memory("user:42").write(TEXT).id
        store.memory("user:42").forget(id)
    for agent, days in (("planner", 5), ("planner", 4), ("\x1b[2Jbot", 3)):
        then = NOON - timedelta(days=days)
        with MemoryStore(path, agent=agent, clock=lambda then=then: then) as store:  # type: ignore[misc]
            assert store.memory("user:42").write(TEXT).blocked
    return path, id


def restore(path: Path, id: str) -> None:
    with MemoryStore(path, agent="person:ada") as store:
        store.memory("user:42").restore(id)


def described(path: Path, id: str) -> list[str]:
    """What the detail says of a fact, line by line."""
    looker = Looker(path)
    detail = looker.read(lambda raw: looking.fact(raw, looking.number_of(raw, "fact", id) or 0))
    looker.close()
    assert detail is not None
    return [f"{told.label.plain}{told.content.plain}" for told in tell_fact(detail, About(NOON, "person:ada"))]


def test_beyond_the_detail_names_who_tried_again_while_it_is_forgotten(forgotten: tuple[Path, str]) -> None:
    path, id = forgotten
    told = [line for line in described(path, id) if "tried again" in line]
    assert told == ["tried again    1×, 3d ago, \\x1b[2Jbot", "tried again    2×, 4d ago, planner"]
    restore(path, id)
    told = described(path, id)
    assert any(line.startswith("agents get it  yes") for line in told)
    assert not any("tried again" in line for line in told)


def test_beyond_show_names_who_tried_again_while_it_is_forgotten(forgotten: tuple[Path, str]) -> None:
    path, id = forgotten
    told = [
        line for line in CliRunner().invoke(memview, ["show", str(path), id]).output.splitlines() if "tried" in line
    ]
    assert ["2×, last 2026-02-25" in line and "by planner" in line for line in told] == [False, True]
    assert not any("\x1b" in line for line in told)
    restore(path, id)
    assert "tried again" not in CliRunner().invoke(memview, ["show", str(path), id]).output
