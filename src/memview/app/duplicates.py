"""A group of duplicates, and the record that a merge would make of it, in words. No screen inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sqlite3 import Connection
from typing import NamedTuple

from textual.content import Content

from memview.app.comparing import Member, members
from memview.app.told_apart import where
from memview.memory import looking
from memview.memory.looking import Aim, Source
from memview.review.duplicates import Group, around
from memview.review.merging import Merged, merged
from memview.text import one_line

_MOST = 8
"""How many tags or turns are named."""


class Merging(NamedTuple):
    """What a merge would do."""

    group: Group
    """The facts that it is about, the one to keep first."""
    merged: Merged
    """What the kept fact would be."""
    sources: list[Source]
    """The turns that it would come from."""
    links: int
    """How many links the kept fact has."""
    yours: bool
    """Whether a person chose the fact to keep."""


def look(raw: Connection, group: Group, chosen: int | None) -> tuple[Sequence[Member], int, Merging]:
    """The facts of a group, which of them is to be kept, and what a merge would make.

    Args:
        raw: an open connection.
        group: as its facts are now.
        chosen: the number of the fact that a person chose to keep; None for the one that is proposed.
    """
    shown = members(raw, group.aims)
    place = next((at for at, member in enumerate(shown) if member.fact.row.n == chosen), 0)
    formed = group if place == 0 else around(raw, group, shown[place].fact.row.n)
    made = merged(raw, formed.keeper, formed.others)
    sources = looking.sources(raw, made.turns)
    return shown, place, Merging(formed, made, sources, shown[place].links, place != 0)


def told(group: Group, shown: Sequence[Member], made: Merging) -> Iterator[tuple[str, Content]]:
    """What a merge would make of a group, a name and some words each; what comes from another fact is marked."""
    numbers = {member.fact.row.n: place for place, member in enumerate(shown, 1)}
    kept = next(member for member in shown if member.fact.row.n == made.group.keeper.n)
    mixed, keeper = made.merged, numbers[kept.fact.row.n]
    yield "text", Content(f"of {keeper}")
    if mixed.tags:
        yield "tags", _united(mixed.tags, kept.fact.tags, [(n + 1, m.fact.tags) for n, m in enumerate(shown)])
    if mixed.category:
        yield "category", _gained(one_line(mixed.category, 40), mixed.category != kept.fact.row.category)
    links = made.links + len(mixed.ties)
    if links:
        yield "links", _gained(f"{links:,}", bool(mixed.ties), f"+{len(mixed.ties)}")
    yield "recalled", _gained(f"{mixed.access_count}×", mixed.access_count != kept.fact.row.access_count)
    if made.sources:
        more = f" and {len(made.sources) - _MOST} more" if len(made.sources) > _MOST else ""
        yield "origins", Content(", ".join(map(where, made.sources[:_MOST])) + more)
    yield "importance", _gained(f"{mixed.importance:g}", mixed.importance != kept.fact.row.importance)
    if mixed.confidentiality != "public":
        strict = mixed.confidentiality != kept.fact.confidentiality
        yield "confidential", _gained(one_line(mixed.confidentiality, 40), strict, "the strictest")
    if mixed.pinned:
        yield "marked", _gained("pinned", not kept.fact.row.pinned)
    yield "superseded", _aside(made.group.others, numbers, len(group.aims))


def _united(tags: Sequence[str], own: Sequence[str], all_: Sequence[tuple[int, Sequence[str]]]) -> Content:
    """The tags, those that only others have with the number of one that has it."""
    parts = []
    for tag in tags[:_MOST]:
        name = one_line(tag, 20)
        source = next((number for number, has in all_ if tag in has), None)
        if tag in own:
            parts.append(Content(name))
        else:
            parts.append(Content.assemble((f"+{name}", "bold"), (f" from {source}" if source else "", "$text-muted")))
    return Content(" ").join(parts)


def _gained(text: str, gained: bool, how: str = "") -> Content:
    """A value, marked where the kept fact does not have it by itself."""
    if not gained:
        return Content(text)
    return Content.assemble((text, "bold"), (f" {how or 'of all'}", "$text-muted"))


def _aside(others: Sequence[Aim], numbers: dict[int, int], count: int) -> Content:
    """Which facts a merge sets aside, and which it leaves as they are."""
    gone = [numbers[aim.n] for aim in others if aim.n in numbers]
    more = len(others) - len(gone)
    names = ", ".join(map(str, gone)) if len(gone) <= _MOST else f"{gone[0]} to {gone[-1]}"
    text = names + (f" and {more:,} more" if more else "")
    left = count - 1 - len(others)
    stays = f" · {left} of them differ more from this one and stay" if left else ""
    return Content.assemble(text or "none", (f" (restorable){stays}", "$text-muted"))


def samples(raw: Connection, aims: Sequence[Aim]) -> list[str]:
    """The texts of some facts, in their order."""
    rows = looking.fact_rows(raw, [aim.n for aim in aims])
    return [rows[aim.n].content if aim.n in rows else "" for aim in aims]
