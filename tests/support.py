"""Helpers for tests: another Python process, plain SQL as another program writes it, and the bytes of a folder."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any

LIMIT = 30
"""Seconds after which another process counts as stuck."""


class SettableClock:
    """Tells the time that a test gave it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **passed: float) -> None:
        """Let time pass: days, hours, minutes or seconds."""
        self.now += timedelta(**passed)


class Process:
    """A Python process that runs a snippet and talks over pipes: it prints lines, and reads lines from its input."""

    def __init__(self, code: str, *args: object, cwd: Path | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code, *map(str, args)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd,
            start_new_session=True,
        )  # fmt: skip
        self.pid = self._process.pid

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):  # it ended, and so did all that it started
            os.killpg(self.pid, signal.SIGKILL)
        self._process.communicate()

    def line(self) -> str:
        """The next line that it prints; fails with its error output where it ended instead."""
        line = self._out.readline()
        if not line:
            raise AssertionError(f"the process ended: {self._process.communicate()[1]}")
        return line.rstrip("\n")

    def tell(self, line: str = "go") -> None:
        """Send a line to its input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def finish(self) -> list[str]:
        """Wait for a good end; the rest of what it printed."""
        out, err = self._process.communicate(timeout=LIMIT)
        assert self._process.returncode == 0, err
        return out.splitlines()

    def kill(self) -> list[str]:
        """End it as a crash would (SIGKILL); the whole lines that it had printed and nobody read."""
        self._process.kill()
        out, _ = self._process.communicate(timeout=LIMIT)
        return out.split("\n")[:-1]

    @property
    def _out(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout


def run(code: str, *args: object) -> list[str]:
    """Run a snippet in another Python process to its end; the lines it printed."""
    with Process(code, *args) as process:
        return process.finish()


_TOGETHER = """
import json, os, sys, traceback
import memview.memory.store
code, count = sys.argv.pop(), int(sys.argv.pop())
ready, go, outs = os.pipe(), os.pipe(), []
def start():
    os.write(ready[1], b".")
    os.read(go[0], 1)
for number in range(count):
    out = os.pipe()
    if os.fork() == 0:
        os.close(go[1])
        sys.argv.append(str(number))
        sys.stdout = os.fdopen(out[1], "w", buffering=1)
        try:
            exec(code, {"start": start})
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        sys.stdout.flush()
        os._exit(0)
    os.close(out[1])
    outs.append(open(out[0]))
os.close(ready[1])
waited = 0
while waited < count and (got := os.read(ready[0], count)):
    waited += len(got)
os.close(go[1])
print(json.dumps([out.read().splitlines() for out in outs]))
sys.exit(max(os.waitstatus_to_exitcode(os.wait()[1]) != 0 for _ in range(count)))
"""


def together(code: str, *args: object, count: int = 8) -> list[list[str]]:
    """Run a snippet in several processes at the same moment; the lines that each printed.

    The snippet calls ``start()`` when it is ready, and goes on when all are. The process's own number is its last
    argument. The processes are forked from one that has imported the library and opened nothing.
    """
    (answer,) = run(_TOGETHER, *args, count, code)
    lines: list[list[str]] = json.loads(answer)
    return lines


@contextmanager
def plain(path: Path) -> Iterator[sqlite3.Connection]:
    """The store as another program has it open: plain sqlite3, each statement by itself, any bytes kept."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = lambda value: value.decode("utf-8", "surrogateescape")
        yield connection


def sql(path: Path, statement: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
    """What one statement of another program gives."""
    with plain(path) as connection:
        return connection.execute(statement, values).fetchall()


def folder(path: Path) -> dict[str, bytes]:
    """The name and the bytes of every file beside a store, shared memory left out: it is no content.

    Another process reads them, since closing a file would take from this one all its locks on it.
    """
    names = os.listdir(path.parent)
    return {name: b"" if name.endswith("-shm") else _bytes(path.parent / name) for name in names}


def _bytes(path: Path) -> bytes:
    return subprocess.run(["cat", path], check=True, stdout=subprocess.PIPE).stdout


def integrity(path: Path) -> None:
    """Fail unless the database, its foreign keys and its text indexes are whole."""
    with plain(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        for index in ("facts_index", "turns_index"):
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")
