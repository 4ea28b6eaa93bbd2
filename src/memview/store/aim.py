"""A fact as it was when it was counted: what a bulk action aims at."""

from __future__ import annotations

from typing import NamedTuple


class Aim(NamedTuple):
    """A fact's number and the version that was seen."""

    n: int
    version: int
