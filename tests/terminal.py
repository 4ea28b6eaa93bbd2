"""The real program under a real pseudo-terminal: what it draws, byte for byte and as a screen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType

import pyte

_KEYS = {
    "Enter": "\r", "Escape": "\x1b", "Tab": "\t", "Space": " ", "Backspace": "\x7f", "Up": "\x1b[A", "Down": "\x1b[B",
    "Right": "\x1b[C", "Left": "\x1b[D", "Home": "\x1b[H", "End": "\x1b[F", "F1": "\x1bOP",
}  # fmt: skip
_PATIENCE = 60.0


class Terminal:
    """One program in one terminal of a size; a context manager that leaves no process behind."""

    def __init__(
        self,
        command: Sequence[str | os.PathLike[str]],
        *,
        columns: int = 120,
        rows: int = 36,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.raw = bytearray()
        """Every byte that the program wrote."""
        self.seen_at: list[tuple[float, int]] = []
        """When bytes arrived (``time.monotonic``), and how many there were by then."""
        self._drawn = 0
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._master, slave = pty.openpty()
        self._size(columns, rows)
        environment = {
            **os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none",
            **(env or {}),
        }  # fmt: skip
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            if name not in (env or {}):
                environment.pop(name, None)
        self.process = subprocess.Popen(
            [os.fspath(part) for part in command],
            stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def lines(self) -> list[str]:
        """The screen as text."""
        return [line.rstrip() for line in self._shown().display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row of the hardware cursor."""
        cursor = self._shown().cursor
        return cursor.x, cursor.y

    def _shown(self) -> pyte.Screen:
        """The screen as all bytes so far make it; drawing is slower than the program, so it waits until asked for."""
        self._stream.feed(bytes(self.raw[self._drawn :]))
        self._drawn = len(self.raw)
        return self._screen

    def pump(self, seconds: float) -> bool:
        """Take in what the program writes; False when nothing came in that time or it ended."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._master, 1 << 16)
        except OSError:  # Linux says EIO when the other side has closed
            return False
        self.raw += data
        self.seen_at.append((time.monotonic(), len(self.raw)))
        return bool(data)

    def wait_for(self, wanted: str | Callable[[str], bool], seconds: float = _PATIENCE) -> str:
        """Go on until the screen has a text, or satisfies a condition, and return the screen.

        Raises:
            AssertionError: it did not within ``seconds``.
        """
        holds = (lambda text: wanted in text) if isinstance(wanted, str) else wanted
        end = time.monotonic() + seconds
        while not holds(self.text):
            left, over = end - time.monotonic(), self.process.poll() is not None
            if left <= 0 or (not self.pump(min(left, 0.5)) and over):  # over before it was found to say no more
                raise AssertionError(f"{wanted!r} did not appear; exit {self.process.poll()}; the screen:\n{self.text}")
        return self.text

    def settle(self, quiet: float = 0.25, longest: float = 5.0) -> str:
        """Go on until nothing was drawn for ``quiet`` seconds, and return the screen."""
        end = time.monotonic() + longest
        while self.pump(quiet) and time.monotonic() < end:
            pass
        return self.text

    def press(self, *keys: str) -> None:
        """Type: names of keys (``Enter``, ``Escape``, ``ctrl+s``), or text that is typed letter by letter."""
        for key in keys:
            if key.startswith("ctrl+"):
                data = chr(ord(key[-1].upper()) - 64)
            else:
                data = _KEYS.get(key, key)
            os.write(self._master, data.encode())

    def click(self, text: str, *, times: int = 1, button: int = 1, left: int = 0) -> None:
        """Click on the first place that shows a text, once it is on the screen, or some cells to the left of it."""
        self.wait_for(text)
        row = next(at for at, line in enumerate(self.lines) if text in line)
        column = self.lines[row].index(text) - left
        for _ in range(times):
            os.write(self._master, f"\x1b[<{button - 1};{column + 1};{row + 1}M".encode())
            os.write(self._master, f"\x1b[<{button - 1};{column + 1};{row + 1}m".encode())

    def scroll(self, text: str, *, up: bool = False) -> None:
        """Turn the mouse wheel once over a text, once it is on the screen."""
        self.wait_for(text)
        row = next(at for at, line in enumerate(self.lines) if text in line)
        wheel = 64 if up else 65
        os.write(self._master, f"\x1b[<{wheel};{self.lines[row].index(text) + 1};{row + 1}M".encode())

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self._shown()
        self._size(columns, rows)
        self._screen.resize(rows, columns)
        os.killpg(self.process.pid, signal.SIGWINCH)

    def ended(self, seconds: float = _PATIENCE) -> int:
        """Wait for the program to end; its exit status."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.pump(0.05)
        while self.pump(0):  # what it wrote last comes in pieces
            pass
        return self.process.wait(timeout=1)

    def hang_up(self) -> None:
        """Close the terminal under the program, as when its window is closed."""
        os.close(self._master)
        self._master = -1

    def close(self) -> None:
        """End the program and let go of the terminal."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def _size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def memview(*arguments: str | os.PathLike[str]) -> list[str]:
    """The command line that runs memview from this environment."""
    return [sys.executable, "-m", "memview", *(os.fspath(argument) for argument in arguments)]
