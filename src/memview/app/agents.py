"""What an agent would get of a namespace for a message, read without reinforcing anything. No screen inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from sqlite3 import Connection
from typing import Literal

from memview.memory import looking
from memview.memory.looking import Ask, FactRow, Why
from memview.text import one_line

COMES_ALONG, RECALLED, RESIDENT = 5, 10, 20
"""How many facts a message brings along, a recall gives and a persona holds, unless the program says otherwise."""

Part = Literal["along", "recalled", "resident", "out"]
"""``along``: prefetched with the message. ``recalled``: given when the agent asks. ``resident``: of the persona.
``out``: left out."""

_WORDS = {"limit": "others first", "memory_type": "its kind", "namespace": "elsewhere"}
"""Reasons that are no words yet."""


@dataclass(frozen=True, slots=True)
class Given:
    """A fact, and how it gets to the agent or why it does not."""

    fact: FactRow
    part: Part
    score: float = 0.0
    why: Why | None = None
    reason: str = ""
    """In a word, where it is left out."""
    detail: str = ""
    """The same in a sentence, safe to show."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything that an agent gets for a message, part by part."""

    given: Sequence[Given] = ()
    more: int = 0
    """How many more were left out."""
    via: dict[str, str] = field(default_factory=dict)
    """The text of each fact whose link brought another one, by its id."""

    def of(self, part: Part) -> list[Given]:
        """The facts of one part."""
        return [one for one in self.given if one.part == part]


def answer(raw: Connection, ask: Ask, now: datetime) -> Answer:
    """What an agent gets for a message; nothing is reinforced.

    Args:
        raw: an open connection.
        ask: the message, and whose memory of which namespace.
        now: the present.
    """
    resident = looking.residents(raw, ask.tenant, str(ask.namespace), RESIDENT, now)
    told = looking.explain(raw, ask, now) if ask.text.strip() else looking.Explained([], [], 0)
    rows = looking.fact_rows(raw, [*(one.n for one in told.recalled), *(one.n for one in told.left_out), *resident])
    given = [
        Given(rows[one.n], "along" if place < COMES_ALONG else "recalled", one.score, one.why)
        for place, one in enumerate(told.recalled)
        if one.n in rows
    ]
    given += [Given(rows[n], "resident") for n in resident if n in rows]
    given += [
        Given(rows[one.n], "out", reason=_WORDS.get(one.reason, one.reason), detail=one_line(one.detail, 200))
        for one in told.left_out
        if one.n in rows
    ]
    return Answer(given, told.more, _bringing(raw, [one.why.via for one in told.recalled if one.why.via]))


def _bringing(raw: Connection, ids: Sequence[str]) -> dict[str, str]:
    """The texts of facts whose links brought others."""
    numbers = looking.numbers_of(raw, "fact", ids)
    return {row.id: row.content for row in looking.fact_rows(raw, list(numbers.values())).values()}
