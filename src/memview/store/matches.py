"""Where a shown text matches a query, so that the places can be made bold.

The shown text is read by the rules of the index (`memview.store.words`), and each place is given in characters of the
text as it is shown, whatever folding did to its length. What is lit: the whole word for a word, a prefix or another
form with the same stem (``deploying`` lights ``deploys``); the part of an identifier that matched; all of a phrase,
with the punctuation inside; of a script without spaces exactly the characters typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memview.store.porter import stem
from memview.store.words import Term, flatten, has_plain_words, is_prefix, spans_of_words

Span = tuple[int, int]
"""Start and end in characters of the shown text; the end is not included."""

_MARKS = "\u0300-\u036f\u1160-\u11ff\u3099\u309a\uff9e\uff9f"
_CLUSTER = re.compile(f"[\0-\x7f]+(?![{_MARKS}])|(?s:.)[{_MARKS}]*")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """The words that must follow each other, and their stems."""

    pieces: tuple[str, ...]
    stems: tuple[str, ...]
    prefix: bool

    def fits(self, place: int, word: str) -> bool:
        """Whether a word of the text is the piece at this place."""
        last = self.prefix and place == len(self.pieces) - 1
        if word == self.pieces[place] or (last and word.startswith((self.pieces[place], self.stems[place]))):
            return True
        return stem(word) == self.stems[place]


class Matcher:
    """A query made ready to be held against many texts.

    Args:
        terms: excluded ones are passed over; literal ones match as they were typed, case aside.
        prefix: words also match what they begin, as in `memview.store.words.expression`.
    """

    def __init__(self, terms: Iterable[Term], *, prefix: bool) -> None:
        wanted = [term for term in terms if not term.exclude]
        self._literals = [term.text for term in wanted if term.literal and term.text]
        self._phrases = [phrase for term in wanted if not term.literal for phrase in _phrases(term, prefix=prefix)]
        self._heads: dict[str, list[_Phrase]] = {}
        for phrase in self._phrases:
            self._heads.setdefault(phrase.stems[0][:2], []).append(phrase)
        heads = "|".join("_*".join(map(re.escape, head)) for head in self._heads)
        self._words_from = re.compile(rf"(?:{heads})[a-z0-9_]*")
        self._single = all(len(phrase.pieces) == 1 for phrase in self._phrases)

    def spans(self, shown: str) -> list[Span]:
        """The matching places of a text: in order, inside it, none empty, none touching another."""
        found = [span for literal in self._literals for span in _occurrences(shown, literal)]
        if self._phrases:
            found.extend(self._words(shown))
        return _merged(found)

    def _words(self, shown: str) -> list[Span]:
        flat = flatten(shown)
        places = self._runs(flat)
        if not places or flat == shown:
            return places
        starts, ends = _offsets(shown)
        return [(starts[start], ends[end - 1]) for start, end in places]

    def _runs(self, flat: str) -> list[Span]:
        """The places of all phrases in a flattened text, read once from left to right."""
        if self._single and flat.isascii():
            return list(self._single_words(flat))
        found: list[Span] = []
        open_runs: list[tuple[_Phrase, int, int]] = []
        heads = self._heads
        for word, start, end in spans_of_words(flat):
            if not open_runs and word[:2] not in heads and word[0] not in heads:
                continue
            runs = [(phrase, place, begun) for phrase, place, begun in open_runs if phrase.fits(place, word)]
            for head in {word[:2], word[0]}:
                runs.extend((phrase, 0, start) for phrase in heads.get(head, ()) if phrase.fits(0, word))
            open_runs = []
            for phrase, place, begun in runs:
                if place + 1 < len(phrase.pieces):
                    open_runs.append((phrase, place + 1, begun))
                else:
                    found.append((begun, _end(phrase, word, start, end)))
        return found

    def _single_words(self, flat: str) -> Iterator[Span]:
        """The places of single words in an ASCII text: only words in which a wanted one may begin are read."""
        lower, done = flat.lower(), 0
        for found in self._words_from.finditer(lower):
            at, end = found.span()
            start = _start(lower, at, done)
            word, done = flat[start:end], end
            if has_plain_words(word):
                if start == at and self._is_wanted(found[0]):
                    yield start, end
                continue
            for part, first, last in spans_of_words(word):
                if self._is_wanted(part):
                    yield start + first, start + last

    def _is_wanted(self, word: str) -> bool:
        return any(phrase.fits(0, word) for head in {word[:2], word[0]} for phrase in self._heads.get(head, ()))


def spans(shown: str, terms: Sequence[Term], *, prefix: bool) -> list[Span]:
    """The matching places of one text; for many texts make a `Matcher` once."""
    return Matcher(terms, prefix=prefix).spans(shown)


def _phrases(term: Term, *, prefix: bool) -> Iterable[_Phrase]:
    for pieces in (term.pieces, (term.whole,)):
        if pieces[0]:
            yield _Phrase(pieces, tuple(stem(piece) for piece in pieces), is_prefix(term, prefix=prefix))


def _start(text: str, at: int, least: int) -> int:
    """Where the run of letters, digits and ``_`` around a place starts, not before ``least``."""
    while at > least and (text[at - 1].isalnum() or text[at - 1] == "_"):
        at -= 1
    return at


def _end(phrase: _Phrase, word: str, start: int, end: int) -> int:
    """Where the light ends: a lone character of a pair is lit alone."""
    last = phrase.pieces[-1]
    return start + 1 if len(last) == 1 and len(word) == end - start == 2 and not word.isascii() else end


def _occurrences(shown: str, literal: str) -> Iterable[Span]:
    at = shown.find(literal)
    while at >= 0:
        yield at, at + len(literal)
        at = shown.find(literal, at + len(literal))


def _offsets(shown: str) -> tuple[list[int], list[int]]:
    """For each character of the flattened text where the shown characters it came from start and end."""
    starts: list[int] = []
    ends: list[int] = []
    for cluster in _CLUSTER.finditer(shown):
        start, end = cluster.span()
        if cluster[0].isascii():
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
        else:
            size = len(flatten(cluster[0]))
            starts.extend([start] * size)
            ends.extend([end] * size)
    return starts, ends


def _merged(found: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
