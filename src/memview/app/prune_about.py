"""What is told beside the list of a prune of the fact under the cursor: its text, and what speaks for letting it go."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from sqlite3 import Connection

from textual.content import Content

from memview import clock
from memview.app.cards import WHOSE
from memview.app.describe import BLANK, LINES, SHOWN, Paragraph, place_name
from memview.memory import looking
from memview.memory.looking import FactDetail, Source, effective_strength
from memview.memory.person import named
from memview.review.quote import best_sentence
from memview.review.secrets import mask
from memview.text import one_line, visible

_LABEL = 12
_MUTED = "$text-muted"


def about(raw: Connection, n: int, me: str, now: datetime) -> list[Paragraph]:
    """All that is told of a fact; nothing where it is gone.

    Args:
        raw: an open connection.
        n: the fact's number.
        me: the actor that is "you".
        now: the present.
    """
    fact = looking.fact(raw, n)
    if fact is None:
        return []
    text = "\n".join(visible(mask(fact.content)[:SHOWN]).split("\n", LINES)[:LINES])
    place = " · ".join(one_line(part, 60) for part in (fact.row.tenant, fact.row.namespace, fact.row.category) if part)
    return [
        Paragraph(Content.styled(text or "(no text)", "bold" if text else _MUTED)),
        Paragraph(Content.styled(place or "(no namespace)", _MUTED)),
        BLANK,
        *_worth(fact, me, now),
        *_source(fact, looking.sources(raw, fact.turns)),
    ]


def _worth(fact: FactDetail, me: str, now: datetime) -> Iterator[Paragraph]:
    row = fact.row
    strength = effective_strength(row.strength, clock.stored(row.last_accessed_at), now)
    left = f"{strength:.0%}" if strength >= 0.005 else "under 1%"
    yield _labelled("faded to", f"{left} of full strength")
    times = f"{row.access_count:,}×, {_age(row.last_accessed_at, now)}" if row.access_count else "never"
    yield _labelled("recalled", times)
    yield _labelled("importance", f"{row.importance:g} of 10")
    yield _labelled("learnt", f"{_age(row.created_at, now)}, {one_line(named(row.agent, me), 40)}")


def _source(fact: FactDetail, sources: list[Source]) -> Iterator[Paragraph]:
    whose = WHOSE.get(fact.row.origin, "")
    source = next((one for one in sources if one.turn is not None), None)
    turn = source.turn if source is not None else None
    if source is None or turn is None:
        gone = "its turn is no longer in the store" if sources else "no turn is named"
        yield _labelled("from", f"{whose}, {gone}" if whose else gone)
        return
    where = f"{place_name(turn.session)} turn {source.place}"
    yield _labelled("from", f"{whose}, {where}" if whose else where)
    if quote := best_sentence(fact.content, turn.request, turn.response, fact.row.origin):
        yield Paragraph(Content.styled(f'"{one_line(mask(quote), 240)}"', _MUTED), indent=_LABEL)


def _age(at: str, now: datetime) -> str:
    age = clock.ago(clock.stored(at), now)
    return "just now" if age == "now" else f"{age} ago"


def _labelled(label: str, text: str) -> Paragraph:
    return Paragraph(Content(text), Content.styled(f"{label:<{_LABEL}}", _MUTED))
