"""The light reads, for whatever shows a store: no SQLModel, no write, nothing left behind.

A :class:`Looker` runs functions on its connection; the functions are those of the store's reading modules, named here
so that the app and the command line need nothing below.
"""

from __future__ import annotations

from memview.store.aim import Aim
from memview.store.decay import HALF_LIFE_HOURS, effective_strength
from memview.store.feed import ChangeRow, Extent, extents, history, last_seq, of_action, since, verb, with_after
from memview.store.known import known
from memview.store.looking import Interrupted, Looker
from memview.store.lookup import Lookup
from memview.store.matches import Matcher
from memview.store.query import ALL, Every, Parsed, Problem, Query, completions, parse, render
from memview.store.rows import (
    FactDetail,
    FactRow,
    Neighbour,
    Source,
    Space,
    TurnDetail,
    TurnRow,
    fact,
    fact_rows,
    neighbours,
    number_of,
    numbers_of,
    sources,
    spaces,
    turn,
    turn_rows,
)
from memview.store.select import Found, aims, among, count, find
from memview.store.stats import Stats, stats
from memview.store.undo import Step, redoable, steps, undoable
from memview.store.words import Term

__all__ = [
    "ALL",
    "HALF_LIFE_HOURS",
    "Aim",
    "ChangeRow",
    "Every",
    "Extent",
    "FactDetail",
    "FactRow",
    "Found",
    "Interrupted",
    "Looker",
    "Lookup",
    "Matcher",
    "Neighbour",
    "Parsed",
    "Problem",
    "Query",
    "Source",
    "Space",
    "Stats",
    "Step",
    "Term",
    "TurnDetail",
    "TurnRow",
    "aims",
    "among",
    "completions",
    "count",
    "effective_strength",
    "extents",
    "fact",
    "fact_rows",
    "find",
    "history",
    "known",
    "last_seq",
    "neighbours",
    "number_of",
    "numbers_of",
    "of_action",
    "parse",
    "redoable",
    "render",
    "since",
    "sources",
    "spaces",
    "stats",
    "steps",
    "turn",
    "turn_rows",
    "undoable",
    "verb",
    "with_after",
]
