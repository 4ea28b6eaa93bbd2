"""A text that is drawn only when it changed, for a screen that is told of every write of an agent."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Steady(Static):
    """Shows lines; the same lines again cost nothing, and others of the same height no new layout."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._told = Content()

    def tell(self, said: Content) -> None:
        """Show these lines."""
        before, self._told = self._told, said
        if (before.plain, before.spans) != (said.plain, said.spans):
            self.update(said, layout=not self._as_high(before, said))

    def _as_high(self, before: Content, after: Content) -> bool:
        """Whether two texts take the same lines here, as far as that is seen without wrapping them."""
        fit = all(line.cell_length <= self.content_size.width for text in (before, after) for line in text.split())
        return fit and before.plain.count("\n") == after.plain.count("\n")
