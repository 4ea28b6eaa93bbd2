"""What the first rows do without: it is imported right behind them, so that they come sooner and no key later.

A module that only some commands need is imported where the first of them needs it, by a `functools.cached_property` of
what runs the commands or within the function that opens a screen. Each such module stands here too.
"""

from __future__ import annotations

from importlib import import_module

NEAR = (
    "textual.widgets.text_area", "memview.app.acts", "memview.app.screens.moving", "memview.app.screens.help",
    "memview.app.palette", "memview.app.editing", "memview.app.screens.menu", "memview.app.screens.righting",
    "memview.app.screens.acting", "memview.app.screens.edit", "memview.app.screens.inbox", "memview.app.loosening",
    "memview.app.screens.palette",
)  # fmt: skip
"""What is likely to be asked for first."""

WRITER = "memview.memory.store"
"""What the first write needs: half a second of work."""

FAR = (
    "memview.app.screens.going", "memview.app.screens.link", "memview.app.screens.links", "memview.app.screens.erase",
    "memview.app.screens.correct", "memview.app.screens.duplicates", "memview.app.screens.conflicts",
    "memview.app.screens.prune", "memview.app.screens.health", "memview.app.screens.agents",
    "memview.app.screens.neighbours", "memview.app.screens.steps", "memview.app.screens.origin", "memview.app.markdown",
    "memview.app.breakdown",
)  # fmt: skip
"""The screens that lie further off."""


def load(*, writes: bool) -> None:
    """Import all of it, the nearest first. For a thread.

    Args:
        writes: whether the store may be written; else what writes is left out.
    """
    for name in (*NEAR, *((WRITER,) if writes else ()), *FAR):
        import_module(name)
