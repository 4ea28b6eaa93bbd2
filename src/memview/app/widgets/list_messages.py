"""What a record list says to its owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.geometry import Offset
from textual.message import Message

if TYPE_CHECKING:
    from memview.app.widgets.record_list import RecordList


@dataclass(eq=False)
class ListMessage(Message):
    """What all messages of a list share."""

    list: RecordList
    """The list that posted it."""

    @property
    def control(self) -> RecordList:
        """The list that posted it, for selectors."""
        return self.list


@dataclass(eq=False)
class PageWanted(ListMessage):
    """Rows in or near view are missing; answer with `RecordList.put_rows`."""

    question: int
    """The number of this question; hand it back."""
    keys: list[int]
    """Numbers of the records."""


@dataclass(eq=False)
class CursorMoved(ListMessage):
    """The cursor is on another record, or its record is in another place."""

    key: int | None
    """The record under the cursor; None when the list is empty."""
    index: int
    """Its place in the list, from 0."""

    def can_replace(self, message: Message) -> bool:
        """Only where the cursor came to rest matters."""
        return isinstance(message, CursorMoved) and message.list is self.list


@dataclass(eq=False)
class Opened(ListMessage):
    """A row was double-clicked."""

    key: int
    """The record."""


@dataclass(eq=False)
class MarkToggled(ListMessage):
    """The mark column of a row was clicked."""

    key: int
    """The record."""


@dataclass(eq=False)
class MenuWanted(ListMessage):
    """A row was clicked with the right button; the cursor is on it."""

    key: int
    """The record."""
    at: Offset
    """The place of the pointer on the screen."""
