"""The distinct words of an index: what a misspelt or half-typed word, or a part of one, may have meant.

FTS5 files stems (``potteri``, ``databas``), and it stems whatever it is asked, so a stem put back into a query may
miss itself (``databas`` is stemmed to ``databa``). Words are therefore compared as stems, with the same `stem`
function as FTS5's, and handed out in a spelling that FTS5 stems to what it filed, the closest to what was typed:
``pottrey`` gives ``pottery``, ``databse`` gives ``database``.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property
from heapq import nsmallest
from itertools import accumulate

from memview.store.porter import stem
from memview.store.words import prepare

MAX_EXTENSION = 4
"""Letters by which a half-typed word may go beyond a stem (``universiti`` is ``univers`` and three more)."""

_LONGEST = 64
"""Longer words are keys and encoded data: nobody mistypes them, so they are not offered."""

_WEIGHED = 16
"""Candidates, by their stems the closest and most frequent, whose spellings are compared with what was typed."""

_ENDINGS = ("", "e", "ed", "s", "es", "ing", "er", "ion", "al", "ly", "ment", "ation")
_LONG_ENDINGS = (
    "ings", "ers", "ered", "ering", "erness", "ions", "ioned", "ioning", "ional", "ionally", "ations", "ational",
    "icity", "icities", "ication", "ications", "ement", "ements", "ments", "ness", "ance", "ances", "ence", "ences",
    "ent", "ents", "ently", "ant", "ants", "able", "ably", "ability", "abilities", "ible", "ibly", "ibility", "ity",
    "ities", "ive", "ives", "ively", "iveness", "ivity", "ivities", "ous", "ously", "ousness", "ism", "isms", "ize",
    "izes", "ized", "izing", "izer", "ization", "izations", "ate", "ates", "ated", "ating", "ately", "ative",
    "atives", "atively", "ator", "ators", "ic", "ical", "ically", "icate", "ally", "ality", "alities", "alism",
    "alize", "ful", "fully", "fulness", "ies", "ied", "y",
)  # fmt: skip


class Vocabulary:
    """The words of an index, in memory: two lists of the same strings and a number each.

    Args:
        words: each distinct word as the index files it and the number of records that have it, in the order of the
            words, as the columns ``term`` and ``doc`` of an ``fts5vocab(…, 'row')`` table give them.
        records: how many records there are.
    """

    def __init__(self, words: Iterable[tuple[str, int]], records: int = 1) -> None:
        self._words: list[str] = []
        self._counts = array("Q")
        for word, count in words:  # one by one: all of them as pairs would take twice the memory
            self._words.append(word)
            self._counts.append(count)
        self._until = array("Q", accumulate(self._counts, initial=0))
        self.records = max(1, records, max(self._counts, default=0))
        """How many records there are."""
        self._alike: dict[tuple[int, str], list[str]] = {}
        for word in self._words:
            if 3 <= len(word) <= _LONGEST and word.isalpha():
                self._alike.setdefault((len(word), word[0]), []).append(word)

    def __len__(self) -> int:
        """The number of distinct words."""
        return len(self._words)

    def __contains__(self, word: str) -> bool:
        """Whether a search for this word, typed in full, finds anything by itself."""
        return self.count(word) > 0

    def count(self, word: str) -> int:
        """In how many records the word stands, in any form that has its stem."""
        filed = stem(prepare(word))
        at = bisect_left(self._words, filed)
        return self._counts[at] if at < len(self._words) and self._words[at] == filed else 0

    def reach(self, filed: str, *, prefix: bool) -> int:
        """In how many records a filed word stands, or at most the words that it begins."""
        start, end = self._range(filed) if prefix else self._range(filed, "")
        return self._until[end] - self._until[start]

    def begun(self, filed: str, most: int) -> list[str] | None:
        """The words that begin with a filed one, each spelt so that FTS5 finds it.

        Returns:
            None where there are more than ``most``, or one cannot be spelt.
        """
        start, end = self._range(filed)
        if end - start > most:
            return None
        spellings = [word if stem(word) == word else spelt(word, word) for word in self._words[start:end]]
        fits = all(stem(spelling) == word for spelling, word in zip(spellings, self._words[start:end], strict=True))
        return spellings if fits else None

    def _range(self, filed: str, beyond: str = "\U0010ffff") -> tuple[int, int]:
        """Where the words that begin with a filed one start and end."""
        return bisect_left(self._words, filed), bisect_right(self._words, filed + beyond)

    def has_prefix(self, prefix: str) -> bool:
        """Whether a prefix search for this word, as typed so far, finds anything."""
        filed = stem(prepare(prefix))
        at = bisect_left(self._words, filed)
        return at < len(self._words) and self._words[at].startswith(filed)

    def stem_of(self, word: str) -> str | None:
        """A word to search for beside a half-typed one that has outgrown its own stem.

        The index files ``universities`` as ``univers``, which ``universi`` as a prefix misses. The longest filed stem
        that the typed word extends by at most `MAX_EXTENSION` letters, with which an ending may begin; spelt so that
        FTS5 finds it, or None.
        """
        typed = prepare(word)
        for length in range(len(typed) - 1, max(len(typed) - MAX_EXTENSION, 3) - 1, -1):
            filed, more = typed[:length], typed[length:]
            at = bisect_left(self._words, filed)
            if at < len(self._words) and self._words[at] == filed and _may_end(filed, more):
                return spelt(filed, typed)
        return None

    def corrections(self, word: str, limit: int = 3, *, closest: bool = False) -> list[str]:
        """The words that a mistyped one may have meant, the closest first, then the more frequent.

        One slip (a letter missing, added, wrong, or two swapped) is forgiven in four and five letters, two in longer
        words, none in shorter ones. Another first letter, with no slip besides, is tried where no candidate keeps it.

        Args:
            word: as typed. Anything but one word of letters has no corrections.
            limit: the most to return.
            closest: only those that are as close as the first.

        Returns:
            Words to search for instead, without the word itself.
        """
        typed = prepare(word)
        if len(typed) < 4 or len(typed) > _LONGEST or not typed.isalpha():
            return []
        filed, slips = stem(typed), 1 if len(typed) < 6 else 2
        initials = {initial for _, initial in self._alike} - {filed[0]}
        near = self._near(filed, slips, filed[0]) or self._near(filed, 1, *initials)
        ranked = sorted((_distance(spelling := spelt(found, typed), typed), less, spelling) for less, found in near)
        slips = ranked[0][0] if closest and ranked else slips * len(typed)
        return list(dict.fromkeys(spelling for far, _, spelling in ranked if far <= slips))[:limit]

    def holding(self, part: str, limit: int = 3) -> list[str]:
        """The words with some letters inside, the more frequent first: ``tabas`` is in ``database``.

        Args:
            part: as typed; of fewer than three letters nothing is told.
            limit: the most to return.

        Returns:
            Words to search for instead.
        """
        inside = stem(prepare(part))
        if len(inside) < 3 or not inside.isalnum():
            return []
        found, at = set[str](), self._lines.find(inside)
        while at >= 0:
            end = self._lines.index("\n", at)
            found.add(self._lines[self._lines.rfind("\n", 0, at) + 1 : end])
            at = self._lines.find(inside, end)
        most = nsmallest(limit, found, key=lambda word: (-self._count(word), word))
        return [word if stem(word) == word else spelt(word, word) for word in most]

    @cached_property
    def _lines(self) -> str:
        """All words, each in a line: one long text is looked through in a tenth of the time that each alone takes."""
        return "\n".join(self._words) + "\n"

    def _count(self, filed: str) -> int:
        return self._counts[bisect_left(self._words, filed)]

    def _near(self, filed: str, slips: int, *initials: str) -> list[tuple[int, str]]:
        """Other filed words at most so many slips away, each after its count made negative: the best few."""
        from memview.fuzzy import OSA, process

        near: list[tuple[float, int, str]] = []
        for length in range(max(len(filed) - slips, 3), len(filed) + slips + 1):
            for initial in initials:
                choices = self._alike.get((length, initial), ())
                for found, distance, _ in process.extract(
                    filed, choices, scorer=OSA.distance, score_cutoff=slips, limit=None
                ):
                    near.append((distance, -self._count(found), found))
        return [(less, found) for distance, less, found in sorted(near)[:_WEIGHED] if found != filed]


def _may_end(filed: str, more: str) -> bool:
    """Whether a word of a stem may go on with some letters: an ending, after an ``e`` or the last letter once more."""
    ways = (more, more[1:]) if more[0] in ("e", filed[-1]) else (more,)
    return any(ending.startswith(begun) for begun in ways for ending in _ENDINGS + _LONG_ENDINGS)


def spelt(filed: str, typed: str) -> str:
    """The spelling closest to what was typed that FTS5 stems to a filed word; at worst the filed word itself."""
    bases = (filed, filed[:-1] + "y") if filed.endswith("i") else (filed,)
    spellings = [base + ending for base in bases for ending in _ENDINGS]
    fitting = [spelling for spelling in spellings if stem(spelling) == filed]
    return min(fitting, key=lambda spelling: _distance(spelling, typed), default=filed)


def _distance(one: str, other: str) -> int:
    """Slips between two words: letters missing, added or wrong, and neighbours swapped."""
    from memview.fuzzy import OSA

    return int(OSA.distance(one, other))
