"""Whether two texts state the same: the one measure for what an agent learns again and for what a reviewer merges.

Pure functions on texts. Two texts are the *same statement* (:func:`same`) when nothing that turns a meaning around
differs (:func:`differs`), and they are equal but for case, blanks and punctuation, or one stands in the other as whole
words, or :func:`similarity` is at least :data:`NEAR`.

The similarity compares the telling words in their order (a phrase may move from the front to the end): rapidfuzz's
normalised Indel similarity over words, ``1 - (words only in a + words only in b) / (words of a + words of b)``. Words
count as equal by their stem within one tense, or when a long one is misspelt by one letter. A word that is *exchanged*
(``tea`` for ``coffee``) keeps two texts below :data:`NEAR`, however long they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from memview.fuzzy import OSA, Indel
from memview.memory import wordlists
from memview.store.porter import stem
from memview.store.sameness import JOINED
from memview.store.sameness import normalised as normalised
from memview.store.words import SPACELESS

NEAR = 0.9
"""The similarity from which two texts may state the same."""

EXCHANGED = 0.85
"""The most that the similarity of texts can be where a word of one stands for another word of the other."""

LONGEST = 4_000
"""Characters that are read of a text for its similarity; longer ones are the same only where they are equal."""

MISSPELT = 6
"""Letters from which one wrong, missing, doubled or swapped one makes no other word."""

Words = tuple[str, ...]

_TOKEN = re.compile(rf"[{SPACELESS}]|\d+(?:[.:,]\d+)*|(?:(?![{SPACELESS}])[^\W\d_])[^\W_]*(?:['’ʼ][^\W_]+)*[+#]*")
_STARTS = re.compile(r"(?:^|[.!?:;\n•]|\s[-*–—])[\s\"'“”‘’(\[*_`#-]*$")
_DATE = re.compile(r"\b(?:\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}|\d\d?/\d\d?)\b")
_NUMBER = re.compile(r"([-−+]?)(?<![\w.])(?<!\d[-−])?([$€£¥]?)(\d+(?:[.:]\d+)*)\s?(%|°)?")
_IS_SPACELESS = re.compile(rf"[{SPACELESS}]")


@dataclass(frozen=True, slots=True)
class _Read:
    """What a text says, as far as it is compared."""

    words: Words
    """Its telling words in their order, by their stems within one tense."""
    written: dict[str, str]
    """How each of those is written, by its stem."""
    said: frozenset[str]
    """All its words, folded."""
    claims: tuple[tuple[str, Counter[str]], ...]
    """Negations, dates, weekdays and numbers, each kind with how often each occurs."""
    names: frozenset[str]
    """Words that are written as names."""
    starts: frozenset[str]
    """Words that may be names, or are only written large since they begin a sentence."""


def differs(a: str, b: str) -> str | None:
    """Why two texts may not count as equal, however alike they look.

    Returns:
        ``"negation"``, ``"date"``, ``"weekday"``, ``"number"`` or ``"name"``; None where none of these differs.
    """
    one, other = _read(a), _read(b)
    for (kind, mine), (_, theirs) in zip(one.claims, other.claims, strict=True):
        if mine != theirs:
            return kind
    return None if _named_in(one, other) and _named_in(other, one) else "name"


def similarity(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1, by their telling words in their order; see the module for the measure."""
    one, other = _read(a[:LONGEST]), _read(b[:LONGEST])
    if not one.words or not other.words:
        return 1.0 if normalised(a) == normalised(b) else 0.0
    mine, theirs = _spelled(one, other), other.words
    return max(_aligned(turned, theirs) for turned in _turns(mine, theirs))


def same(a: str, b: str) -> bool:
    """Whether two texts state the same; see the module for the rule."""
    one, other = normalised(a), normalised(b)
    if one == other:
        return differs(a, b) is None
    if not one or not other or max(len(a), len(b)) > LONGEST:
        return False
    alike = _within(one, other) or _within(other, one) or similarity(a, b) >= NEAR
    return alike and differs(a, b) is None


def repeats(new: str, known: str) -> bool:
    """Whether a new text says nothing that a known one does not.

    Either it stands in the known text as whole words, and what stands before and within turns nothing around: the
    known one may go on, with more names and numbers, as long as nothing is negated. Or both state the same
    (:func:`same`), and the new one adds no telling word.
    """
    if _goes_on(new, known):
        return True
    if not same(new, known):
        return False
    one, other = _read(new), _read(known)
    return not Counter(_spelled(one, other)) - Counter(other.words)


def _goes_on(new: str, known: str) -> bool:
    inner, outer = normalised(new), normalised(known)
    if not inner or len(known) > LONGEST or not _within(inner, outer):
        return False
    tokens = [(_folded(found[0]), found.end()) for found in _TOKEN.finditer(normalize("NFKC", known))]
    words = [_folded(found[0]) for found in _TOKEN.finditer(normalize("NFKC", new))]
    for start in range(len(tokens) - len(words) + 1):
        part = tokens[start : start + len(words)]
        if words and [word for word, _ in part] == words:
            head = normalize("NFKC", known)[: part[-1][1]]
            return differs(new, head) is None and _read(new).claims[0] == _read(known).claims[0]
    return False


def _within(inner: str, outer: str) -> bool:
    if _IS_SPACELESS.search(inner):
        return inner in outer
    return f" {inner} " in f" {outer} "


def _aligned(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """The Indel similarity of two sequences of words, at most :data:`EXCHANGED` where both have words of their own."""
    score = Indel.normalized_similarity(mine, theirs)
    common = (len(mine) + len(theirs)) * score / 2
    lonely = min(len(mine), len(theirs)) - common
    return min(score, EXCHANGED) if lonely > 0.5 else score


def _turns(mine: Words, theirs: Words) -> Iterator[Words]:
    """The words as they are, and from where the others begin: a phrase moved from the front to the end, or back."""
    yield mine
    if len(mine) < 3:
        return
    if theirs[0] in mine[1:]:
        at = mine.index(theirs[0], 1)
        yield mine[at:] + mine[:at]
    if mine[0] in theirs[1:]:
        at = len(theirs) - theirs.index(mine[0], 1)
        if 0 < at < len(mine):
            yield mine[-at:] + mine[:-at]


def _spelled(one: _Read, other: _Read) -> Words:
    """The words of one text, those that are misspelt by one letter spelt as the other has them."""
    there, mine = set(other.words), set(one.words)
    lonely = [(word, written) for word, written in other.written.items() if word not in mine and word in there]
    if not lonely or mine <= there:
        return one.words
    spelled = {
        word: next((theirs for theirs, written in lonely if _close(one.written[word], written)), word)
        for word in mine - there
        if word in one.written
    }
    return tuple(spelled.get(word, word) for word in one.words)


def _close(a: str, b: str) -> bool:
    if min(len(a), len(b)) < MISSPELT:
        return False
    return a[0] == b[0] and a.isalpha() and b.isalpha() and OSA.distance(a, b, score_cutoff=1) <= 1


def _named_in(one: _Read, other: _Read) -> bool:
    """Whether the other text has every name of this one."""
    if not one.names <= other.said:
        return False
    return all(any(_inflected(word, said) for said in other.said) for word in one.starts - other.said)


def _inflected(a: str, b: str) -> bool:
    """Whether two words are one but for an ending; stems are too coarse where a name may be meant."""
    return a[0] == b[0] and any(
        a.removesuffix(mine) == b.removesuffix(theirs) and len(a.removesuffix(mine)) > 2
        for mine in wordlists.ENDINGS
        for theirs in wordlists.ENDINGS
    )


@lru_cache(maxsize=8_192)
def _read(text: str) -> _Read:
    flat = normalize("NFKC", text)
    dates = _DATE.findall(flat)
    tokens = [(found[0], found.start()) for found in _TOKEN.finditer(flat)]
    words = [_folded(token) for token, _ in tokens]
    dates += [
        wordlists.DATES[word] for (token, _), word in zip(tokens, words, strict=True)
        if word in wordlists.DATES and (word not in wordlists.LARGE or token[0].isupper())
    ]  # fmt: skip
    numbers = Counter(_numbers(_DATE.sub(" ", flat)))
    numbers.update(wordlists.NUMBERS[word] for word in words if word in wordlists.NUMBERS)
    claims = (
        ("negation", _negations(words)),
        ("date", Counter(dates)),
        ("weekday", Counter(_weekdays(tokens, words))),
        ("number", numbers),
    )
    names, starts = _names(flat, tokens)
    telling = [word for word in words if word not in wordlists.FILLERS and not _negates(word)]
    stems = tuple(map(_stemmed, telling))
    return _Read(stems, dict(zip(stems, telling, strict=True)), frozenset(words), claims, names, starts)


def _stemmed(word: str) -> str:
    if word in wordlists.NUMBERS:
        return wordlists.NUMBERS[word]
    return f"{stem(word)}d" if word.endswith("ed") else stem(word)


def _folded(token: str) -> str:
    word = token.casefold().replace("’", "'").replace("ʼ", "'")
    return JOINED.sub("", word.removesuffix("'s"))


def _numbers(flat: str) -> Iterator[str]:
    plain = JOINED.sub("", flat)
    for sign, currency, digits, unit in _NUMBER.findall(plain):
        value = digits.lstrip("0") or "0" if digits.isdecimal() else digits
        yield ("-" if sign in "-−" and sign else "") + currency + value + unit


def _negates(word: str) -> bool:
    return word in wordlists.NEGATIONS


def _negations(words: Sequence[str]) -> Counter[str]:
    """What is negated, by the stem of the next telling word."""
    found: Counter[str] = Counter()
    for at, word in enumerate(words):
        if _negates(word):
            after = (stem(next_) for next_ in words[at + 1 :] if next_ not in wordlists.FILLERS)
            found[next(after, "")] += 1
    return found


def _weekdays(tokens: Sequence[tuple[str, int]], words: Sequence[str]) -> Iterator[str]:
    for (token, _), word in zip(tokens, words, strict=True):
        day = wordlists.WEEKDAYS.get(word)
        if day is not None and (word not in wordlists.LARGE or token[0].isupper()):
            yield day


def _names(flat: str, tokens: Sequence[tuple[str, int]]) -> tuple[frozenset[str], frozenset[str]]:
    """The words that are names by how they are written, and those that may be: they begin a sentence."""
    names: set[str] = set()
    starts: set[str] = set()
    for token, at in tokens:
        if not token[0].isupper():
            if any(letter.isupper() for letter in token):
                names.add(_folded(token))
            continue
        word = _folded(token)
        if word in wordlists.NO_NAMES:
            continue
        (starts if _STARTS.search(flat, max(0, at - 12), at) else names).add(word)
    return frozenset(names - starts), frozenset(starts - names)
