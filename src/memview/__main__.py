"""``python -m memview``, and the ``memview`` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line. Returns the exit status."""
    from memview.cli import plainly

    looker = plainly.asked(sys.argv[1:])
    if looker is not None:
        return plainly.opened(looker)
    from memview.cli.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
