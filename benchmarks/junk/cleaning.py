"""A memory with junk in it, cleaned by keys alone, and what that did to it by the truth."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from benchmarks.junk import making, person
from benchmarks.junk.hand import Hand
from benchmarks.junk.making import Truth

PARTS = (person.prune, person.duplicates, person.conflicts, person.health, person.inbox)


class Line(NamedTuple):
    """One kind of fact, and what became of it."""

    kind: str
    planted: int
    gone: int
    """Which agents do not get any more."""
    left: list[str]
    """Ids of those that they still get."""


def clean(path: Path, state: Path) -> Counter[str]:
    """Clean a store in a real terminal; the keys that were pressed, by what for."""
    folders = {name: str(state / name.lower()) for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    with Hand(path, 120, 36, folders) as hand:
        for part in PARTS:
            part(hand)
        hand.press("q")
        assert hand.terminal.ended() == 0
    return hand.keys


def outcome(path: Path, truth: dict[str, Truth]) -> list[Line]:
    """What became of each kind of fact."""
    connection = sqlite3.connect(path)
    active = {id for (id,) in connection.execute("SELECT id FROM facts WHERE status = 'active'")}
    connection.close()
    lines = []
    for kind in (*making.KINDS, "original", "decoy"):
        ids = [id for id, one in truth.items() if one.kind == kind]
        left = [id for id in ids if id in active]
        lines.append(Line(kind, len(ids), len(ids) - len(left), left))
    return lines
