"""A query becomes rows: the one function that the list, the command line, counts and bulk actions share.

The records of a query are found in two steps: words through the text index, everything else as plain conditions on the
table. :mod:`memview.store.ranking` says in which order records that match come.
"""

from __future__ import annotations

import json
import math
import sqlite3
from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from memview import clock
from memview.store import index, leading, traits, within
from memview.store.aim import Aim
from memview.store.conditions import ALL, Bound, Every, Exclusion, Query
from memview.store.decay import EFFECTIVE
from memview.store.words import Term, all_of, any_of, none_of

if TYPE_CHECKING:
    from memview.store.narrowing import Guide

How = Literal["all", "corrected", "any"]


@dataclass(slots=True)
class Found:
    """The records of a query, in order."""

    keys: array[int]
    """Their numbers."""
    scores: dict[int, float] = field(default_factory=dict)
    """By number, where words were looked for and the order is ``relevance``; higher is better."""
    why: dict[int, str] = field(default_factory=dict)
    """By number, what a score rests on."""
    how: How = "all"
    """``corrected`` or ``any`` when nothing had all the words as typed; see :mod:`memview.store.lookup`."""
    terms: tuple[Term, ...] = ()
    """What was looked for, corrections in place; for lighting the matches."""
    readings: tuple[tuple[Term, ...], ...] = ()
    """Where words were corrected, each way to read them that has records, the likeliest first."""


class Plan:
    """The SQL of a query: where its rows come from, what must hold, and the values of both."""

    def __init__(self, raw: sqlite3.Connection, query: Query, now: datetime, guide: Guide | None = None) -> None:
        self.query = query
        self.what = index.FACTS if query.kind == "facts" else index.TURNS
        self.raw = raw
        self.guide = guide
        self.values: dict[str, Any] = {"now": clock.to_text(now), "day_ago": clock.to_text(now - _DAY)}
        self.alone: str | None = query.namespace if isinstance(query.namespace, str) else None
        """The one namespace of all rows, where that is known."""
        self.where = list(self._conditions())
        self.match = (all_of if query.match == "all" else any_of)(query.terms, prefix=query.prefix)
        self.source = self.what.table + " r"
        if self.match:
            self.values["match"] = self.match
            self.source = self.hits()
        elif unwanted := none_of(query.terms):
            self.values["match"] = unwanted
            self.where.append(f"r.n NOT IN ({index.hits(raw, self.what)})")
        have_exp(raw)

    def sql(self, columns: str, *, texts: bool = False) -> str:
        """A SELECT of these columns over the query's rows, unordered; with the texts of its hits it has a WHERE."""
        conditions = [*([within.MARKED] if self.marked else []), *self.where] or ["1"] * texts
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"SELECT {columns} FROM {self.hits(texts=True) if texts else self.source}{where}"

    def hits(self, *, texts: bool = False) -> str:
        """The records ``r`` that match ``:match``, beside their hits ``h``; see `memview.store.index.hits`."""
        return f"({index.hits(self.raw, self.what, texts=texts)}) h CROSS JOIN {self.what.table} r ON r.n = h.n"

    @cached_property
    def marked(self) -> within.Marks | None:
        """The facts of the one namespace: of a hit they tell whether it is there before its text or record is read."""
        marked = within.marked(self.raw, *self.scope) if self.match and self.scope else None
        if marked:
            self.values |= marked.values
        return marked

    @cached_property
    def records(self) -> int:
        """How many records there are, at most."""
        (records,) = self.raw.execute(f"SELECT max(n) FROM {self.what.table}").fetchone()
        return max(1, records or 1)

    @property
    def part(self) -> float:
        """Which part of all records the query is about, as far as is known."""
        return 1.0 if self.marked is None else min(1.0, max(1, self.marked.facts) / self.records)

    @property
    def scope(self) -> tuple[str, str] | None:
        """Tenant and namespace of all facts, where there is one namespace of one tenant."""
        query = self.query
        if query.kind == "turns" or isinstance(query.tenant, Every) or self.alone is None:
            return None
        return query.tenant, self.alone

    def order(self) -> str:
        """What follows ORDER BY where words do not decide."""
        n = "h.n DESC" if self.match else "r.n DESC"
        if self.query.order == "oldest":
            return n.removesuffix(" DESC")
        return n if self.number is None else f"{self.number} DESC, {n}"

    @property
    def number(self) -> str | None:
        """The number of a record that its place in the order depends on; None where its age alone does."""
        return _NUMBERS.get(self.query.order) if self.query.kind == "facts" else None

    def bind(self, value: object) -> str:
        """A placeholder for a value."""
        name = f"v{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def _conditions(self) -> list[str]:
        query = self.query
        found = []
        if query.tenant is not ALL:
            found.append(f"r.tenant = {self.bind(query.tenant)}")
        if query.namespace is not ALL:
            found.append(f"r.namespace IS {self.bind(query.namespace)}")
        if query.under is not None:
            found.append(self._below(query.under))
        found += [self._one_of(name, getattr(query, name)) for name in _LISTS if getattr(query, name)]
        if query.turn is not None:
            found.append(self._from_turn(query.turn))
        found += [f"NOT coalesce({self._excluded(part)}, 0)" for part in query.excluded]
        found += self._states() + self._traits() + self._dates()
        found += [self._literal(term) for term in query.terms if self._stands_alone(term)]
        return found

    def _below(self, name: str) -> str:
        """That namespace and those below it; by its name alone where there are none, for that is found sooner."""
        if self.query.kind == "facts" and self.query.tenant is not ALL and self.alone is None:
            below = "SELECT 1 FROM facts WHERE tenant = ? AND namespace >= ? AND namespace < ? LIMIT 1"
            bounds = ((name + first, name + beyond) for first, beyond in (":;", "/0"))
            if not any(self.raw.execute(below, (self.query.tenant, *between)).fetchone() for between in bounds):
                self.alone = name
                return f"r.namespace = {self.bind(name)}"
        return self._under(name)

    def _under(self, name: str) -> str:
        """Equal, or between ``name:`` and ``name;``, or between ``name/`` and ``name0``: what follows the separator.

        An index finds what lies between all of these.
        """
        own, slash, beyond_slash, colon, beyond = (self.bind(name + more) for more in ("", "/", "0", ":", ";"))
        return (
            f"(r.namespace >= {own} AND r.namespace < {beyond} AND (r.namespace >= {colon} OR r.namespace = {own} "
            f"OR (r.namespace >= {slash} AND r.namespace < {beyond_slash})))"
        )

    def _one_of(self, name: str, values: Sequence[str]) -> str:
        marks = ", ".join(self.bind(value) for value in values)
        if self.query.kind == "turns" and name not in ("agents", "sessions"):
            return "0"
        if name == "tags":
            return f"EXISTS (SELECT 1 FROM json_each(iif(json_valid(r.tags), r.tags, '[]')) WHERE value IN ({marks}))"
        return f"r.{_LISTS[name]} IN ({marks})"

    def _from_turn(self, turn: str) -> str:
        if self.query.kind == "turns":
            return f"r.id = {self.bind(turn)}"
        return f"r.id IN (SELECT fact FROM evidence WHERE turn = {self.bind(turn)})"

    def _excluded(self, part: Exclusion) -> str:
        if part.field == "under":
            return self._under(part.value)
        if part.field == "namespace":
            return f"r.namespace = {self.bind(part.value)}"
        return self._from_turn(part.value) if part.field == "turn" else self._one_of(part.field, (part.value,))

    def _states(self) -> list[str]:
        query = self.query
        if query.kind == "turns":
            asked = (query.pinned, query.accepted, query.news, query.unseen, query.stale, query.echo, query.duplicate)
            only_facts = any(state is not None for state in asked) or query.bounds
            return ["0"] if only_facts or query.statuses not in ((), ("active",)) else []
        found = [f"r.status IN ({', '.join(map(self.bind, query.statuses))})"] if query.statuses else []
        if query.pinned is not None:
            found.append("r.pinned" if query.pinned else "NOT r.pinned")
        if query.accepted is not None:
            found.append(_ACCEPTED if query.accepted else f"NOT {_ACCEPTED}")
        if query.stale is not None:
            found.append(_STALE if query.stale else f"NOT {_STALE}")
        found += self._waiting()
        return found + [self._bound(bound) for bound in query.bounds]

    def _waiting(self) -> list[str]:
        """What of the facts waits for the reviewer, as lists of their numbers."""
        query = self.query
        if query.news is None and query.unseen is None:
            return []
        from memview.store import news

        waiting = news.pending(self.raw, query.reviewer, query.tenant)
        asked = ((query.news, waiting), (query.unseen, [one for one in waiting if one.kind == "new"]))
        lists = [(holds, json.dumps([one.n for one in some])) for holds, some in asked if holds is not None]
        return [
            f"r.n {'' if holds else 'NOT '}IN (SELECT value FROM json_each({self.bind(some)}))" for holds, some in lists
        ]

    def _traits(self) -> list[str]:
        """What the texts are, as lists of numbers."""
        names = traits.OF_FACTS if self.query.kind == "facts" else traits.OF_TURNS
        asked = [(name, holds) for name in names if (holds := getattr(self.query, name)) is not None]
        found = [(holds, traits.numbers(self.raw, name, self.query.kind)) for name, holds in asked]
        return [
            f"r.n {'' if holds else 'NOT '}IN (SELECT value FROM json_each({self.bind(json.dumps(list(some)))}))"
            for holds, some in found
        ]

    def _bound(self, bound: Bound) -> str:
        return f"{_NUMBERS[bound.field]} {bound.op} {self.bind(bound.value)}"

    def _dates(self) -> list[str]:
        column = "r.created_at" if self.query.kind == "facts" else "r.at"
        limits = (("<", self.query.before), (">=", self.query.after))
        return [f"{column} {op} {self.bind(clock.to_text(moment))}" for op, moment in limits if moment is not None]

    def _stands_alone(self, term: Term) -> bool:
        """Whether a term without letters counts: with ``any`` only where nothing else is looked for."""
        others = any(not (other.literal or other.exclude) for other in self.query.terms)
        return term.literal and bool(term.text) and (self.query.match == "all" or term.exclude or not others)

    def _literal(self, term: Term) -> str:
        columns = ("content", "tags", "category") if self.query.kind == "facts" else ("request", "response")
        text = self.bind(term.text)
        held = " OR ".join(f"instr(r.{column}, {text})" for column in columns)
        return f"NOT ({held})" if term.exclude else f"({held})"


_ACCEPTED = (
    "EXISTS (SELECT 1 FROM decisions d WHERE d.fact = r.id AND d.version = r.version AND d.decision = 'accepted')"
)
_LISTS = {
    "tags": "tags", "categories": "category", "memory_types": "memory_type", "agents": "agent", "origins": "origin",
    "sessions": "session",
}  # fmt: skip
_NUMBERS = {
    "strength": EFFECTIVE,
    "importance": "r.importance",
    "recalled": "r.access_count",
}

_DAY = timedelta(days=1)
_STALE = f"(NOT r.pinned AND r.created_at < :day_ago AND {_NUMBERS['strength']} < 0.1)"


def find(
    raw: sqlite3.Connection, query: Query, now: datetime, guide: Guide | None = None, *, scored: bool = True
) -> Found:
    """The records of a query in its order, at most ``query.limit``.

    Args:
        raw: an open connection; nothing is changed on it.
        query: what is meant.
        now: the present, from which strength fades.
        guide: what is known of the index already: the same is found sooner.
        scored: whether scores are wanted. Without them a million records take a tenth of the memory.
    """
    plan = Plan(raw, query, now, guide)
    limit = query.limit or -1
    if query.order == "relevance" and plan.match:
        from memview.store import ranking

        if not scored and limit < 0 and query.match == "all":
            return Found(ranking.numbers(raw, plan), terms=query.terms)
        ranked = ranking.ranked(raw, plan, limit)
        return Found(
            array("q", [n for n, _, _ in ranked]), {n: score for n, score, _ in ranked},
            {n: why for n, _, why in ranked}, "all", query.terms,
        )  # fmt: skip
    if query.order == "sessions" and query.kind == "turns":
        from memview.store import sessions

        return Found(sessions.by_session(raw, plan, limit), terms=query.terms)
    if query.order == "newest" and plan.match and query.match == "all" and query.limit:
        from memview.store import ranking

        return Found(array("q", ranking.newest(raw, plan, query.limit)), terms=query.terms)
    if limit > 0 and not plan.match:
        leading.narrow(raw, plan, limit)
    sql = f"{plan.sql('r.n')} ORDER BY {plan.order()} LIMIT {limit}"
    return Found(array("q", chain.from_iterable(raw.execute(sql, plan.values))), terms=query.terms)


def among(raw: sqlite3.Connection, query: Query, now: datetime, numbers: Collection[int]) -> set[int]:
    """Those of some records, by number, that a query has; ``limit`` is not heeded."""
    plan = Plan(raw, query, now)
    plan.values["numbers"] = json.dumps(list(numbers))
    plan.where.append("r.n IN (SELECT value FROM json_each(:numbers))")
    return {n for (n,) in raw.execute(plan.sql("r.n"), plan.values)}


def aims(raw: sqlite3.Connection, query: Query, now: datetime) -> list[Aim]:
    """The facts of a query as they are now, each with its version, newest first; ``limit`` is not heeded."""
    plan = Plan(raw, query, now)
    return [
        Aim(n, version) for n, version in raw.execute(f"{plan.sql('r.n, r.version')} ORDER BY r.n DESC", plan.values)
    ]


def count(raw: sqlite3.Connection, query: Query, now: datetime) -> int:
    """Exactly how many records a query has, ``limit`` aside."""
    from memview.store import counting

    plan = Plan(raw, query, now)
    hits = counting.hits(raw, plan)
    return int(raw.execute(plan.sql("count(*)"), plan.values).fetchone()[0]) if hits is None else hits


def everywhere(query: Query) -> Query:
    """The same query without its scope."""
    return replace(query, namespace=ALL, under=None)


def have_exp(raw: sqlite3.Connection) -> None:
    """Give a connection ``exp`` where SQLite was built without its math functions."""
    try:
        raw.execute("SELECT exp(0)").fetchone()
    except sqlite3.OperationalError:
        raw.create_function("exp", 1, math.exp, deterministic=True)
