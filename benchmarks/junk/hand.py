"""Keys on a real terminal, counted, and a screen to read between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from terminal import Terminal, memview

STILL = 0.06
"""Seconds without a change after which a screen is read."""


class Hand:
    """A person at the keyboard of the real program, who knows nothing but what the screen shows.

    Args:
        path: the store.
        columns: of the terminal.
        rows: of the terminal.
        env: of the program; its folders for state and settings are named here.
    """

    def __init__(self, path: Path, columns: int, rows: int, env: dict[str, str]) -> None:
        self.terminal = Terminal(memview(path), columns=columns, rows=rows, env=env)
        self.keys: Counter[str] = Counter()
        """Keys pressed, by what for."""
        self.part = ""
        """What for at present."""

    def __enter__(self) -> Hand:
        self.wait("facts")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.terminal.close()

    @property
    def text(self) -> str:
        """The screen as it is, with plain blanks."""
        return _plain(self.terminal.text)

    def press(self, *keys: str) -> str:
        """Press keys (a text counts its letters), and give the screen once it stands still."""
        for key in keys:
            named = len(key) > 1 and (key[0].isupper() or key.startswith("ctrl+"))
            self.keys[self.part] += 1 if named else len(key)
            self.terminal.press(key)
        return self.look()

    def look(self) -> str:
        """The screen once it stands still."""
        self.terminal.settle(STILL)
        return self.text

    def wait(self, wanted: str | Callable[[str], bool], seconds: float = 60.0) -> str:
        """The screen once it shows something, and then stands still."""
        holds = (lambda text: wanted in text) if isinstance(wanted, str) else wanted
        self.terminal.wait_for(lambda text: holds(_plain(text)), seconds)
        return self.look()

    def until_changed(self, *keys: str) -> str:
        """Press keys, and wait for a screen that is another."""
        before = self.text
        self.press(*keys)
        return self.wait(lambda text: text != before)

    def number(self, pattern: str, screen: str | None = None) -> int | None:
        """A number that the screen shows; None where the pattern is not there."""
        found = re.search(pattern, self.text if screen is None else screen)
        return int(found[1].replace(",", "")) if found else None


def _plain(text: str) -> str:
    return text.replace("\xa0", " ")
