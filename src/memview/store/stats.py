"""A store in numbers."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NamedTuple

from memview.store import files
from memview.store.rows import Space, spaces


class Stats(NamedTuple):
    """What a store holds."""

    path: str
    format: str
    size_bytes: int
    """The main file with its sidecars."""
    namespaces: int
    facts: int
    """Active facts."""
    turns: int
    sessions: int
    links: int
    by_namespace: list[Space]


def stats(connection: sqlite3.Connection, path: Path) -> Stats:
    """Count what the store at ``path`` holds."""
    found = spaces(connection)
    (sessions,) = connection.execute(
        "SELECT count(*) FROM (SELECT DISTINCT tenant, namespace, session FROM turns)"
    ).fetchone()
    (links,) = connection.execute("SELECT count(*) FROM links").fetchone()
    size = sum(
        file.stat().st_size for file in (path, *(files.beside(path, s) for s in ("-wal", "-shm"))) if file.exists()
    )
    return Stats(
        str(path), "memview", size, len(found), sum(s.facts for s in found), sum(s.turns for s in found), sessions,
        links, found,
    )  # fmt: skip
