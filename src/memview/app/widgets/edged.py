"""Lines with the same around each of them: a border and a padding are worked out once, not for each line drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual._styles_cache import StylesCache
from textual.css.styles import StylesBase
from textual.geometry import Size
from textual.strip import Strip

_SAYING = Style(color="#010203", bgcolor="#030201")
"""How a line looks while it is found out what stands around it: as no other does."""

_Edges = tuple[list[Segment], list[Segment]]
"""What stands at the left and at the right of each line."""


class EdgedLines(StylesCache):
    """Draws the lines of a widget as Textual does; what stands at their ends it asks for once, until the look changes.

    Where more than their ends is changed (a tint, an opacity) each line is left to Textual.

    Args:
        paint: draws what a line says, by its place below what stands above.
    """

    def __init__(self, paint: Callable[[int], Strip]) -> None:
        super().__init__()
        self._paint = paint
        self._edges: dict[int, _Edges | None] = {}
        """By the cells that a line takes itself; None where not only its ends are drawn."""

    def clear(self) -> None:
        """Forget what was drawn: the widget looks otherwise, or is to be drawn anew."""
        super().clear()
        self._edges.clear()

    def render_line(
        self,
        styles: StylesBase,
        y: int,
        size: Size,
        content_size: Size,
        padding: Any,
        base_background: Any,
        background: Any,
        render_content_line: Callable[[int], Strip],
        *others: Any,
    ) -> Strip:
        """Draw a line with what stands around it.

        For the arguments see `StylesCache.render_line`; ``render_content_line`` gives way to this one's own painter.
        """

        def drawn(content: Callable[[int], Strip]) -> Strip:
            return super(EdgedLines, self).render_line(
                styles, y, size, content_size, padding, base_background, background, content, *others
            )

        top = styles.gutter.top
        if not top <= y < top + content_size.height:
            return drawn(self._paint)
        line = self._paint(y - top)
        width = line.cell_length
        if width not in self._edges:
            self._edges[width] = _around(drawn(lambda _: Strip([_probe(width)])), _probe(width))
        edges = self._edges[width]
        if edges is None:
            return drawn(lambda _: line)
        before, after = edges
        return Strip([*before, *line, *after], size.width)


def _probe(width: int) -> Segment:
    """Stands for what a line says: a letter, and the blanks that some effects fill."""
    return Segment("x".ljust(width), _SAYING)


def _around(line: Strip, probe: Segment) -> _Edges | None:
    """What stands around a line that says nothing but the probe; None where the probe itself was changed."""
    segments = list(line)
    if probe not in segments:
        return None
    place = segments.index(probe)
    return segments[:place], segments[place + 1 :]
