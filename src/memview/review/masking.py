"""Secrets out of sight: what stands in their place wherever a stored text is shown."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from memview.review.secrets import MASK, mask, spans
from memview.text import one_line

T = TypeVar("T")

CARRIED = 400
"""So many characters of a text a row carries at most; a secret that is cut there has not its whole form any more."""
LAID_OUT = 30_000
"""Characters up to which a text is looked through; the detail lays out fewer."""

_CUT_WORD = re.compile(r"[!-~]+\Z")
_TEXTS = frozenset({
    "after", "before", "category", "content", "fact", "facts", "history", "keywords", "metadata", "neighbours",
    "request", "response", "row", "sources", "summary", "tags", "turn",
})  # fmt: skip
"""The fields of light rows in which stored texts stand, or rows with such."""


def beginning(text: str) -> str:
    """The beginning of a text as a row carries it, without its secrets and without a word that may be half of one."""
    masked = mask(text)
    if len(text) < CARRIED:
        return masked
    return (_CUT_WORD.sub("", masked) or masked[:20]) + "…"


def line(text: str, limit: int = 400) -> str:
    """A text on one line, safe to show and without its secrets; see :func:`memview.text.one_line`."""
    start = text[: 4 * limit + CARRIED]
    return one_line(beginning(start) if len(start) == len(text) else mask(start), limit)


def hidden(record: T) -> T:
    """A light row, or what holds some, without the secrets in its texts; ids and names stay."""
    found: T = _hidden(record)
    return found


def part_hidden(part: str, whole: str) -> str:
    """A part of a text without its secrets, also where only the rest of the text tells that it is one."""
    masked = mask(part)
    if masked is not part:
        return masked
    for secret in spans(whole):
        value = whole[secret.start : secret.end]
        if value in part:
            return part.replace(value, MASK)
        if part in value:
            return MASK
    return part


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        return mask(value) if len(value) <= LAID_OUT else mask(value[:LAID_OUT]) + value[LAID_OUT:]
    if isinstance(value, dict):
        return {key: _hidden(part) for key, part in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_replace"):
        parts = zip(value._fields, value, strict=True)  # type: ignore[attr-defined]
        return value._replace(**{name: _hidden(part) for name, part in parts if name in _TEXTS})
    if is_dataclass(value) and not isinstance(value, type):
        named = {each.name: getattr(value, each.name) for each in fields(value) if each.name in _TEXTS}
        return replace(value, **{name: _hidden(part) for name, part in named.items()})
    if isinstance(value, (list, tuple)):
        return type(value)(_hidden(part) for part in value)
    return value
