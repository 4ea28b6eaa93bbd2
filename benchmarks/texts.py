"""Made-up facts with a fixed seed: about 147 characters each, English with identifiers and other scripts."""

from __future__ import annotations

import random
from collections.abc import Iterator

_SYLLABLES = "ba ca de fi go hu ka le mi no pa qui ra so tu ve wa xi yo za bel cor dan fer gil hon jun kel lom"
_COMMON = (
    "deploy window staging database customer prefers meeting invoice region backup release review budget window "
    "always never after before during requires moved asked about the team on Friday Tuesday March because service"
)
_OTHER = ["東京の支社", "会議は火曜日", "Встреча перенесена", "réunion déplacée", "número de factura"]


class Texts:
    """An endless source of facts, the same for the same seed."""

    def __init__(self, seed: int, words: int = 60_000) -> None:
        self._random = random.Random(seed)
        parts = _SYLLABLES.split()
        self._words = ["".join(self._random.choices(parts, k=self._random.randint(2, 4))) for _ in range(words)]
        self._common = _COMMON.split()

    def fact(self) -> str:
        """One text."""
        pick = self._random
        rare = [self._words[int(pick.paretovariate(0.6)) % len(self._words)] for _ in range(9)]
        words = rare + pick.choices(self._common, k=10)
        pick.shuffle(words)
        if pick.random() < 0.3:
            words.insert(3, f"{pick.choice(rare)}_{pick.choice(rare)}")
        if pick.random() < 0.05:
            words.append(pick.choice(_OTHER))
        return " ".join(words).capitalize() + f" {pick.randint(1, 9999)}."

    def facts(self, count: int) -> Iterator[str]:
        """Many texts."""
        return (self.fact() for _ in range(count))

    def query(self, fact: str) -> str:
        """What a person might type to find a fact: one to four of its words, some cut short, some mistyped."""
        pick = self._random
        words = [word.strip(".").lower() for word in fact.split() if len(word) > 3]
        chosen = pick.sample(words, k=min(len(words), pick.randint(1, 4)))
        slip = pick.random()
        if slip < 0.3:
            chosen[-1] = chosen[-1][: max(3, len(chosen[-1]) - 2)]
        elif slip < 0.5 and len(chosen[-1]) > 5:
            at = pick.randrange(1, len(chosen[-1]) - 1)
            word = chosen[-1]
            chosen[-1] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return " ".join(chosen)
