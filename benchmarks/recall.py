"""recall@10 on LoCoMo: which share of the turns that answer a question is found among the first ten results.

The peer is FTS5 itself with its porter stemmer and bm25, stop words dropped, in the same run. A fact finds the turns it
came from; "with origin" counts the turns that some fact came from, "of all" counts every turn that answers. The
conversations are not part of this repository: ``MEMVIEW_LOCOMO`` names their folder. Nothing is tuned to one of them;
the line of each says whether it holds for all.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import locomo
from benchmarks.measure import Bench, Row
from memview import MemoryStore
from memview.store.ask import Weights
from memview.store.words import STOP_WORDS

ADVERSARIAL = 5
"""The category of questions that have no answer."""
FIRST = 10
Found = Callable[[str], Iterable[str]]
"""From a question to the turns that a search leads to, by the id that the data gives them."""


@dataclass(slots=True)
class Score:
    """The recall of a way to search, question by question."""

    ways: dict[str, list[float]] = field(default_factory=dict)

    def count(self, way: str, found: set[str], wanted: set[str]) -> None:
        if wanted:
            self.ways.setdefault(way, []).append(len(found & wanted) / len(wanted))

    def mean(self, way: str) -> float:
        shares = self.ways[way]
        return sum(shares) / len(shares)


def rows(bench: Bench) -> list[Row]:
    """The whole, then each conversation alone."""
    place = locomo.folder()
    if place is None:
        return [Row("recall@10 on LoCoMo", f"not measured: {locomo.SETTING} names no folder with the conversations")]
    whole, single = Score(), {}
    for name, data in locomo.conversations(place):
        single[name] = _one(data, bench.scratch / f"{name}.db")
        for way, shares in single[name].ways.items():
            whole.ways.setdefault(way, []).extend(shares)
    return [*_table("LoCoMo", whole, asked=True), *(row for name in single for row in _table(name, single[name]))]


def _table(name: str, score: Score, *, asked: bool = False) -> Iterator[Row]:
    for what, wanted in (("turns", 0.72), ("facts with origin", 0.82), ("facts of all", None)):
        ours, peer, plain = (score.mean(f"{what}, {way}") for way in ("ours", "peer", "without context"))
        row = Row(
            f"recall@10 of {what}, {name}", f"{ours:.3f} ({plain:.3f} without context)", f"FTS5 porter {peer:.3f}",
            f"{ours / peer:.2f}",
        )  # fmt: skip
        if asked and wanted is not None:
            row = Row(row.item, row.ours, row.peer, row.ratio, f"{wanted:g}", ours >= wanted)
        yield row


def _one(data: locomo.Data, path: Path) -> Score:
    score = Score()
    with MemoryStore(path, synchronous="NORMAL") as store:
        named = _load(data, store)
        memory = store.memory("learnt")
        sources = [(fact.content, {named[turn] for turn in fact.turns}) for fact in memory.list(0)]
        reachable = set().union(*(turns for _, turns in sources))
        ways = {
            "ours": lambda text: (named[turn.id] for turn in store.search_turns(text, limit=FIRST)),
            "without context": lambda text: (
                named[turn.id] for turn in store.search_turns(text, limit=FIRST, context=False)
            ),
            "peer": _porter([(said["text"], {said["dia_id"]}) for said in _said(data)]),
        }
        by_facts: dict[str, Found] = {
            "ours": lambda text: _sources(memory, named, text, True),
            "without context": lambda text: _sources(memory, named, text, False),
            "peer": _porter(sources),
        }
        for question, answers in _questions(data, set(named.values())):
            for way in ways:
                score.count(f"turns, {way}", set(ways[way](question)), answers)
                found = set(by_facts[way](question))
                score.count(f"facts with origin, {way}", found, answers & reachable)
                score.count(f"facts of all, {way}", found, answers)
    return score


def _sources(memory: Any, named: dict[str, str], question: str, context: bool) -> Iterator[str]:
    words_alone = Weights(recency=0, importance=0, relevance=1, strength=0)
    for recalled in memory.recall(question, limit=FIRST, context=context, reinforce=False, weights=words_alone):
        yield from (named[turn] for turn in recalled.fact.turns)


def _load(data: locomo.Data, store: MemoryStore) -> dict[str, str]:
    """All facts in one namespace, each turn at its time. Returns the data's name of each turn by its id."""
    turns: dict[str, str] = {}
    for number in locomo.sessions(data):
        at = datetime.strptime(data[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        talk = store.conversation(f"s{number}", namespace="talk")
        for said in data[f"session_{number}"]:
            turn = talk.record(f"{said['speaker']}: {said['text']}", at=at)
            assert turn is not None
            turns[said["dia_id"]] = turn.id
    for number in locomo.sessions(data):
        for observations in data.get(f"session_{number}_observation", {}).values():
            store.memory("learnt").write_many(
                {"content": text, "turns": [turns[id] for id in locomo._ids(source) if id in turns]}
                for text, source in observations
            )
    return {id: name for name, id in turns.items()}


def _said(data: locomo.Data) -> Iterator[dict[str, str]]:
    for number in locomo.sessions(data):
        yield from data[f"session_{number}"]


def _questions(data: locomo.Data, known: set[str]) -> Iterator[tuple[str, set[str]]]:
    for asked in data["qa"]:
        answers = {id for evidence in asked["evidence"] for id in re.findall(r"D\d+:\d+", evidence)} & known
        if asked["category"] != ADVERSARIAL and answers:
            yield asked["question"], answers


def _porter(texts: list[tuple[str, set[str]]]) -> Found:
    raw = sqlite3.connect(":memory:")
    raw.execute("CREATE VIRTUAL TABLE t USING fts5(text, tokenize = 'porter unicode61')")
    raw.executemany("INSERT INTO t (rowid, text) VALUES (?, ?)", enumerate((text for text, _ in texts), 1))

    def found(question: str) -> Iterator[str]:
        words = [word for word in re.findall(r"\w+", question.lower()) if word not in STOP_WORDS]
        match = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank, rowid DESC LIMIT ?"
        for (row,) in raw.execute(sql, (match, FIRST)).fetchall() if match else ():
            yield from texts[row - 1][1]

    return found
