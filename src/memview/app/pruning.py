"""What a prune would set aside, in the order it is listed, and the words for it. No screen inside."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from datetime import datetime
from sqlite3 import Connection
from typing import TYPE_CHECKING, Literal, NamedTuple

from memview.app.headlines import plural
from memview.memory import looking
from memview.memory.looking import Query
from memview.review.prune import RULE, Preview, preview, rule

if TYPE_CHECKING:
    from memview.memory.selection import Done

PRESETS: tuple[tuple[str, str], ...] = (
    ("faded", RULE), ("never recalled", "recalled:0 before:30d"), ("old", "before:6mo"),
)  # fmt: skip
"""Rules to begin with: a name and the rule."""

Order = Literal["strength", "importance", "newest", "oldest"]
ORDERS: tuple[Order, ...] = ("strength", "importance", "newest", "oldest")
ORDER_WORDS: dict[Order, str] = {
    "strength": "weakest first", "importance": "least important first", "newest": "newest first",
    "oldest": "oldest first",
}  # fmt: skip
SAMPLES = 3
"""How many facts stand for all in a question."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked for."""

    text: str = RULE
    """The rule, in the language of the search."""
    accepted: bool = False
    """Whether what a person accepted goes too."""
    edited: bool = False
    """Whether what a person wrote, edited or corrected goes too."""
    order: Order = "strength"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a rule would set aside, and the order in which that is listed."""

    preview: Preview
    keys: array[int]
    """The numbers of the facts as listed."""
    order: Order
    """The order of these."""


class Stand(NamedTuple):
    """How a prune went."""

    gone: frozenset[int]
    """The facts it was meant for."""
    sentence: str


def look(raw: Connection, ask: Ask, base: Query, now: datetime) -> Seen:
    """What a rule would set aside now.

    Args:
        raw: an open connection.
        ask: the rule.
        base: whose facts.
        now: the present.

    Raises:
        Invalid: the rule could not be understood, or limits nothing.
    """
    found = preview(raw, rule(ask.text, now, base), now, accepted=ask.accepted, edited=ask.edited)
    return Seen(found, ordered(raw, found, ask.order), ask.order)


def ordered(raw: Connection, found: Preview, order: Order) -> array[int]:
    """The numbers of what would go, in an order."""
    numbers = array("q", [aim.n for aim in found.aims])
    if order == "newest":
        return numbers
    if order == "oldest":
        return numbers[::-1]
    wanted = set(numbers)
    ranked = looking.find(raw, replace(found.query, order=order), found.at).keys
    return array("q", [n for n in reversed(ranked) if n in wanted])


def kept(found: Preview) -> list[tuple[str, str]]:
    """What the rule hits and what stays all the same: the words, and the command that takes it along."""
    parts = [
        (found.pinned, f"{found.pinned:,} pinned", ""),
        (found.accepted, f"{found.accepted:,} accepted", "prune.accepted"),
        (found.edited, f"{found.edited:,} edited by you", "prune.edited"),
    ]
    return [(words, command) for count, words, command in parts if count]


def question(found: Preview, place: str, later: int) -> tuple[str, list[str]]:
    """What is asked before it is done: a sentence, and what stays as it is.

    Args:
        found: what would go.
        place: where, in words that are safe to show.
        later: how many facts came to match since it was counted.
    """
    stays = [words for words, _ in kept(found)] + ([f"{len(found.left_out):,} left out"] if found.left_out else [])
    notes = [f"stay as they are: {', '.join(stays)}"] if stays else []
    if later:
        notes.append(f"not touched: {later:,} that came to match since they were counted")
    return f"Prune {plural(len(found.would), 'fact')} in {place}?", notes


def too(found: Preview) -> list[tuple[str, str]]:
    """What a person asked to go too, and the command that keeps it again."""
    parts = [
        (found.also_accepted, "accepted ones too", "prune.accepted"),
        (found.also_edited, "edited ones too", "prune.edited"),
    ]  # fmt: skip
    return [(words, command) for holds, words, command in parts if holds]


def done(outcome: Done, later: int) -> str:
    """What was done, in a sentence.

    Args:
        outcome: what became of the facts.
        later: how many facts came to match since they were counted.
    """
    rest = [
        (len(outcome.moved), "changed meanwhile and stay"), (len(outcome.gone), "no longer in the store"),
        (outcome.same, "pinned meanwhile or pruned already"), (later, "came to match since, not touched"),
    ]  # fmt: skip
    way_back = "u brings it back" if outcome.changed == 1 else "u brings them back"
    told = [f"{count:,} {words}" for count, words in rest if count]
    return " · ".join([f"pruned {plural(outcome.changed, 'fact')}", *told, way_back])


def turns(raw: Connection, n: int) -> list[str]:
    """The ids of the turns that a fact came from and that are still in the store."""
    fact = looking.fact(raw, n)
    found = looking.sources(raw, fact.turns) if fact is not None else []
    return [source.id for source in found if source.turn is not None]
