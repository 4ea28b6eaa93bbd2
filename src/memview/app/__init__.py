"""The terminal app. Importing this package loads nothing; `run` opens the app."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from memview.clock import Clock, utc_now

if TYPE_CHECKING:
    from pathlib import Path

    from memview.memory.looking import Looker


COLLECTING = (20_000, 20, 20)
"""How many new objects start a collection of garbage, and how many collections a fuller one: drawing makes thousands of
objects a frame that die by themselves, and a full collection takes longer than a frame."""


def run(
    path: Path,
    *,
    read_only: bool = False,
    me: str | None = None,
    record_id: str | None = None,
    clock: Clock = utc_now,
    mouse: bool = True,
    looker: Looker | None = None,
) -> int:
    """Open the app on a store and return when the person leaves.

    Args:
        path: the store; whoever calls has seen that it is one.
        read_only: nothing may be written.
        me: the actor that is "you", e.g. ``person:ana``; None for the system's user.
        record_id: the record to open on.
        clock: tells the time.
        mouse: whether to take the mouse; without it the terminal keeps its own selection.
        looker: the store as it was opened already to see that it is one; closed with the app.

    Returns:
        The exit status: 0, or not where the app broke down.
    """
    gc.disable()  # what is imported stays: there is no garbage yet
    from memview.app import config
    from memview.app.app import MemviewApp

    gc.freeze()
    gc.set_threshold(*COLLECTING)
    gc.enable()
    chosen = config.read(config.path())
    app = MemviewApp(path, read_only=read_only, me=me, record_id=record_id, clock=clock, config=chosen, looker=looker)
    app.run(mouse=mouse)
    return app.return_code or 0
