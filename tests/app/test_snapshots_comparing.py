"""Pictures of the screens of duplicates and conflicts. Each was looked at before it was approved."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from test_snapshots import NARROW, NOW, Picture, picture  # type: ignore[import-not-found]

from memview import MemoryStore

pytestmark = pytest.mark.snapshot
__all__ = ["picture"]

SIZES = {"120x36": (120, 36), "60x20": NARROW}


@pytest.fixture
def repeated(path: Path) -> Path:
    """A store with near and equal duplicates and two conflicts."""
    then = [NOW - timedelta(days=9)]
    with MemoryStore(path, agent="planner", clock=lambda: then[0]) as store:
        memory = store.memory("user:42")
        talk = store.conversation("s3", namespace="user:42")
        first = talk.record("ok so never deploy on friday afternoons", "Noted.")
        assert first is not None
        kept = memory.write(
            "Never deploy on Friday afternoons", turns=[first.id], session="s3", tags=["deploy", "ops"], origin="user"
        )
        memory.write("The release goes out on Tuesday")
        memory.write("Uses 14 workers for the import")
        then[0] = NOW - timedelta(hours=2)
        memory.write("Never deploy on friday afternoon", tags=["ci"], confidentiality="internal", origin="tool")
        memory.link(memory.write("Rollback needs two approvals").id, kept.id, "related")
        second = talk.record("we release on thursday from now on", "Thursday, then.")
        assert second is not None
        memory.write("The release goes out on Thursday", turns=[second.id], session="s3", origin="user")
        memory.write("Uses 16 workers for the import")
        memory.write("Prefers a window seat")
        memory.write("prefers a WINDOW seat.")
    return path


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_duplicates(picture: Picture, repeated: Path, size: tuple[int, int]) -> None:
    assert picture(repeated, "g", "d", "right_square_bracket", size=size)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_conflicts(picture: Picture, repeated: Path, size: tuple[int, int]) -> None:
    assert picture(repeated, "g", "c", "right_square_bracket", size=size)
