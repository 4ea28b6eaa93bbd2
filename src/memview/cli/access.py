"""What this user may do to a file, decided before anything is opened for writing."""

from __future__ import annotations

import os
from pathlib import Path

from memview.errors import NoPermission
from memview.text import one_line


def name(path: Path) -> str:
    """A path's name as it may be shown."""
    return one_line(path.name or str(path))


def may_write(path: Path) -> bool:
    """Whether this user may write to the store: to the file, and to its folder, where the log stands."""
    file_too = os.access(path, os.W_OK) or not os.path.exists(path)
    return file_too and os.access(os.path.dirname(os.path.realpath(path)), os.W_OK | os.X_OK)


def read_only_note(path: Path) -> str | None:
    """Why a store that exists opens read-only by itself, in one sentence; None where it may be written."""
    if may_write(path):
        return None
    which = "the file" if not os.access(path, os.W_OK) else "its folder"
    return f"{name(path)} opens read-only: you may not write to {which}."


def require_writing(path: Path) -> None:
    """Refuse a command that writes where this user may not.

    Raises:
        NoPermission: the file or its folder may not be written.
    """
    if not may_write(path):
        raise NoPermission(
            f"You may not write to {name(path)} or its folder.", "Ask its owner, or run as the user who owns it."
        )
