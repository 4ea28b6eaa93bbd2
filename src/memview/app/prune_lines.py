"""The lines around the facts that a prune would set aside, as text with buttons in it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from memview.app import pruning
from memview.app.pruning import ORDER_WORDS, PRESETS, Order, Seen, Stand
from memview.app.widgets.record_row import fit
from memview.memory.looking import FactRow
from memview.review import masking

_DOT = Content.styled(" · ", "$text-muted")


def come_to(seen: Seen | None, going: int, wrong: str, ended: Stand | None) -> list[Content]:
    """What a rule comes to, in parts of which the last may be left out.

    Args:
        seen: what it would set aside; None while that is counted.
        going: how many of these are not left out.
        wrong: what is wrong with the rule.
        ended: how it went, once it was done.
    """
    if wrong:
        return [Content.styled(wrong, "$text-warning")]
    if ended is not None:
        return [Content.styled(ended.sentence, "$text-success")]
    if seen is None:
        return [muted("counting")]
    found, out = seen.preview, len(seen.preview.aims) - going
    parts = [button(f"would prune {going:,} of {found.active:,}", "prune.all", "bold")]
    stays = [button(words, command) for words, command in pruning.kept(found)]
    if stays:
        parts.append(muted("   kept: ") + muted(", ").join(stays))
    told = [muted(f"left out {out:,}")] if out else []
    told += [button(words, command) for words, command in pruning.too(found)]
    told.append(muted(f"as of {found.at:%H:%M:%S} UTC"))
    return [*parts, *(_DOT + part for part in told)]


def since(later: int) -> Content:
    """What came to match since it was counted."""
    return button(f"+{later:,} since, not touched", "refresh", "$primary") if later else Content()


def order(chosen: Order) -> Content:
    """In which order the facts are listed."""
    return button(ORDER_WORDS[chosen], "prune.sort")


def presets(text: str) -> Content:
    """The rules to begin with; a click on one carries its place as the meta ``preset``."""
    names = [
        Content.styled(name, "bold $foreground" if rule == text.strip() else "$text-muted").stylize(
            Style.from_meta({"preset": at})
        )
        for at, (name, rule) in enumerate(PRESETS)
    ]
    return muted("[ ] ") + _DOT.join(names)


def samples(rows: Sequence[FactRow], count: int, notes: Sequence[str], width: int) -> list[Content]:
    """Some of the facts for a question, and what stays as it is.

    Args:
        rows: these facts.
        count: how many there are.
        notes: what stays, a sentence each.
        width: cells of the screen.
    """
    room = min(width, 76) - 8
    body = [Content.styled(f"  {fit(masking.line(row.content), room) or '(no text)'}", "$foreground") for row in rows]
    if count > len(rows):
        body.append(muted(f"  and {count - len(rows):,} more"))
    return [*body, Content(), *map(muted, notes)] if notes else body


def muted(text: str) -> Content:
    """A text that stands back."""
    return Content.styled(text, "$text-muted")


def button(text: str, command: str, style: str = "$text-muted") -> Content:
    """A text that runs a command when it is clicked; without a command, a text."""
    made = Content.styled(text, style)
    return made.stylize(Style.from_meta({"command": command})) if command else made
