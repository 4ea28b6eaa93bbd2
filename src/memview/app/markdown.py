"""A light reading of Markdown, line by line: what is marked up is drawn so, and what makes no sense stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content, Span

from memview.memory.looking import Matcher

_HEADING = re.compile(r"#{1,6}[ \t]+(\S.*)")
_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(\S.*)")
_QUOTE = re.compile(r" {0,3}>[ \t]?(.*)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[^`]*")
_MARKED = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?=\S)(?P<bold>[^*]+)(?<=\S)\*\*"
    r"|(?<![\w*])\*(?=\S)(?P<italic>[^*]+)(?<=\S)\*(?![\w*])"
)
_DEEPEST = 12
"""Cells by which an item is set in at most."""


@dataclass(frozen=True, slots=True)
class Block:
    """A line of the text, ready to be wrapped."""

    content: Content
    label: str = ""
    """Stands before the first line; the others are set in as far."""
    indent: int = 0
    """Cells before every line."""


def blocks(text: str, matcher: Matcher | None = None) -> Iterator[Block]:
    """The lines of a text with their markup read: headings, items, quotes, fenced code; bold, italic and code in them.

    Args:
        text: safe to show.
        matcher: finds what answers the search, in what is shown.
    """
    lines = text.split("\n")
    fence, endless = "", set[str]()
    for place, line in enumerate(lines):
        if fence:
            if _closes(line, fence):
                fence = ""
            else:
                yield Block(_lit(Content.styled(line, "code"), matcher), indent=2)
            continue
        opening = _FENCE.fullmatch(line)
        if opening and opening[1] not in endless:
            if any(_closes(later, opening[1]) for later in lines[place + 1 :]):
                fence = opening[1]
                continue
            endless.add(opening[1])
        yield _block(line, matcher)


def _closes(line: str, fence: str) -> bool:
    """Whether a line ends the code that a fence began."""
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def _block(line: str, matcher: Matcher | None) -> Block:
    """A line that is no code."""
    if heading := _HEADING.fullmatch(line):
        return Block(_lit(inline(heading[1], "title"), matcher))
    if item := _ITEM.fullmatch(line):
        sign = "•" if item[2] in "-*+" else item[2]
        return Block(_lit(inline(item[3]), matcher), f"{sign} ", min(len(item[1].expandtabs(4)), _DEEPEST))
    if quote := _QUOTE.fullmatch(line):
        return Block(_lit(inline(quote[1], "muted"), matcher), "│ ")
    return Block(_lit(inline(line), matcher))


def inline(text: str, base: str = "text") -> Content:
    """A line with bold, italic and code drawn as such; marks that are not closed stay."""
    plain, spans, end = "", [], 0
    for found in _MARKED.finditer(text):
        plain += text[end : found.start()]
        style = found.lastgroup or base
        spans.append(Span(len(plain), len(plain) + len(found[style]), style))
        plain += found[style]
        end = found.end()
    plain += text[end:]
    return Content(plain, spans=[Span(0, len(plain), base), *spans])


def _lit(content: Content, matcher: Matcher | None) -> Content:
    """A line with what answers the search lit."""
    found = matcher.spans(content.plain) if matcher is not None else ()
    return Content(content.plain, spans=[*content.spans, *(Span(begin, end, "match") for begin, end in found)])
