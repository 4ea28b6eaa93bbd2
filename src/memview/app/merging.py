"""A list against the store's newest answer: what stays, what is new, what no longer belongs."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Collection
from typing import NamedTuple

_AT_ONCE = 4_096
"""Numbers that are compared at a time."""


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
    head = _alike(shown, found)
    tail = _alike(shown[head:][::-1], found[head:][::-1])
    old, now = shown[head : len(shown) - tail], found[head : len(found) - tail]
    belongs = set(now)
    kept = frozenset(key for key in old if key not in belongs)
    if not held:
        return Merged(shown[:head] + _woven(old, now, kept) + shown[len(shown) - tail :], kept, array("q"))
    before = set(old)
    return Merged(shown, kept, array("q", [key for key in now if key not in before]))


def _alike(one: array[int], other: array[int]) -> int:
    """How many numbers two lists begin with in common: few differ, and the rest need not be looked at one by one."""
    most = min(len(one), len(other))
    start = 0
    while start < most and one[start : start + _AT_ONCE] == other[start : start + _AT_ONCE]:
        start += _AT_ONCE
    return next((at for at in range(start, min(start + _AT_ONCE, most)) if one[at] != other[at]), most)


def merge_changed(
    before: Merged, changed: Collection[int], belong: Collection[int], *, held: bool, newest: bool
) -> Merged:
    """Compare a list that is in the order of its numbers with the store, by the records that changed alone.

    Args:
        before: what is shown.
        changed: numbers of the records that changed.
        belong: those of them that belong into the list now.
        held: whether the order stays as it is, and new records wait.
        newest: whether the list begins at the highest number, not at the lowest.
    """
    shown = {key for key in changed if _place(before.keys, key, newest=newest)[1]}
    kept = (before.kept - frozenset(changed)) | (shown - frozenset(belong))
    new = sorted((set(before.waiting).difference(changed) | set(belong)) - shown, reverse=newest)
    if held or not new:
        return Merged(before.keys, kept, array("q", new))
    if newest and (not before.keys or new[-1] > before.keys[0]):
        keys = array("q", new) + before.keys
    else:
        keys = array("q", before.keys)
        for key in new:
            keys.insert(_place(keys, key, newest=newest)[0], key)
    return Merged(keys, kept, array("q"))


def _place(keys: array[int], key: int, *, newest: bool) -> tuple[int, bool]:
    """Where a number belongs among others in order, and whether it is there."""
    sign = -1 if newest else 1
    at = bisect_left(keys, sign * key, key=lambda other: sign * other)
    return at, at < len(keys) and keys[at] == key


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
