"""A store that two programs change in turn, at random: one through the library, one with plain SQL on its own.

`Churn.act` does one thing, named and numbered, so that a property test can shrink what fails and a benchmark can do a
million. Every text has a word by which a plain scan finds it (``zq17``), and so has every tag (``zt3``). `problems`
tells what no longer holds.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from memview import Conflict, Duplicate, Invalid, MemoryStore, NotFound, clock
from memview.memory import looking
from memview.memory.looking import ALL, Looker, Query
from memview.memory.selection import Selection
from memview.review.doctor import examine
from memview.store.aim import Aim
from memview.store.words import prepare, terms

NAMESPACES = ("a", "b", "c")
CAPPED = "c"
"""The namespace that keeps its newest facts alone."""
MARKS, TAGS = 97, 7
SESSIONS = 5


class _Row(NamedTuple):
    """A fact as plain SQL sees it."""

    n: int
    id: str
    namespace: str
    version: int
    content: str


class Churn:
    """A store, and another program's connection to it.

    Args:
        path: the file; made where there is none.
        sentences: what texts are made of.
        keep: how many facts the capped namespace keeps.
    """

    def __init__(self, path: Path, sentences: Sequence[str], keep: int) -> None:
        self.path = path
        self.store = MemoryStore(path, agent="churn", synchronous="NORMAL")
        self.other = sqlite3.connect(path, isolation_level=None)
        self.other.execute("PRAGMA foreign_keys = ON")
        self._sentences = sentences
        self.store.memory(CAPPED, max_entries=keep).write(self.text(0))

    def __enter__(self) -> Churn:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.other.close()
        self.store.close()

    def act(self, name: str, place: int, say: int) -> bool:
        """Do one thing of `ACTS`.

        Args:
            name: what.
            place: says which record, if there are any.
            say: says which text.

        Returns:
            Whether it was done; what the library rightly refuses was not.
        """
        with suppress(Conflict, Duplicate, Invalid, NotFound):
            ACTS[name](self, place, say)
            return True
        return False

    def settle(self) -> None:
        """Write until nothing of the other program waits for the index.

        Its last rows also throw away what is noted of its statements that came to nothing (UPDATE OR IGNORE).
        """
        self.other.execute("INSERT INTO facts (namespace, content) VALUES ('a', 'the last of the other program')")
        self.other.execute("INSERT INTO turns (session, request) VALUES ('s9', 'the last of the other program')")
        number = 0
        while number == 0 or self.other.execute("SELECT 1 FROM queue").fetchone():
            self.store.memory("a").write(f"Whoever writes next drains the queue {number}")
            number += 1

    def text(self, say: int) -> str:
        """The text of a number, always the same."""
        return f"{self._sentences[say % len(self._sentences)]} zq{say % MARKS} {say}"

    def tags(self, say: int) -> list[str]:
        return [f"zt{tag % TAGS}" for tag in range(say, say + say % 3)]

    def fact(self, place: int) -> _Row:
        """A fact, whatever its status.

        Raises:
            NotFound: there is none.
        """
        return self._one("1", place)

    def turn(self, place: int) -> str:
        """The id of a turn.

        Raises:
            NotFound: there is none.
        """
        last = self.other.execute("SELECT coalesce(max(n), 0) FROM turns").fetchone()[0]
        row = self.other.execute("SELECT id FROM turns WHERE n >= ? LIMIT 1", (place % (last + 1),)).fetchone()
        if row is None:
            raise NotFound("There is no turn.")
        return str(row[0])

    def of_status(self, status: str, namespace: str, place: int) -> _Row:
        """A fact of this status in a namespace.

        Raises:
            NotFound: there is none.
        """
        return self._one(f"tenant = '' AND namespace = '{namespace}' AND status = '{status}'", place)

    def _one(self, where: str, place: int) -> _Row:
        last = self.other.execute("SELECT coalesce(max(n), 0) FROM facts").fetchone()[0]
        sql = f"SELECT n, id, namespace, version, content FROM facts WHERE {where} AND n >= ? ORDER BY n LIMIT 1"
        row = self.other.execute(sql, (place % (last + 1),)).fetchone()
        if row is None:
            raise NotFound("There is no such fact.")
        return _Row(*row)


Act = Callable[[Churn, int, int], object]


def _memory(churn: Churn, place: int) -> Any:
    return churn.store.memory(NAMESPACES[place % len(NAMESPACES)])


def _write(churn: Churn, place: int, say: int) -> None:
    weak = {"strength": 0.01} if say % 5 == 0 else {}
    _memory(churn, place).write(churn.text(say), tags=churn.tags(say), **weak)


def _write_many(churn: Churn, place: int, say: int) -> None:
    _memory(churn, place).write_many([churn.text(say), {"content": churn.text(say + 1), "tags": churn.tags(say)}])


def _learn_again(churn: Churn, place: int, say: int) -> None:
    gone = churn.of_status("pruned", CAPPED, place)
    churn.store.memory(gone.namespace).write(gone.content, tags=churn.tags(say))


def _edit(churn: Churn, place: int, say: int) -> None:
    fact = churn.fact(place)
    churn.store.memory(fact.namespace).update(fact.id, churn.text(say))


def _retag(churn: Churn, place: int, say: int) -> None:
    fact = churn.fact(place)
    churn.store.memory(fact.namespace).update(fact.id, tags=churn.tags(say), summary=churn.text(say + 3))


def _correct(churn: Churn, place: int, say: int) -> None:
    fact = churn.fact(place)
    churn.store.memory(fact.namespace).correct(fact.id, churn.text(say))


def _forget(churn: Churn, place: int, say: int) -> None:
    fact = churn.fact(place)
    churn.store.memory(fact.namespace).forget(fact.id)


def _restore(churn: Churn, place: int, say: int) -> None:
    fact = churn.fact(place)
    churn.store.memory(fact.namespace).restore(fact.id)


def _prune(churn: Churn, place: int, say: int) -> None:
    fact = churn.fact(place)
    Selection(churn.store, [Aim(fact.n, fact.version)]).prune()


def _fade(churn: Churn, place: int, say: int) -> None:
    _memory(churn, place).prune(min_strength=0.1, min_age=timedelta(0))


def _consolidate(churn: Churn, place: int, say: int) -> None:
    space = NAMESPACES[place % len(NAMESPACES)]
    one, two = churn.of_status("active", space, place), churn.of_status("active", space, say)
    churn.store.memory(one.namespace).consolidate([one.id, two.id], churn.text(say))


def _link(churn: Churn, place: int, say: int) -> None:
    one, two = churn.fact(place), churn.fact(say)
    churn.store.memory(one.namespace).link(one.id, two.id, ("related", "supersedes", "contradicts")[say % 3])


def _erase(churn: Churn, place: int, say: int) -> None:
    churn.store.erase(ids=[churn.turn(place) if say % 2 else churn.fact(place).id])


def _record(churn: Churn, place: int, say: int) -> None:
    talk = churn.store.conversation(f"s{place % SESSIONS}", namespace=NAMESPACES[place % len(NAMESPACES)])
    talk.record(churn.text(say), churn.text(say + 7))


def _by_hand(sql: str) -> Act:
    """Another program's statement on a fact ``:n`` or ``:id``, with a text, tags and a turn at hand."""

    def act(churn: Churn, place: int, say: int) -> None:
        fact = churn.fact(place)
        values = {
            "n": fact.n, "id": fact.id, "text": churn.text(say), "tags": json.dumps(churn.tags(say)),
            "space": NAMESPACES[say % len(NAMESPACES)],
        }  # fmt: skip
        churn.other.execute(sql, values)

    return act


def _on_a_turn(sql: str) -> Act:
    def act(churn: Churn, place: int, say: int) -> None:
        churn.other.execute(sql, {"id": churn.turn(place), "text": churn.text(say)})

    return act


def _given_up(churn: Churn, place: int, say: int) -> None:
    """Another program's transaction that changes its mind."""
    churn.other.execute("BEGIN IMMEDIATE")
    for name in ("insert", "update", "delete"):
        with suppress(NotFound):
            ACTS[name](churn, place, say)
    churn.other.execute("ROLLBACK")


OURS: dict[str, Act] = {
    "write": _write,
    "write many": _write_many,
    "learn again": _learn_again,
    "edit": _edit,
    "retag": _retag,
    "correct": _correct,
    "forget": _forget,
    "restore": _restore,
    "prune": _prune,
    "fade": _fade,
    "undo": lambda churn, place, say: churn.store.undo(),
    "undo and redo": lambda churn, place, say: churn.store.undo() and churn.store.redo(),
    "consolidate": _consolidate,
    "link": _link,
    "record": _record,
    "erase": _erase,
}
"""What is done through the library."""

THEIRS: dict[str, Act] = {
    "insert": _by_hand("INSERT INTO facts (namespace, content, tags) VALUES (:space, :text, :tags)"),
    "update": _by_hand("UPDATE facts SET content = :text WHERE n = :n"),
    "update tags": _by_hand("UPDATE facts SET tags = :tags, category = 'zt6' WHERE id = :id"),
    "update some": _by_hand("UPDATE facts SET content = content || ' more' WHERE n BETWEEN :n AND :n + 3"),
    "delete": _by_hand("DELETE FROM facts WHERE n = :n"),
    "replace": _by_hand("INSERT OR REPLACE INTO facts (n, namespace, content) VALUES (:n, :space, :text)"),
    "replace id": _by_hand("REPLACE INTO facts (id, namespace, content, tags) VALUES (:id, :space, :text, :tags)"),
    "renumber": _by_hand("UPDATE OR IGNORE facts SET n = n + 3 WHERE n = :n"),
    "move": _by_hand("UPDATE facts SET namespace = :space WHERE n = :n"),
    "give up": _given_up,
    "insert turn": _on_a_turn("INSERT INTO turns (session, request, response) VALUES ('s9', :text, 'zt1')"),
    "update turn": _on_a_turn("UPDATE turns SET response = :text WHERE id = :id"),
    "delete turn": _on_a_turn("DELETE FROM turns WHERE id = :id"),
    "replace turn": _on_a_turn("REPLACE INTO turns (id, session, request) VALUES (:id, 's8', :text)"),
}
"""What the other program does."""

ACTS = OURS | THEIRS


def problems(churn: Churn) -> list[str]:
    """What does not hold, a sentence each: index against records, searches against a scan, and what a doctor finds."""
    churn.settle()
    words = [f"zq{mark}" for mark in range(MARKS)] + [f"zt{tag}" for tag in range(TAGS)]
    with closing(sqlite3.connect(churn.path)) as raw:
        found = [*_disagreeing(raw), *_torn(raw)]
        told = [f"doctor: {one.count} wrong of {one.title}: {one.examples}" for one in examine(raw) if not one.well]
    return [*found, *lost(churn, words), *told]


def lost(churn: Churn, words: Iterable[str]) -> list[str]:
    """For which words a search finds other records than those in which they stand, also while rows wait for the index.

    Args:
        churn: the store.
        words: small letters and digits, or a script without spaces.
    """
    with closing(Looker(churn.path)) as looker:
        return [told for word in words for kind in _TEXTS if (told := looker.read(_compared(kind, word)))]


def _compared(kind: Any, word: str) -> Callable[[sqlite3.Connection], str]:
    query = Query(kind=kind, tenant=ALL, terms=terms(word), statuses=())
    held, sought = (f"' ' || replace({_TEXTS[kind]}, '\"', ' ') || ' '", f" {word} ") if word.isascii() else (
        _TEXTS[kind], word
    )  # fmt: skip

    def work(raw: sqlite3.Connection) -> str:
        hits = sorted(looking.find(raw, query, clock.utc_now()).keys)
        rows = [n for (n,) in raw.execute(f"SELECT n FROM {kind} WHERE instr({held}, ?) ORDER BY n", (sought,))]
        return "" if hits == rows else f"{word} finds {kind} {set(hits) - set(rows)} and not {set(rows) - set(hits)}"

    return work


_TEXTS = {
    "facts": "content || ' ' || coalesce(summary, '') || ' ' || coalesce(category, '') || ' ' || tags",
    "turns": "request || ' ' || response",
}
_INDEXED = {
    "facts": ("content, extra", "content, tags, category, summary"),
    "turns": ("request, response", "request, '[]', NULL, response"),
}
"""The columns of the index, and those of the record that they are made from."""


def _disagreeing(raw: sqlite3.Connection) -> Iterator[str]:
    """The records whose index row is missing or not made of their words, and index rows without a record."""
    for table, (held, read) in _INDEXED.items():
        index = {n: both for n, *both in raw.execute(f"SELECT rowid, {held} FROM {table}_index")}
        for n, text, tags, *beside in raw.execute(f"SELECT n, {read} FROM {table}"):
            words, more = index.pop(n, (None, ""))
            wanted = {part for one in (*json.loads(tags), *beside) for part in prepare(one or "").split()}
            if words != prepare(text) or set(more.split()) != wanted:
                yield f"{table} {n} is indexed as {words!r} and {more!r}"
        yield from (f"{table} {n} is gone and still indexed" for n in index)


def _torn(raw: sqlite3.Connection) -> Iterator[str]:
    """What FTS5 itself finds wrong with its tables."""
    for table in _INDEXED:
        try:
            raw.execute(f"INSERT INTO {table}_index ({table}_index) VALUES ('integrity-check')")
        except sqlite3.DatabaseError as error:
            yield f"{table}_index: {error}"
