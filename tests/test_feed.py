"""The change feed: every change of a record, whoever makes it, and exactly what stood there before."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memview import Memory, MemoryStore
from memview.memory import looking
from memview.memory.looking import ChangeRow, Looker
from support import SettableClock, plain, run, sql

Seen = tuple[str, str, str, str | None, str]
"""What a test compares of a change: op, kind, id, actor, verb."""


class Feed:
    """The feed of a store, from where it was last read."""

    def __init__(self, path: Path) -> None:
        self._looker = Looker(path)
        self._seq = 0

    def rows(self) -> list[ChangeRow]:
        """The changes since the last call."""
        rows = self._looker.read(lambda c: looking.with_after(c, looking.since(c, self._seq)))
        self._seq = rows[-1].seq if rows else self._seq
        return rows

    def seen(self) -> list[Seen]:
        """The same, in short."""
        return [(row.op, row.kind, row.id, row.actor, looking.verb(row.action)) for row in self.rows()]

    def close(self) -> None:
        self._looker.close()


@pytest.fixture
def feed(store: MemoryStore, path: Path) -> Any:
    feed = Feed(path)
    yield feed
    feed.close()


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


def elsewhere(path: Path, *statements: str) -> None:
    """Run statements by plain sqlite3 in another process, foreign keys on."""
    run(
        "import sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('PRAGMA foreign_keys = ON')\n"
        "for statement in sys.argv[2:]: c.execute(statement)\n"
        "c.close()",
        path, *statements,
    )  # fmt: skip


def test_every_call_of_the_library_is_one_action(memory: Memory, feed: Feed, clock: SettableClock) -> None:
    one, two = memory.write_many(["one", "two"])
    first = feed.rows()
    assert len({row.action for row in first}) == 1
    assert {(row.at, row.tenant, row.namespace) for row in first} == {("2026-03-01T09:30:00.000000Z", "", "user:42")}
    link = memory.link(one.id, two.id)
    memory.update(one.id, "three", tags=["t"])
    memory.forget(one.id)
    memory.restore(one.id)
    memory.pin(one.id)
    memory.accept(one.id)
    memory.unlink(one.id, two.id)
    me = "planner"
    (_, _, decision, _, _) = (seen := feed.seen())[5]
    assert seen == [
        ("insert", "link", link.id, me, "link"), ("update", "fact", one.id, me, "edit"),
        ("update", "fact", one.id, me, "forget"), ("update", "fact", one.id, me, "restore"),
        ("update", "fact", one.id, me, "pin"), ("insert", "decision", decision, me, "accept"),
        ("delete", "link", link.id, me, "unlink"),
    ]  # fmt: skip


def test_before_holds_the_changed_columns_only(memory: Memory, feed: Feed, clock: SettableClock) -> None:
    fact = memory.write("one", tags=["a"])
    clock.forward(hours=1)
    memory.update(fact.id, "two")
    inserted, updated = feed.rows()
    assert inserted.before is None
    assert updated.before == {"content": "one", "updated_at": "2026-03-01T09:30:00.000000Z"}
    assert updated.after == {"content": "two", "updated_at": "2026-03-01T10:30:00.000000Z"}


def test_turns_are_in_the_feed(store: MemoryStore, feed: Feed) -> None:
    conversation = store.conversation("s1", namespace="chat")
    turn = conversation.record(request="hello", response="hi")
    assert turn is not None
    conversation.delete()
    rows = feed.rows()
    assert [(row.op, row.kind, row.id, row.namespace) for row in rows] == [
        ("insert", "turn", turn.id, "chat"), ("delete", "turn", turn.id, "chat"),
    ]  # fmt: skip
    assert (rows[1].before or {})["request"] == "hello"


def test_another_program_is_in_the_feed_without_a_name(store: MemoryStore, path: Path, feed: Feed) -> None:
    mine = store.memory("user:42").write("mine")
    feed.rows()
    elsewhere(
        path,
        "INSERT INTO facts (id, namespace, content) VALUES ('f1', 'n', 'one'), ('f2', 'n', 'two')",
        "INSERT INTO turns (id, namespace, request) VALUES ('t1', 'n', 'hello')",
        "INSERT INTO links (id, source, target) VALUES ('l1', 'f1', 'f2')",
        f"UPDATE facts SET content = 'theirs' WHERE id = '{mine.id}'",
        "UPDATE turns SET response = 'hi' WHERE id = 't1'",
        "UPDATE links SET kind = 'contradicts' WHERE id = 'l1'",
        "DELETE FROM facts WHERE id = 'f1'",
        "DELETE FROM turns WHERE id = 't1'",
    )
    rows = feed.rows()
    assert [(row.op, row.kind, row.id) for row in rows] == [
        ("insert", "fact", "f1"), ("insert", "fact", "f2"), ("insert", "turn", "t1"), ("insert", "link", "l1"),
        ("update", "fact", mine.id), ("update", "turn", "t1"), ("update", "link", "l1"),
        ("delete", "link", "l1"), ("delete", "fact", "f1"), ("delete", "turn", "t1"),
    ]  # fmt: skip
    assert {(row.actor, row.action) for row in rows} == {(None, None)}
    assert {row.namespace for row in rows} == {"n", "user:42"}
    assert [row.before for row in rows[4:7]] == [{"content": "mine"}, {"response": ""}, {"kind": "related"}]
    assert (rows[7].before or {})["kind"] == "contradicts"
    assert (rows[8].before or {})["content"] == "one"


def test_links_that_go_with_a_fact_keep_its_tenant_in_the_feed(store: MemoryStore, path: Path, feed: Feed) -> None:
    memory = store.tenant("acme").memory("user:42")
    one, two = memory.write_many(["one", "two"])
    link = memory.link(one.id, two.id)
    memory.accept(one.id)
    feed.rows()
    elsewhere(path, f"DELETE FROM facts WHERE id = '{one.id}'")
    rows = feed.rows()
    assert {(row.op, row.kind) for row in rows} == {("delete", "link"), ("delete", "decision"), ("delete", "fact")}
    assert {(row.tenant, row.namespace) for row in rows} == {("acme", "user:42")}
    assert link.id in {row.id for row in rows}


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (["INSERT OR REPLACE INTO facts (id, content) VALUES ('f1', 'new')"], ["delete f1", "insert f1"]),
        (["INSERT OR REPLACE INTO facts (n, id, content) SELECT n, 'f9', 'x' FROM facts WHERE id = 'f1'"],
         ["delete f1", "insert f9"]),
        (["INSERT OR IGNORE INTO facts (id, content) VALUES ('f1', 'new')"], []),
        (["INSERT OR IGNORE INTO facts (id, content) VALUES ('f1', 'new')",
          "INSERT INTO facts (id, content) VALUES ('f9', 'new')"], ["insert f9"]),
        (["INSERT INTO facts (id, content) VALUES ('f1', 'x') ON CONFLICT (id) DO UPDATE SET content = 'x'"],
         ["update f1"]),
        (["INSERT INTO facts (id, content) VALUES ('f1', 'x') ON CONFLICT (id) DO NOTHING",
          "INSERT OR REPLACE INTO facts (id, content) VALUES ('f2', 'x')"], ["delete f2", "insert f2"]),
        (["INSERT OR REPLACE INTO facts (id, content) VALUES ('f1', 'x'), ('f9', 'y'), ('f2', 'z')"],
         ["delete f1", "insert f1", "insert f9", "delete f2", "insert f2"]),
        (["INSERT OR REPLACE INTO links (id, source, target) VALUES ('l9', 'f2', 'f3')"], ["delete l1", "insert l9"]),
        (["UPDATE OR REPLACE links SET target = 'f3' WHERE id = 'l2'"], ["delete l1", "update l2"]),
        (["UPDATE OR IGNORE links SET target = 'f3' WHERE id = 'l2'",
          "UPDATE links SET target = 'f1' WHERE id = 'l2'"], ["update l2"]),
        (["INSERT OR REPLACE INTO turns (id, request) VALUES ('t1', 'x')"], ["delete t1", "insert t1"]),
    ],
)  # fmt: skip
def test_conflict_clauses_of_plain_sql_are_told_as_what_they_did(
    path: Path, feed: Feed, statements: list[str], expected: list[str]
) -> None:
    elsewhere(
        path,
        "INSERT INTO facts (id, content) VALUES ('f1', 'one'), ('f2', 'two'), ('f3', 'three'), ('f4', 'four')",
        "INSERT INTO links (id, source, target) VALUES ('l1', 'f2', 'f3'), ('l2', 'f2', 'f4')",
        "INSERT INTO turns (id, request) VALUES ('t1', 'hello')",
    )
    feed.rows()
    elsewhere(path, *statements)
    rows = [row for row in feed.rows() if row.kind != "link" or "links" in statements[0]]
    assert [f"{row.op} {row.id}" for row in rows] == expected
    assert all((row.before is None) == (row.op == "insert") for row in rows)


def test_a_fact_replaced_by_plain_sql_shows_both_texts_in_its_history(memory: Memory, path: Path, feed: Feed) -> None:
    fact = memory.write("mine")
    elsewhere(path, f"INSERT OR REPLACE INTO facts (id, namespace, content) VALUES ('{fact.id}', 'user:42', 'theirs')")
    assert [
        (change.op, (change.before or {}).get("content"), (change.after or {}).get("content"))
        for change in memory.history(fact.id)
    ] == [("insert", None, "mine"), ("delete", "mine", None), ("insert", None, "theirs")]


def test_being_recalled_is_no_change(memory: Memory, path: Path, feed: Feed) -> None:
    fact = memory.write("one")
    feed.rows()
    version = sql(path, "SELECT version FROM facts")
    elsewhere(
        path,
        "UPDATE facts SET access_count = access_count + 1, strength = 0.7, last_accessed_at = '2027-01-01T00:00:00Z'",
    )
    assert feed.rows() == []
    assert sql(path, "SELECT version FROM facts") == version
    assert memory.get(fact.id).access_count == 1


def test_an_update_by_plain_sql_that_says_nothing_new_is_no_change(memory: Memory, path: Path, feed: Feed) -> None:
    fact = memory.write("one", tags=["a"])
    feed.rows()
    elsewhere(path, "UPDATE facts SET content = content, tags = tags, category = NULL")
    assert feed.rows() == []
    assert memory.get(fact.id).version == 1


VALUES = [
    b"", b"\x00\xff\x80", 0.1, -0.0, 1e308, 5e-324, math.inf, -math.inf, 1.0, 2**63 - 1, -(2**63), 0, "", "a\0b",
    "'\"\\",
    "é", "🦊", "\u2028", "\x7f\x01\n", '{"real": "1"}', "null", "[1]", "%s",
]  # fmt: skip


def _store_and_change(path: Path, value: object, cast: str = "?") -> tuple[object, object]:
    """What stood in a row, by SQLite's own account, and what the feed says stood there."""
    with plain(path) as connection:
        connection.execute(f"INSERT OR REPLACE INTO turns (id, request, response) VALUES ('t', '', {cast})", (value,))
        stood = connection.execute("SELECT typeof(response), hex(response), response FROM turns").fetchone()
        connection.execute("UPDATE turns SET response = 'something else'")
        (last,) = looking.since(connection, looking.last_seq(connection) - 1)
        assert last.before is not None
        told = last.before["response"]
        text = isinstance(told, str)
        bound = told.encode("utf-8", "surrogateescape") if text else told
        again = connection.execute(
            f"SELECT typeof(v), hex(v), v FROM (SELECT {'CAST(? AS TEXT)' if text else '?'} AS v)", (bound,)
        ).fetchone()
    return stood, again


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_any_value_survives_in_before(store: MemoryStore, path: Path, value: object) -> None:
    stood, told = _store_and_change(path, value)
    assert told == stood


@pytest.mark.parametrize("data", [b"\xff", b"\xc3", b"a\x00\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"])
def test_text_that_is_not_utf8_survives_in_before(store: MemoryStore, path: Path, data: bytes) -> None:
    stood, told = _store_and_change(path, data, "CAST(? AS TEXT)")
    assert told == stood


doubles = st.binary(min_size=8, max_size=8).map(lambda b: struct.unpack("<d", b)[0]).filter(lambda x: not math.isnan(x))


@given(st.one_of(st.text(), st.binary(), st.integers(-(2**63), 2**63 - 1), doubles, st.floats(allow_nan=False)))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_every_value_that_sqlite_can_hold_survives_in_before(store: MemoryStore, path: Path, value: object) -> None:
    if isinstance(value, float):  # a real in a text column would be stored as text: ask a column without affinity
        with plain(path) as connection:
            typed = connection.execute("SELECT printf('%!.20g', ?)", (value,)).fetchone()[0]
        assert float(typed) == value
        return
    stood, told = _store_and_change(path, value)
    assert told == stood


@pytest.mark.parametrize("value", [0.1, 0.30000000000000004, 1e-300, 123456789.123456789, math.pi])
def test_a_real_survives_undo_exactly(memory: Memory, store: MemoryStore, path: Path, value: float) -> None:
    fact = memory.write("one")
    sql(path, "UPDATE facts SET importance = ? WHERE id = ?", (value, fact.id))
    memory.update(fact.id, importance=9)
    store.undo()
    assert sql(path, "SELECT importance, typeof(importance) FROM facts") == [(value, "real")]


@pytest.mark.parametrize(
    ("column", "value"),
    [("content", b"\x00\xff"), ("tags", b"\x80"), ("category", 2**62), ("summary", "a\0b"), ("metadata", "{"),
     ("importance", "high"), ("strength", "strong"), ("created_at", b"\xff"), ("turns", "[1, {}]")],
)  # fmt: skip
def test_no_value_keeps_a_row_from_being_changed_or_deleted(
    memory: Memory, path: Path, column: str, value: object
) -> None:
    fact = memory.write("one")
    sql(path, f"UPDATE facts SET {column} = ? WHERE id = ?", (value, fact.id))
    memory.forget(fact.id)
    memory.restore(fact.id)
    assert len(memory.history(fact.id)) in (3, 4)
    sql(path, "DELETE FROM facts")
    assert sql(path, "SELECT count(*) FROM facts") == [(0,)]
    assert sql(path, "SELECT op FROM changes ORDER BY seq DESC LIMIT 1") == [("delete",)]


def test_a_failed_call_leaves_nothing_in_the_feed(memory: Memory, feed: Feed) -> None:
    one, _ = memory.write_many(["one", "two"])
    feed.rows()
    acts: list[Callable[[], object]] = [
        lambda: memory.update(one.id, "two"), lambda: memory.link(one.id, "missing"), lambda: memory.forget("missing"),
    ]  # fmt: skip
    for act in acts:
        with pytest.raises(Exception, match=r".") as failed:
            act()
        assert failed.value.__class__.__module__ == "memview.errors"
    assert feed.rows() == []


def test_the_feed_is_not_written_under_another_agents_name(store: MemoryStore, path: Path, feed: Feed) -> None:
    store.memory("a").write("one")
    with MemoryStore(path, agent="critic") as other:
        other.memory("a").write("two")
    with MemoryStore(path) as nobody:
        nobody.memory("a").write("three")
    elsewhere(path, "INSERT INTO facts (content) VALUES ('four')")
    assert [row.actor for row in feed.rows()] == ["planner", "critic", None, None]
