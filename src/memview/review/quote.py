"""Which sentence of a turn a fact came from."""

from __future__ import annotations

from memview import late

_BETWEEN = late.pattern(r"(?<=[.!?])\s+|(?<=[.!?][\"')\]»”])\s+|(?<=[。！？])|\n+")
_WORD = late.pattern(r"\w+")


def best_sentence(fact: str, request: str, response: str, origin: str = "") -> str:
    """The sentence of a turn that shares most with a fact; empty when none shares anything.

    Args:
        fact: what was learnt.
        request: what the user said.
        response: what the assistant said.
        origin: whose words the fact rests on; that side is preferred.
    """
    sides = (response, request) if origin in ("assistant", "tool") else (request, response)
    wanted = _words(fact[:2_000])
    best, most = "", 0.0
    for place, side in enumerate(sides):
        for sentence in _BETWEEN().split(side):
            words = _words(sentence)
            score = len(wanted & words) / (1 + 0.05 * len(words)) * (1.0 if place == 0 else 0.8)
            if score > most:
                best, most = sentence.strip(), score
    return best


def _words(text: str) -> set[str]:
    """The words of a text, cut to their beginnings, so that forms of one word are alike."""
    return {word[:5] for word in _WORD().findall(text.lower()) if len(word) > 2 or word.isdigit() or not word.isascii()}
