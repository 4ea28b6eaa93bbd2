"""What the texts of a store are: which records hold a secret or hidden characters, give orders, hand back what was
recalled, or say what another says.

A store is read through the first time that one of these is asked for. From then on only the records that the change
feed names are read again, so a question costs what changed since the last one, however many records there are. What is
known is kept for the process and shared by all its connections to the file.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from memview.store.sameness import NOT_ALIKE, equals, letters
from memview.store.words import as_text

Kind = Literal["facts", "turns"]
Holds = Callable[[str], bool]

OF_FACTS = ("secret", "hostile", "command", "echo", "duplicate")
"""The traits that facts are asked for."""
OF_TURNS = ("secret", "hostile", "command")
"""Those that turns are asked for too."""

_PAGE = 2_000
_STORES = 8
"""So many files are remembered at most."""


class _Change(NamedTuple):
    """A change of the feed, by what tells it from another one of the same number."""

    seq: int = 0
    at: str = ""
    id: str = ""


class _Reading:
    """Records read through once, and again whenever they change.

    Args:
        table: of which records.
        columns: what is read of each besides its number.
    """

    def __init__(self, table: Kind, columns: str) -> None:
        self.found: set[int] = set()
        """The numbers of the records that have the trait; some may be gone."""
        self._table = table
        self._columns = f"r.n, {columns}"
        self._lock = threading.Lock()
        self._last: _Change | None = None
        self._upto = 0

    def numbers(self, raw: sqlite3.Connection) -> frozenset[int]:
        """The numbers of the records that have the trait now."""
        with self._lock:
            self._follow(raw)
            self._read(raw, f"WHERE r.n > :upto ORDER BY r.n LIMIT {_PAGE}")
            self.settle(raw)
            return frozenset(self.found)

    def take(self, n: int, *values: Any) -> None:
        """Take in one record as it is now."""
        raise NotImplementedError

    def settle(self, raw: sqlite3.Connection) -> None:
        """Draw the conclusions from all that was taken in."""

    def restart(self) -> None:
        """Know nothing again."""
        self.found = set()
        self._upto = 0

    def doubt(self) -> None:
        """Draw all conclusions anew: somebody judged of a pair of facts, or a record is gone."""

    def _follow(self, raw: sqlite3.Connection) -> None:
        """Take in what changed since the last time; start anew where the file is another one by now."""
        sql = "SELECT seq, at, id FROM changes WHERE seq {} ORDER BY seq DESC LIMIT 1"
        newest = _Change(*(raw.execute(sql.format(">= 0")).fetchone() or ()))
        last = self._last
        if last is None or (last.seq and last != (raw.execute(sql.format("= ?"), (last.seq,)).fetchone() or ())):
            self.restart()
        elif newest.seq > last.seq:
            kind = self._table.removesuffix("s")
            changed = "(SELECT id FROM changes WHERE seq > :seq AND kind = :kind)"
            values = {"seq": last.seq, "kind": kind, "upto": self._upto}
            for row in self._rows(raw, f"WHERE r.id IN {changed} AND r.n <= :upto", values):
                self.take(*row)
            gone = f"kind = :kind AND id NOT IN (SELECT id FROM {self._table})"
            doubts = f"SELECT 1 FROM changes WHERE seq > :seq AND (kind = 'judgement' OR {gone}) LIMIT 1"
            if raw.execute(doubts, values).fetchone():
                self.doubt()
        self._last = newest

    def _read(self, raw: sqlite3.Connection, which: str) -> None:
        """Read on to the end, page by page; an interruption loses none that was read."""
        while rows := self._rows(raw, which, {"upto": self._upto}):
            for row in rows:
                self.take(*row)
            self._upto = rows[-1][0]

    def _rows(self, raw: sqlite3.Connection, which: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        return raw.execute(f"SELECT {self._columns} FROM {self._table} r {which}", values).fetchall()


class _Told(_Reading):
    """The records of which a text has a trait by itself."""

    def __init__(self, table: Kind, holds: Holds) -> None:
        super().__init__(table, "r.content, r.summary, r.metadata" if table == "facts" else "r.request, r.response")
        self._holds = holds

    def take(self, n: int, *values: Any) -> None:
        """Ask the texts of a record."""
        holds = self._holds
        if any(holds(as_text(text)) for text in values if text and text != "{}"):
            self.found.add(n)
        else:
            self.found.discard(n)


class _Repeated(_Reading):
    """The active facts that say what another one of their namespace says: equal but for case, blanks and punctuation.

    Facts with the same letters are gathered by a number made of them; what is equal indeed is found out within such a
    group, and again whenever a member of it changed.
    """

    def __init__(self) -> None:
        super().__init__("facts", "r.tenant, r.namespace, r.content, r.status")
        self.restart()

    def restart(self) -> None:
        """Know nothing again."""
        super().restart()
        self._first: dict[int, int] = {}
        self._groups: dict[int, set[int]] = {}
        self._group_of: dict[int, int] = {}
        self._equal: dict[int, set[int]] = {}
        self._touched: set[int] = set()

    def doubt(self) -> None:
        """Draw all conclusions anew: somebody judged of a pair of facts, or a record is gone."""
        self._touched.update(self._groups)

    def take(self, n: int, *values: Any) -> None:
        """Put a fact beside those with the same letters."""
        tenant, namespace, content, status = values
        if n in self._group_of:
            self._touched.add(self._group_of[n])
        if status != "active":
            return
        key = hash((tenant, namespace, letters(as_text(content))))
        first = self._first.setdefault(key, n)
        if first != n:
            self._groups.setdefault(key, set()).update((first, n))
            self._group_of[first] = self._group_of[n] = key
            self._touched.add(key)

    def settle(self, raw: sqlite3.Connection) -> None:
        """Find out which facts of the groups that changed are equal."""
        if not self._touched:
            return
        apart = _apart(raw)
        groups = [(key, self._groups.get(key, ())) for key in self._touched]
        texts = _texts(raw, [n for _, members in groups for n in members])
        for key, members in groups:
            self.found -= self._equal.pop(key, set())
            if equal := _equal_ones({n: texts[n] for n in members if n in texts}, apart):
                self._equal[key] = equal
        self._touched.clear()
        self.found.update(*self._equal.values())


def numbers(raw: sqlite3.Connection, trait: str, kind: Kind) -> frozenset[int]:
    """The numbers of the records that have a trait.

    The first question reads every record: at 100,000 facts a quarter of a second to a second, by the trait. Later ones
    read what changed.

    Args:
        raw: an open connection; nothing is changed on it.
        trait: one of `OF_FACTS`, or of turns of `OF_TURNS`.
        kind: of which records.
    """
    return _reading(raw, trait, kind).numbers(raw)


def copies(raw: sqlite3.Connection) -> frozenset[int]:
    """The numbers of the active facts that say what another one of their namespace says; see :func:`numbers`."""
    return numbers(raw, "duplicate", "facts")


_known: dict[tuple[object, ...], dict[tuple[str, Kind], _Reading]] = {}


def _reading(raw: sqlite3.Connection, trait: str, kind: Kind) -> _Reading:
    """What is known of the connection's file by now."""
    path = next((file for _, name, file in raw.execute("PRAGMA database_list").fetchall() if name == "main"), "")
    try:
        stamp = os.stat(path)
    except OSError:  # it lies in memory, or was taken away: nothing can be kept about it
        return _made(trait, kind)
    key = (os.getpid(), path, stamp.st_dev, stamp.st_ino)
    if key not in _known and len(_known) >= _STORES:
        _known.clear()
    readings = _known.setdefault(key, {})
    found = readings.get((trait, kind))
    return found or readings.setdefault((trait, kind), _made(trait, kind))


def _made(trait: str, kind: Kind) -> _Reading:
    return _Repeated() if trait == "duplicate" else _Told(kind, _rule(trait))


def _rule(trait: str) -> Holds:
    """What a text is asked for a trait; read in only when it is wanted."""
    if trait == "command":
        from memview.store.orders import commands

        return commands
    if trait == "echo":
        from memview.store.echoes import echoes

        return echoes
    if trait == "hostile":
        from memview.text import is_hostile

        return is_hostile
    from memview.store.secrets import has_secret

    return has_secret


def _apart(raw: sqlite3.Connection) -> dict[int, set[int]]:
    """For each fact those of which somebody said that they are no copies of it."""
    found: dict[int, set[int]] = defaultdict(set)
    sql = (
        "SELECT a.n, b.n FROM judgements j CROSS JOIN facts a ON a.id = j.a CROSS JOIN facts b ON b.id = j.b "
        "WHERE j.kind = ?"
    )
    for one, other in raw.execute(sql, (NOT_ALIKE,)).fetchall():
        found[one].add(other)
        found[other].add(one)
    return found


def _texts(raw: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, tuple[object, object, str]]:
    """Where each active fact of these numbers belongs, and what it says."""
    sql = (
        "SELECT f.n, f.tenant, f.namespace, f.content FROM json_each(?) w CROSS JOIN facts f ON f.n = w.value "
        "WHERE f.status = 'active'"
    )
    rows = raw.execute(sql, (json.dumps(numbers),)).fetchall()
    return {n: (tenant, namespace, as_text(content)) for n, tenant, namespace, content in rows}


def _equal_ones(texts: dict[int, tuple[object, object, str]], apart: dict[int, set[int]]) -> set[int]:
    """Those of some facts that equal another one of them, unless somebody said of all such pairs that they do not."""
    alike: dict[object, set[int]] = defaultdict(set)
    for n, (tenant, namespace, text) in texts.items():
        alike[tenant, namespace, equals(text)].add(n)
    return {n for several in alike.values() for n in several if several - {n} - apart.get(n, set())}
