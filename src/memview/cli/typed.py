"""Keys as they are typed at a terminal: one by one, none shown, and none lost that came before it was asked for."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_KEY = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|O.|.)?|.", re.DOTALL)
"""A letter, or all that a terminal sends for one key, such as an arrow."""


@contextmanager
def at_once() -> Iterator[None]:
    """Let each key come without Enter and unshown; what does not come from a terminal comes as it is."""
    if not from_terminal():
        yield
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)  # the default throws away what was typed until now
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def one_by_one() -> Iterator[str]:
    """The keys that are typed, without end; inside :func:`at_once`."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := os.read(sys.stdin.fileno(), 32):
        yield from _KEY.findall(decoder.decode(data))


def from_terminal() -> bool:
    """Whether somebody types."""
    return sys.stdin is not None and sys.stdin.isatty()
