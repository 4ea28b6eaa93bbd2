"""Facts that could be consolidated: those whose keywords overlap."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator

from memview.store.porter import stem
from memview.store.rows import names
from memview.store.words import STOP_WORDS, as_text, prepare

MIN_OVERLAP = 0.3
"""The least share (Jaccard) of common keywords that ties two facts."""
COMMON = 500
"""A word that more facts have than this ties none of them together by itself."""
Words = frozenset[str]


def clusters(raw: sqlite3.Connection, tenant: str, namespace: str, min_overlap: float = MIN_OVERLAP) -> list[list[int]]:
    """Groups of active facts by their numbers, each fact in one at most; the largest first, newest facts first.

    Two facts belong together when their keywords overlap by ``min_overlap``: those in both, divided by those in either
    (the Jaccard index). Whatever is tied to one member belongs to its group. A fact without keywords goes by the words
    of its text, fillers left out.

    Args:
        raw: an open connection; nothing is changed on it.
        tenant: whose.
        namespace: which.
        min_overlap: above 0, up to 1.
    """
    rows = raw.execute(
        "SELECT n, keywords, content FROM facts WHERE tenant = ? AND namespace = ? AND status = 'active'",
        (tenant, namespace),
    ).fetchall()
    words = {n: _words(keywords, content) for n, keywords, content in rows}
    leader = {n: n for n in words}
    for a, b in _pairs(words, min_overlap):
        leader[_lead(leader, a)] = _lead(leader, b)
    groups: dict[int, list[int]] = defaultdict(list)
    for n in sorted(words, reverse=True):
        groups[_lead(leader, n)].append(n)
    return sorted((group for group in groups.values() if len(group) > 1), key=lambda group: (-len(group), -group[0]))


def _words(keywords: object, content: object) -> Words:
    given = frozenset(word.casefold().strip() for word in names(keywords))
    if given:
        return given
    return frozenset(stem(word) for word in prepare(as_text(content)).split() if word not in STOP_WORDS)


def _pairs(words: dict[int, Words], least: float) -> Iterator[tuple[int, int]]:
    """Pairs that overlap enough. Two such share one of their rarest words: so many that the rest would not do."""
    counts = Counter(word for own in words.values() for word in own)
    seen: dict[str, list[int]] = defaultdict(list)
    for n, own in words.items():
        rarest = sorted(own, key=lambda word: (counts[word], word))
        beginning = rarest[: len(rarest) - math.ceil(least * len(rarest)) + 1]
        near: set[int] = set()
        for word in beginning:
            if counts[word] <= COMMON:
                near.update(seen[word])
                seen[word].append(n)
        for other in near:
            if len(own & words[other]) >= least * len(own | words[other]):
                yield n, other


def _lead(leader: dict[int, int], n: int) -> int:
    """The one by which a group is known; the way there is shortened."""
    while leader[n] != n:
        leader[n] = leader[leader[n]]
        n = leader[n]
    return n
