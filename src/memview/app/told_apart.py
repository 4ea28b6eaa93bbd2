"""How facts that are compared look: their texts with the differences lit, and what tells them apart. No screen."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content, Span

from memview import clock
from memview.app.comparing import Member
from memview.app.headlines import plural
from memview.memory.looking import Source
from memview.memory.person import named
from memview.review import masking
from memview.review.differences import differing
from memview.review.quote import best_sentence
from memview.text import one_line

LIT = "bold underline"
"""How a word looks that differs."""
LONGEST = 600
"""Characters of a text that are shown."""
_BEFORE = 120
"""Characters of a long text before its first difference."""
_WHOSE = {
    "assistant": "from the assistant", "user": "from the user", "tool": "from a tool", "person": "",
    "import": "imported", "extraction": "", "unknown": "",
}  # fmt: skip


def texts(members: Sequence[Member], chosen: int) -> list[Content]:
    """The texts of facts; where the chosen one and another have something in common, what differs is lit in both."""
    shown = [masking.line(member.fact.content, 4 * LONGEST) for member in members]
    lit: list[set[tuple[int, int]]] = [set() for _ in shown]
    for place, text in enumerate(shown):
        if place != chosen:
            ours, theirs = differing(shown[chosen], text)
            if not _all(shown[chosen], ours) or not _all(text, theirs):
                lit[chosen].update(ours)
                lit[place].update(theirs)
    return [_lit(text, sorted(spans)) for text, spans in zip(shown, lit, strict=True)]


def _all(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether some places are nearly the whole text."""
    return sum(end - start for start, end in spans) > 0.8 * len(text)


def _lit(text: str, spans: Sequence[tuple[int, int]]) -> Content:
    """A text with some places lit; of a long one what stands around the first of them."""
    if not text:
        return Content.styled("(no text)", "$text-muted")
    content = Content(text, spans=[Span(start, end, LIT) for start, end in spans])
    if len(text) <= LONGEST:
        return content
    start = max(0, (spans[0][0] if spans else 0) - _BEFORE)
    end = start + LONGEST
    return Content("").join(
        [Content("…" if start else ""), content[start:end], Content("…" if end < len(text) else "")]
    )


def about(member: Member, now: datetime, me: str | None, *, place: bool = True) -> Content:
    """Where a fact is, who wrote it, from whose words, how old it is, and what is noted on it.

    Args:
        member: the fact.
        now: the present.
        me: the actor that is "you".
        place: whether to name its namespace.
    """
    row = member.fact.row
    age = clock.ago(clock.stored(row.created_at), now)
    parts = [one_line(row.namespace, 40)] if place and row.namespace else []
    if row.status != "active":
        parts.append(one_line(row.status, 20))
    parts += [one_line(named(row.agent, me), 24), _WHOSE.get(row.origin, one_line(row.origin, 20))]
    parts += [f"{age} ago" if age != "now" else "just now", f"recalled {row.access_count}×"]
    parts += [word for word, holds in (("pinned", row.pinned), ("accepted", row.accepted)) if holds]
    if member.links:
        parts.append(plural(member.links, "link"))
    if member.fact.tags:
        parts.append("tags " + " ".join(one_line(tag, 20) for tag in member.fact.tags[:8]))
    return Content.styled(" · ".join(filter(None, parts)), "$text-muted")


def quote(member: Member) -> Content:
    """The sentence that a fact came from, and where it stands; empty where none is known."""
    source = next((source for source in member.sources if source.turn is not None), None)
    if source is None or source.turn is None:
        return Content()
    said = best_sentence(member.fact.content, source.turn.request, source.turn.response, member.fact.row.origin)
    if not said:
        return Content()
    return Content.styled(f'"{masking.line(said, 160)}"  {where(source)}', "$text-muted")


def where(source: Source) -> str:
    """Which turn of which session a fact came from, safe to show."""
    if source.turn is None:
        return "a turn that is gone"
    return f"{one_line(source.turn.session, 30) or 'a session without a name,'} turn {source.place}"
