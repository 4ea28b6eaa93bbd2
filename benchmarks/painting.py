"""What stands on the screen of a program, and since when: each piece it drew is put on a screen of our own.

The program is never slowed by being looked at: its bytes are taken in with the time at which they came, and only then
replayed.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyte

from terminal import Terminal, memview

Look = Callable[[list[str]], object]
"""What of the screen is looked at, given its lines."""

COLUMNS, ROWS = 120, 36
_OWN = os.path.join(tempfile.gettempdir(), "memview-bench-home")
ENVIRONMENT = {"HOME": _OWN, "PYTHONPYCACHEPREFIX": os.path.join(_OWN, "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
"""Programs run from bytecode, as where they were installed, even where an environment forbids to write it, and without
a person's own settings."""


def the_list(lines: list[str]) -> object:
    """The signs and texts of memview's list with what stands in its search field; not the counts, which come later, and
    not the ages, which pass by themselves."""
    return [lines[1][:40], *(line[22:61] for line in lines[3:-2])]


class Painted:
    """A program in a terminal of 120 columns and 36 rows; a context manager.

    Args:
        command: what runs in it.
    """

    def __init__(self, command: Sequence[str | os.PathLike[str]]) -> None:
        self.started = time.monotonic()
        self.terminal = Terminal(command, columns=COLUMNS, rows=ROWS, env=ENVIRONMENT)
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._lines = [""] * ROWS
        self._replayed = 0

    def __enter__(self) -> Painted:
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.close()

    @property
    def pid(self) -> int:
        """The program's process."""
        return self.terminal.process.pid

    def until(self, mark: bytes, seconds: float = 120.0) -> float:
        """Go on until the program wrote a text; seconds since it was started.

        Raises:
            TimeoutError: it did not.
        """
        while mark not in self.terminal.raw:
            ended = self.terminal.process.poll() is not None
            if not self.terminal.pump(1.0) and (ended or time.monotonic() - self.started > seconds):
                raise TimeoutError(f"{mark!r} was never drawn:\n{self.terminal.text}")
        return self.terminal.seen_at[-1][0] - self.started

    def after(
        self, *keys: str, look: Look, quiet: float = 0.3, window: float = 1.0, patience: float = 20.0,
        changes: bool = False,
    ) -> float:  # fmt: skip
        """Seconds from keys to the moment since which what is looked at stays as it is.

        Args:
            keys: what is pressed.
            look: what is looked at.
            quiet: so long nothing may be drawn until it is taken for the last.
            window: so long is waited where something is drawn all the time.
            patience: so long is waited where the screen says that something is still being found.
            changes: whether what is looked at cannot stay as it was, so that its change is waited for as long.
        """
        self._catch_up()
        sent = time.monotonic()
        self.terminal.press(*keys)
        states: list[tuple[float, object]] = [(0.0, look(self._lines))]
        end = sent + window
        while True:
            while self.terminal.pump(quiet) and time.monotonic() < end:
                pass
            states += [(when - sent, look(lines)) for when, lines in self._pieces()]
            still = changes and all(state == states[0][1] for _, state in states)
            if (_answered(self._lines) and not still) or time.monotonic() - sent > patience:
                return _since(states)
            end = time.monotonic() + window

    def quiet(self, seconds: float = 0.5) -> list[str]:
        """Wait until nothing is drawn for a while; the screen's lines."""
        self.terminal.settle(seconds)
        self._catch_up()
        return [*self._lines]

    def leave(self) -> None:
        """Quit memview."""
        self.terminal.press("ctrl+q")
        self.terminal.ended()

    def _catch_up(self) -> None:
        for _ in self._pieces():
            pass

    def _pieces(self) -> Iterator[tuple[float, list[str]]]:
        """The screen after each piece that was not yet replayed, and when that came."""
        seen = self.terminal.seen_at
        while self._replayed < len(seen):
            when, size = seen[self._replayed]
            before = seen[self._replayed - 1][1] if self._replayed else 0
            self._stream.feed(bytes(self.terminal.raw[before:size]))
            self._replayed += 1
            for row in self._screen.dirty:
                self._lines[row] = "".join(self._screen.buffer[row][column].data for column in range(COLUMNS))
            self._screen.dirty.clear()
            yield when, [*self._lines]


def _since(states: list[tuple[float, object]]) -> float:
    """Since when the last state has stood."""
    at = len(states) - 1
    while at and states[at - 1][1] == states[-1][1]:
        at -= 1
    return states[at][0]


def _answered(lines: list[str]) -> bool:
    """Whether memview's screen says of nothing that it is still being found; another program's never does."""
    return "… of " not in lines[1] and "… in " not in lines[1]


def on_store(path: Path) -> list[str]:
    """The command that opens memview on a store."""
    return memview(path)


def peer(name: str, *arguments: str) -> list[str]:
    """The command that runs one of the peers."""
    return [sys.executable, str(Path(__file__).parent / "peers" / f"{name}.py"), *arguments]


def used(pid: int) -> float:
    """The processor time that a process has used, all its threads, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(pid: int) -> float:
    """The most memory that a process had resident, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    raise OSError("the system does not tell the peak of memory")
