"""The Porter stemmer, letter for letter as SQLite's FTS5 runs it.

FTS5 stems inside its tokenizer, where Python cannot ask it. Highlighting and spelling correction need the same stems,
so this is the same algorithm (M. F. Porter, "An algorithm for suffix stripping", 1980, with FTS5's table of endings);
the tests compare it with FTS5 itself.
"""

from __future__ import annotations

from functools import lru_cache

_LONGEST = 64
"""FTS5 leaves longer words alone; in bytes."""

_Rules = tuple[tuple[str, str], ...]

_STEP_2: _Rules = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"),
    ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3: _Rules = (
    ("ical", "ic"), ("ness", ""), ("icate", "ic"), ("iciti", "ic"), ("ful", ""), ("ative", ""), ("alize", "al"),
)  # fmt: skip
_STEP_4: _Rules = tuple(
    (ending, "")
    for ending in (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate",
        "iti", "ous", "ive", "ize",
    )
)  # fmt: skip


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem under which FTS5's porter tokenizer files a prepared word (``deploying`` -> ``deploi``)."""
    if len(word) < 3 and word.isascii():
        return word
    stored = word.encode("utf-8", "replace")
    if not 3 <= len(stored) <= _LONGEST:
        return word
    stemmed = _stem(stored.decode("latin-1"))
    return stemmed if word.isascii() else stemmed.encode("latin-1").decode("utf-8", "replace")


def _stem(word: str) -> str:
    word = _past(_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    for rules, least in ((_STEP_2, 0), (_STEP_3, 0), (_STEP_4, 1)):
        word = _replace_ending(word, rules, least)
    if word.endswith("e") and _drops_e(word[:-1]):
        word = word[:-1]
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _plural(word: str) -> str:
    """Step 1a."""
    if not word.endswith("s") or word.endswith("ss"):
        return word[:-2] if word.endswith("sses") and len(word) > 4 else word
    if (word.endswith("sses") and len(word) > 4) or (word.endswith("ies") and len(word) > 3):
        return word[:-2]
    return word[:-1]


def _past(word: str) -> str:
    """Step 1b."""
    if word.endswith("eed") and len(word) > 3:
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and rest and _has_vowel(rest):
            return _mended(rest)
    return word


def _mended(rest: str) -> str:
    """What is left of ``hopping``, ``hoping`` or ``conflated`` made a word again."""
    if len(rest) > 2 and rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    last = rest[-1]
    if len(rest) > 1 and last == rest[-2] and last not in "aeioulsz":
        return rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _ends_short(rest) else rest


def _replace_ending(word: str, rules: _Rules, least: int) -> str:
    for ending, instead in rules:
        if word.endswith(ending) and len(word) > len(ending):
            rest = word[: -len(ending)]
            fits = _measure(rest) > least and (ending != "ion" or rest.endswith(("s", "t")))
            return rest + instead if fits else word
    return word


def _drops_e(rest: str) -> bool:
    measure = _measure(rest)
    return measure > 1 or (measure == 1 and not _ends_short(rest))


def _shape(word: str) -> str:
    """The word as ``v`` and ``c``; a ``y`` is a vowel after a consonant."""
    shape = ""
    after = "v"
    for letter in word:
        after = "v" if letter in "aeiou" or (letter == "y" and after == "c") else "c"
        shape += after
    return shape


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant."""
    return _shape(word).count("vc")


def _has_vowel(word: str) -> bool:
    return any(letter in "aeiou" or (letter == "y" and place > 0) for place, letter in enumerate(word))


def _ends_short(word: str) -> bool:
    """Whether the word ends consonant, vowel, consonant other than w, x, y."""
    return word[-1:] not in ("w", "x", "y") and _shape(word[-3:] if len(word) < 4 else word).endswith("cvc")
