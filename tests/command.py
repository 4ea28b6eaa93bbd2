"""The command line: in another process, as a user's shell runs it, or in this one; and what its JSON looks like."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import patch

from memview import MemoryStore
from memview.cli.main import run
from support import SettableClock

_DROP_FROM_BOUNDING_SET, _OVERRIDE, _SEARCH = 24, 1, 2
_libc = ctypes.CDLL(None)

FACT = {
    "id": str, "tenant": str, "namespace": str, "content": str, "category": (str, type(None)), "tags": list,
    "importance": (int, float), "strength": float, "effective_strength": float, "access_count": int, "status": str,
    "pinned": bool, "created_at": str, "updated_at": str, "last_accessed_at": str, "origin": dict, "metadata": dict,
    "version": int,
}  # fmt: skip
ORIGIN = {"agent": (str, type(None)), "session": (str, type(None)), "turns": list, "kind": (str, type(None))}
TURN = {
    "id": str, "tenant": str, "namespace": (str, type(None)), "session": str, "request": str, "response": str,
    "at": str, "meta": dict,
}  # fmt: skip
CHANGE = {
    "seq": int, "at": str, "actor": (str, type(None)), "action": (str, type(None)), "op": str, "kind": str, "id": str,
    "tenant": str, "namespace": (str, type(None)), "before": (dict, type(None)), "after": (dict, type(None)),
}  # fmt: skip
STATS = {
    "path": str, "format": str, "size_bytes": int, "namespaces": int, "facts": int, "turns": int, "sessions": int,
    "links": int, "by_namespace": list,
}  # fmt: skip


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    raw: bytes
    """Its stdout."""
    err: str

    @property
    def out(self) -> str:
        """Its stdout as text."""
        return self.raw.decode()

    @property
    def sentence(self) -> str:
        """The one line of words that it ended with; fails where there is another number of lines."""
        (line,) = self.err.splitlines()
        return line


def obey_permissions() -> None:
    """Make the program that this process becomes obey permissions, as root would not (capabilities(7))."""
    if os.geteuid() == 0:
        _libc.prctl(_DROP_FROM_BOUNDING_SET, _OVERRIDE)
        _libc.prctl(_DROP_FROM_BOUNDING_SET, _SEARCH)


def memview(
    *arguments: str | os.PathLike[str], env: Mapping[str, str] | None = None, obey: bool = False, stdin: bytes = b""
) -> Ended:
    """Run the command line to its end, without a terminal.

    Args:
        arguments: what follows ``memview``.
        env: more environment.
        obey: whether permissions hold, also for root.
        stdin: what comes on its stdin.
    """
    return _run(["-m", "memview", *arguments], env=env, obey=obey, stdin=stdin)


def python(code: str, *arguments: str | os.PathLike[str], obey: bool = False) -> Ended:
    """Run a snippet in another process to its end."""
    return _run(["-c", code, *arguments], obey=obey)


def _run(
    arguments: Sequence[str | os.PathLike[str]], *, env: Mapping[str, str] | None = None, obey: bool = False,
    stdin: bytes = b"",
) -> Ended:  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        input=stdin, capture_output=True, env={**os.environ, **(env or {})}, timeout=60, check=False,
        preexec_fn=obey_permissions if obey else None,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr.decode())


def cli(*arguments: str | os.PathLike[str], stdin: bytes = b"") -> Ended:
    """Run a command in this process, without a terminal: as good as in its own, and ten times as fast."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8") for _ in range(2))
    typed = TextIOWrapper(BytesIO(stdin), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", typed):
        status = run([os.fspath(argument) for argument in arguments])
    for stream in (out, err):
        stream.flush()
    raw, told = (stream.buffer.getvalue() for stream in (out, err))
    return Ended(status, raw, told.decode())


def has_shape(value: Any, shape: dict[str, Any]) -> dict[str, Any]:
    """The value, which has every key of a shape with a value of its type; times are ISO 8601 in UTC."""
    assert isinstance(value, dict)
    for key, kinds in shape.items():
        assert isinstance(value[key], kinds), (key, value[key])
        if key == "at" or key.endswith("_at"):
            assert datetime.fromisoformat(value[key]).utcoffset() == timedelta(0)
    return value


def fill(path: Path, clock: SettableClock) -> dict[str, str]:
    """Make a store with a few facts and turns; their ids by their first word."""
    with MemoryStore(path, agent="planner", clock=clock) as store:
        talk = store.conversation("s7", namespace="user:42")
        turn = talk.record("We ship tuesdays, 14 to 16", "Noted", channel="chat")
        assert turn is not None
        memory = store.memory("user:42")
        facts = [
            memory.write(
                "Deploy window is Tuesday", {"by": "hand"}, category="preference", tags=["deploy"], importance=8,
                session="s7", turns=[turn.id], origin="user",
            ),
            memory.write("Thursday was the deploy day once"),
            store.memory("user:43").write("Répond en français, toujours 東京"),
            store.tenant("acme").memory("user:42").write("Acme deploys by hand"),
        ]  # fmt: skip
        clock.forward(hours=1)
        memory.link(facts[0].id, facts[1].id, "supersedes")
        memory.pin(facts[0].id)
        store.conversation("s8").record("What about the weekend?", "Never at the weekend")
    return {fact.content.split()[0]: fact.id for fact in facts} | {"turn": turn.id}
