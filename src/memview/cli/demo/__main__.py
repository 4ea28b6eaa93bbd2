"""``python -m memview.cli.demo PATH``: make the demo's store at a path, for pictures and for trying things out."""

from __future__ import annotations

import sys
from pathlib import Path

from memview import clock
from memview.cli.demo.building import build
from memview.errors import MemviewError

_USAGE = """usage: python -m memview.cli.demo PATH [NOW]

NOW is the moment that ages are counted from, such as 2026-03-01T12:00:00Z.
"""


def main(arguments: list[str]) -> int:
    """Make the store. Returns the exit status."""
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        sys.stderr.write(_USAGE)
        return 2
    path = Path(arguments[0])
    if path.exists():
        sys.stderr.write("Something is there already; name a path where nothing is.\n")
        return 1
    try:
        build(path, now=clock.from_text(arguments[1]) if len(arguments) == 2 else None)
    except MemviewError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
