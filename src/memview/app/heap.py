"""What long lists leave behind in memory once they are gone: nothing."""

from __future__ import annotations

from functools import cache

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
