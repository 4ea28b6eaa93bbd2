"""Make the demo's store: some twelve hundred facts and three hundred turns, the same ones every time."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from memview import clock
from memview.cli.demo import people, projects
from memview.cli.demo.people import Note
from memview.cli.demo.stories import STORIES, Story, Told
from memview.memory import Memory, MemoryStore
from memview.memory.person import person

AGENTS = ("planner", "scribe", "ops-bot")
_SUBJECTS = (
    ("user:42", people.first_person, "user"),
    ("user:43", people.second_person, "user"),
    ("project:atlas", projects.atlas, "assistant"),
    ("project:billing", projects.billing, "extraction"),
    ("support", projects.support, "tool"),
)
_NEWEST_HOURS, _OLDEST_HOURS = 2.5, 4_600.0
_ASKED = (
    "For the record: {}.", "Please remember this. {}.", "{}. Keep that in mind.", "While I think of it: {}.",
    "Note: {}.", "{}. That will not change soon.", "Before I forget: {}.",
)  # fmt: skip
_ANSWERED = ("Noted.", "I will remember that.", "Kept for the next time.", "Done, it is in memory.", "Understood.")
_SAID = {
    "Prefers": "I prefer", "Uses": "I use", "Wants": "I want", "Avoids": "I avoid", "Likes": "I like",
    "Travels": "I travel", "Has": "I have", "Owes": "I owe", "Works": "I work", "Needs": "I need", "Asks": "I ask",
}  # fmt: skip


class _Hands:
    """Open handles, one for each who writes, and the clock they share."""

    def __init__(self, path: Path, now: datetime, stack: ExitStack) -> None:
        self.now = now
        self.moment = now
        self._stores = {
            name: stack.enter_context(MemoryStore(path, agent=name, synchronous="NORMAL", clock=lambda: self.moment))
            for name in (*AGENTS, person())
        }

    def at(self, hours: float, agent: str) -> MemoryStore:
        """The store as an agent has it, that long ago."""
        self.moment = self.now - timedelta(hours=hours)
        return self._stores[agent]

    def reviewer(self, hours: float, namespace: str) -> Memory:
        """A namespace as the person has it, that long ago."""
        return self.at(hours, person()).memory(namespace)


@dataclass(frozen=True, slots=True)
class _Recalled:
    """How a fact was used since it was written; being recalled leaves no trace in the feed."""

    id: str
    strength: float
    count: int
    at: str


def build(path: Path, *, now: datetime | None = None) -> None:
    """Make the store at ``path``, where nothing is yet.

    Args:
        path: the file to make.
        now: what the ages are counted from; the present unless given. All but the ids is the same for the same moment.
    """
    chance = random.Random(1204)
    moment = now or clock.utc_now()
    with ExitStack() as stack:
        hands = _Hands(path, moment, stack)
        known: dict[str, str] = {}
        recalled: list[_Recalled] = []
        for story in sorted([*STORIES, *_sessions(chance)], key=lambda story: -story.hours):
            for id, told in zip(_tell(hands, story, known), story.facts, strict=True):
                used = _use(chance, id, story.hours, moment)
                recalled.append(replace(used, count=told.recalled) if told.recalled else used)
    _reinforce(path, recalled)


def _sessions(chance: random.Random) -> Iterator[Story]:
    """Everything that was not written by hand, in sessions spread over the months."""
    number = 100
    for namespace, notes, origin in _SUBJECTS:
        pool = list(notes())
        chance.shuffle(pool)
        left = iter(pool)
        while part := list(islice(left, chance.randint(4, 8))):
            number += 1
            hours = _NEWEST_HOURS * (_OLDEST_HOURS / _NEWEST_HOURS) ** (1 - chance.random() ** 1.8)
            yield _session(chance, namespace, f"s{number}", hours, part, origin)


def _session(
    chance: random.Random, namespace: str, session: str, hours: float, notes: Sequence[Note], origin: str
) -> Story:
    """A session in which each two or three facts come from one turn."""
    size = chance.choice((2, 3))
    groups = [notes[at : at + size] for at in range(0, len(notes), size)]
    turns = [(_asked(chance, group), chance.choice(_ANSWERED)) for group in groups]
    facts = [
        Told(
            note.text, note.category, note.tags, origin if chance.random() < 0.8 else "user", turn=at,
            importance=min(10, max(1, round(chance.gauss(5, 1.8)))), mark=_mark(chance),
        )
        for at, group in enumerate(groups)
        for note in group
    ]  # fmt: skip
    return Story(namespace, session, hours, chance.choice(AGENTS), tuple(turns), tuple(facts))


def _asked(chance: random.Random, notes: Iterable[Note]) -> str:
    return chance.choice(_ASKED).format("; ".join(_spoken(note.text) for note in notes))


def _spoken(text: str) -> str:
    first, _, rest = text.partition(" ")
    return f"{_SAID.get(first, first)} {rest}"


def _mark(chance: random.Random) -> str:
    roll = chance.random()
    return "accept" if roll < 0.05 else "pin" if roll < 0.065 else "forget" if roll < 0.08 else ""


def _tell(hands: _Hands, story: Story, known: dict[str, str]) -> list[str]:
    """Write one session: its turns, the facts that came from them, and what was decided about those."""
    store = hands.at(story.hours, story.agent)
    conversation = store.conversation(story.session, namespace=story.namespace)
    turns = [conversation.record(asked, answered) for asked, answered in story.turns]
    memory = store.memory(story.namespace)
    written = memory.write_many(
        {
            "content": told.text, "category": told.category or None, "tags": told.tags, "origin": told.origin,
            "importance": told.importance, "session": story.session,
            "turns": [turn.id for turn in turns[told.turn : told.turn + 1] if turn is not None],
        }
        for told in story.facts
    )  # fmt: skip
    for told, fact in zip(story.facts, written, strict=True):
        known[told.text] = fact.id
        for kind, beginning in told.links:
            memory.link(fact.id, next(id for text, id in known.items() if text.startswith(beginning)), kind)
        _decide(hands, story, told.mark, fact.id)
    return [fact.id for fact in written]


def _decide(hands: _Hands, story: Story, mark: str, id: str) -> None:
    if not mark:
        return
    memory = hands.reviewer(story.hours * 0.6, story.namespace)
    if mark == "pin":
        memory.pin(id)
    elif mark == "accept":
        memory.accept(id)
    else:
        memory.forget(id)


def _use(chance: random.Random, id: str, hours: float, now: datetime) -> _Recalled:
    count = int(chance.paretovariate(1.1)) - 1 if chance.random() < 0.6 else 0
    last = hours * (chance.random() ** 2 if count else 1.0)
    strength = min(1.0, chance.choice((0.5, 0.7, 0.9, 1.0)) + 0.2 * min(count, 3))
    return _Recalled(id, strength, min(count, 60), clock.to_text(now - timedelta(hours=last)))


def _reinforce(path: Path, recalled: Iterable[_Recalled]) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.executemany(
            "UPDATE facts SET strength = ?, access_count = ?, last_accessed_at = ? WHERE id = ?",
            [(used.strength, used.count, used.at, used.id) for used in recalled],
        )
    connection.close()
