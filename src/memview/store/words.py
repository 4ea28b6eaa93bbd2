"""Text as words: what is put into the search index, and what a search asks of it.

FTS5's tokenizers cannot be extended from Python, so both the stored text and the query are prepared here, by the same
rules, before FTS5 sees them:

- Letters are folded: case, accents and other marks that a person leaves out, full-width and other compatibility
  forms, zero-width characters. Marks that are vowels (Devanagari, Thai, kana voicing) stay.
- An *identifier* is kept whole and in its parts: ``getUserName`` is indexed as ``getusername get user name``, and so is
  ``get_user_name``. Digits split nothing: ``v2beta`` and ``sha256`` are one word. Parts come after the whole, so that
  a phrase that runs into an identifier matches, and so does a phrase of its parts.
- A run of a script that writes no spaces is indexed as overlapping pairs and its last character (``東京都`` is
  ``東京 京都 都``), so that any part of it is found as a phrase of pairs, and a single character as a prefix.
- Everything else (punctuation, symbols, emoji, control characters) separates words.

A query becomes `Term` values. A word with punctuation in it (``POL-358``, ``don't``) is a phrase of its pieces; a word
without any letter or digit (``*``, ``()``, an emoji) has no pieces and is `Term.literal`: it is for the caller to
look for it as a substring of the stored text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from memview import late

TOKENIZE = "porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'"
"""The FTS5 tokenizer the prepared text is made for. Without ``M*`` vowel signs would be lost, but all is found."""

MAX_INDEXED = 1_000_000
"""Characters of a text that are indexed; the rest of a longer one is not searchable."""

MAX_QUERY = 10_000
"""Characters of a query that are read."""

MAX_TERMS = 64
"""Distinct terms of a query that are searched for, and pieces of one term."""

MAX_IDENTIFIER = 64
"""Longer words (keys, encoded data) are split at ``_`` only, and not kept whole."""

_FILLERS = (
    "a about all am an and any are as at be been but by can could did do does for from had has have he her him his how "
    "i if in into is it its just may me my no not of on or our she should so some than that the their them then there "
    "these they this those to too us was we were what when where which who why will with would you your"
)
STOP_WORDS = frozenset(_FILLERS.split())
"""English words that say nothing by themselves; dropped from a query that matches any of its words."""

SPACELESS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u109d\uaa60-\uaa76\uaa7a-\uaa7f\u1780-\u17d3\u17d7\u17dc\u17dd"  # Myanmar, Khmer
    "\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb"  # Hangul
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # kana
    "\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\uff66-\uff9f"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003fffd"  # Han
)
"""The characters of scripts that write no spaces between words, as the inside of a regular expression's class."""

_VOWEL_SIGNS = (
    "\u0900-\u0963\u0966-\u096f\u0971-\u09ef\u09fc\u09fe-\u0a75\u0a81-\u0aef\u0af9-\u0b6f\u0b71\u0b82-\u0bef"
    "\u0c00-\u0c6f\u0c80-\u0c83\u0c85-\u0d4e\u0d54-\u0d6f\u0d7a-\u0df3\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc"
    "\u1712-\u1734\u1752-\u1773\u18a9\u1920-\u193b\u19b0-\u19c9\u1a17-\u1a1b\u1a55-\u1a7f\u1b00-\u1b59\u1b6b-\u1b73"
    "\u1b80-\u1bf3\u1c24-\u1c37\ua802-\ua827\ua880-\ua8c5\ua926-\ua92d\ua947-\ua953\ua980-\ua9c0\uaa29-\uaa36"
    "\uaaeb-\uaaef\uabe3-\uabea\uabec\uabed\U00011000-\U00011046\U00011080-\U000110ba"
)

_WORD = late.pattern(rf"[{SPACELESS}]+|(?:[^\W{SPACELESS}]++|[{_VOWEL_SIGNS}]++)++")
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")
_BLANKED = bytes(code if _ASCII_WORD.match(chr(code)) else ord(" ") for code in range(256))
"""Leaves of the bytes of an ASCII text its words, with blanks between: what `_ASCII_WORD` finds in twice the time."""
_CAPITAL_INSIDE = re.compile(r"[A-Z](?<=[A-Za-z0-9].)")
"""Looks behind a capital: that finds it ten times as fast as looking for what may stand before one."""
_IS_SPACELESS = late.pattern(rf"[{SPACELESS}]")
_PART = re.compile(r"[A-Z]+(?=[A-Z][^A-Z_0-9])|[A-Z]?[^A-Z_]+|[A-Z]+[0-9]*")
_SURROGATE = re.compile("[\ud800-\udfff]")

_DROPPED = (
    (0xAD, 0xAD), (0x300, 0x36F), (0x483, 0x489), (0x591, 0x5BD), (0x5BF, 0x5BF), (0x5C1, 0x5C2), (0x5C4, 0x5C5),
    (0x5C7, 0x5C7), (0x610, 0x61A), (0x61C, 0x61C), (0x640, 0x640), (0x64B, 0x65F), (0x670, 0x670), (0x6D6, 0x6DC),
    (0x6DF, 0x6E4), (0x6E7, 0x6E8), (0x6EA, 0x6ED), (0x180B, 0x180F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x20D0, 0x20F0), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F),
    (0xFEFF, 0xFEFF), (0xE0000, 0xE01EF),
)  # fmt: skip
_FOLDS: dict[int, str | None] = {code: None for first, last in _DROPPED for code in range(first, last + 1)}
_LETTERS = zip(
    "ßẞæÆœŒøØłŁđĐðÐħĦıև",
    ["ss", "SS", "ae", "AE", "oe", "OE", "o", "O", "l", "L", "d", "D", "d", "D", "h", "H", "i", "եւ"],
    strict=True,
)
_FOLDS |= {ord(letter): instead for letter, instead in _LETTERS}


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for. Make it with `term`."""

    text: str
    """As it was typed, without quotes or minus."""
    pieces: tuple[str, ...] = ()
    """The prepared words that must follow each other; empty where the text has no letter or digit."""
    whole: str = ""
    """For a text that is one identifier: all of it as one word, which matches as well as the pieces do."""
    phrase: bool = False
    """Typed in quotes: whole words only, never prefixes."""
    exclude: bool = False
    """Typed with a minus: records that have it are left out."""

    @property
    def literal(self) -> bool:
        """Whether only a plain substring search of `text` can find it: it has no letter and no digit."""
        return not self.pieces


def as_text(value: object) -> str:
    """What stands in a text column as text: SQLite keeps numbers, bytes and NULL there as well."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def storable(text: str) -> str:
    """The text with every lone surrogate, which SQLite cannot store or compare, replaced; the length stays."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def flatten(text: str) -> str:
    """Compatibility forms and accents folded, invisible characters dropped; case stays, since identifiers need it.

    Lower-casing the result never changes its length.
    """
    return text if text.isascii() else normalize("NFKC", normalize("NFKD", text).translate(_FOLDS))


def has_plain_words(flat: str) -> bool:
    """Whether the words of a flattened text are its runs of ASCII letters and digits, with no identifier among them."""
    return flat.isascii() and "_" not in flat and not _CAPITAL_INSIDE.search(flat)


def spans_of_words(flat: str) -> Iterator[tuple[str, int, int]]:
    """The index words of a flattened text in their order, each with where it starts and ends in that text."""
    for found in (_ASCII_WORD if flat.isascii() else _WORD()).finditer(flat):
        word = found[0]
        start, end = found.span()
        if _is_plain(word):
            yield word.lower(), start, end
        elif _IS_SPACELESS().match(word):
            for at in range(len(word)):
                yield word[at : at + 2].casefold(), start + at, start + min(at + 2, len(word))
        else:
            yield from _spans_of_parts(word, start)


def prepare(text: str) -> str:
    """The text as it is indexed: its words, separated by blanks. See the module for the rules."""
    flat = flatten(text[:MAX_INDEXED])
    plain = flat.isascii()
    found: list[str] = flat.encode().translate(_BLANKED).decode().split() if plain else _WORD().findall(flat)
    if has_plain_words(flat):
        return " ".join(found).lower()
    words: list[str] = []
    for word in found:
        if (plain and word.islower() and "_" not in word) or _is_plain(word):
            words.append(word)
        else:
            words.extend(_index_forms(word))
    return " ".join(words).casefold()


def term(text: str, *, phrase: bool = False, exclude: bool = False) -> Term:
    """One term from a piece of text, in which nothing is syntax.

    Args:
        text: a word, or the inside of quotes.
        phrase: it was quoted.
        exclude: it was negated.
    """
    text = storable(text[:MAX_QUERY])
    flat = flatten(text)
    found = [word for word in (_ASCII_WORD if flat.isascii() else _WORD()).findall(flat) if word.strip("_")]
    if not found:
        return Term(text, phrase=phrase, exclude=exclude)
    pieces = [piece for word in found[:-1] for piece in _index_forms(word)]
    last = _last_forms(found[-1])
    whole = last[0] if len(last) > 1 and not _IS_SPACELESS().match(found[-1]) else ""
    if whole:
        last = last[:1] if pieces else last[1:]
    pieces.extend(last)
    return Term(
        text,
        pieces=tuple(piece.casefold() for piece in pieces[:MAX_TERMS]),
        whole=whole.casefold() if len(found) == 1 else "",
        phrase=phrase,
        exclude=exclude,
    )


def terms(text: str) -> tuple[Term, ...]:
    """Free text to terms, one a word; no character is syntax here. At most `MAX_TERMS` distinct ones."""
    return distinct(term(word) for word in text[:MAX_QUERY].split())


def distinct(found: Iterable[Term]) -> tuple[Term, ...]:
    """The terms without repetition, in their order, at most `MAX_TERMS`."""
    return tuple(dict.fromkeys(found))[:MAX_TERMS]


def expression(term: Term, *, prefix: bool, also: Sequence[str] = ()) -> str:
    """What FTS5 is asked with ``MATCH`` for one term, whether it is excluded or not.

    Args:
        term: not a literal one.
        prefix: the last word may go on. A quoted term takes no notice, except for a lone character of a script
            without spaces, which is always a prefix (of the pairs it begins).
        also: other words that may stand in the last one's place, as `Vocabulary` spells them: FTS5 stems them again.

    Raises:
        ValueError: the term is literal.
    """
    if term.literal:
        raise ValueError("a literal term has no expression")
    tail = " *" if is_prefix(term, prefix=prefix) else ""
    phrases = [_quoted(term.pieces) + tail]
    if term.whole:
        phrases.insert(0, _quoted((term.whole,)) + tail)
    phrases.extend(_quoted((*term.pieces[:-1], prepare(word))) for word in also if prepare(word))
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"


def is_prefix(term: Term, *, prefix: bool) -> bool:
    """Whether the last piece of a term also stands for the words it begins."""
    last = term.pieces[-1]
    return (prefix and not term.phrase and not term.exclude) or (len(last) == 1 and bool(_IS_SPACELESS().match(last)))


def all_of(terms: Iterable[Term], *, prefix: bool) -> str:
    """The expression for records that have every term and none of the excluded ones.

    Literal terms are left to the caller. Without any term to find the result is ``""``, and excluded ones, which
    FTS5 cannot search alone, are to be taken from `none_of`.
    """
    terms = list(terms)
    wanted = [expression(term, prefix=prefix) for term in terms if not (term.literal or term.exclude)]
    return together(wanted, terms)


def together(wanted: Iterable[str], terms: Iterable[Term]) -> str:
    """The expression for records that every one of some expressions finds and none of the excluded terms."""
    return _without(" AND ".join(wanted), terms)


def one_of(words: Iterable[str]) -> str:
    """The expression for records with one of some words."""
    return f"({' OR '.join(_quoted((word,)) for word in words)})"


def beginning(letters: str) -> str:
    """The expression for records with a word that begins with some letters, as the index files it."""
    return f"{_quoted((letters,))} *"


def opened(term: Term, beginnings: Iterable[str]) -> str:
    """The expression for a term of which the last word is only begun, with one letter.

    Args:
        term: a beginning; see `is_prefix`.
        beginnings: what words begin with that begin so: two letters each, or the letter alone where it is a word.
    """
    phrases = [_quoted((*term.pieces[:-1], letters)) + " *" * (len(letters) > 1) for letters in beginnings]
    if term.whole:
        phrases.insert(0, _quoted((term.whole,)) + " *")
    return f"({' OR '.join(phrases)})"


def any_of(terms: Iterable[Term], *, prefix: bool) -> str:
    """The expression for records that have at least one term and none of the excluded ones, as for `all_of`.

    `STOP_WORDS` do not count, unless there is nothing else.
    """
    terms = list(terms)
    wanted = [term for term in terms if not (term.literal or term.exclude)]
    telling = [term for term in wanted if term.text.casefold() not in STOP_WORDS] or wanted
    return _without(" OR ".join(expression(term, prefix=prefix) for term in telling), terms)


def none_of(terms: Iterable[Term]) -> str:
    """The expression for records that the excluded terms forbid; ``""`` where there are none."""
    return " OR ".join(expression(term, prefix=False) for term in terms if term.exclude and not term.literal)


def _without(wanted: str, terms: Iterable[Term]) -> str:
    unwanted = none_of(terms)
    return f"({wanted}) NOT ({unwanted})" if wanted and unwanted else wanted


def _quoted(pieces: Sequence[str]) -> str:
    return f'"{" ".join(pieces)}"'


def _is_plain(word: str) -> bool:
    """Whether a word is indexed as it is: no identifier, no script without spaces."""
    return (
        word.isascii()
        and (word.islower() or word[1:].islower() or word.isupper() or word.isdigit())
        and "_" not in word
    )


def _parts(word: str) -> list[str]:
    if len(word) > MAX_IDENTIFIER:
        return [part for part in word.split("_") if part]
    if word.isupper() or word.islower():
        return [part for part in word.split("_") if part]
    return _PART.findall(word)


def _index_forms(word: str) -> list[str]:
    """What a word that is not plain is indexed as, in order; case is not folded yet."""
    if _IS_SPACELESS().match(word):
        return [word[at : at + 2] for at in range(len(word))]
    parts = _parts(word)
    if len(parts) < 2 or len(word) > MAX_IDENTIFIER:
        return parts
    return [word.replace("_", ""), *parts]


def _last_forms(word: str) -> list[str]:
    """As `_index_forms`, for the last word of a query, which may end within a run of pairs."""
    forms = _index_forms(word)
    return forms[:-1] if len(forms) > 1 and _IS_SPACELESS().match(word) else forms


def _spans_of_parts(word: str, start: int) -> Iterator[tuple[str, int, int]]:
    """The forms of an identifier with their places."""
    forms = _index_forms(word)
    if len(forms) > 1 and len(word) <= MAX_IDENTIFIER:
        yield forms.pop(0).casefold(), start, start + len(word)
    at = 0
    for part in forms:
        at = word.index(part, at)
        yield part.casefold(), start + at, start + at + len(part)
        at += len(part)
