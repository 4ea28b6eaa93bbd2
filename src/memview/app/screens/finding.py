"""What a screen does that has first to find what it shows: in a thread, with progress, until Esc stops it."""

from __future__ import annotations

import threading
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Generic

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from memview.app import messages
from memview.app.comparing import Queue, T
from memview.app.desk import Desk
from memview.app.scope import Scope
from memview.app.screens.reviewing import ReviewScreen
from memview.errors import MemviewError
from memview.memory.looking import Query
from memview.review.progress import Progress


class FindingScreen(ReviewScreen, Generic[T]):
    """Finds groups of facts; a screen of this kind has a place ``#finding`` for how far that is.

    Args:
        desk: the store.
        scope: which namespaces are looked at.
    """

    FINDING = ("compared", "stops and shows what was found")
    """What the search does, and what Esc does meanwhile."""
    DOING = ("merged", "gives up and changes nothing")
    """The same of work on many of them."""

    @dataclass
    class Told(Message, bubble=False):
        """How far the search is."""

        done: int
        total: int

        def can_replace(self, message: Message) -> bool:
            """Later ones say more."""
            return isinstance(message, FindingScreen.Told)

    @dataclass
    class Found(Message, bubble=False):
        """The search is over."""

        search: threading.Event
        """What would have stopped it."""
        items: list[Any]
        compared: int
        complete: bool

    def __init__(self, desk: Desk, scope: Scope | None = None) -> None:
        super().__init__(desk)
        self.scope = scope or Scope()
        self.queue: Queue[T] = Queue()
        self.compared = 0
        """How many facts were compared."""
        self.complete = True
        """Whether all were."""
        self._stop: threading.Event | None = None
        """Set, it stops the work under way; None where none is."""

    # What each says

    @abstractmethod
    def find(self, query: Query, progress: Progress) -> tuple[list[T], int, bool]:
        """Find what there is to decide, in a thread: that, how many facts were compared, whether all were."""

    @abstractmethod
    def headline(self) -> tuple[list[Content], list[Content]]:
        """The first line: what follows the way back, and what stands at the right."""

    @abstractmethod
    def forget_seen(self) -> None:
        """Let go of what is shown."""

    def on_mount(self) -> None:
        """Begin to search."""
        self.search()

    def on_unmount(self) -> None:
        """Stop the search."""
        self._halt()

    def _halt(self) -> bool:
        """Stop a search; whether one was under way."""
        stop, self._stop = self._stop, None
        if stop is not None:
            stop.set()
        return stop is not None

    def step_back(self) -> None:
        """Stop the search, else close."""
        if self._stop is not None and not self._stop.is_set():
            self._stop.set()
        else:
            self.dismiss(None)

    # Finding

    def search(self) -> None:
        """Find what there is to decide."""
        self._halt()
        stop = self._stop = threading.Event()
        self.queue = Queue()
        self.forget_seen()
        self.say_finding(Content("…"))
        query = self.scope.narrow(Query())

        def progress(done: int, total: int) -> bool:
            self.post_message(self.Told(done, total))
            return not stop.is_set()

        def work() -> None:
            try:
                found = self.find(query, progress)
            except MemviewError as error:
                self.post_message(messages.failed(error, self.desk.path))
            else:
                self.post_message(self.Found(stop, *found))

        self.run_worker(work, thread=True, exit_on_error=False, group="finding")

    @on(Told)
    def _told(self, message: Told) -> None:
        if self._stop is not None:
            verb, stops = self.DOING if self.queue.items else self.FINDING
            done = f"{verb} {message.done:,} of {message.total:,}" if message.total else "…"
            self.say_finding(Content.assemble(done, (f" · Esc {stops}", "$text-muted")))

    @on(Found)
    def _found(self, message: Found) -> None:
        if message.search is not self._stop:  # another search was begun meanwhile
            return
        self._stop = None
        self.queue = Queue(message.items)
        self.compared, self.complete = message.compared, message.complete
        self.forget_seen()
        self.reload()

    def say_finding(self, said: Content) -> None:
        """Say something in the place of what was found."""
        self.set_class(True, "-empty")
        self.query_one("#finding", Static).update(said)
        self.head(*self.headline())
