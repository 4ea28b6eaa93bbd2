"""What stands in the editor's fields: text typed by a person, and what of it is a change.

Stored text may hold characters that do not show, or that an input would lose. In a field each of them is a visible
*stand-in* of one cell, and becomes itself again when it is saved, so that no character changes unseen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from memview.memory.looking import FactDetail
from memview.text import is_hostile, visible

LONGEST = 200_000
"""Up to how many characters a text can be edited in place; of a longer one the beginning can be read."""
BEGINNING = 20_000
"""How many characters of a text that is too long are shown."""


class StandIns:
    """Visible characters in place of those of some texts that would not show.

    Args:
        text: a stored text for a field of several lines.
        lines: stored texts for fields of one line, in which line breaks and tabs need a stand-in too.
    """

    def __init__(self, text: str, lines: Iterable[str] = ()) -> None:
        listed = list(lines)
        in_text = set(_unseen(text))
        unseen = in_text.union(*(_unseen_on_a_line(line) for line in listed))
        pool = [char for char in _POOL if char not in set().union(text, *listed)]
        self.complete = len(unseen) <= len(pool)
        """False when there are more kinds of such characters than stand-ins; then the texts cannot be edited."""
        self._to = {ord(char): stand_in for char, stand_in in zip(sorted(unseen), pool, strict=False)}
        self._in_text = {code: stand_in for code, stand_in in self._to.items() if chr(code) in in_text}
        self._back = {ord(stand_in): chr(code) for code, stand_in in self._to.items()}

    def show(self, text: str) -> str:
        """The stored text as a field of several lines holds it."""
        return text.translate(self._in_text) if self._in_text else text

    def show_line(self, text: str) -> str:
        """A stored text as a field of one line holds it."""
        return text.translate(self._to) if self._to else text

    def store(self, text: str) -> str:
        """What a field holds as it is stored."""
        return text.translate(self._back) if self._back else text

    def legend(self) -> str:
        """Which stand-in means what; empty when there are none."""
        return "  ".join(f"{stand_in} is {_named(chr(code))}" for code, stand_in in self._to.items())


_POOL = "■□▲▼►◄◊○●◘◙◦☼←↑→↓≈≡∞∩∫√∆∏∑∂§¶¤"
"""Signs that nearly every font has, in one cell."""


def _unseen(text: str) -> Iterator[str]:
    """The characters that a field of several lines would hide or lose."""
    if "\r" in text and not text.count("\r\n") == text.count("\n") == text.count("\r"):
        yield "\r"
    if is_hostile(text):
        yield from (char for char in set(text) if char != "\r" and is_hostile(char))


def _unseen_on_a_line(text: str) -> Iterator[str]:
    """The characters that a field of one line would hide or lose."""
    yield from set(text) & {"\n", "\t", "\r"}
    yield from _unseen(text)


def _named(char: str) -> str:
    return {"\n": "a line break", "\t": "a tab", "\r": r"\r"}.get(char, visible(char))


SHORT = ("category", "tags", "importance", "confidentiality", "metadata")
"""The fields of one line, in their order."""
_LEVELS = ("public", "internal", "confidential", "restricted")


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the fields, already with the stored characters in place of stand-ins."""

    content: str
    category: str
    tags: str
    importance: str
    confidentiality: str = "public"
    metadata: str = "{}"


BLANK = Draft("", "", "", "5")
"""The fields of a fact that is not written yet."""


def draft_of(detail: FactDetail) -> Draft:
    """What the fields hold before anything is typed."""
    return Draft(
        detail.content,
        detail.row.category,
        tags_text(detail.tags),
        f"{detail.row.importance:g}",
        detail.confidentiality,
        json.dumps(detail.metadata, ensure_ascii=False) if detail.metadata else "{}",
    )


def changes(base: Draft, draft: Draft) -> dict[str, Any]:
    """The columns that a draft without `problems` changes, with their new values; a field left alone is none."""
    return {name: value(draft, name) for name in touched(base, draft)}


def touched(base: Draft, draft: Draft) -> list[str]:
    """The fields that say something else than before; in those of one line blanks at the ends do not count."""
    short = [name for name in SHORT if getattr(draft, name).strip() != getattr(base, name).strip()]
    return short if draft.content == base.content else ["content", *short]


def merged(base: Draft, mine: Draft, theirs: Draft) -> Draft:
    """Theirs, with what I touched as I have it; two texts that differ one below the other, mine first."""
    both = replace(theirs, **{name: getattr(mine, name) for name in touched(base, mine)})
    if both.content != theirs.content:
        both = replace(both, content=f"{mine.content}\n\n{theirs.content}")
    return both


def value(draft: Draft, name: str) -> Any:
    """What a field says, as it is stored."""
    text: str = getattr(draft, name)
    return text if name == "content" else _READ[name](text.strip())


_READ: dict[str, Callable[[str], Any]] = {
    "category": lambda text: text or None,
    "tags": lambda text: tags_of(text),
    "importance": int,
    "confidentiality": str.lower,
    "metadata": lambda text: json.loads(text or "{}"),
}


def problems(base: Draft, draft: Draft) -> dict[str, str]:
    """What cannot be saved, in plain words, by field. What was stored is no problem while it is left alone."""
    new = touched(base, draft)
    return {name: sentence for name, sentence in _checked(draft) if name in new}


def _checked(draft: Draft) -> Iterator[tuple[str, str]]:
    if not draft.content.strip():
        yield "content", "A fact needs some text. To let go of it, close and press d."
    if draft.importance.strip() not in _IMPORTANCES:
        yield "importance", "Importance is a whole number from 1 to 10."
    if draft.confidentiality.strip().lower() not in _LEVELS:
        yield "confidentiality", f"Confidentiality is one of {', '.join(_LEVELS)}."
    if not is_object(draft.metadata):
        yield "metadata", 'Metadata is a JSON object, such as {"ticket": "OPS-7"}.'


def is_object(text: str) -> bool:
    """Whether a text is a JSON object; an empty one stands for none."""
    try:
        return not text.strip() or isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


_IMPORTANCES = {str(number) for number in range(1, 11)}


def tags_text(tags: Iterable[str]) -> str:
    """Tags in one field: ``deploy, ops``; those that would not be read back as they are stand in quotes."""
    listed = [tag if _PLAIN.fullmatch(tag) else '"' + tag.replace('"', '""') + '"' for tag in tags]
    text = ", ".join(listed)
    return text + "," if len(listed) == 1 and " " in text else text


def tags_of(text: str) -> list[str]:
    """The tags of a field, parted by commas or, where there is none, by blanks; each once.

    >>> tags_of("deploy, ops team")
    ['deploy', 'ops team']
    >>> tags_of("deploy ops")
    ['deploy', 'ops']
    """
    if "," not in text and '"' not in text:
        return list(dict.fromkeys(text.split()))
    parts = [
        part[2].strip() if part[1] is None else part[1].replace('""', '"')
        for part in _TAG.finditer(text)
        if part[1] is not None or part[2].strip()
    ]
    return list(dict.fromkeys(parts))


_PLAIN = re.compile(r'[^\s,"](?:[^\s,"]| (?=[^\s,"]))*')
"""A tag that needs no quotes."""
_TAG = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)')
