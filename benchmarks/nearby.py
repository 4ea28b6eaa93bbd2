"""What an agent learns again: the check for each text before it is written, among many facts.

Copies of some facts, with a fixed seed, in ways that change nothing of what is said: another case, other punctuation,
halves changed round, a long word mistyped, a little word more or less, the beginning alone. Beside them texts that say
something else: facts with another number, and facts of which nothing is known. The named peer compares a text with
every text of the namespace (rapidfuzz's ``token_sort_ratio``, from 90 percent).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks import stores
from benchmarks.duplicates import plant
from benchmarks.measure import Bench, Row, at_most, milliseconds, percentile, seconds
from benchmarks.texts import Texts
from memview import MemoryStore
from memview.memory import repeating
from memview.store.facts import Scope

COPIES = 600
ASKED = 0.97
"""The share of copies that is to be found."""
P95 = 20
"""Milliseconds."""
BY_PEER = 30
"""Copies that the peer, which reads a namespace each time, is asked for."""


class Pair(NamedTuple):
    """A text that is about to be learnt."""

    text: str
    fact: str
    """The known fact that it is made from."""


def rows(bench: Bench) -> list[Row]:
    """The time of a check, what is found of what is known, and what is taken for known that is not."""
    texts = stores.facts(bench.facts)
    home = {text: stores.namespace(place) for place, text in enumerate(texts)}
    pick = random.Random(13)
    again = [Pair(kind(fact, pick), fact) for kind in KINDS for fact in pick.sample(texts, COPIES // len(KINDS))]
    loose, numbered = ([Pair(copy, fact) for fact, copy in pairs] for pairs in plant(texts, COPIES, pick))
    unknown = [Pair(text, pick.choice(texts)) for text in Texts(99).facts(COPIES // 2) if text not in home]
    times: list[float] = []

    with MemoryStore(stores.store_of(bench, bench.facts), read_only=True) as store:

        def known(pair: Pair) -> str | None:
            scope = Scope("", home[pair.fact])
            fact = store._read(lambda raw: repeating.repeated(raw, scope, pair.text))
            return None if fact is None else fact.content

        def said(pairs: Sequence[Pair]) -> list[str | None]:
            found: list[str | None] = []
            for pair in pairs:
                times.append(seconds(lambda asked=pair: found.append(known(asked))))  # type: ignore[misc]
            return found

        said(loose[:20])
        times.clear()
        found, wrong = _share(said(again), again), [one for one in said([*numbered, *unknown]) if one]
        ours = [*times]
        more = _share(said(loose), loose)
    size, new = f"{len(texts):,}", len(numbered) + len(unknown)
    peer, share = _peer(texts, again, home)
    ratio = f"{percentile(peer, 0.5) / percentile(ours, 0.5):.0f} times"
    return [
        at_most(f"known already? {size}", ours, P95, f"rapidfuzz over the namespace {milliseconds(peer)}", ratio),
        Row("near copies found", f"{found:.3f}", f"rapidfuzz {share:.3f}", "", f">= {ASKED}", found >= ASKED),
        Row(f"other texts taken for known, of {new:,}", f"{len(wrong)}", "", "", "0", not wrong),
        Row("copies with words moved or short ones mistyped", f"{more:.3f} found, the others learnt"),
    ]


def _share(found: Sequence[str | None], pairs: Sequence[Pair]) -> float:
    return sum(one == pair.fact for one, pair in zip(found, pairs, strict=True)) / len(pairs)


def _peer(texts: Sequence[str], again: Sequence[Pair], home: dict[str, str]) -> tuple[list[float], float]:
    """How long the peer takes for some of the copies, and how many of them it finds."""
    from rapidfuzz import fuzz, process

    spaces: dict[str, list[str]] = {}
    for text in texts:
        spaces.setdefault(home[text], []).append(text)
    asked, found, times = again[:: len(again) // BY_PEER], 0, []

    def best(pair: Pair) -> None:
        nonlocal found
        one = process.extractOne(
            pair.text, spaces[home[pair.fact]], scorer=fuzz.token_sort_ratio, score_cutoff=90, processor=str.casefold
        )
        found += one is not None and one[0] == pair.fact

    for pair in asked:
        times.append(seconds(lambda asked=pair: best(asked)))  # type: ignore[misc]
    return times, found / len(asked)


def _cased(text: str, pick: random.Random) -> str:
    return pick.choice((str.upper, str.lower))(text)


def _punctuated(text: str, pick: random.Random) -> str:
    words = text.rstrip(".").split()
    at = pick.randrange(1, len(words))
    return f"{' '.join(words[:at])} - {' '.join(words[at:])}!"


def _turned(text: str, pick: random.Random) -> str:
    """The halves changed round, where nothing between them is denied."""
    words = text.rstrip(".").split()
    half = len(words) // 2
    return text if _DENIED.intersection(words) else " ".join([*words[half:], *words[:half]])


def _mistyped(text: str, pick: random.Random) -> str:
    """One letter of a long word missing, doubled, swapped or wrong, but not its first."""
    words = text.split()
    long = [place for place, word in enumerate(words) if len(word) > 7 and word.isascii() and word.islower()]
    if not long:
        return text
    place = pick.choice([place for place in long if words[place].isalpha()] or [long[0]])
    word, at = words[place], pick.randrange(1, len(words[place]) - 2)
    one, two = word[at], word[at + 1]
    words[place] = word[:at] + pick.choice((two, one + one + two, two + one, f"e{two}")) + word[at + 2 :]
    return " ".join(words)


def _little(text: str, pick: random.Random) -> str:
    """A word more that says nothing."""
    words = text.split()
    words.insert(pick.randrange(1, len(words)), pick.choice(("the", "really", "just", "very")))
    return " ".join(words)


def _begun(text: str, pick: random.Random) -> str:
    """The first two thirds: the known one goes on. Whole, where what is left out denies something."""
    words = text.split()
    return text if _DENIED.intersection(words) else " ".join(words[: len(words) * 2 // 3])


_DENIED = {"not", "never", "no", "but", "only"}
KINDS: tuple[Callable[[str, random.Random], str], ...] = (_cased, _punctuated, _turned, _mistyped, _little, _begun)
"""The ways in which a copy may differ and say the same."""
