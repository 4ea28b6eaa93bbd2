"""When a typed query may be acted on: only where every part of it was understood, and it limits something."""

from __future__ import annotations

from memview.store.query import Parsed, Query
from memview.store.words import MAX_QUERY


def refusal(text: str, parsed: Parsed, base: Query) -> str:
    """Why nothing may be done with all that a query matches, in one sentence; empty where it may.

    Args:
        text: as typed.
        parsed: what it was read as.
        base: the query that an empty text stands for.
    """
    if len(text) > MAX_QUERY:
        return f"A query has at most {MAX_QUERY:,} characters."
    if parsed.problems:
        return " ".join(problem.message for problem in parsed.problems)
    for operator in parsed.operators:
        written = text[operator.start : operator.end]
        if not operator.value and not written.endswith('""'):
            return f'{written} has no value, and would hit every fact. {written}"" means the empty one.'
    return "Say which facts are meant: a query of nothing would be every fact." if parsed.query == base else ""
