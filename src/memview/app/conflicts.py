"""A conflict of two facts in words: why only one of them can hold, and what follows. No screen inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from memview.app.comparing import Member
from memview.review.conflicts import Opposition
from memview.text import one_line

_LIT = "bold underline"
_KINDS = {
    "number": "another number", "weekday": "another weekday", "date": "another time", "word": "another value",
    "name": "another name",
}  # fmt: skip


def kind(pair: Opposition, members: Sequence[Member]) -> str:
    """What a pair is about in a word: number, weekday, date, negation, name or word; linked or standing."""
    values = zip(_trimmed(*pair.values), members, strict=False)
    named = all(value and _is_name(value, member) for value, member in values)
    return "name" if pair.kind == "word" and named else pair.kind or pair.why


def _is_name(value: str, member: Member) -> bool:
    """Whether a text writes a value with a capital elsewhere than at its beginning."""
    return f" {value.title()}" in member.fact.content


def told(pair: Opposition, members: Sequence[Member], chosen: int) -> Iterator[tuple[str, Content]]:
    """Why two facts exclude each other, and what becomes of each, a name and some words each."""
    yield "why", _why(pair, members)
    other = members[1 - chosen]
    yield "agents get", _got(members)
    if other.fact.row.status == "active":
        gone = f"{2 - chosen} is superseded: agents do not get it any more, and it can be put back"
    else:
        gone = f"{2 - chosen} stays superseded"
    again = "" if members[chosen].fact.row.status == "active" else ", active again"
    yield "then", Content.assemble((f"{chosen + 1} holds{again}", "bold"), f" · {gone}")


def _why(pair: Opposition, members: Sequence[Member]) -> Content:
    """The reason, with what differs lit."""
    if pair.why == "linked":
        return Content("they are linked as a contradiction, and agents get both")
    if pair.why == "standing":
        both = "both" if members[0].fact.row.status == "active" else "neither"
        return Content(f"one supersedes the other, and yet agents get {both}")
    what = kind(pair, members)
    if what == "negation":
        says = 1 if pair.values[0] == "no" else 2
        return Content.assemble("a ", ("negation", _LIT), f": {says} says no to what {3 - says} says")
    new, old = (one_line(value, 40) for value in _trimmed(*pair.values))
    return Content.assemble(f"{_KINDS[what]}: ", (new, _LIT), " or ", (old, _LIT))


def _trimmed(new: str, old: str) -> tuple[str, str]:
    """Two values without the words that both begin with."""
    ours, theirs = new.split(), old.split()
    while len(ours) > 1 and len(theirs) > 1 and ours[0] == theirs[0]:
        del ours[0], theirs[0]
    return " ".join(ours), " ".join(theirs)


def _got(members: Sequence[Member]) -> Content:
    got = [str(place) for place, member in enumerate(members, 1) if member.fact.row.status == "active"]
    return Content("now both" if len(got) == 2 else f"now {got[0]} alone" if got else "now neither")
