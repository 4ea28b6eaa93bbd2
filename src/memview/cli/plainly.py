"""``memview FILE`` where nothing is in the way: the shortest way to the first rows, without the parser of commands.

Whatever else is asked for, and whatever has to be said, is left to :mod:`memview.cli.main`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memview.cli import access
from memview.cli.names import COMMANDS
from memview.errors import MemviewError

if TYPE_CHECKING:
    from memview.memory.looking import Looker


def asked(arguments: Sequence[str]) -> Looker | None:
    """The store that is to be opened in the app, if that is all that is asked for and nothing is to be said about it.

    Args:
        arguments: as typed after ``memview``.
    """
    if len(arguments) != 1 or arguments[0].startswith("-") or arguments[0] in COMMANDS:
        return None
    file = Path(arguments[0])
    if "_MEMVIEW_COMPLETE" in os.environ or not has_terminal() or not access.may_write(file):
        return None
    from memview.memory.looking import Looker

    try:
        return Looker(file)
    except MemviewError:
        return None


def opened(looker: Looker) -> int:
    """Open the app on a store; the exit status."""
    from memview.app import run

    try:
        return run(looker.path, looker=looker)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except (MemviewError, OSError) as error:
        from memview.cli import main

        return main.told(error)


def has_terminal() -> bool:
    """Whether a person is there to look and to type, at a terminal that can be drawn on."""
    return os.environ.get("TERM") != "dumb" and all(
        stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)
    )
