"""The doctor: whether a store holds together, and what of it can be made anew from the records.

Looking changes nothing. A repair takes a copy of the store first, then rebuilds what follows from the records (the text
index, identities, the way back from turns, triggers and indexes) and removes what belongs to nothing. A damaged file
itself cannot be rebuilt from inside.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memview.store import backup, index, reindexing
from memview.store.ids import identity
from memview.store.index import Indexed
from memview.store.schema import MIGRATIONS
from memview.store.words import as_text

if TYPE_CHECKING:
    from memview.memory.store import MemoryStore

_MOST = 5
"""How many examples a finding names."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check and what it found."""

    name: str
    """A fixed name, for scripts."""
    title: str
    """What was looked at."""
    count: int
    """How many things are wrong; 0 where all is well."""
    examples: tuple[str, ...] = ()
    """A few of them."""
    repairable: bool = True
    """Whether :func:`repair` can put it right."""

    @property
    def well(self) -> bool:
        """Whether nothing is wrong."""
        return self.count == 0


class Repaired(NamedTuple):
    """What a repair did."""

    copy: Path
    """The copy of the store as it was before."""
    did: list[str]
    """One sentence for each thing that was done."""
    after: list[Finding]
    """What a new look finds."""


def examine(raw: sqlite3.Connection) -> list[Finding]:
    """Look at everything, the slow checks included. Nothing is changed."""
    return [check(raw) for check in _CHECKS]


def repair(store: MemoryStore) -> Repaired:
    """Put right what can be put right, after a copy of the store was made.

    Raises:
        StoreError: the file is damaged or locked, or may not be written.
    """
    copy = backup.make(store.path, store.clock())
    waiting = store._read(_queue).count
    did = [f"Indexed what waited: {waiting:,} {_records(waiting)}."] if waiting else []
    with store._transaction("repair") as tx:
        for mend in _MENDS:
            if told := mend(tx.raw):
                did.append(told)
    return Repaired(copy, did, store._read(examine))


def _integrity(raw: sqlite3.Connection) -> Finding:
    try:
        found = _checked(raw, "PRAGMA integrity_check")
    except sqlite3.DatabaseError as error:
        if not any(sign in str(error) for sign in _TORN):
            raise
        named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        tables = [name for (name,) in raw.execute(named).fetchall()]
        found = [each for name in tables for each in _checked(raw, f'PRAGMA integrity_check("{name}")')]
    wrong = [each for each in found if each != "ok"]
    return Finding("integrity", "the database file", len(wrong), tuple(wrong[:_MOST]), repairable=False)


_TORN = ("vtable constructor", "fts5")
"""What SQLite says where the text index cannot be opened; all other tables can be checked one by one."""


def _checked(raw: sqlite3.Connection, pragma: str) -> list[str]:
    return [as_text(told) for (told,) in raw.execute(pragma).fetchall()]


def _schema(raw: sqlite3.Connection) -> Finding:
    missing = sorted(_missing(raw))
    return Finding("schema", "tables, indexes and triggers", len(missing), tuple(missing[:_MOST]))


def _foreign(raw: sqlite3.Connection) -> Finding:
    rows = raw.execute("PRAGMA foreign_key_check").fetchall()
    return Finding("foreign_keys", "links, decisions and attempts of facts that are gone", len(rows),
                   tuple(f"{row[0]} row {row[1]}" for row in rows[:_MOST]))  # fmt: skip


def _indexed(what: Indexed) -> Callable[[sqlite3.Connection], Finding]:
    def check(raw: sqlite3.Connection) -> Finding:
        if reason := reindexing.torn(raw, what):
            (count,) = raw.execute(f"SELECT max(1, count(*)) FROM {what.table}").fetchone()
            return Finding(f"{what.table}_index", f"the text index of {what.table}", count, (reason,))
        numbers = index.differing(raw, what)
        return Finding(f"{what.table}_index", f"the text index of {what.table}", len(numbers),
                       tuple(f"{what.kind} number {n}" for n in numbers[:_MOST]))  # fmt: skip

    return check


def _hashes(raw: sqlite3.Connection) -> Finding:
    wrong = _misnamed(raw)
    return Finding("identities", "the identities of facts", len(wrong), tuple(id for _, id, _ in wrong[:_MOST]))


_UNTOLD = (
    "SELECT r.id FROM {table} r WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.id = r.id AND c.kind = '{kind}')"
)
_VANISHED = (
    "SELECT c.id FROM changes c WHERE c.kind = '{kind}' AND NOT EXISTS (SELECT 1 FROM {table} r WHERE r.id = c.id) "
    "GROUP BY c.id HAVING max(c.seq) = max(CASE WHEN c.op IN ('insert', 'update') AND NOT EXISTS "
    "(SELECT 1 FROM changes e WHERE e.id = c.id AND e.op IN ('erase', 'delete')) THEN c.seq END)"
)
_UNREADABLE = "before IS NOT NULL AND iif(json_valid(before), json_type(before) <> 'object', 1)"


def _feed(raw: sqlite3.Connection) -> Finding:
    found: list[str] = []
    for table, kind in (("facts", "fact"), ("turns", "turn")):
        for sql, what in ((_UNTOLD, "no history"), (_VANISHED, "gone without an entry")):
            ids = raw.execute(sql.format(table=table, kind=kind)).fetchall()
            found += [f"{kind} {as_text(id)}: {what}" for (id,) in ids]
    rows = raw.execute(f"SELECT id FROM changes WHERE {_UNREADABLE} ORDER BY seq").fetchall()
    found += [f"{as_text(id)}: an entry that cannot be read" for (id,) in rows]
    return Finding("feed", "the history against the records", len(found), tuple(found[:_MOST]))


def _queue(raw: sqlite3.Connection) -> Finding:
    rows = raw.execute(f"SELECT kind, n FROM queue LIMIT {_MOST}").fetchall()
    (count,) = raw.execute("SELECT count(*) FROM queue").fetchone()
    return Finding("queue", "rows of other programs that wait for the index", count,
                   tuple(f"{as_text(kind)} number {n}" for kind, n in rows))  # fmt: skip


_LISTED = (
    "SELECT DISTINCT j.value AS turn, f.id AS fact FROM facts f, "
    "json_each(CASE WHEN json_valid(f.turns) THEN f.turns ELSE '[]' END) j WHERE j.value IS NOT NULL"
)


def _evidence(raw: sqlite3.Connection) -> Finding:
    both = f"SELECT turn, fact FROM (SELECT turn, fact FROM evidence EXCEPT {_LISTED}) UNION ALL " + (
        f"SELECT turn, fact FROM ({_LISTED} EXCEPT SELECT turn, fact FROM evidence)"
    )
    rows = raw.execute(both).fetchall()
    return Finding("evidence", "the way back from turns to facts", len(rows),
                   tuple(f"fact {as_text(fact)}" for _, fact in rows[:_MOST]))  # fmt: skip


_RECORDS = {"fact": "facts", "turn": "turns", "link": "links", "decision": "decisions", "judgement": "judgements"}


def _leftovers(raw: sqlite3.Connection) -> Finding:
    """Notes that no write throws away: that of a statement which came to nothing names a record that stands there."""
    stand = " UNION ALL ".join(f"SELECT '{kind}', id FROM {table}" for kind, table in _RECORDS.items())
    lost = f"SELECT count(*) FROM replaced WHERE (kind, id) NOT IN ({stand})"
    counts = {"context": "SELECT count(*) FROM context", "replaced": lost}
    found = {table: raw.execute(sql).fetchone()[0] for table, sql in counts.items()}
    return Finding("leftovers", "notes of writes that ended midway", sum(found.values()),
                   tuple(table for table, count in found.items() if count))  # fmt: skip


_CHECKS = (
    _integrity, _schema, _foreign, _indexed(index.FACTS), _indexed(index.TURNS), _hashes, _feed, _queue, _evidence,
    _leftovers,
)  # fmt: skip


def _missing(raw: sqlite3.Connection) -> dict[str, str]:
    """The parts of the schema that are missing or changed: their SQL by name."""
    sql = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB '*_index_*'"
    with closing(sqlite3.connect(":memory:")) as fresh:
        for migration in MIGRATIONS:
            for statement in migration.statements:
                fresh.execute(statement)
        wanted = dict(fresh.execute(sql).fetchall())
    there = dict(raw.execute(sql).fetchall())
    return {name: text for name, text in wanted.items() if there.get(name) != text}


def _records(count: int) -> str:
    return "record" if count == 1 else "records"


def _misnamed(raw: sqlite3.Connection) -> list[tuple[int, str, bytes]]:
    """The facts whose identity is not that of their text: number, id and what it should be."""
    found = []
    rows = raw.execute("SELECT n, id, tenant, namespace, content, hash FROM facts WHERE typeof(content) = 'text'")
    for n, id, tenant, namespace, content, digest in rows.fetchall():
        if digest is not None:
            right = identity(as_text(tenant), as_text(namespace), content)
            if right != digest:
                found.append((n, as_text(id), right))
    return found


def _mend_schema(raw: sqlite3.Connection) -> str:
    made = []
    for name, sql in _missing(raw).items():
        if sql.startswith(("CREATE TRIGGER", "CREATE INDEX")):
            raw.execute(f'DROP {sql.split()[1]} IF EXISTS "{name}"')
            raw.execute(sql)
            made.append(name)
    return f"Made anew: {', '.join(sorted(made))}." if made else ""


def _mend_foreign(raw: sqlite3.Connection) -> str:
    count = 0
    for table, columns in (("links", ("source", "target")), ("decisions", ("fact",)), ("attempts", ("fact",))):
        gone = " OR ".join(f"{column} NOT IN (SELECT id FROM facts)" for column in columns)
        count += raw.execute(f"DELETE FROM {table} WHERE {gone}").rowcount
    return f"Removed {count:,} links, decisions and attempts of facts that are gone." if count else ""


def _mend_feed(raw: sqlite3.Connection) -> str:
    """Note what the history does not know: that a record came, or went, without saying who did it."""
    unreadable = raw.execute(f"UPDATE changes SET before = NULL WHERE {_UNREADABLE}").rowcount
    count = 0
    into = "INSERT INTO changes (at, action, op, kind, id, tenant, namespace) SELECT x.at, x.action"
    for table, kind in (("facts", "fact"), ("turns", "turn")):
        untold, vanished = (sql.format(table=table, kind=kind) for sql in (_UNTOLD, _VANISHED))
        count += raw.execute(
            f"{into}, 'insert', '{kind}', r.id, r.tenant, r.namespace FROM context x CROSS JOIN {table} r "
            f"WHERE r.id IN ({untold}) ORDER BY r.n"
        ).rowcount
        count += raw.execute(
            f"{into}, 'delete', '{kind}', c.id, c.tenant, c.namespace FROM context x CROSS JOIN changes c "
            f"WHERE c.id IN ({vanished}) GROUP BY c.id"
        ).rowcount
    told = [f"Noted in the history what it did not know: {count:,} {_records(count)}."] if count else []
    if unreadable:
        told.append(f"Took out of the history what cannot be read: {unreadable:,} past wordings.")
    return " ".join(told)


def _mend_hashes(raw: sqlite3.Connection) -> str:
    wrong = _misnamed(raw)
    raw.executemany("UPDATE facts SET hash = NULL WHERE n = ?", [(n,) for n, _, _ in wrong])
    taken = [(right, n) for n, _, right in wrong]
    raw.executemany("UPDATE OR IGNORE facts SET hash = ? WHERE n = ?", taken)
    return f"Gave {len(wrong):,} facts their identity." if wrong else ""


def _mend_queue(raw: sqlite3.Connection) -> str:
    """What a transaction left of the queue as it began; told before."""
    while index.drain(raw):
        pass
    return ""


def _mend_torn(raw: sqlite3.Connection) -> str:
    torn = [what for what in (index.FACTS, index.TURNS) if reindexing.torn(raw, what)]
    count = sum(reindexing.remake(raw, what) for what in torn)
    return f"Made the text index of {count:,} {_records(count)} anew." if torn else ""


def _mend_index(raw: sqlite3.Connection) -> str:
    count = 0
    for what in (index.FACTS, index.TURNS):
        numbers = index.differing(raw, what)
        if numbers:
            index.refresh(raw, what, numbers)
            raw.execute(f"INSERT INTO {what.words} ({what.words}) VALUES ('rebuild')")
        count += len(numbers)
    return f"Indexed {count:,} {_records(count)} anew." if count else ""


def _mend_evidence(raw: sqlite3.Connection) -> str:
    wrong = _evidence(raw).count
    if not wrong:
        return ""
    raw.execute("DELETE FROM evidence")
    raw.execute(f"INSERT INTO evidence (turn, fact) {_LISTED}")
    return f"Made {wrong:,} ways back from turns to facts anew."


def _mend_leftovers(raw: sqlite3.Connection) -> str:
    count: int = raw.execute("DELETE FROM replaced").rowcount
    return f"Removed {count:,} notes of writes that ended midway." if count else ""


_MENDS = (
    _mend_schema, _mend_foreign, _mend_torn, _mend_feed, _mend_queue, _mend_hashes, _mend_index, _mend_evidence,
    _mend_leftovers,
)  # fmt: skip
