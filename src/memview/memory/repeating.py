"""Which known fact a text repeats, found through the text index: a store of a million facts is never read through.

A fact that a text repeats has all its telling words, but for one that is misspelt
(:func:`memview.memory.likeness.repeats`). So it is looked for among the facts that have all of its rarest words, or all
but one of them.
"""

from __future__ import annotations

import sqlite3
from itertools import combinations

from memview.fuzzy import fuzz, process
from memview.memory import likeness, wordlists
from memview.store import facts, index
from memview.store.facts import Scope
from memview.store.models import Fact
from memview.store.words import STOP_WORDS, prepare

CANDIDATES = 1_000
"""The most facts that are compared with a text."""

RAREST = 6
"""How many words of a text are looked for."""

COMMON = 500
"""Facts with a word, from which on it counts as common and is not counted further."""

WORTH = 80.0
"""The share of common words, in percent (rapidfuzz's ``token_set_ratio``), from which a candidate is read closely."""

_SILENT = frozenset().union(STOP_WORDS, wordlists.FILLERS, wordlists.NEGATIONS, wordlists.NUMBERS)
_KNOWN = "('active', 'forgotten', 'superseded')"


def repeated(raw: sqlite3.Connection, scope: Scope, text: str) -> Fact | None:
    """The fact of a namespace that a text repeats: an active one, else one that was forgotten or superseded.

    Args:
        raw: an open connection; nothing is changed on it.
        scope: the tenant and the namespace.
        text: what is to be learnt.
    """
    words = _rarest(raw, text)
    for match in dict.fromkeys((" AND ".join(words), _all_but_one(words))):
        known = _having(raw, scope, match) if match else []
        folded = [content.casefold() for _, content, _ in known]
        worth = process.extract(text.casefold(), folded, scorer=fuzz.token_set_ratio, limit=None, score_cutoff=WORTH)
        close = [known[at] for _, _, at in worth if likeness.repeats(text, known[at][1])]
        if close:
            n, _, _ = min(close, key=lambda row: (row[2] != "active", -likeness.similarity(text, row[1])))
            (fact,) = facts.by_numbers(raw, [n])
            return fact
    return None


def _having(raw: sqlite3.Connection, scope: Scope, match: str) -> list[tuple[int, str, str]]:
    """Number, text and status of the namespace's facts that the index finds."""
    sql = (
        f"SELECT r.n, r.content, r.status FROM ({index.hits(raw, index.FACTS)}) h CROSS JOIN facts r ON r.n = h.n "
        f"WHERE r.tenant = :tenant AND r.namespace = :namespace AND r.status IN {_KNOWN} "
        f"AND typeof(r.content) = 'text' LIMIT {CANDIDATES}"
    )
    return raw.execute(sql, {"match": match, **scope._asdict()}).fetchall()


def _all_but_one(words: list[str]) -> str:
    if len(words) < 2:
        return ""
    return " OR ".join(f"({' AND '.join(some)})" for some in combinations(words, len(words) - 1))


def _rarest(raw: sqlite3.Connection, text: str) -> list[str]:
    """The telling words that the fewest facts have, quoted for the index; one that none has is misspelt, or new."""
    words = dict.fromkeys(prepare(text[: likeness.LONGEST]).split())
    telling = [word for word in words if word not in _SILENT] or list(words)
    hits = index.hits(raw, index.FACTS)
    counted = []
    for word in telling:
        match = {"match": f'"{word}"'}
        (found,) = raw.execute(f"SELECT count(*) FROM (SELECT 1 FROM ({hits}) LIMIT {COMMON})", match).fetchone()
        if found:
            counted.append((found, -len(word), match["match"]))
    return [word for _, _, word in sorted(counted)[:RAREST]]
