"""Which words of a fact differ from the one it is compared with: what a screen lights."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memview.fuzzy import Indel

_WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
Span = tuple[int, int]


def differing(text: str, other: str) -> tuple[list[Span], list[Span]]:
    """The words and signs of two texts that are not alike in both, in their order; a moved word counts as different.

    Case counts: it is shown, though it makes no difference to what is a duplicate.

    Returns:
        For each text the places, as start and end of characters, neighbours joined.
    """
    ours, theirs = list(_WORD.finditer(text)), list(_WORD.finditer(other))
    steps = Indel.editops([found[0] for found in ours], [found[0] for found in theirs])
    gone = {step.src_pos for step in steps if step.tag == "delete"}
    come = {step.dest_pos for step in steps if step.tag == "insert"}
    return list(_spans(text, ours, gone)), list(_spans(other, theirs, come))


def _spans(text: str, words: list[re.Match[str]], differing: set[int]) -> Iterator[Span]:
    """The places of words, those with only blanks between joined."""
    start = end = -1
    for at in sorted(differing):
        first, last = words[at].span()
        if start >= 0 and not text[end:first].strip():
            end = last
            continue
        if start >= 0:
            yield start, end
        start, end = first, last
    if start >= 0:
        yield start, end
