"""Erase: remove every copy of records from every file of the store, and look at the bytes to be sure.

Deleting a row is not enough: the text index keeps a word until it is optimized, moved pages keep old bytes until
VACUUM, and the write-ahead log keeps them until a TRUNCATE checkpoint, which a reader in the middle of a read
prevents. So: delete rows and feed, optimize, VACUUM, checkpoint, then search the files. What could not be reached is
said and remembered, and tried again at each opening by a handle that writes.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memview.errors import BusyStore
from memview.store import backup, feed, files, index, state
from memview.store.database import Database, Transaction
from memview.store.words import as_text, prepare

_PENDING = "erase pending"
_WORD = re.compile(r"\w{4,}")
_MOST_NEEDLES = 400


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erase did, or with ``dry_run`` would do."""

    places: dict[str, int]
    """How many facts, turns, links and history entries held it, and backups where any did."""
    unreached: list[str] = field(default_factory=list)
    """One sentence for each place that still holds it; empty when every copy is gone."""


class Victims:
    """The records that an erase removes, found once, in the transaction that removes them."""

    def __init__(
        self, facts: Sequence[tuple[int, str]], turns: Sequence[tuple[int, str]], gone: Iterable[str] = ()
    ) -> None:
        self.facts = list(facts)
        self.turns = list(turns)
        self.gone = list(gone)
        """Ids of records that were deleted before: only the feed still knows their texts."""

    def __bool__(self) -> bool:
        return bool(self.facts or self.turns or self.gone)

    @property
    def all(self) -> list[str]:
        """All ids."""
        return [*(id for _, id in [*self.facts, *self.turns]), *self.gone]

    @property
    def ids(self) -> str:
        """All ids, as a JSON list."""
        return json.dumps(self.all)


def chosen(
    raw: sqlite3.Connection,
    tenant: str,
    *,
    ids: Iterable[str] = (),
    session: str | None = None,
    namespace: str | None = None,
) -> Victims:
    """The records of a tenant that are named by id, by session or by namespace, deleted ones included."""
    where = "tenant = :tenant AND (id IN (SELECT value FROM json_each(:ids)) OR {session} OR {namespace})"
    values = {
        "tenant": tenant, "ids": json.dumps(list(ids)), "session": session, "namespace": namespace,
        "hex": (session or "").encode().hex().upper(),
    }  # fmt: skip
    now = where.format(session="session = :session", namespace="namespace = :namespace")
    facts, turns = (raw.execute(f"SELECT n, id FROM {t} WHERE {now}", values).fetchall() for t in ("facts", "turns"))
    past = where.format(session=_PAST_SESSION, namespace="namespace = :namespace")
    gone = raw.execute(f"SELECT DISTINCT id FROM changes WHERE {_GONE} AND {past}", values).fetchall()
    present = {id for _, id in [*facts, *turns]}
    return Victims(facts, turns, [id for (id,) in gone if id not in present])


_GONE = "op = 'delete' AND kind IN ('fact', 'turn') AND before IS NOT NULL"
_PAST_SESSION = (
    ":session IS NOT NULL AND (json_extract(before, '$.session') = :session "
    "OR json_extract(before, '$.session.text') = :hex)"
)


def places(raw: sqlite3.Connection, victims: Victims) -> dict[str, int]:
    """How many of each kind of record hold what would be erased."""
    ids = (victims.ids,)
    listed = "(SELECT value FROM json_each(?1))"
    (links,) = raw.execute(f"SELECT count(*) FROM links WHERE source IN {listed} OR target IN {listed}", ids).fetchone()
    (past,) = raw.execute(f"SELECT count(*) FROM changes WHERE id IN {listed} AND before IS NOT NULL", ids).fetchone()
    return {"facts": len(victims.facts), "turns": len(victims.turns), "links": links, "history": past}


def remove(tx: Transaction, victims: Victims, *, tenant: str, namespace: str | None = None) -> list[bytes]:
    """Delete the records and what the feed knows of them. Returns byte strings that must be found no more."""
    told = _texts(tx.raw, victims)
    last = feed.last_seq(tx.raw)
    for what, gone in ((index.FACTS, victims.facts), (index.TURNS, victims.turns)):
        for n, _ in gone:
            tx.raw.execute(f"DELETE FROM {what.table} WHERE n = ?", (n,))
            index.drop(tx.raw, what, n)
    tx.raw.execute(
        "UPDATE changes SET before = NULL, op = iif(op = 'delete', 'erase', op) "
        "WHERE id IN (SELECT value FROM json_each(?)) OR seq > ?",
        (victims.ids, last),
    )
    tx.raw.execute("DELETE FROM replaced")
    if namespace is not None:
        tx.raw.execute("DELETE FROM namespaces WHERE tenant = ? AND name = ?", (tenant, namespace))
        tx.raw.execute("UPDATE changes SET namespace = NULL WHERE tenant = ? AND namespace = ?", (tenant, namespace))
    remember(tx)
    return _needles(tx.raw, told)


def remember(tx: Transaction) -> None:
    """Note which erase this is, and that bytes of deleted rows wait to be scrubbed until :func:`scrub` has done it."""
    settings = [(_PENDING, "yes"), (backup.LAST_ERASE, tx.action)]
    tx.raw.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", settings)


def forms(value: str) -> list[bytes]:
    """A text in the forms that a file may hold it; in a draft it stands as JSON writes it."""
    plain = value.encode()
    written = json.dumps(value, ensure_ascii=False)[1:-1].encode()
    return list(dict.fromkeys([plain, plain.lower(), plain.hex().upper().encode(), written]))


def scrub(database: Database, needles: Sequence[bytes] = (), *, backups: bool = False) -> list[str]:
    """Get the bytes of deleted rows out of the files.

    Args:
        database: the store.
        needles: what must be found no more.
        backups: whether a backup goes where one of them stands in its bytes; by what records it has is asked before.

    Returns:
        A sentence for each place that still holds some.
    """
    try:
        done = _compact(database)
    except BusyStore:  # a writer is in the way: the records are gone, and the bytes wait for the next opening
        done = False
    if not done:
        name, held = files.shown(database.path), sum(file.stat().st_size for file in _files(database.path)[:2])
        return [
            f"Erased from the records; the {held:,} bytes of {name} may hold it until another program lets go of the "
            "file. This is tried again whenever the store is opened for writing."
        ]
    spared = () if backups else backup.copies(database.path)
    for kept in state.kept(database.path):
        with contextlib.suppress(FileNotFoundError):  # another program took it away meanwhile
            if kept not in spared and _found(kept, needles):
                kept.unlink()
    return [
        f"{files.shown(path)} still holds a word of what was erased."
        for path in _files(database.path)
        if _unexplained(database, _found(path, needles))
    ]


def _compact(database: Database) -> bool:
    """Write the whole file anew; False where a reader keeps the log from being emptied."""
    with database.exclusively() as raw:
        for what in (index.FACTS, index.TURNS):
            raw.execute(f"INSERT INTO {what.words} ({what.words}) VALUES ('optimize')")
        raw.execute("VACUUM")
        busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            raw.execute("DELETE FROM settings WHERE name = ?", (_PENDING,))
    return not busy


def finish(database: Database) -> list[str]:
    """Do what an earlier erase had to leave, if it left anything."""
    pending = database.read(
        lambda raw: raw.execute("SELECT 1 FROM settings WHERE name = ?", (_PENDING,)).fetchone() is not None
    )
    return scrub(database) if pending else []


def _texts(raw: sqlite3.Connection, victims: Victims) -> list[str]:
    """Every text that the records and their past hold."""
    facts = json.dumps([n for n, _ in victims.facts])
    turns = json.dumps([n for n, _ in victims.turns])
    shared = "metadata, session, namespace"
    found: list[str] = []
    for sql, values in (
        (f"SELECT content, summary, category, tags, keywords, {shared} FROM facts WHERE n IN", facts),
        (f"SELECT request, response, {shared} FROM turns WHERE n IN", turns),
        ("SELECT before FROM changes WHERE id IN", victims.ids),
    ):
        rows = raw.execute(f"{sql} (SELECT value FROM json_each(?))", (values,)).fetchall()
        found.extend(as_text(value) for row in rows for value in row if value)
    return found


def _needles(raw: sqlite3.Connection, told: Sequence[str]) -> list[bytes]:
    """Words of erased texts that stand in no record any more, in the forms that a file may hold them."""
    words = dict.fromkeys(word for text in told for word in _WORD.findall(text[:100_000]))
    needles: list[bytes] = []
    for word in words:
        folded = prepare(word)
        if not folded or " " in folded or _stands(raw, folded):
            continue
        plain = word.encode(errors="replace")
        needles += [form for form in {plain, folded.encode(), plain.hex().upper().encode()} if len(form) >= 4]
        if len(needles) >= _MOST_NEEDLES:
            break
    return needles


def _stands(raw: sqlite3.Connection, word: str) -> bool:
    """Whether a record still has the word, as itself or inside a longer one."""
    for what in (index.FACTS, index.TURNS):
        sql = f"SELECT 1 FROM {what.words} WHERE {what.words} MATCH ? LIMIT 1"
        if raw.execute(sql, (f'"{word}" *',)).fetchone():
            return True
    return False


def _files(path: Path) -> list[Path]:
    found = [path, *(files.beside(path, suffix) for suffix in ("-wal", "-shm", "-journal"))]
    return [file for file in found if file.exists()]


def _found(path: Path, needles: Sequence[bytes]) -> set[bytes]:
    """Which of the byte strings stand in a file."""
    if not needles:
        return set()
    pattern = re.compile(b"|".join(map(re.escape, sorted(needles, key=len, reverse=True))))
    overlap = max(map(len, needles))
    found: set[bytes] = set()
    tail = b""
    for chunk in files.chunks(path):
        found.update(pattern.findall(tail + chunk))
        tail = chunk[-overlap:]
    return found


_ELSEWHERE = (
    "sqlite_schema", "facts", "turns", "links", "decisions", "judgements", "attempts", "changes", "namespaces",
    "settings", "facts_index_content", "turns_index_content",
)  # fmt: skip
"""Tables in which the same word may stand in its own right."""


def _unexplained(database: Database, words: Iterable[bytes]) -> bool:
    return not database.read(lambda raw: all(_explained(raw, word) for word in words))


def _explained(raw: sqlite3.Connection, needle: bytes) -> bool:
    """Whether a word found in a file belongs to something that was not erased."""
    word = needle.decode(errors="replace")
    for table in _ELSEWHERE:
        columns = raw.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
        row = " || ".join(f"coalesce({column}, '')" for (column,) in columns)  # in a file they touch each other
        if raw.execute(f"SELECT 1 FROM {table} WHERE instr(lower({row}), lower(?)) LIMIT 1", (word,)).fetchone():
            return True
    return False
