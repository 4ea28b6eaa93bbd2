"""A list against the store's newest answer: what stays, what is new, what no longer belongs."""

from __future__ import annotations

from array import array
from typing import NamedTuple


class Merged(NamedTuple):
    """What a list shows once the store changed."""

    keys: array[int]
    """Numbers of the records, in shown order."""
    kept: frozenset[int]
    """Those that no longer belong and stay in their places."""
    waiting: array[int]
    """Those that belong and are not shown yet, because the order is held."""


def merge(shown: array[int], found: array[int], *, held: bool) -> Merged:
    """Compare what is shown with what is found now. Nothing that is shown leaves.

    Args:
        shown: numbers of the records on the screen, in order.
        found: numbers of the records that belong there now, in order.
        held: whether the order stays as it is, and new records wait.
    """
    more = len(found) - len(shown)
    if more >= 0 and found[more:] == shown:  # the usual case, and quick for a million: nothing but new ones on top
        new = found[:more]
        return Merged(shown, frozenset(), new) if held else Merged(found, frozenset(), array("q"))
    belongs = set(found)
    kept = frozenset(key for key in shown if key not in belongs)
    if not held:
        return Merged(_woven(shown, found, kept), kept, array("q"))
    before = set(shown)
    return Merged(shown, kept, array("q", [key for key in found if key not in before]))


def _woven(shown: array[int], found: array[int], kept: frozenset[int]) -> array[int]:
    """The found order, with each kept record after the one it stood after."""
    after: dict[int | None, list[int]] = {}
    last: int | None = None
    for key in shown:
        if key in kept:
            after.setdefault(last, []).append(key)
        else:
            last = key
    woven = array("q", after.get(None, ()))
    for key in found:
        woven.append(key)
        woven.extend(after.get(key, ()))
    return woven
