"""How long work tells how far it is, and is stopped."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], object]
"""Told how much is done, of how much; answering False stops the work, which then gives what it has found so far."""


class Stopped(Exception):
    """The work was asked to stop."""


def tell(progress: Progress | None, done: int, total: int) -> None:
    """Tell how far the work is.

    Raises:
        Stopped: the answer was False.
    """
    if progress is not None and progress(min(done, total), total) is False:
        raise Stopped
