"""The values that Tab offers for the operators of the search line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memview.app.loader import Loader


class Known:
    """Knows what the operators of a search may be followed by.

    Args:
        loader: reads the values, off the screen's thread.
    """

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._values: Mapping[str, Sequence[str]] = {}
        self.spaces: list[str | None] = []
        """The names of the namespaces."""

    def refresh(self) -> None:
        """Have the values read again, if anything changed."""
        self._loader.values(self._take)

    def values(self, operator: str) -> Sequence[str]:
        """The values of an operator as far as they are known; what is new by now is there for the next time."""
        self.refresh()
        return [name for name in self.spaces if name] if operator == "ns" else self._values.get(operator, ())

    def _take(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = values
