"""How a person cleans a memory screen by screen: reads what is shown, and presses keys. Never looks at the truth."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks.junk.hand import Hand

_SIDES = re.compile(r"^┃ (?P<left>.{56}) (?P<right>.{58}) *┃$")
_QUOTE = re.compile(r"[\"“](?P<said>.+)[\"”]")
_NOT_YET = ("wait until the card stands", "only just come", "changed just now")
CALM = 0.25
"""Seconds that a card is looked at."""
_NO = re.compile(r"\b(?:not|no|never|none|cannot|\w+n't|without|hardly)\b", re.IGNORECASE)


def prune(hand: Hand) -> None:
    """Set aside what the rule offers: faded, never recalled, old."""
    hand.part = "prune"
    hand.press("gp")
    screen = hand.wait(lambda text: "would prune" in text or "Nothing" in text)
    if hand.number(r"would prune ([\d,]+)", screen):
        hand.until_changed("d")
        hand.press("y")
        hand.wait("pruned")
    leave(hand)


def duplicates(hand: Hand) -> None:
    """All equal groups in one step, then group by group what is near."""
    hand.part = "duplicates"
    hand.press("gd")
    screen = hand.wait(_shows_groups)
    if (hand.number(r"([\d,]+) equal  A", screen) or 0) > 1:
        hand.press("A")
        hand.wait("Merge ")
        hand.press("y")
        screen = hand.wait(lambda text: "Merge " not in text and _shows_groups(text) and "equal  A" not in text)
    while (at := place(screen)) is not None:
        hand.press("m")
        screen = hand.wait(lambda text, at=at: place(text) != at and _shows_groups(text))  # type: ignore[misc]
    leave(hand)


def conflicts(hand: Hand) -> None:
    """Of each pair what the sentence says that both came from; where it does not tell, what was known first."""
    hand.part = "conflicts"
    hand.press("gc")
    screen = hand.wait(_shows_pairs)
    while (at := place(screen)) is not None:
        if not newer_holds(screen):
            hand.press("l")
            hand.wait("m 2 holds")
        hand.press("m")
        screen = hand.wait(lambda text, at=at: place(text) != at and _shows_pairs(text))  # type: ignore[misc]
    leave(hand)


def newer_holds(screen: str) -> bool:
    """Whether the first of two facts is the one to believe, by the quotes beside them."""
    newer, _, quote = sides(screen)
    if "negation" in screen.splitlines()[0]:
        return bool(_NO.search(quote)) == bool(_NO.search(newer))
    found = re.search(r"│ why +[^:]+: (.+?) or (.+?) +│", screen)
    if found is None:
        return False
    return heard(found[1], quote) > heard(found[2], quote)


def sides(screen: str) -> tuple[str, str, str]:
    """What the newer and the older fact say, and the sentence that is quoted."""
    left, right = [], []
    for line in screen.splitlines():
        if found := _SIDES.match(line):
            left.append(found["left"][4:].strip())
            right.append(found["right"][4:].strip())
    texts = [" ".join(part).split(" · ")[0] for part in (left, right)]
    quotes = [found["said"] for part in (left, right) if (found := _QUOTE.search(" ".join(part)))]
    return texts[0], texts[1], " ".join(quotes)


def heard(value: str, quote: str) -> float:
    """Which share of a value's words a sentence has."""
    words = value.casefold().split()
    said = re.findall(r"\w+", quote.casefold())
    return sum(any(_like(word, other) for other in said) for word in words) / max(1, len(words))


def _like(word: str, other: str) -> bool:
    return word == other or (len(word) > 4 and other.startswith(word[:-2]))


def health(hand: Hand) -> None:
    """What holds a secret is opened as a list, looked at, and erased."""
    hand.part = "health"
    hand.press("gh")
    screen = hand.wait(lambda text: "hold a secret" in text and "measuring" not in text)
    if hand.number(r"([\d,]+)  hold a secret", screen) == 0:
        return leave(hand)
    hand.press(*("j" for _ in range(_row("hold a secret", screen))))
    hand.press("Enter")
    hand.wait(lambda text: "is:secret" in text and "Namespaces" in text and "!" in text)
    hand.press("*")
    hand.wait("marked")
    hand.press("ge")
    hand.wait("type erase")
    hand.press("Enter")
    hand.wait("once the word stands")
    hand.press("erase")
    hand.press("Enter")
    hand.wait(lambda text: "type erase" not in text and "erased" in text.casefold())
    hand.press("Escape")
    hand.press("Escape")
    return None


def _row(name: str, screen: str) -> int:
    """How many entries stand above one."""
    entries = [line for line in screen.splitlines() if re.match(r"^!? +(?:[\d,]+|-|…)  \w", line)]
    return next(at for at, line in enumerate(entries) if name in line)


def inbox(hand: Hand) -> None:
    """What is left, session by session: what is flagged is read by itself and forgotten, the rest accepted."""
    hand.part = "inbox"
    hand.press("i")
    screen = hand.wait(lambda text: "left here" in text or "Review them?" in text or "Nothing" in text)
    if "Review them?" in screen:
        hand.press("a")
        screen = hand.wait(lambda text: "Review them?" not in text)
    while "left here" in screen:
        flagged = any(words in screen for words in ("commands the agent", "holds a secret", "echoes what was recalled"))
        if "y accept" in screen:
            screen = _decided(hand, "y")
        else:
            screen = _decided(hand, "d") if flagged else _rest_accepted(hand)
    leave(hand)


def _rest_accepted(hand: Hand) -> str:
    """Accept the rest of the session; the screen with the next card."""
    screen = _pressed(hand, "A", lambda text: "y accept" in text or "wants a second look" in text)
    return _decided(hand, "y") if "y accept" in screen else screen


def _decided(hand: Hand, key: str) -> str:
    """Decide, and give the screen with the next card."""
    before = inbox_place(hand.text)
    return _pressed(hand, key, lambda text: inbox_place(text) != before)


def _pressed(hand: Hand, key: str, done: Callable[[str], bool]) -> str:
    """Press a key until it is taken: a card that has only just come takes none."""
    while True:
        hand.terminal.settle(CALM)
        hand.press(key)
        screen = hand.wait(lambda text: done(text) or any(words in text for words in _NOT_YET))
        if done(screen):
            return screen


def inbox_place(screen: str) -> str:
    """How much is decided."""
    return screen.splitlines()[0].split(" · ")[0]


def place(screen: str) -> int | None:
    """Which group or pair is shown; None where all are decided."""
    found = re.search(r"(?:group|pair) ([\d,]+) of", screen.splitlines()[0])
    return int(found[1].replace(",", "")) if found else None


def leave(hand: Hand) -> None:
    """Back to the list."""
    hand.press("q")
    hand.wait("facts")


def _shows_groups(screen: str) -> bool:
    return "After m" in screen or "is decided" in screen or "No duplicates" in screen


def _shows_pairs(screen: str) -> bool:
    return "after m" in screen or "is decided" in screen or "No conflicts" in screen
