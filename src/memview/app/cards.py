"""What a card of the inbox says: pure functions from what was read to lines of a width.

Stored text passes :func:`memview.text.visible` here, and its secrets are masked unless they were asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from sqlite3 import Connection
from typing import Any

from textual.content import Content
from textual.style import Style

from memview import clock
from memview.app.describe import LINES, SHOWN, TITLE, Paragraph
from memview.app.past import history_lines
from memview.app.sides import sides
from memview.app.widgets.layout import lay_out
from memview.memory.looking import ChangeRow, FactDetail, FactRow
from memview.memory.person import named
from memview.review.inbox import Alike, Card, Flag, Opened, already_there, opened
from memview.review.secrets import mask
from memview.text import cut, one_line, visible

LABEL = 25
"""Cells of the column of labels, where there is room for one."""
ROOMY = 70
"""Cells from which on labels stand beside what they name."""
_MUTED = "$text-muted"
_KEY = "bold $primary"
WHOSE = {
    "user": "the user", "assistant": "the assistant", "tool": "a tool", "import": "an import", "person": "a person",
}  # fmt: skip
"""Whose words a fact rests on, by its origin."""
_FLAGS: dict[Flag, tuple[str, str]] = {
    "secret": ("! holds a secret", "$text-error"),
    "hostile": ("? hidden characters", "$text-warning"),
    "command": ("? commands the agent", "$text-warning"),
    "echo": ("? echoes what was recalled", "$text-warning"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A card with all that is told of it."""

    opened: Opened
    alike: list[Alike]

    @property
    def card(self) -> Card:
        """The card."""
        return self.opened.card


@dataclass(frozen=True, slots=True)
class Eye:
    """Who looks, and how."""

    me: str
    now: datetime
    width: int
    """Cells of a line."""
    place: tuple[int, int] = (0, 0)
    """Which fact of its session it is, of how many."""
    bare: bool = False
    """Whether secrets are shown."""
    chosen: int = 0
    """Which of the facts that are already there is meant."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The keys of commands as they are shown, by id."""

    def text(self, text: str) -> str:
        """A stored text, with its secrets as this eye may see them."""
        return text if self.bare else mask(text)


def open_card(raw: Connection, card: Card, now: datetime) -> Shown | None:
    """Read all that is told of a card; None where its fact is gone."""
    found = opened(raw, card)
    if found is None:
        return None
    there = already_there(raw, found.detail, now) if card.kind in ("new", "changed") else []
    ours = {one.id for one in card.news}
    return Shown(found, [one for one in there if one.fact.id not in ours])


def button(command: str, **more: int) -> Style:
    """What makes a stretch of text a button for a command."""
    return Style.from_meta({"command": command, **more})


def kind(card: Card, me: str) -> str:
    """What happened, in the words that stand over a card."""
    first = card.first
    who = one_line(named(first.agent, me), 24)
    if first.kind == "new":
        return "NEW" + (f" ×{len(card.news):,}" if len(card.news) > 1 else "")
    if first.kind == "tried":
        times = f" {first.times}×" if first.times > 1 else ""
        return f"TRIED AGAIN{times} BY {who}"
    title = f"{first.kind.upper()} BY {who}"
    whose = one_line(named(first.overwrites, me), 24)
    return f"OVERWRITES {'your' if whose == 'you' else whose + chr(8217) + 's'} correction, {title}" if (
        first.overwrites
    ) else title  # fmt: skip


def tell(shown: Shown, eye: Eye) -> list[Content]:
    """All lines of a card."""
    wide = eye.width >= ROOMY
    parts = [_text(shown, eye), _differences(shown, eye), [_source(shown, eye)], list(_there(shown, eye))]
    lines = [*_head(shown, eye)]
    for number, part in enumerate(part for part in parts if part):
        if number == 0 or (wide and number > 1 and len(parts[3]) > 1):
            lines.append(Content())
        lines += [line.content for paragraph in part for line in lay_out(_set_in(paragraph, wide), eye.width)]
        if number == 0:
            lines.append(Content())
    return lines


def _set_in(paragraph: Paragraph, wide: bool) -> list[Paragraph]:
    """A paragraph with its label beside it, or above it where the screen is narrow."""
    if not paragraph.label or wide:
        return [paragraph]
    content = Paragraph(paragraph.content, indent=2, wrap=paragraph.wrap)
    return [Paragraph(paragraph.label.rstrip(), wrap=False), content] if paragraph.label.plain.strip() else [content]


def _head(shown: Shown, eye: Eye) -> Iterator[Content]:
    """What happened and where, and at the right why to look twice."""
    card, row = shown.card, shown.opened.detail.row
    parts = [one_line(part, 60) for part in (row.tenant, row.namespace, row.category) if part]
    if shown.opened.detail.memory_type != "semantic":
        parts.append(one_line(shown.opened.detail.memory_type, 30))
    at, count = eye.place
    if eye.width >= ROOMY and count > 1:
        parts.append(f"{_ordinal(at)} of {count:,}")
    style = "bold $text-warning" if card.first.overwrites or card.kind == "tried" else "bold $primary"
    left = Content.assemble((kind(card, eye.me), style), (f"  {' · '.join(parts)}", _MUTED))
    right = Content("  ").join(_flags(shown, eye))
    gap = eye.width - left.cell_length - right.cell_length
    if gap >= 2:
        yield Content.assemble(left, " " * gap, right)
    else:
        yield left.truncate(eye.width, ellipsis=True)
        if right:
            yield right.truncate(eye.width, ellipsis=True)


def _flags(shown: Shown, eye: Eye) -> list[Content]:
    flags = []
    for flag in shown.card.flags:
        words, style = _FLAGS[flag]
        made = Content.styled(words, style)
        if flag == "secret":
            does = "hides it" if eye.bare else "shows it"
            made = Content.assemble(made, "  ", _does(eye, does, "inbox.secret"))
        flags.append(made)
    if shown.alike:
        flags.append(Content.styled(f"= alike {len(shown.alike)}", "$secondary"))
    return flags


def _text(shown: Shown, eye: Eye) -> list[Paragraph]:
    """What the fact says now, and where that was changed what it said, with the difference lit."""
    card = shown.card
    text = eye.text(shown.opened.detail.content)
    before = card.first.before.get("content")
    bold = "bold" if len(text) <= TITLE else ""
    if card.kind == "changed" and isinstance(before, str):
        old, new = sides(eye.text(before), text)
        back = Content("  ") + _does(eye, "puts it back", "inbox.restore")
        return [Paragraph(new.stylize_before(bold)), Paragraph(old.stylize_before(_MUTED) + back, _label("before:"))]
    shown_text = "\n".join(visible(text[:SHOWN]).split("\n", LINES)[:LINES])
    told = [Paragraph(Content.styled(shown_text or "(no text)", bold if shown_text else _MUTED))]
    if len(shown_text) < min(len(text), SHOWN) or len(text) > SHOWN:
        told.append(Paragraph(Content.styled(f"the beginning of {len(text):,} characters", _MUTED)))
    return told


def _differences(shown: Shown, eye: Eye) -> list[Paragraph]:
    """What else was changed, and what can be put back."""
    card = shown.card
    told = []
    if card.kind == "changed":
        before = {name: value for name, value in card.first.before.items() if name != "content"}
        if before:
            what = history_lines(_change(shown.opened.detail, before))[0]
            told.append(Paragraph(Content(eye.text(what.plain)), _label("changed:")))
    if card.kind == "tried":
        told.append(Paragraph(Content("it is forgotten and stays so, unless you put it back"), _label("")))
    if card.kind in ("forgotten", "tried"):
        told.append(Paragraph(_does(eye, "puts it back for agents", "inbox.restore"), _label("")))
    elif card.kind == "changed" and "content" not in card.first.before:
        told.append(Paragraph(_does(eye, "puts back what it was", "inbox.restore"), _label("")))
    return told


def _change(detail: FactDetail, before: dict[str, Any]) -> ChangeRow:
    """What agents did to a fact, as one change."""
    row = detail.row
    now: dict[str, Any] = {
        "category": row.category, "summary": detail.summary, "importance": row.importance, "status": row.status,
        "memory_type": detail.memory_type, "confidentiality": detail.confidentiality, "namespace": row.namespace,
        "pinned": row.pinned, "origin": row.origin, "tags": json.dumps(detail.tags),
    }  # fmt: skip
    return ChangeRow(0, "", None, None, "update", "fact", row.id, row.tenant, row.namespace, before, now)


def _source(shown: Shown, eye: Eye) -> Paragraph:
    """Where it came from: the sentence, or the turn, or at least whose words it rests on."""
    known, row = shown.opened, shown.opened.detail.row
    whose = WHOSE.get(row.origin, "")
    source = known.quoted or next((one for one in known.sources if one.turn is not None), None)
    if source is None:
        gone = "its turn is no longer in the store" if known.sources else "no turn is named"
        by = f"written by {one_line(named(row.agent, eye.me), 40)}"
        return Paragraph(Content.styled(f"{by} · {gone}", _MUTED), _label(f"from {whose}:" if whose else "from:"))
    label = _label(f"from {whose + ', ' if whose else ''}turn {source.place}:")
    if known.quote:
        said = Content.styled(f'"{one_line(eye.text(known.quote), 400)}"  ', "")
        return Paragraph(
            (said + Content.styled(eye.keys.get("inbox.origin", ""), _KEY)).stylize(button("inbox.origin")), label
        )
    return Paragraph(_does(eye, "shows the turn", "inbox.origin"), label)


def _there(shown: Shown, eye: Eye) -> Iterator[Paragraph]:
    """The facts that say something like it."""
    for at, one in enumerate(shown.alike):
        yield Paragraph(_like(one, at, eye), _label("already there:" if at == 0 else ""), wrap=False)


def _like(one: Alike, at: int, eye: Eye) -> Content:
    row: FactRow = one.fact
    age = clock.ago(clock.stored(row.created_at), eye.now)
    wide = eye.width >= ROOMY
    end = Content.styled(f"  {age}" + (f", {one_line(named(row.agent, eye.me), 20)}" if wide else ""), _MUTED)
    if not one.same and wide:
        end += Content.styled(f", {one.score:.0%} alike", _MUTED)
    chosen = at == eye.chosen
    if chosen and one.same:
        end += Content("  ") + _does(eye, "merges", "inbox.merge")
    room = eye.width - (LABEL if wide else 2) - end.cell_length - 2
    text = cut(one_line(eye.text(row.content)) or "(no text)", max(8, room))
    sign = Content.styled("> ", _KEY) if chosen else Content("  ")
    return (sign + Content(text)).stylize(button("inbox.alike", at=at)) + end


def _does(eye: Eye, words: str, command: str) -> Content:
    return Content.assemble((eye.keys.get(command, ""), _KEY), (f" {words}", _MUTED)).stylize(button(command))


def _label(text: str) -> Content:
    return Content.styled(f"{text:<{LABEL}}", _MUTED)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def brief(label: str, card: Card, eye: Eye) -> Content:
    """A card on one line: what happened, and what it says with its difference."""
    text = one_line(mask(card.content), 200) or "(no text)"
    said = Content(text)
    before = card.first.before.get("content")
    if card.kind == "changed" and isinstance(before, str):
        said = sides(one_line(mask(before), 200), text)[1]
    head = Content.assemble((f"{label:<6}", _MUTED), (kind(card, eye.me), _MUTED), "  ")
    sign = Content.styled("! ", "$text-error") if card.flags else Content()
    return (head + sign + said).truncate(eye.width, ellipsis=True)


def session_line(name: str, count: int, decided: int, width: int, *, here: bool) -> Content:
    """A session in the column at the left: its facts, and how many were decided."""
    numbers = f"{count:>4,} {f'✓{decided:,}' if decided else '':>4}"
    name = cut(name, max(4, width - len(numbers) - 2))
    sign = Content.styled(">" if here else " ", _KEY)
    style = "bold" if here else _MUTED if decided >= count else ""
    pad = " " * max(1, width - 1 - Content(name).cell_length - len(numbers))
    return Content.assemble(sign, (name, style), pad, (numbers, _MUTED))


def turn_lines(request: str, response: str, eye: Eye) -> Sequence[Content]:
    """A turn whole, for reading it over the card."""
    sides_of = (("The user", request), ("The assistant", response))
    return [
        line
        for who, text in sides_of
        if text
        for line in (Content.styled(who, "bold"), Content(visible(eye.text(text[:SHOWN]))), Content())
    ]
