"""Near duplicates: 5,000 planted copies among 100,000 facts, found by memview and by datasketch in the same run.

``python -m benchmarks.duplicates [--facts N] [--copies N]``. The copies are mistyped, shuffled, in another case or with
other punctuation; every fifth has another number, and must not be found. datasketch (``pip install datasketch``) is
the named peer: MinHash with 128 permutations over words, LSH at 0.6, which knows nothing of numbers.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

from benchmarks.measure import Bench, Row, report
from benchmarks.texts import Texts
from memview import MemoryStore, clock
from memview.memory.looking import Looker, Query

Pair = tuple[str, str]
T = TypeVar("T")


def main() -> None:
    """Measure, and print the table."""
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.duplicates")
    arguments.add_argument("--facts", type=int, default=100_000)
    arguments.add_argument("--copies", type=int, default=5_000)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="memview-bench-") as folder:
        report({"duplicates": finding(Path(folder), given.facts, given.copies)})


def rows(bench: Bench) -> list[Row]:
    """Copies among 100,000 facts."""
    return finding(bench.scratch)


def finding(folder: Path, count: int = 100_000, copies: int = 5_000) -> list[Row]:
    """Search for copies, and compare with the peer."""
    facts = list(dict.fromkeys(Texts(11).facts(count)))
    planted, changed = plant(facts, copies, random.Random(7))
    texts = [*facts, *(copy for _, copy in planted), *(copy for _, copy in changed)]
    random.Random(3).shuffle(texts)
    path = folder / "duplicates.db"
    with MemoryStore(path, synchronous="NORMAL") as store:
        for start in range(0, len(texts), 5_000):
            store.memory("bench").write_many(texts[start : start + 5_000])
    pairs, took = _timed(lambda: _ours(path))
    found, said = f"copies among {len(texts):,}", f"{took}, {_quality(pairs, planted, changed)}"
    opposed, needed = _timed(lambda: _conflicts(path))
    conflicts = Row(f"conflicts among {len(texts):,}", f"{needed}, {opposed:,} pairs")
    if importlib.util.find_spec("datasketch") is None:
        return [Row(found, said, "datasketch is not installed"), conflicts]
    theirs, peer = _timed(lambda: _datasketch(texts))
    ratio = f"{peer.cpu / took.cpu:.1f} CPU, {peer.wall / took.wall:.1f} wall"
    its = f"datasketch {peer}, {_quality(theirs, planted, changed)}"
    return [Row(found, said, its, ratio, ">= 4", min(peer.cpu / took.cpu, peer.wall / took.wall) >= 4), conflicts]


class Took(NamedTuple):
    """What something took, in seconds."""

    cpu: float
    wall: float

    def __str__(self) -> str:
        return f"{self.cpu:.1f} s CPU, {self.wall:.1f} s"


def _timed(work: Callable[[], T]) -> tuple[T, Took]:
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    return result, Took(time.process_time() - cpu, time.perf_counter() - wall)


def plant(facts: list[str], copies: int, pick: random.Random) -> tuple[list[Pair], list[Pair]]:
    """Near copies of some facts, and copies that say another number, each with its original."""
    numbered = [fact for fact in facts if fact.rstrip(".").split()[-1].isdecimal()]
    others = pick.sample(numbered, copies // 5)
    taken = set(others)
    chosen = pick.sample([fact for fact in facts if fact not in taken], copies - len(others))
    kinds: list[Callable[[str, random.Random], str]] = [_typo, _shuffled, _cased, _punctuated]
    near = [(fact, kinds[i % len(kinds)](fact, pick)) for i, fact in enumerate(chosen)]
    changed = [(fact, _renumbered(fact, pick)) for fact in others]
    return [(a, b) for a, b in near if a != b], changed


def _typo(text: str, pick: random.Random) -> str:
    """One or two letters dropped, doubled, swapped or replaced, anywhere but in a number."""
    for _ in range(pick.randint(1, 2)):
        at = pick.choice([i for i in range(len(text) - 1) if text[i].isalpha() and text[i + 1].isalpha()])
        one, two = text[at], text[at + 1]
        text = text[:at] + pick.choice((two, one + one + two, two + one, pick.choice("aeiorst") + two)) + text[at + 2 :]
    return text


def _shuffled(text: str, pick: random.Random) -> str:
    """Some words moved, or the halves changed round; what is negated stays so."""
    words = text.rstrip(".").replace("never ", "never~").split()
    if pick.random() < 0.5:
        half = len(words) // 2
        return " ".join(words[half:] + words[:half]).replace("~", " ")
    for _ in range(3):
        words.insert(pick.randrange(len(words)), words.pop(pick.randrange(len(words))))
    return " ".join(words).replace("~", " ")


def _cased(text: str, pick: random.Random) -> str:
    return pick.choice((str.upper, str.lower, str.title))(text)


def _punctuated(text: str, pick: random.Random) -> str:
    words = text.rstrip(".").split()
    at = pick.randrange(1, len(words) - 1)
    return " ".join([*words[:at], "-", *words[at:-1]]) + pick.choice(("; ", ", ")) + words[-1] + pick.choice(("", "!"))


def _renumbered(text: str, pick: random.Random) -> str:
    words = text.rstrip(".").split()
    return " ".join(words[:-1]) + f" {int(words[-1]) + pick.randint(1, 99)}."


def _ours(path: Path) -> set[Pair]:
    from memview.memory.looking import fact_rows
    from memview.review.duplicates import find

    looker = Looker(path)
    found = find(looker, Query(namespace="bench"), clock.utc_now())
    numbers = [aim.n for group in found.groups for aim in group.aims]
    rows = looker.read(lambda connection: fact_rows(connection, numbers))
    looker.close()
    grouped = [[rows[aim.n].content for aim in group.aims] for group in found.groups]
    return {(a, b) for texts in grouped for a in texts for b in texts if a != b}


def _conflicts(path: Path) -> int:
    from memview.review.conflicts import find

    looker = Looker(path)
    found = find(looker, Query(namespace="bench"), clock.utc_now())
    looker.close()
    return len(found.pairs)


def _datasketch(texts: list[str]) -> set[Pair]:
    from datasketch import MinHash, MinHashLSH

    words = [[word.encode() for word in set(text.lower().replace(".", "").split())] for text in texts]
    index = MinHashLSH(threshold=0.6, num_perm=128)
    hashes = MinHash.bulk(words, num_perm=128)
    for number, hashed in enumerate(hashes):
        index.insert(number, hashed)
    pairs = set()
    for number, hashed in enumerate(hashes):
        for other in index.query(hashed):
            if other != number and hashed.jaccard(hashes[other]) >= 0.6:
                pairs.add((texts[number], texts[other]))
    return pairs


def _quality(found: Iterable[Pair], planted: list[Pair], changed: list[Pair]) -> str:
    pairs = {(min(a, b), max(a, b)) for a, b in found}
    meant = {(min(a, b), max(a, b)) for a, b in planted}
    wrong = pairs & {(min(a, b), max(a, b)) for a, b in changed}
    false = len(pairs - meant) / max(1, len(pairs))
    return f"found {len(pairs & meant) / len(meant):.3f}, false {false:.3f}, other number {len(wrong)}"


if __name__ == "__main__":
    main()
