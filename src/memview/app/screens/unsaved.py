"""What is typed into an editor and not saved: kept while typing, and offered again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer

from memview import clock as clocks
from memview.app.drafts import Draft
from memview.app.editing import Outcome
from memview.app.keeping import Keeper, Kept
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice
from memview.review.secrets import mask
from memview.text import visible

KEEP_AFTER = 0.3
"""Seconds without a key after which a draft is kept."""

TOO_SOON = 0.3
"""Seconds for which the question takes no answer, since somebody may be typing already."""

_CHOICES = (Choice("u", "use it"), Choice("d", "discard it"), Choice("escape", "not now"))


class Unsaved:
    """Keeps the draft of an editor.

    Args:
        screen: the editor; its workers touch the disk, in the groups ``keep`` and ``load``.
        keeper: keeps it; None keeps nothing.
        clock: tells the time.
    """

    def __init__(self, screen: ModalScreen[Outcome | None], keeper: Keeper | None, clock: clocks.Clock) -> None:
        self._screen = screen
        self._keeper = keeper
        self._clock = clock
        self._rest: Timer | None = None
        self._begun = False
        """Whether anything was typed: until then an earlier draft stays."""
        self._work: Callable[[], None] | None = None
        self._newest: Callable[[], None] | None = None
        """What was to be done last with the draft: threads may come late."""
        self._lock = threading.Lock()
        self._open = keeper is not None
        """Whether it is open what becomes of an earlier draft: until then that one stays, and none is kept."""
        self._typed: tuple[Draft, Draft, int | None] | None = None
        """What is to be kept once that is decided."""

    def look(self) -> None:
        """Read an earlier draft."""
        load = self._keeper.load if self._keeper is not None else lambda: None
        self._screen.run_worker(load, thread=True, exit_on_error=False, group="load")

    def soon(self, base: Draft, draft: Draft, version: int | None) -> None:
        """Keep a draft once the typing rests; forget it where nothing differs any more."""
        if self._open:
            self._typed = (base, draft, version)
            return
        if self._keeper is None or (draft == base and not self._begun):
            return
        self._begun = True
        self._work = self._keeper.drop if draft == base else partial(self._keeper.keep, base, draft, version)
        if self._rest is not None:
            self._rest.stop()
        self._rest = self._screen.set_timer(KEEP_AFTER, self._keep)

    def _keep(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            self._screen.run_worker(self._unless_late(work), thread=True, exit_on_error=False, group="keep")

    def _unless_late(self, work: Callable[[], None]) -> Callable[[], None]:
        """Something to be done with the draft, unless a newer one is to be kept by then."""
        self._newest = work

        def done() -> None:
            with self._lock:
                if self._newest is work:
                    work()

        return done

    def flush(self) -> None:
        """Keep at once what still waits to be kept."""
        work, self._work = self._work, None
        if work is not None:
            self._unless_late(work)()

    def decided(self) -> None:
        """Keep what is typed from now on, and what was typed already: no earlier draft is left to decide on."""
        typed, self._typed, self._open = self._typed, None, False
        if typed is not None:
            self.soon(*typed)

    def close(self, *, earlier: bool = False) -> None:
        """Forget the draft, and keep none from now on.

        Args:
            earlier: also one from before that was not decided on.
        """
        self._work = self._typed = None
        if self._keeper is not None and (earlier or not self._open):
            self._keeper.close()

    def offer(self, kept: Kept, use: Callable[[Kept], None], leave: Callable[[], object]) -> None:
        """Ask what is to become of an earlier draft.

        Args:
            kept: the draft.
            use: goes on with it.
            leave: leaves it for another time.
        """

        def decided(key: str | None) -> None:
            if key is not None and time.monotonic() - asked < TOO_SOON:  # typed for the editor, not for the question
                self.offer(kept, use, leave)
            elif key == "u":
                self._typed = None
                self.decided()
                use(kept)
            elif key == "d" and self._keeper is not None:
                self._keeper.drop()
                self.decided()
            else:
                leave()

        age = clocks.ago(kept.at, self._clock())
        when = "just now" if age == "now" else f"{age} ago"
        body = [Content(visible(mask(kept.draft.content)[:2_000]))]
        question = MessageScreen(f"There is an unsaved draft from {when}.", _CHOICES, body=body)
        asked = time.monotonic()
        self._screen.app.push_screen(question, decided)
