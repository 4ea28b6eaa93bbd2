"""The cards of an inbox in the order in which they come up, and what was done with them in this sitting. No screen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from sqlite3 import Connection
from typing import NamedTuple

from memview.review import sitting
from memview.review.inbox import Card, Inbox, Session, inbox
from memview.review.sitting import Past

_AHEAD = 200
"""How many of the cards that follow are remembered, in case the current one goes."""


class Look(NamedTuple):
    """An inbox as it was read."""

    inbox: Inbox
    past: list[Past]
    """What was decided since something waits."""
    last: Past | None
    """Where the reviewer was."""
    since: int
    """The oldest change of the review under way."""


def look(raw: Connection, reviewer: str, since: int | None) -> Look:
    """Read what waits for a reviewer.

    Args:
        raw: an open connection.
        reviewer: an actor such as ``person:ann``.
        since: the oldest change of the review under way; None finds it.
    """
    found = inbox(raw, reviewer)
    after = sitting.since(found) if since is None else since
    past = sitting.past(raw, reviewer, found, after) if found.groups or since is not None else []
    return Look(found, past, sitting.last_decided(raw, reviewer) if since is None else None, after)


def key(card: Card) -> str:
    """What names a card, also when equal facts join it."""
    return card.news[-1].id


def signature(card: Card) -> tuple[tuple[str, int, int], ...]:
    """What changes with its records."""
    return tuple((one.id, one.version, one.seq) for one in card.news)


@dataclass(slots=True)
class Pile:
    """The cards of a session; ``session`` is None for those that overwrite a person's words."""

    session: Session | None
    cards: list[Card] = field(default_factory=list)
    """In order, decided ones of this sitting too, so that places keep their numbers."""
    before: int = 0
    """How many facts were decided before what was last read."""
    facts: int = 0
    """How many facts the cards are about."""
    done: int = 0
    """How many of these were decided since."""

    @property
    def left(self) -> int:
        """How many facts wait."""
        return self.facts - self.done

    @property
    def decided(self) -> int:
        """How many facts were decided."""
        return self.before + self.done


class Worklist:
    """What waits, card by card. A card leaves by a decision only; reading anew keeps the order and the current card."""

    def __init__(self) -> None:
        self.piles: list[Pile] = []
        self.current: Card | None = None
        self.later: set[str] = set()
        """The cards put off, by their keys."""
        self.put_off: list[Card] = []
        """The same in the order in which they were put off."""
        self.arrived: set[str] = set()
        """The facts that came to wait after the first reading, by id."""
        self.since: int | None = None
        self.decisions = 0
        """How often something was decided: a reading from before the last time does not know of it."""
        self._known: set[str] = set()
        """All facts that ever waited."""
        self._done: dict[str, int] = {}
        """The facts decided since they were read, each with the change that was decided on."""

    # What is there

    def waits(self, card: Card) -> bool:
        """Whether a card has not been decided."""
        return any(self._done.get(one.id) != one.seq for one in card.news)

    @property
    def left(self) -> int:
        """How many facts wait."""
        return sum(pile.left for pile in self.piles)

    @property
    def decided(self) -> int:
        """How many facts were decided since something waits."""
        return sum(pile.decided for pile in self.piles)

    @property
    def pile(self) -> Pile | None:
        """The pile of the current card."""
        return self._pile_of(self.current) if self.current is not None else None

    def _pile_of(self, card: Card) -> Pile | None:
        first = card.first
        session = None if first.overwrites else Session(first.tenant, first.session, first.agent)
        return next((pile for pile in self.piles if pile.session == session), None)

    def rest(self) -> list[Card]:
        """The cards of the current session that wait."""
        pile = self.pile
        return [card for card in pile.cards if self.waits(card)] if pile is not None else []

    def place(self) -> tuple[int, int]:
        """Which of its pile's facts the current card begins with, counted from 1, and how many the pile has."""
        pile = self.pile
        if pile is None or self.current is None:
            return (0, 0)
        before = sum(len(card.news) for card in pile.cards[: pile.cards.index(self.current)])
        return (pile.before + before + 1, pile.before + pile.facts)

    def coming(self) -> Iterator[Card]:
        """The cards that come up after the current one, those put off left out."""
        for card in self._from_current():
            if card is not self.current and self._is_next(card):
                yield card

    def _is_next(self, card: Card) -> bool:
        return key(card) not in self.later and self.waits(card)

    def _from_current(self) -> Iterator[Card]:
        """All cards from the current one on: its session, the ones after it, then from the top."""
        pile = self.pile
        if pile is None or self.current is None:
            yield from (card for each in self.piles for card in each.cards)
            return
        at, place = self.piles.index(pile), pile.cards.index(self.current)
        yield from (*pile.cards[place:], *pile.cards[:place])
        for each in (*self.piles[at + 1 :], *self.piles[:at]):
            yield from each.cards

    # What is done

    def go_on(self) -> None:
        """Go to the next card; to none where all are decided or put off."""
        self.current = next(self.coming(), None)

    def decide(self, cards: Sequence[Card]) -> None:
        """Take cards for decided, and go on where the current one is among them."""
        self.decisions += 1
        for card in cards:
            self._count(card, len(card.news))
            self._done.update((one.id, one.seq) for one in card.news)
            self.arrived.difference_update(one.id for one in card.news)
        if self.current is not None and not self.waits(self.current):
            self.go_on()

    def undecide(self, cards: Sequence[Card]) -> None:
        """Take cards back that could not be decided; the first is the current one again."""
        for card in cards:
            if not self.waits(card):
                self._count(card, -len(card.news))
            for one in card.news:
                self._done.pop(one.id, None)
        self.current = self._find(key(cards[0])) or self.current

    def _count(self, card: Card, facts: int) -> None:
        pile = self._pile_of(card)
        if pile is not None:
            pile.done += facts

    def put_later(self) -> None:
        """Put the current card off, and go on."""
        if self.current is not None:
            self.later.add(key(self.current))
            self.put_off.append(self.current)
            self.go_on()

    def take_up(self) -> bool:
        """Go back to the card put off last that still waits; whether there was one."""
        while self.put_off:
            wanted = key(self.put_off.pop())
            self.later.discard(wanted)
            found = self._find(wanted)
            if found is not None and self.waits(found):
                self.current = found
                return True
        return False

    def take_up_all(self) -> None:
        """Begin again with all that was put off."""
        self.later.clear()
        self.put_off.clear()
        self.go_on()

    def open_pile(self, at: int) -> bool:
        """Go to the first card of a session that waits, put off or not; whether it has one."""
        if not 0 <= at < len(self.piles):
            return False
        waiting = [card for card in self.piles[at].cards if self.waits(card)]
        if not waiting:
            return False
        self.current = next((card for card in waiting if key(card) not in self.later), waiting[0])
        self.later.discard(key(self.current))
        return True

    def next_pile(self, step: int) -> bool:
        """Go to the next session, or with -1 to the one before, that has something left."""
        pile = self.pile
        at = self.piles.index(pile) if pile is not None else -1 if step > 0 else 0
        return any(self.open_pile((at + step * far) % len(self.piles)) for far in range(1, len(self.piles)))

    def _find(self, wanted: str) -> Card | None:
        return next((card for pile in self.piles for card in pile.cards if key(card) == wanted), None)

    # Reading anew

    def take(self, found: Look, *, settled: bool, undone: Collection[str] = ()) -> list[Card]:
        """Take in what was read.

        Args:
            found: the reading.
            settled: whether everything that was decided had been written by then; else it is not yet believed that a
                decided fact waits again.
            undone: ids of facts about which something was taken back: a card of them is the current one.

        Returns:
            The cards of the facts that came back so.
        """
        first = self.since is None
        self.since = found.since
        ids = {one.id for card in found.inbox.cards for one in card.news}
        new = set() if first else ids - self._known
        self._known |= ids
        following = [key(card) for card in islice(self.coming(), _AHEAD)]
        for id in tuple(self._done) if settled else undone:
            self._done.pop(id, None)
        self.arrived = ((self.arrived | new) & ids).difference(undone)
        wanted = key(self.current) if self.current is not None else ""
        self._arrange(found)
        again = [card for card in found.inbox.cards if any(one.id in undone for one in card.news)] if undone else []
        if first:
            self.current = self._where(found)
        elif again:
            self.current = again[0]
        else:
            self._stay(wanted, following)
        return again

    def _stay(self, wanted: str, following: Sequence[str]) -> None:
        """Keep the current card, or where it no longer waits, go to the first that followed it."""
        cards = {key(card): card for pile in self.piles for card in pile.cards}
        kept = (cards[name] for name in (wanted, *following) if name in cards and self.waits(cards[name]))
        self.current = next(kept, None)
        if self.current is None:
            self.go_on()

    def _arrange(self, found: Look) -> None:
        """The piles as they were, with what was read; new ones come where the reading has them."""
        waiting = {group.session: group.cards for group in found.inbox.groups}
        decided: dict[Session | None, Past] = {past.session: past for past in found.past}
        newest = {group.session: group.newest for group in found.inbox.groups}
        newest.update({session: past.newest for session, past in decided.items() if session not in newest})
        known = [pile.session for pile in self.piles if pile.session in newest]
        fresh = sorted((session for session in newest if session not in known), key=lambda one: -newest[one])
        order = sorted([*fresh, *known], key=lambda session: session is not None)
        self.piles = [self._made(session, waiting.get(session, []), decided.get(session)) for session in order]

    def _made(self, session: Session | None, cards: list[Card], past: Past | None) -> Pile:
        facts = sum(len(card.news) for card in cards)
        done = sum(len(card.news) for card in cards if not self.waits(card)) if self._done else 0
        return Pile(session, cards, past.decided if past is not None else 0, facts, done)

    def _where(self, found: Look) -> Card | None:
        """Where the reviewer was: the card after the last decision, or the first."""
        if self.piles and self.piles[0].session is None:
            return self.piles[0].cards[0]
        last = found.last
        at = next((n for n, pile in enumerate(self.piles) if last and pile.session == last.session), -1)
        if last is not None and at >= 0:
            here = [card for card in self.piles[at].cards if card.first.seq > last.newest]
            after = [card for pile in self.piles[at + 1 :] for card in pile.cards]
            if following := here or after or self.piles[at].cards:
                return following[0]
        return next((card for pile in self.piles for card in pile.cards), None)
