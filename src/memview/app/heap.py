"""What is left behind in memory: of long lists that are gone nothing, and of what was drawn not for long."""

from __future__ import annotations

import gc
from functools import cache

YOUNG = 1_000
"""New objects from which on it pays to look for garbage among them."""

LARGE = 1_000_000
"""Bytes from which on a block of memory is the system's again as soon as it is freed."""
_M_MMAP_THRESHOLD = -3
"""glibc's name for that, from its ``malloc.h``."""


@cache
def hold_no_lists() -> None:
    """Have large blocks given back to the system when they are freed.

    glibc does so by itself, until the first of them is freed: then it takes blocks of that size for usual, and has them
    in the heap of the thread that asks. A list of a million numbers leaves a hole there that little else fills: 60 MB
    after a few searches. Where another C library runs, nothing is done.
    """
    import ctypes
    import os

    if os.name == "posix":
        libc = ctypes.CDLL(None)
        if hasattr(libc, "mallopt"):
            libc.mallopt(_M_MMAP_THRESHOLD, LARGE)


def tidy() -> None:
    """Look for garbage among the new objects, at a moment when nobody waits.

    Python does so by itself in the middle of whatever makes one object too many: of a frame, which then takes twice as
    long.
    """
    if gc.get_count()[0] > YOUNG:
        gc.collect(0)
