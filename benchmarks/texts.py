"""Made-up facts with a fixed seed: about 147 characters each, English with identifiers and other scripts.

The word of rank ``r`` is as frequent as in real text, ``(r + 2.7) ** -1.1``: Zipf's law as Mandelbrot corrected it. A
million facts have 208,000 distinct words.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate

_SYLLABLES = "ba ca de fi go hu ka le mi no pa qui ra so tu ve wa xi yo za bel cor dan fer gil hon jun kel lom"
_FREQUENT = (
    "the and of to a in is for on that with it as was be by are at this from or not have has we they when which their "
    "will an user can all but one about if our before after should must only more new time prefers now never always "
    "each other into there what some use used customer team because day week until service work no up than so over "
    "meeting release data project region review backup window deploy staging database budget invoice Friday Tuesday "
    "March account default version order report system first last email change error server plan test support request "
    "moved asked requires likes lives name file call office price contract address travel coffee"
)
_OTHER = [
    "東京の支社",
    "会議は火曜日",
    "Встреча перенесена",
    "réunion déplacée",
    "número de factura",
    "Übergabe am Freitag",
]
SLIPS = ("none", "swapped", "missing", "wrong")
"""What may happen to a word in a query: nothing, two letters swapped, one missing, one wrong."""
_WORDS = 193_000
_IDENTIFIERS = 5_000


class Texts:
    """An endless source of facts, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        lexicon = random.Random(0)  # one language, whatever the seed
        parts = _SYLLABLES.split()
        coined = dict.fromkeys(
            "".join(lexicon.choices(parts, k=2 if rank < 800 else 3 if rank < 20_000 else 4)) for rank in range(205_000)
        )
        self._words = [*_FREQUENT.split(), *coined][:_WORDS]
        self._shares = list(accumulate((rank + 2.7) ** -1.1 for rank in range(1, len(self._words) + 1)))
        self._identifiers = [_identifier(lexicon, self._words[:3_000]) for _ in range(_IDENTIFIERS)]
        self._random = random.Random(seed)

    def fact(self) -> str:
        """One text."""
        pick = self._random
        words = pick.choices(self._words, cum_weights=self._shares, k=pick.randint(13, 32))
        if pick.random() < 0.3:
            words[pick.randrange(len(words))] = pick.choice(self._identifiers)
        if pick.random() < 0.05:
            words.append(pick.choice(_OTHER))
        if pick.random() < 0.3:
            words.append(str(pick.randint(1, 9999)))
        text = " ".join(words)
        return f"{text[0].upper()}{text[1:]}."

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

    def mistyped(self, fact: str, slip: str) -> tuple[str, list[str]]:
        """One to four words of a fact, the longest mistyped in one way of `SLIPS`; and the words that are meant."""
        pick = self._random
        words = [word.strip(".").lower() for word in fact.split() if len(word) > 3]
        chosen = pick.sample(words, k=min(len(words), pick.randint(1, 4)))
        meant = [*chosen]
        place = max(range(len(chosen)), key=lambda place: len(chosen[place]))
        chosen[place] = self._slipped(chosen[place], slip)
        return " ".join(chosen), meant

    def half_typed(self, fact: str) -> tuple[str, list[str]]:
        """One to four words of a fact, each whole, begun or mistyped; and the words that are meant."""
        pick = self._random
        words = [word.strip(".").lower() for word in fact.split() if len(word) > 3]
        meant = pick.sample(words, k=min(len(words), pick.randint(1, 4)))
        typed = []
        for word in meant:
            how = pick.choice(("whole", "begun", "mistyped"))
            if how == "begun":
                word = word[: pick.randint(3, max(3, len(word) - 1))]
            typed.append(self._slipped(word, pick.choice(SLIPS[1:])) if how == "mistyped" else word)
        return " ".join(typed), meant

    def _slipped(self, word: str, slip: str) -> str:
        """A word with one slip inside it; a short one is typed as it is."""
        if len(word) <= 4:
            return word
        at = self._random.randrange(1, len(word) - 1)
        slips = {
            "swapped": word[at + 1] + word[at] + word[at + 2 :],
            "missing": word[at + 1 :],
            "wrong": self._random.choice("aeinorst") + word[at + 1 :],
            "none": word[at:],
        }
        return word[:at] + slips[slip]


def _identifier(pick: random.Random, words: list[str]) -> str:
    parts = pick.choices(words, k=2)
    return "_".join(parts).lower() if pick.random() < 0.5 else parts[0].lower() + parts[1].capitalize()
