"""The command line in another process, as a user's shell would run it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_DROP_FROM_BOUNDING_SET, _OVERRIDE, _SEARCH = 24, 1, 2
_libc = ctypes.CDLL(None)


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


def memview(*arguments: str | os.PathLike[str], env: Mapping[str, str] | None = None, obey: bool = False) -> Ended:
    """Run the command line to its end, without a terminal.

    Args:
        arguments: what follows ``memview``.
        env: more environment.
        obey: whether permissions hold, also for root.
    """
    return _run(["-m", "memview", *arguments], env=env, obey=obey)


def python(code: str, *arguments: str | os.PathLike[str], obey: bool = False) -> Ended:
    """Run a snippet in another process to its end."""
    return _run(["-c", code, *arguments], obey=obey)


def _run(
    arguments: Sequence[str | os.PathLike[str]], *, env: Mapping[str, str] | None = None, obey: bool = False
) -> Ended:
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, **(env or {})}, timeout=60, check=False,
        preexec_fn=obey_permissions if obey else None,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr.decode())
