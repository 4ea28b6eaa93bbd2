"""Every error says what is wrong and what to do, and one tree holds them all."""

from __future__ import annotations

import inspect
import os
import pickle
import sqlite3
from pathlib import Path

import pytest

import memview
from memview import errors
from memview.errors import BusyStore, Conflict, DamagedStore, Duplicate, MemviewError, NoPermission, StoreError
from memview.store import files
from support import run

TREE = [error for _, error in inspect.getmembers(errors, inspect.isclass) if error.__module__ == errors.__name__]


def test_the_docstring_draws_the_tree() -> None:
    drawn: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        for error in TREE:
            if error.__name__ in line.split():
                depth = line.index(error.__name__)
                parents = [name for at, name in drawn.items() if at < depth]
                drawn = {at: name for at, name in drawn.items() if at < depth} | {depth: error.__name__}
                if parents:
                    assert error.__bases__[0].__name__ == parents[-1]
    named = {error.__name__ for error in TREE if error.__name__ in (errors.__doc__ or "")}
    assert named == {error.__name__ for error in TREE}


@pytest.mark.parametrize("error", TREE)
def test_every_error_is_exported_and_has_a_sentence_and_a_code(error: type[MemviewError]) -> None:
    assert getattr(memview, error.__name__) is error
    assert issubclass(error, MemviewError)
    assert error.__doc__
    raised = error("It broke.", "Mend it.", **({"id": "x"} if error in (Conflict, Duplicate) else {}))
    assert (raised.title, raised.hint) == ("It broke.", "Mend it.")
    assert str(raised) == "It broke. Mend it."
    assert raised.exit_code in (1, 3, 4, 5)


def test_errors_stand_for_what_python_calls_them() -> None:
    assert issubclass(memview.NotFound, KeyError)
    assert issubclass(memview.Invalid, ValueError)
    assert str(memview.NotFound("No such fact.")) == "No such fact."


def test_a_conflict_carries_both_sides() -> None:
    conflict = Conflict("x", id="i", mine={"a": 1}, theirs={"a": 2})
    assert (conflict.id, conflict.mine, conflict.theirs) == ("i", {"a": 1}, {"a": 2})
    assert Conflict("x", id="i").theirs == {}


@pytest.mark.parametrize(
    "error", [Conflict("x", "y", id="i", mine={"a": 1}), Duplicate("x", id="i"), BusyStore("x", "y")]
)
def test_an_error_travels_between_processes(error: MemviewError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.title, again.hint, vars(again)) == (type(error), error.title, error.hint, vars(error))


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("database is locked", BusyStore), ("database table is locked", BusyStore),
        ("attempt to write a readonly database", NoPermission), ("unable to open database file", NoPermission),
        ("database disk image is malformed", DamagedStore), ("file is not a database", DamagedStore),
        ("database or disk is full", StoreError), ("disk I/O error", StoreError),
        ("something new \x1b[31m", StoreError),
    ],
)  # fmt: skip
def test_what_sqlite_says_is_put_into_words(words: str, kind: type[StoreError]) -> None:
    told = files.explain(sqlite3.OperationalError(words), Path("a\x1b[2J.db"))
    assert type(told) is kind
    assert "\x1b" not in str(told)
    assert told.title.endswith(".")
    assert told.hint.endswith(".")


def test_a_file_that_may_not_be_read_or_written_is_said(path: Path) -> None:
    memview.MemoryStore(path).close()
    code = """
import os, sys
from memview import MemoryStore, MemviewError
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
for read_only in (True, False):
    try:
        with MemoryStore(sys.argv[1], read_only=read_only) as store:
            store.memory("n").write("x") if not read_only else print(store.memory("n").count())
    except MemviewError as error:
        print(type(error).__name__, error)
"""
    opened = [place for place in path.parents if place != Path("/") and not os.stat(place).st_mode & 0o001]
    modes = {place: os.stat(place).st_mode for place in (path.parent, path)}
    try:
        for place in opened:
            place.chmod(0o755)
        path.parent.chmod(0o555)
        path.chmod(0o444)
        readable = run(code, path)
        path.chmod(0o000)
        sealed = run(code, path)
    finally:
        for place, mode in modes.items():
            place.chmod(mode)
    assert readable[0] == "0"
    assert readable[1].startswith("NoPermission You may not write")
    assert all(line.startswith("NoPermission You may not read agent.db.") for line in sealed)
