"""The part of the table of commands that belongs to the screens of a review."""

from __future__ import annotations

from memview.app.command import Command

REVIEW: tuple[Command, ...] = ()
