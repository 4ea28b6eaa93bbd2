"""The turns that a fact came from, over the screen that one is on."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice
from memview.memory.looking import Source
from memview.review.secrets import mask
from memview.text import one_line, visible

_SOME = 5
"""Turns that are shown."""
_LONGEST = 2_000
"""Characters of a side of a turn that are shown."""


class OriginScreen(MessageScreen):
    """Shows turns; the answer is the id of the first, to go there, or None.

    Args:
        sources: the turns, none of which is gone.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        body: list[Content] = []
        for source in sources[:_SOME]:
            if (turn := source.turn) is None:
                continue
            body += [Content()] if body else []
            body.append(Content.styled(f"{one_line(turn.session, 40)} turn {source.place}", "bold"))
            for who, text in (("user", turn.request), ("assistant", turn.response)):
                said = visible(mask(text)[:_LONGEST])
                body.append(Content.assemble((f"{who}  ", "$text-muted"), said))
        super().__init__("Where it comes from", (Choice("enter", "go there"), Choice("escape", "stay")), body=body)
        self._first = sources[0].id

    def _choose(self, key: str) -> None:
        if key == "enter":
            self.dismiss(self._first)
        elif key == "escape":
            self.dismiss(None)
