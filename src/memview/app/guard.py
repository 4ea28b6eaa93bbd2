"""The second guard against hostile text: nothing that a terminal obeys leaves the screen.

The first guard is `memview.text.visible`, where a text enters. This one stands at the exit, for whatever passed it by.
"""

from __future__ import annotations

import re

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_OBEYED = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_obeyed = re.compile(f"[{_OBEYED}]")


class ControlGuard(LineFilter):
    """Drops control and direction-changing characters from every line drawn.

    They are zero cells wide to Textual, so a line keeps its width without them. Links with such characters in their
    target lose the target. An App returns one of these last from ``get_line_filters``.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments without what a terminal would obey.

        Args:
            segments: what is about to be drawn, one line of it.
            background: of no concern here.
        """
        return [Segment(_obeyed.sub("", text), _plain_link(style)) for text, style, _ in segments]


def _plain_link(style: Style | None) -> Style | None:
    """The style, without its link if a terminal would obey a part of it."""
    if style is not None and style.link and _obeyed.search(style.link):
        return style.update_link(None)
    return style
