"""What memview keeps about a store outside of it: a folder for each store, readable by its user alone.

It lies under ``$XDG_STATE_HOME/memview`` (``~/.local/state/memview``) and is found by the store's absolute path. Erase
looks here too.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path


def root() -> Path:
    """The folder of all that memview keeps; it need not exist."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local" / "state") / "memview"


def folder(store: Path, *, make: bool = False) -> Path:
    """The folder of one store; with ``make`` it exists afterwards, for the user alone."""
    digest = hashlib.blake2b(os.fsencode(os.path.realpath(store)), digest_size=12).hexdigest()
    found = root() / digest
    if make:
        found.mkdir(parents=True, exist_ok=True, mode=0o700)
    return found


def kept(store: Path) -> Iterator[Path]:
    """Every file that memview keeps about a store."""
    found = folder(store)
    if found.is_dir():
        yield from (path for path in sorted(found.rglob("*")) if path.is_file())
