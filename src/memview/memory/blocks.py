"""The ``<memory-context>`` block: how what is remembered is handed to a model, and kept from coming back as new.

What stands in a block was learnt before. Whatever is captured or extracted is stripped of such blocks first, or an
agent would learn its own memory again and again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

TAG = "memory-context"

_BLOCK = re.compile(rf"<\s*{TAG}\b[^>]*>.*?(?:<\s*/\s*{TAG}\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_STRAY = re.compile(rf"<\s*/?\s*{TAG}\b[^>]*>?", re.IGNORECASE)
_ANY_TAG = re.compile(rf"<(?=\W*{TAG})", re.IGNORECASE)


def block(lines: Iterable[str], *, intro: str) -> str:
    """Lines of memory as one block for the system role.

    Args:
        lines: what is remembered, one entry each; none of them can close the block or pose as two.
        intro: a sentence that tells the model what these are.
    """
    inside = "\n".join((intro, *(f"- {harmless(line)}" for line in lines)))
    return f"<{TAG}>\n{inside}\n</{TAG}>"


def harmless(text: str) -> str:
    """The text on one line, unable to open or close a block."""
    return _ANY_TAG.sub("&lt;", " ".join(text.split()))


def stripped(text: str) -> str:
    """The text without its blocks; an unclosed one reaches to the end."""
    while (without := _STRAY.sub(" ", _BLOCK.sub(" ", text))) != text:
        text = without
    return text.strip()


def entry(text: str, at: datetime | None) -> str:
    """A remembered text with the day it was learnt on."""
    return text if at is None else f"[{at:%Y-%m-%d}] {text}"
