"""A store of real conversations in which three facts of ten are junk, and the truth about each fact beside it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import locomo
from benchmarks.junk import alarms, kinds
from memview import MemoryStore

SEED = 20
SHARE = 0.3
"""Which share of the facts is junk."""
KINDS = {
    "exact copy": 0.2, "near copy": 0.2, "contradiction": 0.15, "echo": 0.15, "secret": 0.1, "instruction": 0.1,
    "noise": 0.1,
}  # fmt: skip
"""Which share of the junk each kind has."""
_AGENT = "assistant"
_DAYS = 12.0
"""Over how many days the sessions are spread."""
_IDLE = timedelta(hours=26)
"""How long ago the last one was."""


class Session(NamedTuple):
    """One session of one conversation."""

    conversation: str
    number: int

    def __str__(self) -> str:
        return f"{self.conversation}-s{self.number}"


@dataclass(slots=True)
class Draft:
    """A fact that is going to be written, with the truth about it."""

    content: str
    namespace: str
    session: Session
    turns: list[str]
    """Ids of the data's turns."""
    kind: str = "original"
    detail: str = ""
    of: Draft | None = None
    """The original that a copy, echo or contradiction is of."""
    strength: float = 1.0
    id: str = ""


class Truth(NamedTuple):
    """What is known of one fact of the store."""

    kind: str
    """A name of :data:`KINDS`, ``original`` or ``decoy``."""
    detail: str
    of: str
    """The id of the original; empty where there is none."""


def make(place: Path, path: Path, now: datetime, *, limit: int = 0, seed: int = SEED) -> dict[str, Truth]:
    """Write the store, and the truth to ``<path>.truth.json``.

    Args:
        place: the folder with the conversations.
        path: the store; it must not exist.
        now: the moment at which the store is as it is.
        limit: how many conversations; 0 means all.
        seed: of the random source.
    """
    pick = random.Random(seed)
    data = dict(list(locomo.conversations(place))[: limit or None])
    drafts = list(_originals(data))
    drafts += list(_planted(drafts, pick))
    sessions: dict[Session, list[Draft]] = {}
    for draft in _ordered(drafts, pick):
        sessions.setdefault(draft.session, []).append(draft)
    _write(path, data, sessions, now)
    truth = {d.id: Truth(d.kind, d.detail, d.of.id if d.of else "") for d in drafts}
    path.with_name(f"{path.name}.truth.json").write_text(json.dumps({id: list(one) for id, one in truth.items()}))
    return truth


def known(path: Path) -> dict[str, Truth]:
    """The truth that was written beside a store."""
    kept = json.loads(path.with_name(f"{path.name}.truth.json").read_text())
    return {id: Truth(*one) for id, one in kept.items()}


def _originals(data: dict[str, locomo.Data]) -> Iterator[Draft]:
    seen = set[tuple[str, str]]()
    for name, talk in data.items():
        for number in locomo.sessions(talk):
            for speaker, observed in talk.get(f"session_{number}_observation", {}).items():
                for text, source in observed:
                    if (speaker, text) not in seen:
                        seen.add((speaker, text))
                        yield Draft(text, speaker, Session(name, number), locomo._ids(source))


def _planted(originals: list[Draft], pick: random.Random) -> Iterator[Draft]:
    total = round(len(originals) * SHARE / (1 - SHARE))
    untouched = originals.copy()
    pick.shuffle(untouched)
    taken = {(one.namespace, one.content) for one in originals}
    for kind, share in KINDS.items():
        source = _MAKERS[kind](kind, untouched, originals, pick)
        left = round(total * share)
        while left:
            draft = next(source)
            if (draft.namespace, draft.content) not in taken:
                taken.add((draft.namespace, draft.content))
                left -= 1
                yield draft
    for text in alarms.DECOYS:
        near = pick.choice(originals)
        yield Draft(text, near.namespace, near.session, near.turns, "decoy")


def _varied(makers: dict[str, kinds.Maker]) -> Callable[..., Iterator[Draft]]:
    """What is made of an original that nothing else is made of, one way after the other."""

    def drafts(kind: str, untouched: list[Draft], originals: list[Draft], pick: random.Random) -> Iterator[Draft]:
        while True:
            for detail, maker in makers.items():
                for at, one in enumerate(untouched):
                    text = maker(one.content, pick)
                    if text is not None and text != one.content:
                        del untouched[at]
                        yield Draft(text, one.namespace, _later(one, originals, pick), one.turns, kind, detail, one)
                        break

    return drafts


def _later(one: Draft, originals: list[Draft], pick: random.Random) -> Session:
    """The same session, or a later one of the conversation."""
    numbers = {o.session.number for o in originals if o.session.conversation == one.session.conversation}
    after = sorted(number for number in numbers if number > one.session.number)[:6]
    return one.session._replace(number=pick.choice([one.session.number, *after]))


def _alarming(text_of: Callable[[random.Random, int], tuple[str, str]]) -> Callable[..., Iterator[Draft]]:
    def drafts(kind: str, untouched: list[Draft], originals: list[Draft], pick: random.Random) -> Iterator[Draft]:
        at = 0
        while True:
            near = pick.choice(originals)
            text, detail = text_of(pick, at)
            yield Draft(text, near.namespace, near.session, near.turns, kind, detail)
            at += 1

    return drafts


def _noisy(kind: str, untouched: list[Draft], originals: list[Draft], pick: random.Random) -> Iterator[Draft]:
    while True:
        near = pick.choice(originals)
        text = alarms.noise(near.namespace, pick)
        yield Draft(text, near.namespace, near.session, near.turns, kind, strength=0.05)


_MAKERS: dict[str, Callable[..., Iterator[Draft]]] = {
    "exact copy": _varied({"": kinds.copied}),
    "near copy": _varied(kinds.NEAR),
    "contradiction": _varied(kinds.CONTRADICTIONS),
    "echo": _varied({"": kinds.echoed}),
    "secret": _alarming(alarms.secret),
    "instruction": _alarming(alarms.instruction),
    "noise": _noisy,
}


def _ordered(drafts: list[Draft], pick: random.Random) -> list[Draft]:
    """The originals of each session in their order, what is planted anywhere among them but after its original."""
    place = {id(draft): float(at) for at, draft in enumerate(drafts) if draft.kind == "original"}
    by_session: dict[Session, list[float]] = {}
    for draft in drafts:
        if id(draft) in place:
            by_session.setdefault(draft.session, []).append(place[id(draft)])
    for draft in drafts:
        if id(draft) not in place:
            first, last = min(by_session[draft.session]), max(by_session[draft.session])
            if draft.of is not None and draft.of.session == draft.session:
                first = place[id(draft.of)]
            place[id(draft)] = first + (last + 0.9 - first) * pick.uniform(0.01, 1)
    return sorted(drafts, key=lambda draft: place[id(draft)])


def _write(path: Path, data: dict[str, locomo.Data], sessions: dict[Session, list[Draft]], now: datetime) -> None:
    """The turns and facts of each session, as an agent would have written them on that day."""
    longest = {name: max(s.number for s in sessions if s.conversation == name) for name in data}
    order = sorted(sessions, key=lambda s: (s.number / longest[s.conversation], s.conversation))
    moment = [now]
    turns: dict[tuple[str, str], str] = {}
    with MemoryStore(path, agent=_AGENT, synchronous="NORMAL", clock=lambda: moment[0]) as store:
        for at, session in enumerate(order, 1):
            moment[0] = now - _IDLE - timedelta(days=_DAYS) * (1 - at / len(order))
            talk = store.conversation(str(session), namespace="talk")
            for said in data[session.conversation].get(f"session_{session.number}", []):
                turn = talk.record(f"{said['speaker']}: {said['text']}")
                assert turn is not None
                turns[session.conversation, said["dia_id"]] = turn.id
            for draft in sessions[session]:
                ids = [turns[key] for id in draft.turns if (key := (draft.session.conversation, id)) in turns]
                written = store.memory(draft.namespace).write(
                    draft.content, session=str(session), turns=ids, origin="extraction", strength=draft.strength
                )
                draft.id = written.id
