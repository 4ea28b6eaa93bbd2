"""What is made when it is first needed, so that nobody waits for it who never does: names of a module, patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any


def names(module: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module whose names are imported from elsewhere when they are asked for (PEP 562).

    Args:
        module: its name.
        homes: the modules to import from, each with the names that come from there, separated by blanks.
    """
    home = {name: place for place, found in homes.items() for name in found.split()}

    def get(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    return get


def pattern(text: str, flags: re.RegexFlag = re.NOFLAG) -> Callable[[], re.Pattern[str]]:
    """A regular expression that is compiled when it is first called for; large ones take milliseconds."""
    return cache(partial(re.compile, text, flags))
