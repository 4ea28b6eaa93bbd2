"""Light rows of the store as rows of the list."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from memview.app.widgets.record_row import ListRow, shown_text
from memview.clock import ago, stored
from memview.memory.looking import FactRow, TurnRow, effective_strength
from memview.memory.person import named
from memview.review.masking import beginning
from memview.review.secrets import has_secret
from memview.text import is_hostile

News = Literal["new", "changed"]

_SIGNS = {"new": "●", "changed": "~", "accepted": "✓", "superseded": "-", "pruned": "◦", "forgotten": "†"}
_WHOSE = {"assistant": "asst", "person": "you", "extraction": "asst"}

ANSWER = " ▸ "
"""Stands between what was asked and what was answered."""

GONE = "erased"
"""Says of a row that its record is no longer in the store."""


@dataclass(frozen=True, slots=True)
class Eye:
    """Who looks, when, and what they know of the rows they look at."""

    now: datetime
    me: str
    """The actor that is "you"."""
    kept: Collection[int] = frozenset()
    """Numbers of rows that stay though they no longer belong."""
    news: Mapping[int, News] = field(default_factory=dict)
    """What others wrote during this sitting, by number."""

    def fact(self, row: FactRow) -> ListRow:
        """A fact's row."""
        state = self._state(row)
        strength = effective_strength(row.strength, stored(row.last_accessed_at), self.now)
        shown = ListRow(
            row.n, beginning(row.content), _SIGNS.get(state, " "), state, flag=self._flag(row),
            who=named(row.agent, self.me), whose=_WHOSE.get(row.origin, row.origin),
            age=ago(stored(row.updated_at or row.created_at), self.now),
            strength=strength, struck=row.status == "superseded", version=row.version, id=row.id,
        )  # fmt: skip
        if row.n in self.kept:
            return replace(shown, dimmed=True, note=state if row.status != "active" else "no match")
        return shown

    def turn(self, row: TurnRow) -> ListRow:
        """A turn's row: what was asked and what was answered, in its session."""
        news = self.news.get(row.n, "")
        request, response = beginning(row.request), beginning(row.response)
        asked = shown_text(request)
        shown = ListRow(
            row.n, f"{request}{ANSWER}{response}" if response else request, _SIGNS.get(news, " "), news,
            flag=_warning(row.request, row.response) or " ", who=named(row.agent, self.me),
            age=ago(stored(row.at), self.now), group=row.session, aside=len(asked),
        )  # fmt: skip
        return replace(shown, dimmed=True, note="no match") if row.n in self.kept else shown

    def _state(self, row: FactRow) -> str:
        """The state of a fact in a word; empty for one about which there is nothing to say."""
        if row.status != "active":
            return row.status
        return self.news.get(row.n, "accepted" if row.accepted else "")

    def _flag(self, row: FactRow) -> str:
        """The sign of what one should know of a fact: a secret, hostile characters, pinned."""
        return _warning(row.content) or ("^" if row.pinned else " ")


def repeated(row: ListRow) -> ListRow:
    """The row of a fact that says what another one says; what is more pressing to know of it stays."""
    return replace(row, flag="=") if row.flag == " " else row


def forgotten(row: ListRow) -> ListRow:
    """The row of a fact that is about to be forgotten."""
    return replace(row, state=_SIGNS["forgotten"], state_name="forgotten", note="forgotten", dimmed=True)


def gone(key: int) -> ListRow:
    """The row of a record that is no longer in the store."""
    return ListRow(key, "", dimmed=True, note=GONE)


def _warning(*texts: str) -> str:
    """The sign of what is dangerous in some texts; empty where nothing is."""
    if any(map(has_secret, texts)):
        return "!"
    return "?" if any(map(is_hostile, texts)) else ""
