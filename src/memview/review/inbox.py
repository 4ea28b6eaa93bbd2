"""The inbox: what agents learnt, changed and forgot, and what a reviewer has not decided yet.

A reading of the change feed (:mod:`memview.store.news`), put in the order in which a person works it off: what
overwrites a person's words first, then session by session, the one with the newest change first, and in each what came
first. New facts that say the same make one card. Looking writes nothing; decisions are made by
:class:`memview.review.deciding.Reviewing`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Literal, NamedTuple

from memview.review.quote import best_sentence
from memview.store import news, rows, select
from memview.store.aim import Aim
from memview.store.conditions import ALL, Every, Query
from memview.store.echoes import echoes
from memview.store.news import Kind as Kind
from memview.store.news import News as News
from memview.store.orders import commands
from memview.store.rows import FactDetail, FactRow, Source
from memview.store.secrets import has_secret
from memview.store.words import any_of, as_text, terms
from memview.text import is_hostile

Flag = Literal["secret", "hostile", "command", "echo"]
"""Why a card wants a second look: it holds a secret, characters that a terminal would obey or hide, or an order, or it
only hands back what was recalled."""

ALIKE = 0.7
"""How alike a fact must be, 0 to 1, to be shown as already there."""
_COMPARED = 20
"""How many facts of a search are compared with the new one."""
_WORDS = 8
"""How many of a text's words, the longest, are looked for."""
_RARE = 1_000
"""A word that fewer facts have tells something by itself; common ones are looked for together."""
_TOGETHER = 3
"""How many of them."""


class Session(NamedTuple):
    """Where the facts of a group were learnt."""

    tenant: str
    session: str
    agent: str


@dataclass(frozen=True, slots=True)
class Card:
    """What is decided at once: a fact, or several that say the same."""

    news: tuple[News, ...]
    """The newest first."""
    content: str
    """The text of the first, whole."""

    @property
    def flags(self) -> tuple[Flag, ...]:
        """Why it wants a second look."""
        return flags(self.content)

    @property
    def first(self) -> News:
        """The fact that is shown."""
        return self.news[0]

    @property
    def kind(self) -> Kind:
        """What happened to it."""
        return self.first.kind

    @property
    def aims(self) -> list[Aim]:
        """The facts as they were seen, for a decision."""
        return [Aim(one.n, one.version) for one in self.news]


@dataclass(slots=True)
class Group:
    """The cards of one session; ``session`` is None for those that overwrite a person's words."""

    session: Session | None
    cards: list[Card] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many facts wait."""
        return sum(len(card.news) for card in self.cards)

    @property
    def newest(self) -> int:
        """The number of its newest change."""
        return max(card.first.seq for card in self.cards)


@dataclass(slots=True)
class Inbox:
    """Everything that waits for one reviewer, as of one moment."""

    groups: list[Group]
    begun: bool
    """Whether the reviewer has decided anything yet, or said where to start. If not, ask: all, or from now."""

    @property
    def left(self) -> int:
        """How many facts wait."""
        return sum(group.left for group in self.groups)

    @property
    def cards(self) -> list[Card]:
        """All cards in the order in which they are worked off."""
        return [card for group in self.groups for card in group.cards]


class Alike(NamedTuple):
    """A fact that is there already and says something like it."""

    fact: FactRow
    score: float
    """How alike the texts are, 0 to 1; see :func:`memview.review.nearness.alike`."""
    same: bool
    """Whether the two state the same, so that one can be merged into the other."""


class Opened(NamedTuple):
    """A card with what is known of its fact."""

    card: Card
    detail: FactDetail
    sources: list[Source]
    """The turns it came from."""
    quote: str
    """The sentence it came from; empty where none of the turns shares a word with it."""
    quoted: Source | None
    """The turn of that sentence."""


def count(raw: sqlite3.Connection, reviewer: str, tenant: str | Every = ALL) -> int:
    """How many facts wait for a reviewer: the number of a badge."""
    return len(news.pending(raw, reviewer, tenant))


def inbox(raw: sqlite3.Connection, reviewer: str, tenant: str | Every = ALL) -> Inbox:
    """Everything that waits for a reviewer.

    Args:
        raw: an open connection; nothing is changed on it.
        reviewer: an actor such as ``person:ann``; see :func:`memview.memory.person.person`.
        tenant: whose facts.
    """
    found = news.pending(raw, reviewer, tenant)
    texts = _texts(raw, [one.n for one in found])
    cards = [_card(several, texts) for several in _alike_ones(found, texts)]
    over = [card for card in cards if card.first.overwrites]
    groups: dict[Session, Group] = {}
    for card in cards:
        if not card.first.overwrites:
            key = _session(card.first)
            groups.setdefault(key, Group(key)).cards.append(card)
    ordered = sorted(groups.values(), key=lambda group: -group.newest)
    begun = news.start(raw, reviewer) is not None or _has_decided(raw, reviewer)
    return Inbox([*([Group(None, over)] if over else []), *ordered], begun)


def opened(raw: sqlite3.Connection, card: Card) -> Opened | None:
    """A card with its fact whole and where it came from; None where the fact is gone."""
    detail = rows.fact(raw, card.first.n)
    if detail is None:
        return None
    sources = rows.sources(raw, detail.turns)
    quote, quoted = _quoted(raw, detail, sources)
    return Opened(card, detail, sources, quote, quoted)


def already_there(raw: sqlite3.Connection, detail: FactDetail, now: datetime, limit: int = 3) -> list[Alike]:
    """The facts of the same namespace that say something like a fact, the most alike first."""
    from memview.memory.likeness import same
    from memview.review.nearness import alike

    row = detail.row
    here = Query(tenant=row.tenant, namespace=row.namespace, order="relevance", limit=_COMPARED)
    query = _telling(raw, here, detail.content)
    if not query.terms:
        return []
    found = select.find(raw, query, now)
    others = [other for other in rows.fact_rows(raw, found.keys).values() if other.n != row.n]
    rated = [
        Alike(other, alike(detail.content, other.content), same(detail.content, other.content)) for other in others
    ]
    like = [one for one in rated if one.same or one.score >= ALIKE]
    return sorted(like, key=lambda one: (not one.same, -one.score))[:limit]


def _telling(raw: sqlite3.Connection, here: Query, text: str) -> Query:
    """A query for any of the rarest words of a text, or where none is rare for all of the longest."""
    longest = sorted(terms(text[:2_000]), key=lambda term: -len(term.text))[:_WORDS]
    sql = f"SELECT count(*) FROM (SELECT 1 FROM facts_index WHERE facts_index MATCH ? LIMIT {_RARE})"
    hits = {term: raw.execute(sql, (any_of((term,), prefix=False),)).fetchone()[0] for term in longest if term.pieces}
    rare = [term for term, count in hits.items() if count < _RARE]
    if rare:
        return replace(here, terms=tuple(rare), match="any")
    return replace(here, terms=tuple(hits)[:_TOGETHER], match="all")


def decided(raw: sqlite3.Connection, reviewer: str, tenant: str | Every = ALL) -> dict[Session, int]:
    """How many facts of each session the reviewer has decided on: the other half of a progress bar."""
    found = raw.execute(
        "SELECT f.tenant, f.session, f.agent, count(DISTINCT d.fact) FROM decisions d "
        "CROSS JOIN facts f ON f.id = d.fact "
        "WHERE d.reviewer = :me AND (:tenant IS NULL OR f.tenant = :tenant) GROUP BY 1, 2, 3",
        {"me": reviewer, "tenant": None if isinstance(tenant, Every) else tenant},
    )
    return {Session(as_text(t), as_text(s), as_text(a)): number for t, s, a, number in found.fetchall()}


@lru_cache(1_024)
def flags(text: str) -> tuple[Flag, ...]:
    """Why a text wants a second look."""
    checks: tuple[tuple[Flag, bool], ...] = (
        ("secret", has_secret(text)), ("hostile", is_hostile(text)), ("command", commands(text)),
        ("echo", echoes(text)),
    )  # fmt: skip
    return tuple(flag for flag, holds in checks if holds)


def _session(one: News) -> Session:
    return Session(one.tenant, one.session, one.agent)


def _has_decided(raw: sqlite3.Connection, reviewer: str) -> bool:
    return raw.execute("SELECT 1 FROM decisions WHERE reviewer = ? LIMIT 1", (reviewer,)).fetchone() is not None


def _texts(raw: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, str]:
    sql = "SELECT f.n, f.content FROM json_each(?) w CROSS JOIN facts f ON f.n = w.value"
    return {n: as_text(text) for n, text in raw.execute(sql, (json.dumps(list(numbers)),)).fetchall()}


def _alike_ones(found: Iterable[News], texts: dict[int, str]) -> list[list[News]]:
    """The news in order, new facts of a tenant that say the same together."""
    from memview.memory.likeness import normalised

    groups: dict[object, list[News]] = {}
    for one in found:
        key = (one.tenant, normalised(texts[one.n])) if one.kind == "new" and not one.overwrites else one.id
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _card(several: Sequence[News], texts: dict[int, str]) -> Card:
    newest = tuple(sorted(several, key=lambda one: -one.seq))
    return Card(newest, texts[newest[0].n])


def _quoted(raw: sqlite3.Connection, detail: FactDetail, sources: Sequence[Source]) -> tuple[str, Source | None]:
    for source in sources:
        turn = rows.turn(raw, source.turn.n) if source.turn else None
        quote = best_sentence(detail.content, turn.request, turn.response, detail.row.origin) if turn else ""
        if quote:
            return quote, source
    return "", None
