"""The searches of this sitting, to come back to. They are written nowhere."""

from __future__ import annotations

MOST = 200
"""How many are kept."""


class Earlier:
    """Goes back and forth among earlier searches, as a shell does among its lines; what was being typed comes last."""

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._at: int | None = None
        self._typed = ""

    def keep(self, text: str) -> None:
        """Note a search, as the newest."""
        self._at = None
        if text.strip():
            self._kept = [*(kept for kept in self._kept if kept != text), text][-MOST:]

    def typed(self) -> None:
        """Something was typed: the next step back is to the newest again."""
        self._at = None

    def step(self, by: int, now: str) -> str | None:
        """The search before (-1) or after (1) the one shown.

        Args:
            by: which way.
            now: what is shown.

        Returns:
            It, or None where there is no more.
        """
        at = len(self._kept) if self._at is None else self._at
        if self._at is None:
            self._typed = now
        at += by
        while 0 <= at < len(self._kept) and self._kept[at] == now:
            at += by
        if not 0 <= at <= len(self._kept) or (at == len(self._kept) and self._at is None):
            return None
        self._at = at if at < len(self._kept) else None
        return self._typed if self._at is None else self._kept[at]
