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
TRUST = ("tool", "extraction", "assistant", "import", "user", "person")
"""Origins from the least to the most trusted: what a tool's output said may come from anybody, what a person wrote was
meant. An unknown origin is trusted least of all."""
_LONGEST_WAIT = 2_000_000.0
"""Seconds; SQLite counts its waits in milliseconds of 31 bits."""
_MOST = (1 << 63) - 1
"""The greatest whole number that SQLite holds."""
LINK_KINDS = ("related", "contradicts", "supersedes", "derived-from")
"""The first two are alike from both ends."""


def checked(values: dict[str, Any]) -> dict[str, Any]:
    """Columns as they may be stored.

    Raises:
        Invalid: a value cannot be stored; the sentence names it.
    """
    return {name: _CHECKS[name](value) for name, value in values.items()}


def least_trusted(origins: Iterable[str | None]) -> str | None:
    """Of the origins of what a text rests on, the one that it has itself: trust never rises."""
    return min(origins, key=lambda origin: TRUST.index(origin) if origin in TRUST else -1)


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


def asked(value: Any, what: str = "query") -> str:
    """A text to look for. Any will do, also one that could not be stored.

    Raises:
        Invalid: it is no string.
    """
    if not isinstance(value, str):
        raise Invalid(f"{what} must be a text, not {type(value).__name__}.")
    return value


def whole(value: Any, what: str, least: int, means: str = "") -> int:
    """A whole number, no greater than SQLite holds.

    Args:
        value: the number.
        what: its name.
        least: the least that makes sense.
        means: what the least stands for, where that is not obvious.

    Raises:
        Invalid: it is something else, or below ``least``.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise Invalid(f"{what} is a whole number from {least}{means and f', which means {means}'}.")
    return min(value, _MOST)


def limit(value: Any) -> int:
    """The most rows to give, 0 for all.

    Raises:
        Invalid: it is no whole number from 0.
    """
    return whole(value, "limit", 0, "all")


def is_number(value: object) -> bool:
    """Whether it is a finite number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an int beyond all floats
        return False


def seconds(value: Any, what: str) -> float:
    """How long to wait, no longer than SQLite can.

    Raises:
        Invalid: it is no number, or below 0.
    """
    if not is_number(value) or value < 0:
        raise Invalid(f"{what} is a number of seconds from 0.")
    return min(float(value), _LONGEST_WAIT)


def texts(value: Any, what: str) -> list[str]:
    """A list of texts that can be stored, each once; a single text is none.

    Raises:
        Invalid: it is something else.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise Invalid(f"{what} must be a list of texts.")
    return list(dict.fromkeys(text(part, what) for part in value))


def _maybe_text(what: str) -> Callable[[Any], str | None]:
    return lambda value: None if value is None else text(value, what)


def _list(what: str) -> Callable[[Any], list[str]]:
    return lambda value: texts(value, what)


def _one_of(what: str, known: Sequence[str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in known:
            raise Invalid(f"{what} is one of {', '.join(known)}, not {text(str(value), what)[:40]}.")
        return str(value)

    return check


def _importance(value: Any) -> int:
    if not is_number(value):
        raise Invalid("importance is a number from 1 to 10.")
    return min(10, max(1, int(value)))


def _strength(value: Any) -> float:
    if not is_number(value):
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
        Invalid: it is no datetime, or there is no such time in UTC.
    """
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise Invalid(f"{what} must be a datetime, not {type(value).__name__}.")
    try:
        return clock.from_text(clock.to_text(value))
    except OverflowError:
        raise Invalid(f"{what} lies outside the years 1 to 9999 in UTC.") from None


def tells_time(now: clock.Clock) -> None:
    """Refuse a clock whose times could be compared with no stored one.

    Raises:
        Invalid: it tells no aware datetime.
    """
    told = now()
    if not isinstance(told, datetime) or told.tzinfo is None:
        raise Invalid("clock must tell an aware datetime.", "Such as datetime.now(timezone.utc).")


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
