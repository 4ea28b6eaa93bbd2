"""When two texts are equal: the differences that say nothing, and the signs that say something."""

from __future__ import annotations

import re
from collections import Counter
from unicodedata import category, normalize

from memview import late

JOINED = re.compile(r"(?<=\w)['’ʼ](?=\w)|(?<=\d),(?=\d{3}(?!\d))")
"""What stands inside of a word or a number and says nothing."""

NOT_ALIKE = "not alike"
"""The judgement that two facts are no duplicates."""

_ODD = late.pattern(r"(?!(?<=\d)[.:](?=\d))(?:[^\w\s]|_)")
_KEPT = late.pattern(r"(?<=\w)[#&%](?!\w)|(?<=\w)&(?=\w)")
_COUNTED = "+-−#%$€£¥<>=°"
_SILENT = bytes(code for code in range(128) if not chr(code).isalnum())
_UNWRITTEN = late.pattern(r"[\W_]+")


def normalised(text: str) -> str:
    """The text without the differences that say nothing: case, blanks, punctuation, invisible characters.

    Signs that tell things apart stay: ``C++``, ``C#``, ``$5``, ``5%``, and the point in ``3.5``.
    """
    flat = JOINED.sub("", normalize("NFKC", text)).casefold()
    kept = {found.start() for found in _KEPT().finditer(flat)}
    return " ".join(_ODD().sub(lambda found: found[0] if found.start() in kept else _sign(found[0]), flat).split())


def signs(text: str) -> Counter[str]:
    """The signs of a text that tell things apart; a dash counts before a number alone."""
    if text.isalnum():
        return Counter()
    found = Counter(sign for sign in text if sign in _COUNTED)
    found["-"] = sum(part[0] in "-−" and part[1:2].isdigit() for part in text.split())
    del found["−"]
    return found


def equals(text: str) -> object:
    """What two texts have in common exactly where they are equal; for use as a key."""
    return normalised(text), frozenset((+signs(text)).items())


def letters(text: str) -> str:
    """The letters and digits alone: whatever is equal has the same, and it costs a tenth of :func:`normalised`."""
    if text.isascii():
        return text.lower().encode().translate(None, _SILENT).decode()
    return _UNWRITTEN().sub("", normalize("NFKC", text).casefold())


def _sign(sign: str) -> str:
    kind = category(sign)
    if kind == "Cf" or kind[0] == "M":
        return sign if kind[0] == "M" else ""
    return sign if kind[0] == "S" and kind != "Sk" else " "
