"""What a command asks: whether to go on, and what must not stand on a command line."""

from __future__ import annotations

import sys

import click

from memview.cli import output
from memview.errors import MemviewError

STDIN = "-"
"""The argument that stands for what comes on stdin."""


def agreed(question: str, *, yes: bool, word: str | None = None) -> bool:
    """Whether to go on: agreed to beforehand with ``--yes``, or now on a terminal.

    Args:
        question: what would be done, as one sentence that is safe to show.
        yes: whether ``--yes`` was given.
        word: what has to be typed; None for ``y``.

    Raises:
        MemviewError: there is no terminal to ask on.
    """
    if yes:
        return True
    if not _can_ask():
        raise MemviewError(f"{question} Nobody can be asked here.", "Add --yes to do it.")
    if word is None:
        return click.confirm(question, default=False, err=True)
    output.say(question)
    typed: str = click.prompt(f"Type {word} to go on", default="", show_default=False, err=True)
    return typed.strip() == word


def unseen(what: str) -> str:
    """A text that is typed without being shown, or comes on stdin.

    Raises:
        UsageError: what comes is no UTF-8.
    """
    if _can_ask():
        typed: str = click.prompt(what, hide_input=True, err=True)
        return typed
    return piped()


def piped() -> str:
    """What comes on stdin, without its last line break.

    Raises:
        UsageError: it is no UTF-8.
    """
    try:
        text = incoming().decode()
    except UnicodeDecodeError:
        raise click.UsageError("What came on stdin is not valid UTF-8.", ctx=click.get_current_context()) from None
    return text.removesuffix("\n").removesuffix("\r")


def incoming() -> bytes:
    """Every byte that comes on stdin."""
    return sys.stdin.buffer.read() if sys.stdin is not None else b""


def _can_ask() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
