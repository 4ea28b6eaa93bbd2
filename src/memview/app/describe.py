"""What the detail pane says of a fact or a turn: pure functions from light rows to paragraphs.

A paragraph is styled with the names of parts (``muted``, ``match``, ...), to which the pane gives their look.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from textual.content import Content, Span

from memview import clock
from memview.app.past import history_lines
from memview.memory import looking
from memview.memory.person import named
from memview.review.quote import best_sentence
from memview.text import cut, one_line, visible

if TYPE_CHECKING:
    from memview.memory.looking import (
        ChangeRow,
        FactDetail,
        FactRow,
        Matcher,
        Neighbour,
        Source,
        TurnDetail,
        TurnRow,
    )

SHOWN = 20_000
"""How many characters of a text are laid out."""
LINES = 1_000
"""How many lines of a text are laid out."""
TITLE = 200
"""Up to how many characters a text is drawn bold."""
LISTED = 50
"""How many links, sources, facts or changes are listed."""
_TRIED = 3
"""How many of those that wrote a forgotten text again are named."""
LABEL = 14
"""Cells of the column of labels, its blank included."""


@dataclass(frozen=True, slots=True)
class Target:
    """What Enter opens."""

    kind: str
    """``fact``, ``turn`` or ``fold``."""
    id: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Some text to be wrapped, and how."""

    content: Content = field(default_factory=lambda: Content(""))
    label: Content = field(default_factory=lambda: Content(""))
    """Stands before the first line; the others are set in as far."""
    indent: int = 0
    """Cells before every line."""
    target: Target | None = None
    """What Enter opens on it."""
    wrap: bool = True
    """Whether it may take several lines; else it is cut at the edge."""


BLANK = Paragraph()


@dataclass(frozen=True, slots=True)
class About:
    """What is told of a fact besides itself."""

    now: datetime
    me: str | None
    matcher: Matcher | None = None
    sources: Sequence[Source] = ()
    neighbours: Sequence[Neighbour] = ()
    history: Sequence[ChangeRow] = ()
    markdown: bool = False
    """Whether the texts are read as Markdown."""


def tell_fact(fact: FactDetail, about: About) -> list[Paragraph]:
    """All paragraphs of a fact: its text, where it comes from, what agents make of it, links, history."""
    parts = [
        list(long_text(fact.content, about.matcher, bold=True, markdown=about.markdown)),
        [_place(fact)],
        list(_from(fact, about)),
        list(_standing(fact, about)),
        list(_links(about)),
        list(_history(about)),
    ]
    return _spaced(parts)


def tell_turn(turn: TurnDetail, about: About, *, unfolded: bool = False) -> list[Paragraph]:
    """All paragraphs of a turn: both sides told apart, its tool calls folded, the facts that came from it."""
    row = turn.row
    where = [f"{place_name(row.session)} turn {turn.place}"] + ([row.namespace] if row.namespace else [])
    head = Paragraph(Content.assemble((one_line(" · ".join(where), 200), "text")))
    who = f"{_age(row.at, about.now)}, {one_line(named(row.agent, about.me), 40)}"
    parts = [
        [head, Paragraph(Content.assemble((who, "muted")))],
        list(_side("user", turn.request, about)),
        list(_side("assistant", turn.response, about)),
        list(_calls(turn.metadata, unfolded)),
        list(_metadata(_without_calls(turn.metadata))),
        list(_facts(turn.facts)),
    ]
    return _spaced(parts)


def long_text(text: str, matcher: Matcher | None, *, bold: bool = False, markdown: bool = False) -> Iterator[Paragraph]:
    """A stored text with its matches lit, cut with a plain note where it is very long."""
    start = _beginning(text)
    shown = visible(start)
    base = "title" if bold and len(text) <= TITLE else "text"
    spans = [Span(0, len(shown), base)]
    if matcher is not None:
        spans += [Span(begin, end, "match") for begin, end in matcher.spans(shown)]
    if markdown and shown.strip():
        from memview.app.markdown import blocks

        for block in blocks(shown, matcher):
            yield Paragraph(block.content, Content.assemble((block.label, "muted")), block.indent)
    elif shown.strip():
        yield Paragraph(Content(shown, spans=spans))
    else:
        yield Paragraph(Content.assemble(("(no text)" if not text else "(blank)", "muted")))
    if len(start) < len(text):
        yield Paragraph(Content.assemble((f"shown to {len(start):,} of {len(text):,} characters", "muted")))


def _beginning(text: str) -> str:
    """As much of a text as is laid out."""
    start = text[:SHOWN]
    lines = start.split("\n", LINES)
    return start if len(lines) <= LINES else "\n".join(lines[:LINES])


def place_name(session: str) -> str:
    """A session in a word; sessions may have no name."""
    return one_line(session, 60) or "a session without a name,"


def _place(fact: FactDetail) -> Paragraph:
    """Namespace, category, kind and tags; a tag that repeats the category is said once."""
    row = fact.row
    home = one_line(row.namespace, 200) or "(no namespace)"
    rest = [row.category, fact.memory_type if fact.memory_type != "semantic" else "", *fact.tags]
    parts = [(home, "text")] + [(" · " + one_line(part, 80), "muted") for part in dict.fromkeys(rest) if part]
    if row.tenant:
        parts.insert(0, (one_line(row.tenant, 80) + " / ", "muted"))
    return Paragraph(Content.assemble(*parts))


_WORDS_OF = {
    "user": "the user", "assistant": "the assistant", "tool": "a tool", "import": "an import", "person": "a person",
    "extraction": "", "unknown": "",
}  # fmt: skip


def _from(fact: FactDetail, about: About) -> Iterator[Paragraph]:
    """Whose words it rests on, the turns they stand in, and the sentence it came from."""
    row = fact.row
    whose = _WORDS_OF.get(row.origin, one_line(row.origin, 40))
    if not about.sources:
        words = ", ".join(part for part in (whose, one_line(row.session, 60)) if part)
        if words:
            yield Paragraph(Content.assemble((words, "text")), _label("from", 5))
        return
    for number, source in enumerate(about.sources[:LISTED]):
        turn = source.turn
        words = f"{place_name(turn.session)} turn {source.place}" if turn else "a turn that is gone"
        if number == 0 and whose:
            words = f"{whose}, {words}"
        target = Target("turn", turn.id) if turn else None
        content = Content.assemble((words, "text" if turn else "muted"))
        yield Paragraph(content, _label("from" if number == 0 else "", 5), target=target)
        if turn is not None and number < 3:
            yield from _quote(fact.content, turn, row.origin, about.matcher)
    yield from _more(len(about.sources), "turn")


def _quote(content: str, turn: TurnRow, origin: str, matcher: Matcher | None) -> Iterator[Paragraph]:
    """The sentence of a turn that says what a fact says."""
    sentence = best_sentence(content, turn.request, turn.response, origin)
    if sentence:
        shown = f'"{one_line(sentence, 240)}"'
        spans = [Span(0, len(shown), "muted")]
        if matcher is not None:
            spans += [Span(begin, end, "match") for begin, end in matcher.spans(shown)]
        yield Paragraph(Content(shown, spans=spans), indent=2)


def _standing(fact: FactDetail, about: About) -> Iterator[Paragraph]:
    """What agents make of it, and what is noted on it."""
    row = fact.row
    yield Paragraph(_reach(row, about.now), _label("agents get it"))
    yield labelled("importance", f"{row.importance:g}")
    yield labelled("written", f"{_age(row.created_at, about.now)}, {one_line(named(row.agent, about.me), 40)}")
    if reworded := next((change for change in reversed(about.history) if "content" in (change.before or {})), None):
        by = one_line(named(reworded.actor, about.me), 40)
        yield labelled("reworded", f"{_age(reworded.at, about.now)}, {by}")
    for attempt in fact.attempts[:_TRIED] if row.status == "forgotten" else ():
        by = one_line(named(attempt.agent, about.me), 40)
        yield labelled("tried again", f"{attempt.times:,}×, {_age(attempt.at, about.now)}, {by}")
    noted = [word for word, holds in (("pinned", row.pinned), ("accepted", row.accepted)) if holds]
    if noted:
        yield labelled("marked", ", ".join(noted))
    if fact.confidentiality != "public":
        yield labelled("confidential", one_line(fact.confidentiality, 40))
    if fact.keywords:
        yield labelled("keywords", ", ".join(one_line(word, 60) for word in fact.keywords[:LISTED]))
    if fact.summary:
        yield labelled("summary", one_line(fact.summary, 400))
    yield from _metadata(_without_extraction(fact, about.now))


def _without_extraction(fact: FactDetail, now: datetime) -> Any:
    """The metadata, in which an extraction's own notes are one."""
    told = fact.metadata
    if fact.row.origin != "extraction" or not isinstance(told, dict) or told.get("extracted") is not True:
        return told
    rest = {name: value for name, value in told.items() if name != "extracted_at"}
    return rest | {"extracted": _age(str(told.get("extracted_at")), now)}


def _reach(row: FactRow, now: datetime) -> Content:
    """Whether agents get a fact, and if not, why."""
    if row.status != "active":
        return Content.assemble((f"no, {one_line(row.status, 40)}", "warning"))
    strength = looking.effective_strength(row.strength, clock.stored(row.last_accessed_at), now)
    return Content.assemble(("yes", "good"), (f" · {strength:.0%} · {row.access_count}×", "muted"))


def _links(about: About) -> Iterator[Paragraph]:
    """The links, each with its kind as seen from here."""
    if not about.neighbours:
        return
    yield heading("Links")
    for neighbour in about.neighbours[:LISTED]:
        label = _KINDS.get((neighbour.kind, neighbour.outward), one_line(neighbour.kind, 40))
        kind = Content.assemble((label + "  ", "muted")) if label else Content("")
        said = neighbour.kind == "supersedes" and neighbour.outward
        yield Paragraph(short(neighbour.fact, said), kind, 2, Target("fact", neighbour.fact.id), wrap=False)
    yield from _more(len(about.neighbours), "link")


_KINDS = {
    ("related", True): "", ("contradicts", True): "contradicts",
    ("supersedes", True): "supersedes", ("supersedes", False): "superseded by",
    ("derived-from", True): "derived from", ("derived-from", False): "source of",
}  # fmt: skip


def short(row: FactRow, superseded: bool = False) -> Content:
    """A fact on one line; one that agents do not get is struck and says why.

    Args:
        row: the fact.
        superseded: whether it is said already that it is superseded.
    """
    text = one_line(row.content) or "(no text)"
    if row.status == "active":
        return Content.assemble((text, "text"))
    if superseded and row.status == "superseded":
        return Content.assemble((text, "struck"))
    return Content.assemble((one_line(row.status, 20), "muted"), "  ", (text, "struck"))


def _history(about: About) -> Iterator[Paragraph]:
    """The changes, newest first, each with who, when and what."""
    if not about.history:
        return
    yield heading("History")
    shown = list(about.history)[::-1][:LISTED]
    names = [one_line(named(change.actor, about.me), 15) for change in shown]
    width = max(map(len, names))
    for change, name in zip(shown, names, strict=True):
        what, *more = history_lines(change)
        start = f"{_short_age(change.at, about.now):>4}  {name:<{width}}  "
        yield Paragraph(what, Content.assemble((start, "muted")))
        for line in more:
            yield Paragraph(line, indent=6)
    yield from _more(len(about.history), "earlier change")


def _side(who: str, text: str, about: About) -> Iterator[Paragraph]:
    """One side of a turn."""
    if text:
        yield heading(who.capitalize())
        yield from long_text(text, about.matcher, markdown=about.markdown)


def _facts(facts: Sequence[FactRow]) -> Iterator[Paragraph]:
    """The facts that came from a turn."""
    if facts:
        yield heading("Learnt from it")
        for row in facts[:LISTED]:
            yield Paragraph(short(row), indent=2, target=Target("fact", row.id), wrap=False)
        yield from _more(len(facts), "fact")


_CALLS = ("tool_calls", "tools", "calls")


def _calls(metadata: Any, unfolded: bool) -> Iterator[Paragraph]:
    """The tool calls in a turn's metadata: one line, or all of them."""
    calls = [call for key in _CALLS for call in _as_list(metadata.get(key))] if isinstance(metadata, dict) else []
    if not calls:
        return
    count = "1 tool call" if len(calls) == 1 else f"{len(calls)} tool calls"
    yield Paragraph(Content.assemble(("▾ " if unfolded else "▸ ", "muted"), (count, "text")), target=Target("fold", ""))
    if unfolded:
        for call in calls[:LISTED]:
            yield Paragraph(Content.assemble((one_line(_json(call), 2_000), "muted")), indent=2)
        yield from _more(len(calls), "call")


def _without_calls(metadata: Any) -> Any:
    return {k: v for k, v in metadata.items() if k not in _CALLS} if isinstance(metadata, dict) else metadata


def _metadata(metadata: Any) -> Iterator[Paragraph]:
    """What the author attached, a line for each name."""
    if not metadata:
        return
    if not isinstance(metadata, dict):
        yield labelled("metadata", one_line(_json(metadata), 2_000))
        return
    for key, value in list(metadata.items())[:LISTED]:
        yield labelled(one_line(str(key), 60), one_line(value if isinstance(value, str) else _json(value), 2_000))
    yield from _more(len(metadata), "more value")


def heading(title: str) -> Paragraph:
    """A title above some lines."""
    return Paragraph(Content.assemble((title, "title")))


def labelled(label: str, text: str) -> Paragraph:
    """A label and what it is about, in two columns."""
    return Paragraph(Content.assemble((text, "text")), _label(label))


def _label(label: str, width: int = LABEL) -> Content:
    return Content.assemble((f"{cut(label, width):<{width}} ", "muted"))


def _more(count: int, what: str) -> Iterable[Paragraph]:
    """Says how many were left out."""
    if count > LISTED:
        yield Paragraph(Content.assemble((f"and {count - LISTED:,} {what}s", "muted")), indent=2)


def _age(text: str, now: datetime) -> str:
    age = _short_age(text, now)
    return "just now" if age == "now" else f"{age} ago" if age != "?" else "at an unknown time"


def _short_age(text: str, now: datetime) -> str:
    then = clock.stored(text)
    return "?" if then == clock.EPOCH else clock.ago(then, now)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _spaced(parts: Sequence[Sequence[Paragraph]]) -> list[Paragraph]:
    """The parts that hold anything, with an empty line between two."""
    told: list[Paragraph] = []
    for part in filter(None, parts):
        told += [BLANK, *part] if told else part
    return told
