"""The tables of a memory store, as numbered migrations.

``facts``, ``turns``, ``links``, ``decisions`` and ``judgements`` (on pairs of facts) are the records, ``namespaces``
holds what belongs to a namespace as a whole, ``changes`` is the feed. ``facts_index`` and ``turns_index`` are the text
indexes; ``queue`` names rows that another program wrote and that are not indexed yet. ``evidence`` is the way back from
a turn to the facts that came from it, kept by triggers from ``facts.turns``. ``attempts`` counts who tried to write a
forgotten text again. ``context`` and ``replaced`` serve the feed's triggers, ``settings`` holds what the file remembers
about itself.

The index ``facts_scope`` finds the facts of a namespace, newest first. It carries what the orders and limits by number
are about as well, so that these read a sixth of what the table holds; its keys begin with what never changes, so that a
recall writes each entry where it was.

The version stands in ``user_version`` (`memview.store.header` has the last) and moves in the same transaction as the
migration that reaches it. A migration that has been released is never edited.
"""

from __future__ import annotations

from typing import NamedTuple

from memview.store.feed_sql import OURS, Fed, queued, triggers

_TIME = "(strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'))"
_ID = "(lower(hex(randomblob(16))))"
_WORDS = "tokenize = \"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'\""
_BEGINNINGS = "prefix = '2'"
"""Beginnings of two letters have an index of their own; of one and of three `memview.store.narrowing` helps itself.

Indexes of all three were a quarter of what it costs to index a fact, and a sixth of a file."""


class Migration(NamedTuple):
    """One step from a schema version to the next."""

    number: int
    name: str
    statements: tuple[str, ...]


_TABLES = (
    """CREATE TABLE namespaces (
        tenant TEXT NOT NULL, name TEXT NOT NULL, max_entries INTEGER, created_at TEXT NOT NULL,
        PRIMARY KEY (tenant, name)) WITHOUT ROWID""",
    f"""CREATE TABLE facts (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE DEFAULT {_ID},
        hash BLOB UNIQUE,
        tenant TEXT NOT NULL DEFAULT '', namespace TEXT NOT NULL DEFAULT '',
        content TEXT NOT NULL, category TEXT,
        tags TEXT NOT NULL DEFAULT '[]', keywords TEXT NOT NULL DEFAULT '[]', summary TEXT,
        importance INTEGER NOT NULL DEFAULT 5, memory_type TEXT NOT NULL DEFAULT 'semantic',
        strength REAL NOT NULL DEFAULT 1.0, access_count INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL DEFAULT {_TIME}, updated_at TEXT NOT NULL DEFAULT {_TIME},
        last_accessed_at TEXT NOT NULL DEFAULT {_TIME},
        version INTEGER NOT NULL DEFAULT 1, status TEXT NOT NULL DEFAULT 'active', pinned INTEGER NOT NULL DEFAULT 0,
        confidentiality TEXT NOT NULL DEFAULT 'public',
        agent TEXT, session TEXT, turns TEXT NOT NULL DEFAULT '[]', origin TEXT,
        metadata TEXT NOT NULL DEFAULT '{{}}')""",
    """CREATE INDEX facts_scope ON facts (
        tenant, namespace, status, n, pinned, importance, access_count, strength, last_accessed_at)""",
    f"""CREATE TABLE turns (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE DEFAULT {_ID},
        tenant TEXT NOT NULL DEFAULT '', namespace TEXT, session TEXT NOT NULL DEFAULT '',
        request TEXT NOT NULL DEFAULT '', response TEXT NOT NULL DEFAULT '',
        at TEXT NOT NULL DEFAULT {_TIME}, agent TEXT, metadata TEXT NOT NULL DEFAULT '{{}}')""",
    "CREATE INDEX turns_scope ON turns (tenant, namespace, session)",
    f"""CREATE TABLE links (
        id TEXT NOT NULL PRIMARY KEY DEFAULT {_ID},
        source TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
        target TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL DEFAULT 'related', created_at TEXT NOT NULL DEFAULT {_TIME}, agent TEXT,
        UNIQUE (source, target, kind))""",
    "CREATE INDEX links_target ON links (target)",
    f"""CREATE TABLE decisions (
        id TEXT NOT NULL PRIMARY KEY DEFAULT {_ID},
        fact TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
        reviewer TEXT NOT NULL, version INTEGER NOT NULL, decision TEXT NOT NULL, at TEXT NOT NULL DEFAULT {_TIME},
        UNIQUE (fact, reviewer, version))""",
    """CREATE TABLE attempts (
        fact TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE, agent TEXT NOT NULL, times INTEGER NOT NULL,
        seq INTEGER NOT NULL, at TEXT NOT NULL, PRIMARY KEY (fact, agent)) WITHOUT ROWID""",
    f"""CREATE TABLE judgements (
        id TEXT NOT NULL PRIMARY KEY DEFAULT {_ID},
        a TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
        b TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL, reviewer TEXT NOT NULL DEFAULT '', at TEXT NOT NULL DEFAULT {_TIME},
        UNIQUE (a, b, kind))""",
    "CREATE INDEX judgements_b ON judgements (b)",
    """CREATE TABLE changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL, actor TEXT, action TEXT, op TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
        tenant TEXT NOT NULL, namespace TEXT, before TEXT)""",
    "CREATE INDEX changes_record ON changes (id)",
    "CREATE INDEX changes_erased ON changes (id) WHERE op = 'erase'",
    "CREATE TABLE context (one INTEGER PRIMARY KEY CHECK (one = 1), actor TEXT, action TEXT, at TEXT NOT NULL)",
    "CREATE TABLE replaced (kind TEXT, id TEXT, n INTEGER, tenant TEXT, namespace TEXT, before TEXT)",
    "CREATE TABLE queue (kind TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (kind, n)) WITHOUT ROWID",
    "CREATE TABLE evidence (turn TEXT NOT NULL, fact TEXT NOT NULL, PRIMARY KEY (turn, fact)) WITHOUT ROWID",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    f"CREATE VIRTUAL TABLE facts_index USING fts5(content, extra, {_WORDS}, {_BEGINNINGS})",
    f"CREATE VIRTUAL TABLE turns_index USING fts5(request, response, {_WORDS}, {_BEGINNINGS})",
)


def _scope_by(owner: str) -> tuple[str, str]:
    """The scope of a record that belongs to a fact; when it goes with the fact, the one in which it was made."""
    known = f"FROM facts WHERE facts.id = {{row}}.{owner}"
    past = "FROM changes c WHERE c.id = {row}.id ORDER BY seq LIMIT 1"
    return (
        f"coalesce((SELECT tenant {known}), (SELECT tenant {past}), '')",
        f"coalesce((SELECT namespace {known}), (SELECT namespace {past}))",
    )


_FED = (
    Fed(
        table="facts",
        kind="fact",
        counted=(
            "tenant",
            "namespace",
            "content",
            "category",
            "tags",
            "keywords",
            "summary",
            "importance",
            "memory_type",
            "status",
            "pinned",
            "confidentiality",
            "agent",
            "session",
            "turns",
            "origin",
            "metadata",
            "created_at",
        ),
        carried=("updated_at", "access_count"),
        kept=("n", "strength", "last_accessed_at", "version"),
        scope=("{row}.tenant", "{row}.namespace"),
        identity=("id", "n", "hash"),
    ),
    Fed(
        table="turns",
        kind="turn",
        counted=("tenant", "namespace", "session", "request", "response", "at", "agent", "metadata"),
        carried=(),
        kept=("n",),
        scope=("{row}.tenant", "{row}.namespace"),
        identity=("id", "n"),
    ),
    Fed(
        table="links",
        kind="link",
        counted=("source", "target", "kind", "created_at", "agent"),
        carried=(),
        kept=(),
        scope=_scope_by("source"),
        identity=("id", "source target kind"),
    ),
    Fed(
        table="decisions",
        kind="decision",
        counted=("fact", "reviewer", "version", "decision", "at"),
        carried=(),
        kept=(),
        scope=_scope_by("fact"),
        identity=("id", "fact reviewer version"),
    ),
    Fed(
        table="judgements",
        kind="judgement",
        counted=("a", "b", "kind", "reviewer", "at"),
        carried=(),
        kept=(),
        scope=_scope_by("a"),
        identity=("id", "a b kind"),
    ),
)


def _queueing(table: str, kind: str, texts: str) -> list[str]:
    """Triggers that name a row for indexing (and a fact for its identity) when another program wrote it."""
    put = queued(f"'{kind}'", "{row}.n") + ";"
    changed = " OR ".join(f"old.{c} IS NOT new.{c}" for c in texts.split())
    more = "old.n IS NOT new.n"
    return [
        f"CREATE TRIGGER {table}_queue_insert AFTER INSERT ON {table} WHEN NOT {OURS} "
        f"BEGIN {put.format(row='new')} END",
        f"CREATE TRIGGER {table}_queue_update AFTER UPDATE ON {table} WHEN NOT {OURS} AND ({changed} OR {more}) "
        f"BEGIN {put.format(row='old')} {put.format(row='new')} END",
        f"CREATE TRIGGER {table}_queue_delete AFTER DELETE ON {table} WHEN NOT {OURS} "
        f"BEGIN {put.format(row='old')} END",
    ]


_LISTED = "json_each(CASE WHEN json_valid({row}.turns) THEN {row}.turns ELSE '[]' END)"
_PUT_EVIDENCE = (
    f"INSERT INTO evidence (turn, fact) SELECT DISTINCT value, new.id FROM {_LISTED.format(row='new')} "
    "WHERE value IS NOT NULL AND NOT EXISTS (SELECT 1 FROM evidence WHERE turn = value AND fact = new.id);"
)
_DROP_EVIDENCE = (
    f"DELETE FROM evidence WHERE fact = old.id AND turn IN (SELECT value FROM {_LISTED.format(row='old')});"
)
_EVIDENCE = (
    f"CREATE TRIGGER facts_evidence_insert AFTER INSERT ON facts WHEN new.turns <> '[]' BEGIN {_PUT_EVIDENCE} END",
    "CREATE TRIGGER facts_evidence_update AFTER UPDATE OF turns, id ON facts "
    f"WHEN old.turns IS NOT new.turns OR old.id IS NOT new.id BEGIN {_DROP_EVIDENCE} {_PUT_EVIDENCE} END",
    f"CREATE TRIGGER facts_evidence_delete AFTER DELETE ON facts WHEN old.turns <> '[]' BEGIN {_DROP_EVIDENCE} END",
)

_OTHERS_EDIT = (
    # A plain UPDATE by another program leaves hash and version behind: both are put right here.
    f"CREATE TRIGGER facts_others_update AFTER UPDATE ON facts WHEN NOT {OURS} AND old.version IS new.version AND ("
    + " OR ".join(f"old.{c} IS NOT new.{c}" for c in _FED[0].counted)
    + ") BEGIN UPDATE facts SET version = version + 1, hash = CASE WHEN old.content IS new.content "
    "AND old.namespace IS new.namespace AND old.tenant IS new.tenant THEN hash END WHERE n = new.n; END",
)

MIGRATIONS = (
    Migration(
        1,
        "the first tables",
        (
            *_TABLES,
            *(statement for fed in _FED for statement in triggers(fed)),
            *_queueing("facts", "fact", "content category tags keywords summary tenant namespace"),
            *_queueing("turns", "turn", "request response"),
            *_EVIDENCE,
            *_OTHERS_EDIT,
        ),
    ),
)
