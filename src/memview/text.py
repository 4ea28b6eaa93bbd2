r"""Untrusted text: what may be shown of it.

A stored text is something that an agent picked up somewhere. A terminal obeys some of its characters, hides others
and lets a third kind turn the direction of what follows. `visible` shows every one of these as a plain escape, in the
form Python writes it: ``\x1b``, ``\u202e``, ``\U000e0041``. The backslash itself is left alone, so the result is for
reading and not for reading back.

Three kinds of invisible character carry meaning in honest text and stay where that meaning is, one at a time:

- joiner and presentation selector inside an emoji sequence (a family, a skin tone, a keycap);
- the non-joiner and joiner between Arabic-script letters, as Persian needs it, and after a letter of an Indic script;
- a carriage return before a newline, which together are one newline.

Everywhere else they are escaped, and so are all other variation selectors and all tag characters, because a run of
them can carry a hidden message to a language model.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category

from memview import late

NEWLINE_MARK = "↵"
"""Stands for a line break in a text shown on one line."""

ELLIPSIS = "…"
"""Stands for what was cut off."""

_UNSAFE_IN_BMP = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls C0, DEL, C1
    r"\xad\u034f\u180e"  # soft hyphen, grapheme joiner, Mongolian vowel separator
    r"\u115f\u1160\u3164\uffa0\u17b4\u17b5"  # Hangul fillers, Khmer inherent vowels
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction
    r"\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff"  # zero width, invisible operators, byte-order mark
    r"\u180b-\u180d\u180f\ufe00-\ufe0f"  # variation selectors
    r"\u2028\u2029\ufff0-\ufffb"  # line and paragraph separators, interlinear annotation
    r"\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # lone surrogates, noncharacters
)
_UNSAFE = (
    _UNSAFE_IN_BMP
    + r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # hieroglyph, shorthand, music layout
    r"\U000e0000-\U000e0fff"  # tags, more variation selectors
     + "".join(rf"\U{plane:04x}fffe-\U{plane:04x}ffff" for plane in range(1, 17))  # noncharacters
)
_PICTURES = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    r"\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_PICTURE = rf"[{_PICTURES}][\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
_ARABIC = r"[\u0620-\u06ff\u0750-\u077f\u08a0-\u08ff]"
_HONEST = (
    rf"{_PICTURE}(?:\u200d{_PICTURE})*"
    r"|[0-9#*]\ufe0f\u20e3"
    rf"|(?<={_ARABIC})[\u200c\u200d](?={_ARABIC})"
    r"|(?<=[\u0900-\u0dff])[\u200c\u200d]"
)
_BEYOND_BMP = r"\U00010000-\U0010ffff"
_maybe_unsafe = late.pattern(f"[{_UNSAFE_IN_BMP}{_BEYOND_BMP}]")
"""A first look, eight times as fast as the exact one: the engine is slow at several ranges beyond the BMP."""
_honest_or_unsafe = late.pattern(f"{_HONEST}|(?P<newline>\r\n)|(?P<unsafe>[{_UNSAFE}])")
_TO_ROW = {ord("\t"): " ", 0x200D: None, 0xFE0E: None, 0xFE0F: None}


def visible(text: str) -> str:
    r"""Show a text as it is, with an escape in place of each character that would not be seen as itself.

    Newlines and tabs stay. The result is safe to send to a terminal, and calling this again changes nothing.

    Args:
        text: any text, of any length.

    Returns:
        The text; the very same object when there was nothing to replace.
    """
    if _surely_safe(text):
        return text
    return _honest_or_unsafe().sub(_shown, text)


def is_hostile(text: str) -> bool:
    """Tell whether a text holds a character that `visible` would show as an escape."""
    if _surely_safe(text):
        return False
    return any(match.lastgroup == "unsafe" for match in _honest_or_unsafe().finditer(text))


def one_line(text: str, limit: int = 400) -> str:
    """Show the beginning of a text on one line: a row, a title, a message.

    Line breaks become `NEWLINE_MARK`, tabs become spaces, and blank lines go. Emoji sequences fall apart into their
    pictures, because terminals disagree about how wide a sequence is and a row has columns to keep. The work depends
    on the limit alone, however long the text is.

    Args:
        text: any text.
        limit: the most characters returned, at least 1.
    """
    start = text[: 4 * limit]
    pieces = (piece.strip() for piece in visible(start).split("\n"))
    line = f" {NEWLINE_MARK} ".join(filter(None, pieces)).translate(_TO_ROW)
    return cut(line + ELLIPSIS if len(start) < len(text) else line, limit)


def cut(text: str, limit: int) -> str:
    """Shorten a text to at most `limit` characters, the last of them an ellipsis if anything was cut off.

    A letter and its accents, an emoji sequence and a flag are kept or left out whole.

    Args:
        text: any text, already made `visible`.
        limit: the most characters returned, at least 1.
    """
    if len(text) <= limit:
        return text
    end = limit - 1
    while end > 0 and _belongs_together(text, end):
        end -= 1
    return text[: end or limit - 1].rstrip() + ELLIPSIS


def _surely_safe(text: str) -> bool:
    """Tell cheaply, for most texts, that nothing in them needs care."""
    return (text.isascii() and text.isprintable()) or _maybe_unsafe().search(text) is None


def _shown(match: re.Match[str]) -> str:
    """What stands for one match of `_honest_or_unsafe`."""
    if match.lastgroup == "newline":
        return "\n"
    return _escape(match[0]) if match.lastgroup == "unsafe" else match[0]


@lru_cache(256)
def _escape(character: str) -> str:
    """Write a character as the escape of its code point, the way Python does."""
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _belongs_together(text: str, index: int) -> bool:
    """Tell whether the character at an index continues the one before it."""
    before, after = text[index - 1], text[index]
    if after.isascii() and before.isascii():
        return False
    return (
        category(after)[0] == "M"
        or after in "\u200c\u200d"
        or before in "\u200c\u200d"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
    )
