"""Acting on many facts at once: what it would touch, and doing it in one step that can be given up. No screen inside.

All methods wait for the file and belong in a thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from sqlite3 import Connection
from typing import TYPE_CHECKING, Literal, TypeVar

from memview.app.editing import Editing, Outcome
from memview.app.headlines import plural
from memview.app.lane import Lane
from memview.app.marking import Matched, Versions
from memview.errors import NotFound
from memview.memory import looking
from memview.memory.looking import Aim, FactRow, Query
from memview.text import one_line

if TYPE_CHECKING:
    from memview.memory.selection import Done, Progress, Selection

T = TypeVar("T")
Verb = Literal["forget", "restore", "pin", "unpin", "accept", "tag"]

SAMPLES = 3
"""How many facts stand for all."""
AT_ONCE = 2_000
"""How many rows are read at a time."""

Told = Callable[[int, int], object]
"""Told how many facts are done, and of how many."""


class GivenUp(Exception):
    """The person gave the work up; nothing of it was kept."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What is to be done with facts."""

    verb: Verb
    add: tuple[str, ...] = ()
    """For ``tag``: the tags to add."""
    remove: tuple[str, ...] = ()
    """For ``tag``: the tags to take away."""


@dataclass(slots=True)
class Prospect:
    """What a deed would touch, as it was when it was looked at."""

    deed: Deed
    aims: list[Aim] = field(default_factory=list)
    """The facts it would be done with."""
    ids: dict[int, str] = field(default_factory=dict)
    """Their ids."""
    spaces: set[tuple[str, str]] = field(default_factory=set)
    """Where they are: tenant and namespace."""
    samples: list[FactRow] = field(default_factory=list)
    """The first few of them."""
    pinned: int = 0
    """Marked facts that stay since they are pinned."""
    already: int = 0
    """Marked facts that are as wanted already."""
    moved: int = 0
    """Marked facts that somebody changed since they were marked."""
    gone: int = 0
    """Marked facts that are no longer in the store."""
    later: int = 0
    """Facts that came to match after all that matched were marked."""

    @property
    def place(self) -> str:
        """Where the facts are, in words that are safe to show; empty where there are none."""
        names = {namespace for _, namespace in self.spaces}
        if len(names) == 1 and len(self.spaces) == 1:
            return f" in {one_line(names.pop(), 40)}" if "" not in names else ""
        return f" in {plural(len(self.spaces), 'namespace')}" if names else ""


class Many:
    """Does things with many facts of a store.

    Args:
        editing: writes.
    """

    def __init__(self, editing: Editing) -> None:
        self._editing = editing
        self._lane = Lane(editing.path)

    def close(self) -> None:
        """Close the file."""
        self._lane.close()

    # Looking

    def read(self, work: Callable[[Connection], T]) -> T:
        """What a function reads from the store."""
        return self._lane.read(work)

    def matching(self, query: Query) -> dict[int, int]:
        """All facts that a query has now, by number, with their versions."""
        now = self._editing.clock()
        return {aim.n: aim.version for aim in self._lane.read(lambda raw: looking.aims(raw, query, now))}

    def versions(self, numbers: Sequence[int]) -> dict[int, int]:
        """The present versions of facts; those that are gone are missing."""
        return {row.n: row.version for row in self._rows(numbers)}

    def standing(self, marked: Versions) -> list[FactRow]:
        """The marked facts that are as they were when they were marked."""
        return [row for row in self._rows(list(marked)) if marked[row.n] in (0, row.version)]

    def tags(self) -> list[str]:
        """The tags there are, the most frequent first."""
        return self._lane.read(lambda raw: looking.known(raw, "tag"))

    def look(self, deed: Deed, marked: Versions, matched: Matched | None = None) -> Prospect:
        """What a deed would touch.

        Pinned facts stay where many are to be forgotten. Where all are pinned already, to pin is to unpin.

        Args:
            deed: what is to be done.
            marked: the facts by number, each with the version that was seen; 0 for whichever there is.
            matched: what had been asked where all that matched were marked.
        """
        rows = list(self._rows(list(marked)))
        standing = [row for row in rows if marked[row.n] in (0, row.version)]
        if deed.verb == "pin" and standing and all(row.pinned for row in standing):
            deed = replace(deed, verb="unpin")
        prospect = Prospect(deed, moved=len(rows) - len(standing), gone=len(marked) - len(rows))
        for row in standing:
            self._sort_in(prospect, row, many=len(marked) > 1)
        if matched is not None:
            prospect.later = len(self.matching(matched.query).keys() - marked.keys() - matched.numbers)
        return prospect

    def _rows(self, numbers: Sequence[int]) -> Iterator[FactRow]:
        """Facts in the order of their numbers in the sequence, a portion at a time."""
        for start in range(0, len(numbers), AT_ONCE):
            portion = numbers[start : start + AT_ONCE]
            yield from self._lane.read(partial(looking.fact_rows, numbers=portion)).values()

    @staticmethod
    def _sort_in(prospect: Prospect, row: FactRow, *, many: bool) -> None:
        """Count a fact in: it would be touched, or stays for a reason."""
        verb = prospect.deed.verb
        if _IS_SO[verb](row):
            prospect.already += 1
        elif verb == "forget" and many and row.pinned:
            prospect.pinned += 1
        else:
            prospect.aims.append(Aim(row.n, row.version))
            prospect.ids[row.n] = row.id
            prospect.spaces.add((row.tenant, row.namespace))
            if len(prospect.samples) < SAMPLES:
                prospect.samples.append(row)

    # Doing

    def do(self, prospect: Prospect, stop: threading.Event, told: Told | None = None) -> Outcome:
        """Do it, in one transaction and one step for undo.

        Args:
            prospect: what to do, and with which facts.
            stop: set from another thread, it gives everything up.
            told: hears how far it is.

        Raises:
            GivenUp: it was given up; nothing was changed.
            NotFound: another file took the store's place, in which the numbers are those of other facts.
            StoreError: the file cannot be written; nothing was.
        """

        def progress(done: int) -> None:
            if stop.is_set():
                raise GivenUp
            if told is not None:
                told(done, len(prospect.aims))

        progress(0)
        self._check_samples(prospect)
        done = _DO[prospect.deed.verb](self._editing.selection(prospect.aims), prospect.deed, progress)
        return _outcome(prospect, done)

    def _check_samples(self, prospect: Prospect) -> None:
        """See by the first few facts whether the numbers are still those of the facts that were looked at."""
        first = [aim.n for aim in prospect.aims[:SAMPLES]]
        if any(row.id != prospect.ids[row.n] for row in self._rows(first)):
            raise NotFound("These facts are no longer in the store.")


_IS_SO: dict[Verb, Callable[[FactRow], bool]] = {
    "forget": lambda row: row.status == "forgotten",
    "restore": lambda row: row.status == "active",
    "pin": lambda row: row.pinned,
    "unpin": lambda row: not row.pinned,
    "accept": lambda row: row.accepted,
    "tag": lambda row: False,
}
"""Whether a fact is as wanted already."""

_DO: dict[Verb, Callable[[Selection, Deed, Progress], Done]] = {
    "forget": lambda chosen, deed, progress: chosen.forget(progress),
    "restore": lambda chosen, deed, progress: chosen.restore(progress),
    "pin": lambda chosen, deed, progress: chosen.pin(True, progress),
    "unpin": lambda chosen, deed, progress: chosen.pin(False, progress),
    "accept": lambda chosen, deed, progress: chosen.accept(progress),
    "tag": lambda chosen, deed, progress: chosen.tag(deed.add, deed.remove, progress),
}

_DID: dict[Verb, tuple[str, str]] = {
    "forget": ("forgot", "u brings {} back"),
    "restore": ("brought back", "u takes that back"),
    "pin": ("pinned", "u takes that back"),
    "unpin": ("unpinned", "u takes that back"),
    "accept": ("accepted", "u takes that back"),
    "tag": ("tagged", "u takes that back"),
}
"""What was done, and what undo would do."""

SO_ALREADY: dict[Verb, str] = {
    "forget": "forgotten", "restore": "active", "pin": "pinned", "unpin": "unpinned", "accept": "accepted",
    "tag": "tagged so",
}  # fmt: skip
"""How facts are that need nothing done."""


def left_out(prospect: Prospect) -> list[str]:
    """Which marked facts stay as they are and why, a clause each."""
    parts = [
        (prospect.pinned, "pinned"),
        (prospect.already, f"{SO_ALREADY[prospect.deed.verb]} already"),
        (prospect.moved, "changed since"),
        (prospect.gone, "no longer in the store"),
    ]
    return [f"{count:,} {why}" for count, why in parts if count]


def _outcome(prospect: Prospect, done: Done) -> Outcome:
    """What was done, in a sentence."""
    changed, verb = done.changed, prospect.deed.verb
    whole = replace(
        prospect,
        already=prospect.already + done.same,
        moved=prospect.moved + len(done.moved),
        gone=prospect.gone + len(done.gone),
    )
    left = _left(whole)
    if not changed:
        return Outcome(f"nothing to do: {left}" if left else "nothing was marked")
    told, way_back = _DID[verb]
    where = prospect.place
    untouched = {*done.moved, *done.gone}
    records = tuple(("fact", id) for n, id in prospect.ids.items() if n not in untouched)
    what = f"{told} {plural(changed, 'fact')}{where}" + (f"; {left}" if left else "")
    return Outcome(f"{what} · {way_back.format('it' if changed == 1 else 'them')}", records)


def _left(prospect: Prospect) -> str:
    """Which facts stay as they are, for the end of a sentence."""
    parts = [
        (prospect.pinned, "is pinned and stays", "are pinned and stay"),
        (prospect.moved, "changed meanwhile and stays", "changed meanwhile and stay"),
        (prospect.gone, "is no longer in the store", "are no longer in the store"),
        (
            prospect.already,
            f"is {SO_ALREADY[prospect.deed.verb]} already",
            f"are {SO_ALREADY[prospect.deed.verb]} already",
        ),
    ]
    return ", ".join(f"{count:,} {one if count == 1 else more}" for count, one, more in parts if count)


def nothing_to_do(prospect: Prospect) -> str:
    """Why a deed would touch nothing."""
    return f"nothing to do: {_left(prospect)}"
