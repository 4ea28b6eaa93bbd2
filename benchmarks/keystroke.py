"""A keystroke: from the text in the search field to rows with their highlights, and whether the meant text is there.

The peers search all texts: rapidfuzz's ``token_set_ratio``, and ``fzf --filter`` where it is installed, loading
and output included. Other queries have gone before, with the file in memory like the peers' texts. "As typed" is every
keystroke on the way to a query. Of the queries for hits a quarter is as it stands in the text, and in the others one
slip of three kinds is in the longest word; in a second set each word is whole, begun or mistyped. Many queries are of
one common word, which thousands of texts have, so it is said too how often the text is among any ten of those that hold
all words as they were meant.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable

from benchmarks import stores
from benchmarks.measure import Bench, Row, at_least, at_most, milliseconds, percentile, seconds
from benchmarks.texts import SLIPS, Texts
from memview import clock
from memview.memory.looking import Looker, Lookup, Matcher, Query, fact_rows, parse

QUERIES = 200
BY_PEER = 8
"""Queries that a peer, which takes seconds for one, is asked."""
TYPED = 30
"""Queries that are typed letter by letter."""
TYPOS = 96
FEW = 100_000
"""The size at which hits are compared."""


class Keyboard:
    """What happens on a keystroke, without the screen.

    The file is read through first: the peers have their texts in memory too.
    """

    def __init__(self, bench: Bench, count: int) -> None:
        path = stores.store_of(bench, count)
        with path.open("rb") as file:
            while file.read(1 << 24):
                pass
        self.looker = Looker(path)
        self.lookup = Lookup()
        self.looker.read(lambda raw: self.lookup.learn(raw, "facts"))

    def press(self, text: str) -> list[str]:
        """The first rows for what stands in the field."""
        query = parse(text, now=clock.utc_now(), base=Query(prefix=True, limit=300)).query
        found = self.looker.read(lambda raw: self.lookup.find(raw, query, clock.utc_now()))
        shown = self.looker.read(lambda raw: fact_rows(raw, found.keys[:50]))
        lights = Matcher(found.terms, prefix=True)
        rows = [shown[n].content for n in found.keys[:50] if n in shown]
        for row in rows:
            lights.spans(row)
        return rows


def rows(bench: Bench) -> list[Row]:
    """Speed at the large size, and hits at 100,000 facts."""
    return [*_speed(bench), *_hits(bench)]


def _speed(bench: Bench) -> list[Row]:
    keys, texts = Keyboard(bench, bench.facts), stores.facts(bench.facts)
    source = Texts(3)
    queries = [source.query(fact) for fact in random.Random(3).sample(texts, QUERIES)]
    begun = [query[:length] for query in queries[:60] for length in (1, 2, 3)]
    typed = [query[:length] for query in queries[:TYPED] for length in range(1, len(query) + 1)]
    for fact in random.Random(5).sample(texts, QUERIES):  # a person has searched before
        keys.press(source.query(fact))
    ours = _timed(keys.press, queries)
    found = [
        at_most(f"keystroke at {len(texts):,}", ours, 16),
        at_most(f"first letters at {len(texts):,}", _timed(keys.press, begun), 16),
        at_most(f"as typed at {len(texts):,}", _timed(keys.press, typed), 16),
    ]
    keys.looker.close()
    return found + _peers(texts, queries[:BY_PEER], ours)


def _peers(texts: list[str], queries: list[str], ours: list[float]) -> list[Row]:
    from rapidfuzz import fuzz, process

    token_set = _timed(lambda query: process.extract(query, texts, scorer=fuzz.token_set_ratio, limit=10), queries)
    found = [_slower("rapidfuzz token_set", token_set, ours, 100)]
    if shutil.which("fzf") is None:
        return [*found, Row("fzf --filter", "not measured: fzf is not installed")]
    return [*found, _slower("fzf --filter", _timed(lambda query: _fzf(texts, query), queries), ours, 40)]


def _slower(name: str, peer: list[float], ours: list[float], asked: float) -> Row:
    ratio = percentile(peer, 0.5) / percentile(ours, 0.5)
    return at_least(f"keystroke against {name}", milliseconds(ours), milliseconds(peer), ratio, asked)


def _hits(bench: Bench) -> list[Row]:
    keys, texts = Keyboard(bench, FEW), stores.facts(FEW)
    meant = random.Random(4).sample(texts, TYPOS)
    source, other = Texts(4), Texts(4)
    one_slip = [source.mistyped(fact, SLIPS[place % len(SLIPS)]) for place, fact in enumerate(meant)]
    in_each = [other.half_typed(fact) for fact in meant]
    found = [
        *_found(keys, texts, meant, one_slip, "one slip"),
        *_found(keys, texts, meant, in_each, "each word whole, begun or mistyped"),
    ]
    keys.looker.close()
    return found


def _found(
    keys: Keyboard, texts: list[str], meant: list[str], asked: list[tuple[str, list[str]]], how: str
) -> list[Row]:
    """How many of the meant texts are found, and how many could be."""
    from rapidfuzz import fuzz, process

    ours = theirs = 0
    for fact, (query, _) in zip(meant, asked, strict=True):
        ours += fact in keys.press(query)[:10]
        best = process.extract(query, texts, scorer=fuzz.token_set_ratio, limit=10)
        theirs += any(text == fact for text, _, _ in best)
    most = _tellable(texts, [words for _, words in asked])
    hits = f"{ours} of {len(meant)}"
    return [
        at_least(f"meant text in the first ten, {how}", hits, f"rapidfuzz token_set {theirs}", ours / theirs, 2.5),
        Row("the same, beside who knows what was meant", hits, f"{most:.0f}", f"{ours / most:.2f}"),
    ]


def _tellable(texts: list[str], asked: list[list[str]]) -> float:
    """How often whoever knows the words as they were meant has the text among ten of those that hold them all."""
    holders: dict[str, set[int]] = {word: set() for words in asked for word in words}
    for place, text in enumerate(texts):
        for word in text.split():
            if (bare := word.strip(".").lower()) in holders:
                holders[bare].add(place)
    return sum(min(1.0, 10 / len(set.intersection(*(holders[word] for word in words)))) for words in asked)


def _fzf(texts: list[str], query: str) -> None:
    given = "\n".join(texts).encode()
    subprocess.run(["fzf", "--filter", query], input=given, stdout=subprocess.DEVNULL, check=False)


def _timed(work: Callable[[str], object], queries: list[str]) -> list[float]:
    return [seconds(lambda query=query: work(query)) for query in queries]  # type: ignore[misc]
