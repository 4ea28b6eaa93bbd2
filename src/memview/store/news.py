"""What a reviewer has not decided yet: the reading of the change feed that the inbox rests on.

A fact is news to a reviewer while an agent (or another program) changed what it says after the reviewer last decided
on it or wrote it themself. What people wrote is no news, nor is what was undone, nor is more evidence for the same
text. Where the reading begins stands in ``settings``: a reviewer may start from now, and everything before the first
undecided change need not be looked at again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from memview.store import feed
from memview.store.conditions import ALL, Every
from memview.store.words import as_text

PERSON = "person:"
"""What the actor of a person's own change begins with."""

Kind = Literal["new", "changed", "forgotten", "tried"]
"""``tried``: an agent wrote a text again that stays forgotten."""

SAYS = (
    "content", "category", "tags", "summary", "importance", "memory_type", "confidentiality", "status", "namespace",
    "pinned", "origin",
)  # fmt: skip
"""The columns whose change by an agent is news."""

_OURS = ("content", "status")
"""What a person decides about a fact: an agent that changes it after them overwrites their decision."""
_STRIDE = 200


class Start(NamedTuple):
    """Where a reviewer's reading of the feed begins."""

    floor: int
    """Changes up to this one are not news: the reviewer chose to start after them."""
    mark: int
    """Nothing up to this change is undecided, but for what was undone since."""


class News(NamedTuple):
    """A fact that waits for a decision."""

    n: int
    id: str
    version: int
    """The version that a decision is about."""
    kind: Kind
    seq: int
    """The agent's last change of it, or try."""
    first: int
    """The oldest change that is undecided."""
    tenant: str
    namespace: str
    session: str
    agent: str
    """Who did it; empty for a program that did not say."""
    at: str
    """When, in its stored form."""
    before: dict[str, Any]
    """What the columns held before, where that differs; values as they are stored."""
    overwrites: str
    """The person whose words or decision the agent changed; empty for nobody's."""
    times: int
    """How often it was tried; 1 for the other kinds."""


class _Fact(NamedTuple):
    n: int
    id: str
    version: int
    status: str
    tenant: str
    namespace: str
    session: str
    agent: str


class _Change(NamedTuple):
    id: str
    seq: int
    at: str
    actor: str | None
    action: str | None
    op: str
    before: str | None


def start(raw: sqlite3.Connection, reviewer: str | None) -> Start | None:
    """Where a reviewer begins; None for one who has not opened the inbox yet."""
    if reviewer is None:
        return None
    row = raw.execute("SELECT value FROM settings WHERE name = ?", (_setting(reviewer),)).fetchone()
    return Start(*json.loads(row[0])) if row else None


def begin(raw: sqlite3.Connection, reviewer: str, at: Start) -> None:
    """Remember where a reviewer begins; inside a transaction."""
    raw.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_setting(reviewer), json.dumps(list(at))))


def advance(raw: sqlite3.Connection, reviewer: str) -> None:
    """Move a reviewer's mark up to the first change that is undecided; inside a transaction."""
    at = start(raw, reviewer) or Start(0, 0)
    mark, last = at.mark, feed.last_seq(raw)
    while mark < last:
        sql = f"SELECT seq, {_ABOUT} FROM changes WHERE seq > ? ORDER BY seq LIMIT ?"
        portion = raw.execute(sql, (mark, _STRIDE)).fetchall()
        if not portion:
            break
        ids = {id for _, id in portion if id is not None}
        open_ = {news.id for news in _of_facts(raw, reviewer, _among(raw, reviewer, ids, ALL), at.floor)}
        stop = next((seq for seq, id in portion if id in open_), None)
        mark = portion[-1][0] if stop is None else stop - 1
        if stop is not None:
            break
    begin(raw, reviewer, Start(at.floor, mark))


def pending(raw: sqlite3.Connection, reviewer: str | None, tenant: str | Every = ALL) -> list[News]:
    """Every fact that waits for a decision of a reviewer, in the order in which agents changed them.

    Args:
        raw: an open connection; nothing is changed on it.
        reviewer: whose decisions count, e.g. ``person:ann``; None for those of any person.
        tenant: whose facts.
    """
    at = start(raw, reviewer) or Start(0, 0)
    found = _of_facts(raw, reviewer, _touched(raw, reviewer, at.mark, tenant), at.floor)
    known = {news.id for news in found}
    tried = [news for news in _tried(raw, reviewer, at.floor, tenant) if news.id not in known]
    return sorted([*found, *tried], key=lambda news: news.seq)


def _setting(reviewer: str) -> str:
    return f"inbox of {reviewer}"


_COLUMNS = "f.n, f.id, f.version, f.status, f.tenant, f.namespace, f.session, f.agent"
_UNDECIDED = (
    "(:tenant IS NULL OR f.tenant = :tenant) AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.fact = f.id "
    "AND d.reviewer = coalesce(:me, d.reviewer) AND d.version = f.version)"
)
_STATES = "f.status IN ('active', 'forgotten')"
_ABOUT = (
    "CASE WHEN kind = 'fact' THEN id WHEN kind = 'decision' AND op = 'delete' THEN json_extract(before, '$.fact') END"
)
"""The fact that a change makes worth looking at: one that changed, or on which a decision was taken back."""


def _touched(raw: sqlite3.Connection, reviewer: str | None, mark: int, tenant: str | Every) -> list[_Fact]:
    """The undecided facts that changed after a mark, or on which a decision was taken back after it."""
    source = "facts f"
    if mark:
        about = f"(SELECT DISTINCT {_ABOUT} AS id FROM changes WHERE seq > :mark)"
        source = f"{about} t CROSS JOIN facts f ON f.id = t.id"
    return _read(raw, source, reviewer, tenant, {"mark": mark})


def _among(raw: sqlite3.Connection, reviewer: str | None, ids: Iterable[str], tenant: str | Every) -> list[_Fact]:
    source = "json_each(:ids) w CROSS JOIN facts f ON f.id = w.value"
    return _read(raw, source, reviewer, tenant, {"ids": json.dumps(list(ids))})


def _read(
    raw: sqlite3.Connection, source: str, reviewer: str | None, tenant: str | Every, values: dict[str, Any]
) -> list[_Fact]:
    values |= {"me": reviewer, "tenant": None if isinstance(tenant, Every) else tenant}
    sql = f"SELECT {_COLUMNS} FROM {source} WHERE {_STATES} AND {_UNDECIDED}"
    return [_fact(row) for row in raw.execute(sql, values).fetchall()]


def _fact(row: Sequence[Any]) -> _Fact:
    if all(type(value) is str for value in row[3:]):
        return _Fact._make(row)
    return _Fact(row[0], row[1], row[2], *map(as_text, row[3:]))


def _of_facts(raw: sqlite3.Connection, reviewer: str | None, facts: Sequence[_Fact], floor: int) -> list[News]:
    ids = json.dumps([fact.id for fact in facts])
    decided = _decided(raw, reviewer, ids)
    changes = _changes(raw, ids)
    found = []
    for fact in facts:
        rows = changes.get(fact.id, [])
        seen = max(floor, decided.get(fact.id, 0))
        news = _just_learnt(fact, rows, seen) or _news(fact, list(_standing(rows)), reviewer, seen)
        if news is not None:
            found.append(news)
    return _different(raw, found)


def _just_learnt(fact: _Fact, rows: Sequence[_Change], seen: int) -> News | None:
    """The news of a fact of which an agent learnt it and nothing else is known, as of nearly all; else None."""
    if len(rows) != 1 or fact.status != "active":
        return None
    seq, actor = rows[0].seq, rows[0].actor or ""
    if rows[0].op != "insert" or seq <= seen or actor.startswith(PERSON):
        return None
    return News(
        fact.n, fact.id, fact.version, "new", seq, seq, fact.tenant, fact.namespace, fact.session, actor, rows[0].at,
        {}, "", 1,
    )  # fmt: skip


def _decided(raw: sqlite3.Connection, reviewer: str | None, ids: str) -> dict[str, int]:
    """For each fact the change that noted the reviewer's last decision on it."""
    sql = (
        "SELECT d.fact, max(c.seq) FROM json_each(?) w CROSS JOIN decisions d ON d.fact = w.value "
        "CROSS JOIN changes c ON c.id = d.id WHERE d.reviewer = coalesce(?, d.reviewer) GROUP BY 1"
    )
    return dict(raw.execute(sql, (ids, reviewer)).fetchall())


def _changes(raw: sqlite3.Connection, ids: str) -> dict[str, list[_Change]]:
    """The changes of each fact, newest first."""
    sql = (
        "SELECT c.id, c.seq, c.at, c.actor, c.action, c.op, c.before FROM json_each(?) w CROSS JOIN changes c "
        "ON c.id = w.value WHERE c.kind = 'fact'"
    )
    found: dict[str, list[_Change]] = {}
    for row in raw.execute(sql, (ids,)).fetchall():
        found.setdefault(row[0], []).append(_Change._make(row))
    for changes in found.values():
        changes.sort(key=attrgetter("seq"), reverse=True)
    return found


def _standing(changes: Iterable[_Change]) -> Iterator[_Change]:
    """The changes that were not undone, newest first, without the undoing."""
    cancelled: set[str] = set()
    for change in changes:
        if change.action in cancelled:
            continue
        if feed.verb(change.action) in ("undo", "redo"):
            cancelled.add((change.action or "").split(":", 2)[2])
            continue
        yield change


def _news(fact: _Fact, story: Sequence[_Change], reviewer: str | None, seen: int) -> News | None:
    """What agents did to a fact since the reviewer last saw it."""
    theirs = list(_by_agents(story, reviewer, seen))
    touched = [(change, _says(change)) for change in theirs]
    told = [(change, before) for change, before in touched if before or change.op == "insert"]
    if not told:
        return None
    before: dict[str, Any] = {}
    for _, held in told:
        before |= held
    is_new = any(change.op == "insert" for change, _ in told)
    forgotten = fact.status == "forgotten"
    if forgotten and (is_new or "status" not in before):
        return None
    last, first = told[0][0], told[-1][0]
    return News(
        fact.n, fact.id, fact.version, "forgotten" if forgotten else "new" if is_new else "changed", last.seq,
        first.seq, fact.tenant, fact.namespace, fact.session, last.actor or "", last.at, {} if is_new else before,
        _overwritten(story, before, first.seq), 1,
    )  # fmt: skip


def _by_agents(story: Iterable[_Change], reviewer: str | None, seen: int) -> Iterator[_Change]:
    for change in story:
        person = (change.actor or "").startswith(PERSON)
        if change.seq <= seen or change.actor == reviewer is not None or (reviewer is None and person):
            return
        if not person:
            yield change


def _says(change: _Change) -> dict[str, Any]:
    held = feed.untyped(change.before) if change.op == "update" else None
    return {name: value for name, value in (held or {}).items() if name in SAYS}


def _overwritten(story: Sequence[_Change], before: dict[str, Any], first: int) -> str:
    """The person who had set what agents changed last."""
    for name in _OURS:
        if name in before:
            for change in story:
                if change.seq < first and (change.op == "insert" or name in _says(change)):
                    if (change.actor or "").startswith(PERSON):
                        return change.actor or ""
                    break
    return ""


def _different(raw: sqlite3.Connection, found: list[News]) -> list[News]:
    """The same without columns that are again what they were, and without facts of which nothing is left."""
    changed = [news.n for news in found if news.kind != "new"]
    sql = f"SELECT n, {', '.join(SAYS)} FROM facts WHERE n IN (SELECT value FROM json_each(?))"
    now = {row[0]: dict(zip(SAYS, row[1:], strict=True)) for row in raw.execute(sql, (json.dumps(changed),)).fetchall()}
    kept = []
    for news in found:
        if news.kind != "new":
            differs = {name: value for name, value in news.before.items() if now[news.n][name] != value}
            if not differs:
                continue
            news = news._replace(before=differs)
        kept.append(news)
    return kept


def _tried(raw: sqlite3.Connection, reviewer: str | None, floor: int, tenant: str | Every) -> list[News]:
    """The forgotten texts that agents wrote again."""
    values = {"me": reviewer, "tenant": None if isinstance(tenant, Every) else tenant, "floor": floor}
    rows = raw.execute(
        f"SELECT {_COLUMNS}, a.agent, a.times, a.seq, a.at FROM attempts a CROSS JOIN facts f ON f.id = a.fact "
        f"WHERE f.status = 'forgotten' AND a.seq >= :floor AND a.agent NOT GLOB '{PERSON}*' AND {_UNDECIDED} "
        "ORDER BY a.seq",
        values,
    ).fetchall()
    latest = {row[1]: row for row in rows}
    times = {id: sum(row[9] for row in rows if row[1] == id) for id in latest}
    return [
        News(
            fact.n, fact.id, fact.version, "tried", seq, seq, fact.tenant, fact.namespace, fact.session, as_text(agent),
            at, {}, "", times[fact.id],
        )
        for fact, (agent, _, seq, at) in ((_fact(row[:8]), row[8:]) for row in latest.values())
    ]  # fmt: skip
