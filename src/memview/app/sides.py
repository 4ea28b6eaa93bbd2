"""Two texts side by side, with what differs lit in each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from textual.content import Content

from memview.text import cut, visible

COMPARED = 8_000
"""Characters up to which two texts are compared word by word; of longer ones the beginnings are shown."""
LIT = "bold underline"
"""How a word looks that the other side has not."""
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def sides(one: str, other: str) -> tuple[Content, Content]:
    """Both texts, safe to show, each with what the other has not lit."""
    texts = [cut(visible(text[: 2 * COMPARED]), COMPARED) for text in (one, other)]
    left, right = (_WORD.findall(text) for text in texts)
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return (
        Content.assemble(*_lit(left, [(code[0], code[1], code[2]) for code in codes])),
        Content.assemble(*_lit(right, [(code[0], code[3], code[4]) for code in codes])),
    )


def _lit(words: list[str], stretches: list[tuple[str, int, int]]) -> Iterator[tuple[str, str]]:
    for tag, start, end in stretches:
        stretch = "".join(words[start:end])
        if stretch:
            yield stretch, "" if tag == "equal" or not stretch.strip() else LIT
