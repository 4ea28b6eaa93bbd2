"""Identifiers that sort by time and are safe to make in many threads, processes and machines at once.

An id is a ULID (https://github.com/ulid/spec) in small letters: 48 bits of milliseconds since 1970 and 80 random bits,
26 characters. It holds no state, so a fork cannot make two processes give out the same one.
"""

from __future__ import annotations

import hashlib
import os
import struct
from datetime import datetime
from functools import lru_cache

_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [a + b for a in _LETTERS for b in _LETTERS]

_BLOCK = 1 << 20
"""How many identifiers the last four letters tell apart."""


def new_id(moment: datetime) -> str:
    """A fresh identifier for something that happens at this moment."""
    return _since_1970(int(moment.timestamp() * 1000)) + "".join([_PAIRS[n & 1023] for n in _numbers(os.urandom(16))])


_numbers = struct.Struct("8H").unpack


@lru_cache(1)
def _since_1970(milliseconds: int) -> str:
    number = milliseconds & (1 << 48) - 1
    return "".join([_PAIRS[number >> shift & 1023] for shift in (40, 30, 20, 10, 0)])


def new_ids(moment: datetime, count: int) -> list[str]:
    """So many fresh identifiers for things that happen together: they sort in this order."""
    if count == 1:
        return [new_id(moment)]
    first = new_id(moment)
    head, tail = first[:-4], int.from_bytes(os.urandom(2), "big")
    if count > _BLOCK - tail:
        return [*new_ids(moment, count // 2), *new_ids(moment, count - count // 2)]
    return [f"{head}{_PAIRS[n >> 10]}{_PAIRS[n & 1023]}" for n in range(tail, tail + count)]


def identity(tenant: str, namespace: str, content: str) -> bytes:
    """What makes two facts the same one: a digest of tenant, namespace and exact text (case and blanks matter)."""
    joined = f"{len(tenant)}:{tenant}{len(namespace)}:{namespace}{len(content)}:{content}"
    return hashlib.blake2b(joined.encode("utf-8", "surrogateescape"), digest_size=16).digest()
