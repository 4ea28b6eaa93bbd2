"""What of a screen is drawn anew: the widgets and lines that changed, and no others."""

from __future__ import annotations

from collections.abc import Iterable

from textual._compositor import ChopsUpdate, Compositor
from textual.geometry import Region
from textual.strip import Strip


class SparingCompositor(Compositor):
    """Puts a screen together as Textual does; where a part changed, it asks only widgets that are seen there.

    Textual asks each widget within a rectangle around all changes for all its lines, and leaves out afterwards what
    did not change: a letter at the top and a count at the bottom are the whole screen.
    """

    _changed: tuple[Region, ...] = ()

    def render_partial_update(self) -> ChopsUpdate | None:
        """Draw what changed."""
        self._changed = tuple(self._dirty_regions)
        try:
            return super().render_partial_update()
        finally:
            self._changed = ()

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        """The lines of the widgets that are seen in what changed, each with its place and the part that is seen."""
        if not self._changed:
            yield from super()._get_renders(crop)
            return
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            parts = [part for changed in self._changed if (part := seen.intersection(changed))]
            if parts:
                top, bottom = min(part.y for part in parts), max(part.bottom for part in parts)
                lines = Region(seen.x, top, seen.width, bottom - top)
                yield region, lines, widget.render_lines(lines.translate((-region.x, -region.y)))
