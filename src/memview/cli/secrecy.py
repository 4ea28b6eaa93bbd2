"""Secrets in what a command prints: hidden from people until they ask, told of where programs get them whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import click

from memview.text import one_line, visible


@dataclass(slots=True)
class _Heed:
    """What is known of secrets while one command runs."""

    shown: bool = False
    """Whether somebody asked to see them."""
    hidden: int = 0
    """How many texts were printed without theirs."""
    written: int = 0
    """How many values for programs were printed with theirs."""


_heed: ContextVar[_Heed | None] = ContextVar("heed", default=None)


@contextmanager
def heeded(say: Callable[[str], object]) -> Iterator[None]:
    """Run a command and tell at its end what it hid, or did not hide.

    Args:
        say: takes a sentence.
    """
    heed = _Heed()
    token = _heed.set(heed)
    try:
        yield
    finally:
        _heed.reset(token)
        if heed.hidden:
            say(f"memview: {_count(heed.hidden, 'text')} what looks like a secret, shown as ••••; add --show-secrets.")
        if heed.written:
            say(f"memview: {_count(heed.written, 'value')} what looks like a secret; it was written out as it is.")


def option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option that shows secrets."""
    made = click.option(
        "--show-secrets", is_flag=True, expose_value=False, callback=_asked,
        help="Show secrets instead of ••••; --json always has them.",
    )  # fmt: skip
    return made(command)


def line(text: str, limit: int = 400) -> str:
    """A stored text on one line, safe to show, without its secrets unless they were asked for."""
    if _is_open():
        return one_line(text, limit)
    from memview.review import masking

    _note(text)
    return masking.line(text, limit)


def whole(text: str) -> str:
    """A stored text, safe to show, without its secrets unless they were asked for."""
    if _is_open():
        return visible(text)
    from memview.review.secrets import mask

    _note(text)
    return visible(mask(text))


def part(text: str, of: str, limit: int = 400) -> str:
    """A part of a stored text on one line; the rest of it may tell that the part is a secret."""
    if _is_open():
        return one_line(text, limit)
    from memview.review import masking

    return one_line(masking.part_hidden(text, of), limit)


def written(json: str) -> None:
    """Note that a value was printed for a program, as JSON."""
    heed = _heed.get()
    if heed is not None and not heed.shown:
        from memview.review.secrets import has_secret

        heed.written += has_secret(json)


def _asked(_: click.Context, __: click.Parameter, value: bool) -> None:
    heed = _heed.get()
    if heed is not None:
        heed.shown = value


def _is_open() -> bool:
    heed = _heed.get()
    return heed is not None and heed.shown


def _note(text: str) -> None:
    heed = _heed.get()
    if heed is not None:
        from memview.review.secrets import has_secret

        heed.hidden += has_secret(text)


def _count(number: int, noun: str) -> str:
    return f"1 {noun} holds" if number == 1 else f"{number:,} {noun}s hold"
