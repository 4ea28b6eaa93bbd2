"""What can be erased from here, and how each is told before and after; no screen inside."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memview.memory import looking
from memview.memory.looking import FactDetail, FactRow, Query, TurnDetail
from memview.review import masking
from memview.text import one_line

_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TOKEN = re.compile(r"[^\s\"'`,;()\[\]{}<>]{8,}")
_SHORTEST = 4
"""Characters a value must have to be erased wherever it stands."""
_MOST_VALUES = 6
SHOWN = 200
"""The most characters by which a thing is told apart; a line shows as many as fit."""


@dataclass(frozen=True, slots=True)
class Target:
    """One thing to erase."""

    what: str
    """What it is, in a few words."""
    shown: str
    """How it is told apart from others, safe to show on a line; may be empty."""
    tenant: str
    named: dict[str, Any]
    """How :meth:`memview.MemoryStore.erase` is told: ``ids``, ``session``, ``namespace`` or ``value``."""
    others: tuple[Target, ...] = ()
    """What goes with it in other tenants."""
    whole: bool = False
    """Whether the value is all that a record says."""

    @property
    def parts(self) -> tuple[Target, ...]:
        """It and what goes with it, each of one tenant."""
        return (self, *self.others)

    @property
    def value(self) -> str:
        """The value, where every copy of one is meant."""
        return str(self.named.get("value", ""))


@dataclass(frozen=True, slots=True)
class Counted:
    """What an erase would reach."""

    places: dict[str, int]
    """How many facts, turns, links and entries of history hold it, and unsaved drafts."""
    recalled: int
    """How often agents were given the facts that hold it, as far as they counted."""


def targets(record: FactDetail | TurnDetail | None, namespace: tuple[str, str] | None = None) -> list[Target]:
    """What can be erased from a place.

    Args:
        record: the fact or turn under the cursor.
        namespace: tenant and name of the namespace under the tree's cursor.
    """
    if namespace is not None:
        tenant, name = namespace
        return [Target("this namespace", one_line(name, SHOWN) or '""', tenant, {"namespace": name})]
    if record is None:
        return []
    row = record.row
    texts = [record.content] if isinstance(record, FactDetail) else [record.request, record.response]
    kind = "this fact" if isinstance(record, FactDetail) else "this turn"
    found = [Target(kind, masking.line(texts[0] or texts[-1], SHOWN), row.tenant, {"ids": [row.id]})]
    whole = "\n".join(texts)
    copies = [
        _copies(value, whole, row.tenant, all=value in texts and not like_a_key(value)) for value in values(texts)
    ]
    found += [target for target in copies if not target.whole]
    if row.session:
        found.append(Target("its session", one_line(row.session, SHOWN), row.tenant, {"session": row.session}))
    return found + [target for target in copies if target.whole]


def _copies(value: str, among: str, tenant: str, *, all: bool) -> Target:
    """Every copy of a value: of a part of what a record says, or of all of it."""
    what = "the same text" if all else "every copy of"
    shown = one_line(masking.part_hidden(value, among), SHOWN)
    return Target(what, shown, tenant, {"value": value}, whole=all)


def marked(rows: Sequence[FactRow], left: int) -> list[Target]:
    """Facts that were marked as one thing to erase; none where there are no facts.

    Args:
        rows: the facts, of any tenant.
        left: how many marked ones stay, since they were changed after that or are gone.
    """
    ids: dict[str, list[str]] = {}
    for row in rows:
        ids.setdefault(row.tenant, []).append(row.id)
    if not ids:
        return []
    what = f"{len(rows):,} marked {'fact' if len(rows) == 1 else 'facts'}"
    shown = f"not {left:,} that changed or went since they were marked" if left else ""
    first, *others = (Target(what, shown, tenant, {"ids": named}) for tenant, named in ids.items())
    return [replace(first, others=tuple(others))]


def values(texts: list[str]) -> list[str]:
    """The telling parts of some texts: addresses, keys and numbers, then the texts themselves."""
    found = dict.fromkeys(part for text in texts for part in _parts(text[:20_000]))
    return [*list(found)[:_MOST_VALUES], *(text for text in texts if len(text.strip()) >= _SHORTEST)]


def _parts(text: str) -> Iterator[str]:
    for match in _MAIL.finditer(text):
        yield match[0]
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".:!?")
        token = token.rpartition("=")[2] if "=" in token.rstrip("=") else token
        if token != text and len(token) >= 8 and any(c.isdigit() for c in token) and not _MAIL.search(token):
            yield token


def like_a_key(value: str) -> bool:
    """Whether a value looks like a key or password rather than like words."""
    one = value.strip()
    return len(one) >= 16 and not any(c.isspace() for c in one) and "@" not in one and any(c.isdigit() for c in one)


def recalls(raw: sqlite3.Connection, target: Target, now: datetime) -> int:
    """How often agents were given the facts of a target, as the facts themselves count it."""
    named, value = target.named, target.value
    if "ids" in named:
        keys = list(looking.numbers_of(raw, "fact", named["ids"]).values())
    else:
        everything = Query(tenant=target.tenant, statuses=(), order="newest")
        if "session" in named:
            everything = replace(everything, sessions=(named["session"],))
        if "namespace" in named:
            everything = replace(everything, namespace=named["namespace"])
        if value:
            everything = looking.parse('"' + value[:400].replace('"', '""') + '"', now=now, base=everything).query
        keys = list(looking.find(raw, everything, now).keys)
    rows = looking.fact_rows(raw, keys).values()
    return sum(row.access_count for row in rows if not value or value in row.content)


_NAMES = {
    "facts": ("fact", "facts"), "turns": ("turn", "turns"), "links": ("link", "links"),
    "history": ("earlier wording", "earlier wordings"), "drafts": ("unsaved draft", "unsaved drafts"),
    "backups": ("backup", "backups"),
}  # fmt: skip


def told(places: dict[str, int]) -> str:
    """Places with their counts: ``2 facts, 1 turn``; those without any are left out."""
    parts = [f"{count:,} {_NAMES[place][count != 1]}" for place, count in places.items() if count]
    return ", ".join(parts) or "nothing"


def added(places: Iterable[dict[str, int]]) -> dict[str, int]:
    """Counts of places together."""
    total: Counter[str] = Counter()
    for counts in places:
        total.update(counts)
    return dict(total)


def unreachable(counted: Counted) -> str:
    """What no erase can reach, in a sentence."""
    times = f"{counted.recalled:,} times" if counted.recalled != 1 else "once"
    recalled = f", recalled {times}" if counted.recalled else ""
    return f"the clipboard, the terminal's scrollback, what agents were told{recalled}"
