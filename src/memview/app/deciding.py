"""What a reviewer does with cards of the inbox, each with a sentence about what it did. No screen inside.

All functions wait for the file and belong in a thread; errors of :mod:`memview.errors` pass through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from memview.app.editing import Editing, Outcome
from memview.app.headlines import plural
from memview.memory.looking import Aim, FactRow
from memview.review.inbox import Card
from memview.text import one_line

Verb = Literal["accept", "forget", "pin", "put back"]

_DID: dict[Verb, str] = {"accept": "accepted", "forget": "forgot", "pin": "pinned", "put back": "put back"}
_WAY_BACK = " · u takes it back"


def decide(editing: Editing, verb: Verb, card: Card) -> Outcome:
    """Decide on a card.

    Raises:
        Conflict: one of its facts changed since it was read; nothing is decided.
        NotFound: one of its facts is gone.
        Duplicate: another fact has the old text by now.
    """
    from memview.review.deciding import Reviewing

    reviewing = Reviewing(editing.writer())
    acts = {
        "accept": reviewing.accept, "forget": reviewing.forget, "pin": reviewing.pin, "put back": reviewing.put_back,
    }  # fmt: skip
    acts[verb](card)
    return Outcome(f"{_DID[verb]} {_what(card)}{_WAY_BACK}", _records(card))


def decide_rest(editing: Editing, verb: Literal["accept", "forget"], cards: Sequence[Card]) -> Outcome:
    """Accept or forget many cards at once; flagged ones are never accepted so. What changed meanwhile stays."""
    from memview.review.deciding import Reviewing

    reviewing = Reviewing(editing.writer())
    done = reviewing.accept_rest(cards) if verb == "accept" else reviewing.forget_rest(cards)
    missed = len(done.moved) + len(done.gone)
    count = sum(len(card.news) for card in cards) - missed
    left = f"; {missed:,} changed meanwhile and wait still" if missed else ""
    records = tuple(record for card in cards for record in _records(card))
    return Outcome(f"{_DID[verb]} {plural(count, 'fact')}{left} · u takes that back", records)


def merge(editing: Editing, card: Card, other: FactRow) -> Outcome:
    """Merge the facts of a card into one that is there already.

    Raises:
        Conflict: one of them changed since it was read, or agents no longer get it.
        Invalid: they are in different namespaces.
    """
    from memview.review import merging

    merging.merge(editing.writer(other.tenant), Aim(other.n, other.version), card.aims)
    return Outcome(f"merged into “{one_line(other.content, 40)}”{_WAY_BACK}", _records(card))


def begin(editing: Editing, *, from_now: bool) -> Outcome:
    """Remember where this reviewer begins."""
    from memview.review.deciding import Reviewing

    Reviewing(editing.writer()).begin(from_now=from_now)
    return Outcome("your review starts from now" if from_now else "")


def _what(card: Card) -> str:
    first = card.first
    spaces = {one.namespace for one in card.news}
    where = f" in {one_line(first.namespace, 40)}" if len(spaces) == 1 and first.namespace else ""
    return plural(len(card.news), "fact") + where


def _records(card: Card) -> tuple[tuple[str, str], ...]:
    return tuple(("fact", one.id) for one in card.news)
