"""What the library finds of the planted junk, before anybody touches anything."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.junk.making import Truth
from memview.memory.looking import Looker, Query, fact_rows
from memview.review import conflicts, duplicates, health

ALARMS = ("secrets", "commands", "echoes")
"""The measures of health that point at junk."""


class Seen(NamedTuple):
    """What one measure pointed at."""

    measure: str
    ids: set[str]
    others: dict[str, set[str]]
    """For each of them the facts that it was put beside."""


def look(path: Path, now: datetime) -> list[Seen]:
    """Everything that the reviewing half of the library says about a store."""
    looker = Looker(path)
    found = duplicates.find(looker, Query(), now)
    pairs = conflicts.find(looker, Query(), now).pairs
    report = looker.read(lambda raw: health.health(raw, path, now))
    groups = [[aim.n for aim in group.aims] for group in found.groups]
    alarms = {one.name: list(one.numbers) for one in report.measures if one.name in ALARMS}
    numbers = {n for group in (*groups, *alarms.values()) for n in group}
    numbers |= {aim.n for pair in pairs for aim in (pair.newer, pair.older)}
    rows = looker.read(lambda raw: fact_rows(raw, list(numbers)))
    looker.close()
    ids = {n: row.id for n, row in rows.items()}
    return [
        _beside("duplicates", [[ids[n] for n in group] for group in groups]),
        _beside("conflicts", [[ids[pair.newer.n], ids[pair.older.n]] for pair in pairs]),
        *(Seen(name, {ids[n] for n in numbers}, {}) for name, numbers in alarms.items()),
    ]


def _beside(measure: str, groups: list[list[str]]) -> Seen:
    others: dict[str, set[str]] = {}
    for group in groups:
        for id in group:
            others.setdefault(id, set()).update(other for other in group if other != id)
    return Seen(measure, set(others), others)


MEANT = {
    "exact copy": ("duplicates",), "near copy": ("duplicates",), "contradiction": ("conflicts",),
    "echo": ("echoes", "duplicates"), "secret": ("secrets",), "instruction": ("commands",), "noise": (),
}  # fmt: skip
"""Which measures are to find which kind."""


def missed(truth: dict[str, Truth], seen: list[Seen]) -> dict[str, list[str]]:
    """The junk that none of the measures meant for its kind pointed at, by kind."""
    by_measure = {one.measure: one for one in seen}
    found: dict[str, list[str]] = {kind: [] for kind in MEANT}
    for id, one in truth.items():
        measures = [by_measure[name] for name in MEANT.get(one.kind, ()) if name in by_measure]
        if one.kind in MEANT and not any(id in m.ids and (not m.others or one.of in m.others[id]) for m in measures):
            found[one.kind].append(id)
    return found


def false(truth: dict[str, Truth], seen: list[Seen]) -> dict[str, list[tuple[str, ...]]]:
    """What each measure points at that is no junk of its kind: facts, or pairs of which neither is of the other."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for one in seen:
        wrong = found.setdefault(one.measure, [])
        for id in sorted(one.ids):
            if one.others:
                pairs = {tuple(sorted((id, other))) for other in one.others[id] if not _tied(truth, id, other)}
                wrong += [pair for pair in sorted(pairs) if pair[0] == id]
            elif one.measure not in MEANT.get(truth[id].kind, ()):
                wrong.append((id,))
    return found


def _tied(truth: dict[str, Truth], a: str, b: str) -> bool:
    """Whether two facts are one, its copy, or both copies of one."""
    return (truth[a].of or a) == (truth[b].of or b)


def counted(truth: dict[str, Truth]) -> Counter[str]:
    """How many facts of each kind there are."""
    return Counter(one.kind for one in truth.values())
