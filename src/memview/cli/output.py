"""What leaves the program: data on stdout, words on stderr, and nothing that a terminal would obey."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from memview import late
from memview.cli import secrecy
from memview.text import one_line, visible

if TYPE_CHECKING:
    from memview.memory.looking import FactRow

_ESCAPED = late.pattern(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
"""What JSON would let through and a terminal would obey or hide, and halves of surrogate pairs, which are no UTF-8."""


class Screen(NamedTuple):
    """What stdout is."""

    terminal: bool
    width: int
    """Columns of the terminal."""
    bold: bool
    """Whether it may show bold text."""


def screen() -> Screen:
    """Look at stdout and at the environment (COLUMNS, NO_COLOR, TERM)."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    bold = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Screen(terminal, max(20, shutil.get_terminal_size((80, 24)).columns), bold)


def say(words: str) -> None:
    """Tell the person something, on stderr; every word may come from a store or a path."""
    if sys.stderr is not None:
        with contextlib.suppress(BrokenPipeError):  # nobody is there to be told
            print(visible(words), file=sys.stderr, flush=True)


def put(lines: Iterable[str]) -> None:
    """Write lines of data that were already made safe to show."""
    _write("".join(line + "\n" for line in lines).encode(_encoding(), "backslashreplace"))


def brief(row: FactRow) -> str:
    """A fact on one line, for a command that did something with it."""
    return f"{one_line(row.id, 60)}  {one_line(row.namespace, 200)}  {secrecy.line(row.content)}"


def put_json(value: Any) -> None:
    """Write one JSON value on a line of its own, in UTF-8 whatever the locale."""
    text = to_json(value)
    secrecy.written(text)
    _write(text.encode() + b"\n")


def put_json_lines(texts: Iterable[str]) -> None:
    """Write JSON texts, one a line, in UTF-8 whatever the locale."""
    for text in texts:
        _write(harmless(text).encode() + b"\n")


def put_array(values: Iterable[Any]) -> None:
    """Write one JSON array, one element a line, as the elements come."""
    start = b"["
    for value in values:
        text = to_json(value)
        secrecy.written(text)
        _write(start + b"\n" + text.encode())
        start = b","
    _write(b"[]\n" if start == b"[" else b"\n]\n")


def to_json(value: Any) -> str:
    """JSON that any reader takes and that is harmless on a terminal."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_other)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, default=_other)
    return harmless(text)


def harmless(text: str) -> str:
    """A JSON text that means the same and holds nothing that a terminal would obey or hide."""
    return _ESCAPED().sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _other(value: object) -> Any:
    if isinstance(value, bytes):
        return {"blob": value.hex()}
    raise TypeError(f"{type(value).__name__} is no JSON")


def _finite(value: Any) -> Any:
    """The same value with null for numbers that JSON has no word for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, (list, tuple)) else value


def _encoding() -> str:
    return (sys.stdout.encoding if sys.stdout is not None else None) or "utf-8"


def _write(data: bytes) -> None:
    """Write to stdout; a reader that went away ends the command quietly."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise click.exceptions.Exit(0) from None
