"""The demo while it runs: a store in a temporary folder, an agent beside it, and nothing left behind."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from memview.cli.demo.agent import FOLDER_PREFIX, READY
from memview.errors import StoreError

_GONE_SECONDS = 3.0


@contextlib.contextmanager
def demonstration(*, pause: float = 4.0, meanwhile: Callable[[], object] | None = None) -> Iterator[Path]:
    """A made-up store that an agent writes into while the block runs.

    Both are gone afterwards, also when the block raises or the process is told to end (SIGTERM, SIGHUP); should it be
    killed outright, the agent notices and cleans up.

    Args:
        pause: about how many seconds lie between two writes of the agent.
        meanwhile: called while the agent makes the store; a good time to load the app.

    Raises:
        StoreError: the store could not be made.
    """
    folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
    try:
        with _ending_on_signals():
            path = folder / "agent.db"
            agent = _start(path, pause)
            try:
                if meanwhile is not None:
                    meanwhile()
                _await(agent)
                yield path
            finally:
                _stop(agent)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(path: Path, pause: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "memview.cli.demo.agent", str(path), f"--pause={pause}", "--build", "--remove"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _await(agent: subprocess.Popen[bytes]) -> None:
    assert agent.stdout is not None
    if agent.stdout.readline().strip() != READY.encode():
        raise StoreError("The demo's store could not be made.", "Is there room in the folder for temporary files?")


def _stop(agent: subprocess.Popen[bytes]) -> None:
    """Let go of the agent's stdin, which ends it; insist when it does not."""
    for stream in (agent.stdin, agent.stdout):
        if stream is not None:
            stream.close()
    try:
        agent.wait(_GONE_SECONDS)
    except subprocess.TimeoutExpired:
        agent.kill()
        agent.wait()


@contextlib.contextmanager
def _ending_on_signals() -> Iterator[None]:
    """Make the signals that end a program end it through its ``finally`` blocks."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
