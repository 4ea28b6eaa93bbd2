"""What may be stored: every value that comes from outside passes here and is told plainly when it may not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from memview import clock
from memview.errors import Invalid

MEMORY_TYPES = ("semantic", "episodic", "reflection")
CONFIDENTIALITY = ("public", "internal", "confidential", "restricted")
"""From the least to the most."""
ORIGINS = ("user", "assistant", "tool", "import", "person", "extraction")
"""Whose words a fact rests on."""
LINK_KINDS = ("related", "contradicts", "supersedes", "derived-from")
"""The first two are alike from both ends."""


def checked(values: dict[str, Any]) -> dict[str, Any]:
    """Columns as they may be stored.

    Raises:
        Invalid: a value cannot be stored; the sentence names it.
    """
    return {name: _CHECKS[name](value) for name, value in values.items()}


def text(value: Any, what: str = "content") -> str:
    """A text that can be stored as it is.

    Raises:
        Invalid: it is no string, or holds half a surrogate pair.
    """
    if not isinstance(value, str):
        raise Invalid(f"{what} must be a text, not {type(value).__name__}.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Invalid(f"{what} holds half a surrogate pair, which is no text.", "Decode it properly first.") from None
    return value


def _content(value: Any) -> str:
    if not text(value).strip():
        raise Invalid("content is required.", "Write a text that is not blank.")
    return str(value)


def _maybe_text(what: str) -> Callable[[Any], str | None]:
    return lambda value: None if value is None else text(value, what)


def _list(what: str) -> Callable[[Any], list[str]]:
    def check(value: Any) -> list[str]:
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise Invalid(f"{what} must be a list of texts.")
        return list(dict.fromkeys(text(part, what) for part in value))

    return check


def _one_of(what: str, known: Sequence[str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in known:
            raise Invalid(f"{what} is one of {', '.join(known)}, not {text(str(value), what)[:40]}.")
        return str(value)

    return check


def _importance(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Invalid("importance is a number from 1 to 10.")
    return min(10, max(1, int(value)))


def _strength(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise Invalid("strength is a number from 0 to 1.")
    return float(value)


def metadata(value: Any) -> dict[str, Any]:
    """Metadata as it may be stored: a dict of JSON values.

    Raises:
        Invalid: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Invalid("metadata must be a dict.")
    try:
        written = json.dumps(dict(value), ensure_ascii=False, allow_nan=False)
        plain: dict[str, Any] = json.loads(text(written, "metadata"))
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"metadata must be JSON: {error}.") from error
    return plain


def moment(value: Any, what: str = "at") -> datetime | None:
    """A time in UTC; a naive one is taken as UTC. None stays None.

    Raises:
        Invalid: it is no datetime.
    """
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise Invalid(f"{what} must be a datetime, not {type(value).__name__}.")
    return clock.from_text(clock.to_text(value))


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "content": _content,
    "category": _maybe_text("category"),
    "tags": _list("tags"),
    "keywords": _list("keywords"),
    "summary": _maybe_text("summary"),
    "importance": _importance,
    "memory_type": _one_of("memory_type", MEMORY_TYPES),
    "strength": _strength,
    "confidentiality": _one_of("confidentiality", CONFIDENTIALITY),
    "session": _maybe_text("session"),
    "turns": _list("turns"),
    "origin": lambda value: None if value is None else _one_of("origin", ORIGINS)(value),
    "agent": _maybe_text("agent"),
    "meta": metadata,
    "created_at": lambda value: value,
}
