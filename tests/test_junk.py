"""Real conversations with planted junk: what the reviewing half of the library finds, and what it leaves alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import locomo

finding = pytest.importorskip("benchmarks.junk.finding", reason="the benchmarks are not part of a release")
making = pytest.importorskip("benchmarks.junk.making", reason="the benchmarks are not part of a release")
PLACE = locomo.folder()
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.skipif(
    PLACE is None,
    reason=f"the LoCoMo conversations are not part of this repository; {locomo.SETTING} names their folder",
)
def test_planted_junk_is_found_and_nothing_else(path: Path) -> None:
    truth = making.make(PLACE, path, NOW, limit=1)
    assert making.known(path) == truth
    seen = finding.look(path, NOW)
    missed, false = finding.missed(truth, seen), finding.false(truth, seen)
    for kind in ("exact copy", "near copy", "echo", "secret", "instruction"):
        assert missed[kind] == [], kind
    assert len(missed["contradiction"]) <= 2
    honest = {id for id, one in truth.items() if one.kind in ("original", "decoy")}
    assert not [ids for wrong in false.values() for ids in wrong if set(ids) <= honest]
