"""The light reads, for whatever shows a store: no SQLModel, no write, nothing left behind.

A :class:`Looker` runs functions on its connection; the functions are those of the store's reading modules, named here
so that the app and the command line need nothing below. Each is imported when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memview.store.aim import Aim
    from memview.store.ask import Ask, Weights
    from memview.store.clusters import MIN_OVERLAP, clusters
    from memview.store.decay import HALF_LIFE_HOURS, effective_strength
    from memview.store.explaining import Explained, LeftOut, explain
    from memview.store.feed import ChangeRow, Extent, extents, history, last_seq, of_action, since, verb, with_after
    from memview.store.known import known
    from memview.store.looking import Interrupted, Looker
    from memview.store.lookup import Lookup
    from memview.store.matches import Matcher
    from memview.store.query import ALL, Every, Parsed, Problem, Query, completions, parse, render
    from memview.store.recalling import Scored, Why, recall
    from memview.store.resident import residents
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
    from memview.store.traits import copies
    from memview.store.undo import Step, redoable, steps, undoable
    from memview.store.waking import Waking
    from memview.store.words import Term
else:
    from memview import late

    __getattr__ = late.names(__name__, {
        "memview.store.aim": "Aim",
        "memview.store.ask": "Ask Weights",
        "memview.store.clusters": "MIN_OVERLAP clusters",
        "memview.store.decay": "HALF_LIFE_HOURS effective_strength",
        "memview.store.explaining": "Explained LeftOut explain",
        "memview.store.feed": "ChangeRow Extent extents history last_seq of_action since verb with_after",
        "memview.store.known": "known",
        "memview.store.looking": "Interrupted Looker",
        "memview.store.lookup": "Lookup",
        "memview.store.matches": "Matcher",
        "memview.store.query": "ALL Every Parsed Problem Query completions parse render",
        "memview.store.recalling": "Scored Why recall",
        "memview.store.resident": "residents",
        "memview.store.rows": """
            FactDetail FactRow Neighbour Source Space TurnDetail TurnRow fact fact_rows neighbours number_of numbers_of
            sources spaces turn turn_rows
        """,
        "memview.store.select": "Found aims among count find",
        "memview.store.stats": "Stats stats",
        "memview.store.traits": "copies",
        "memview.store.undo": "Step redoable steps undoable",
        "memview.store.waking": "Waking",
        "memview.store.words": "Term",
    })  # fmt: skip

__all__ = [
    "ALL",
    "HALF_LIFE_HOURS",
    "MIN_OVERLAP",
    "Aim",
    "Ask",
    "ChangeRow",
    "Every",
    "Explained",
    "Extent",
    "FactDetail",
    "FactRow",
    "Found",
    "Interrupted",
    "LeftOut",
    "Looker",
    "Lookup",
    "Matcher",
    "Neighbour",
    "Parsed",
    "Problem",
    "Query",
    "Scored",
    "Source",
    "Space",
    "Stats",
    "Step",
    "Term",
    "TurnDetail",
    "TurnRow",
    "Waking",
    "Weights",
    "Why",
    "aims",
    "among",
    "clusters",
    "completions",
    "copies",
    "count",
    "effective_strength",
    "explain",
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
    "recall",
    "redoable",
    "render",
    "residents",
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
