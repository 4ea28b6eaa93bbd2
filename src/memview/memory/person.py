"""How a person stands in a store: as ``person:<user>``, and as "you" on their own screen."""

from __future__ import annotations

import getpass

PREFIX = "person:"


def person(name: str | None = None) -> str:
    """The actor of a person's own changes: ``person:`` and the name given, or that of the system's user."""
    if name is None:
        try:
            name = getpass.getuser()
        except (OSError, KeyError):  # no such user and no USER in the environment: a bare container
            name = "someone"
    return PREFIX + name


def named(actor: str | None, me: str | None = None) -> str:
    """An actor as a person reads it: ``you``, an agent's or a person's name, or ``another program``.

    Args:
        actor: from the change feed or from a record; None or empty for a program that did not say.
        me: the actor that is "you".
    """
    if not actor:
        return "another program"
    return "you" if actor == me else actor.removeprefix(PREFIX)
