"""The words of a text as they are compared: folded, without any sign."""

from __future__ import annotations

import re
from itertools import chain, pairwise

from memview.store.words import SPACELESS, flatten

_DROPPED = b"'"
_PLAIN = bytes.maketrans(bytes(range(33)) + b'"#$%&()*+,-./:;<=>?@[\\]^_`{|}~!\x7f', b" " * (33 + 32))
_APOSTROPHES = str.maketrans("", "", "'’ʼ")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W_]+")
_RUN = re.compile(rf"[{SPACELESS}]+|[^\W_{SPACELESS}]+")
_IS_SPACELESS = re.compile(rf"[{SPACELESS}]")


def said(text: str) -> bytes:
    """The words of a text in UTF-8, with blanks between them; texts that differ in nothing but signs have the same.

    Characters of scripts that write no spaces are words in overlapping pairs.
    """
    flat = flatten(text).casefold()
    if "," in flat:
        flat = _THOUSANDS.sub("", flat)
    if flat.isascii():
        return flat.encode().translate(_PLAIN, _DROPPED)
    flat = flat.translate(_APOSTROPHES)
    if not _IS_SPACELESS.search(flat):
        return " ".join(_WORD.findall(flat)).encode("utf-8", "surrogatepass")
    pieces = chain.from_iterable(map(_pieces, _RUN.findall(flat)))
    return " ".join(pieces).encode("utf-8", "surrogatepass")


def spoken(text: str) -> list[str]:
    """The words of a text, as :func:`said` has them."""
    return said(text).decode("utf-8", "surrogatepass").split()


def _pieces(word: str) -> list[str]:
    if len(word) < 3 or not _IS_SPACELESS.match(word):
        return [word]
    return [a + b for a, b in pairwise(word)]
