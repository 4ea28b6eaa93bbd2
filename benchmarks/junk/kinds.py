"""The junk that is planted: how each kind of it is made from a fact, varied by a random source with a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

Maker = Callable[[str, random.Random], str | None]
"""A fact's text and a random source to a junk text; None where the fact gives nothing for it."""

_NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_TIMES = ("morning afternoon evening", "spring summer winter", "weekly monthly daily", "yesterday today tomorrow")
_NEGATED = (
    (r"\b(is|are|was|were|has been|can|will|would|should)\b(?! not)", r"\1 not"),
    (r"\b(?:has|had) (a|an|two|three|the)\b", r"does not have \1"),
    (r"\b(enjoy|like|love|want|plan|feel|believe|find|appreciate|value|work|play|need|prefer)s\b", r"does not \1"),
    (r"\b(?<!not )(attended|visited|started|joined|received|took|went|bought|found)\b", r"never \1"),
)


def copied(text: str, pick: random.Random) -> str | None:
    """The same text but for blanks, signs or its first letter; the store itself drops a plain repetition."""
    ways = (
        text.removesuffix("."),
        text.replace(" ", "  ", 1),
        text[0].lower() + text[1:],
        f"{text} ",
        f'"{text}"',
        f"- {text}",
    )
    return pick.choice([way for way in ways if way != text])


def cased(text: str, pick: random.Random) -> str | None:
    return pick.choice((str.upper, str.lower, str.title))(text)


def punctuated(text: str, pick: random.Random) -> str | None:
    words = text.rstrip(".").split()
    at = pick.randrange(1, len(words) - 1)
    sign = pick.choice((",", " -", ";", " ..."))
    return " ".join(words[:at]) + f"{sign} " + " ".join(words[at:]) + pick.choice(("", "!", " .", "..."))


def mistyped(text: str, pick: random.Random) -> str | None:
    """One or two letters dropped, doubled, swapped or replaced, in long words that no capital begins."""
    words = text.split()
    fit = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha() and word.islower()]
    fit = [i for i in fit if words[i] not in {*_NUMBERS, *" ".join(_TIMES).split()}]
    if not fit:
        return None
    for i in pick.sample(fit, min(len(fit), pick.randint(1, 2))):
        word, at = words[i], pick.randrange(1, len(words[i]) - 1)
        one, two = word[at], word[at + 1]
        slip = pick.choice((two, one + one + two, two + one, pick.choice("aeiorst") + two))
        words[i] = word[:at] + slip + word[at + 2 :]
    return " ".join(words)


def reordered(text: str, pick: random.Random) -> str | None:
    """A phrase moved from the end to the front, or what "and" joins changed round."""
    plain = text.rstrip(".")
    if joined := re.search(r"\b(\w+) and (\w+)$", plain):
        return f"{plain[: joined.start()]}{joined[2]} and {joined[1]}."
    places = [found.start() for found in re.finditer(r"\b(?:in|at|for|during|after|with|on|to|from) ", plain)]
    places = [at for at in places if at > 15 and len(plain) - at > 8]
    if not places:
        return None
    at = pick.choice(places)
    return f"{plain[at].upper()}{plain[at + 1 :]}{pick.choice((', ', ' '))}{plain[:at].strip()}."


def filled(text: str, pick: random.Random) -> str | None:
    """A word more that says nothing, after the verb or the name."""
    words = text.split()
    words.insert(pick.choice((1, 2)), pick.choice(("really", "also", "currently", "actually", "just")))
    return " ".join(words)


def renumbered(text: str, pick: random.Random) -> str | None:
    """Another number, in digits or in words."""
    found = list(re.finditer(rf"\b(?:\d+|{'|'.join(_NUMBERS)})\b", text))
    if not found:
        return None
    one = pick.choice(found)
    if one[0].isdigit():
        other = str(int(one[0]) + pick.randint(1, 9))
    else:
        other = pick.choice([word for word in _NUMBERS if word != one[0]])
    return text[: one.start()] + other + text[one.end() :]


def redated(text: str, pick: random.Random) -> str | None:
    """Another weekday, month or time."""
    for words in (_DAYS, _MONTHS, *(times.split() for times in _TIMES)):
        if found := re.search(rf"\b(?:{'|'.join(words)})\b", text):
            other = pick.choice([word for word in words if word != found[0]])
            return text[: found.start()] + other + text[found.end() :]
    return None


def negated(text: str, pick: random.Random) -> str | None:
    """The same, denied."""
    for pattern, instead in _NEGATED:
        said, count = re.subn(pattern, instead, text, count=1)
        if count:
            return said
    return None


def revalued(text: str, pick: random.Random) -> str | None:
    """Another name or thing of the same sort."""
    sorts = (
        "Sweden Norway Portugal Canada Brazil Japan", "dog cat rabbit hamster parrot", "red blue green purple yellow",
        "guitar violin piano clarinet drums", "Paris Boston Seattle Tokyo Rome London", "brother sister cousin uncle",
        "basketball tennis soccer hockey", "pizza pasta sushi curry", "beach forest mountains desert",
    )  # fmt: skip
    for sort in sorts:
        words = sort.split()
        if found := re.search(rf"\b(?:{'|'.join(words)})\b", text):
            other = pick.choice([word for word in words if word != found[0]])
            return text[: found.start()] + other + text[found.end() :]
    return None


def echoed(text: str, pick: random.Random) -> str | None:
    """What an agent learns from its own memory when that comes back to it as if somebody had said it."""
    plain, low = text.rstrip("."), text[0].lower() + text[1:]
    return pick.choice(
        (
            f"<memory-context>\nWhat is known:\n- {text}\n</memory-context>",
            f"The user said: I remember that {plain}.",
            f"I remember that {text}",
            f"From memory: {text}",
            f"According to my memory, {text}",
            f"Recalled: {text}",
            f"The user mentioned that, as I recall, {text}",
            f"Relevant memories:\n1. {text}",
            f"The assistant remembers that {text}",
            f"The user said: I remember that the user said: {text}",
            f"As noted in memory, {low}",
            f"[memory] {text}",
            f"Based on previous conversations, I know that {text}",
        )
    )


NEAR: dict[str, Maker] = {
    "typo": mistyped, "word order": reordered, "case": cased, "punctuation": punctuated, "filler": filled,
}  # fmt: skip
CONTRADICTIONS: dict[str, Maker] = {
    "number": renumbered, "time": redated, "negation": negated, "value": revalued,
}  # fmt: skip
