"""Setting aside what a prune screen lists, once the person agrees."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from memview.app import prune_lines, pruning
from memview.app.editing import Outcome
from memview.app.headlines import place
from memview.app.many import GivenUp
from memview.app.pruning import SAMPLES, Seen, Stand
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice
from memview.memory import looking
from memview.memory.looking import FactRow
from memview.review.prune import Preview, arrived

if TYPE_CHECKING:
    from memview.app.screens.prune import PruneScreen


class PruneAll:
    """Asks, prunes in one step, and can be stopped.

    Args:
        screen: what lists the facts.
    """

    def __init__(self, screen: PruneScreen) -> None:
        self._screen = screen
        self._stop: threading.Event | None = None

    @property
    def going(self) -> bool:
        """Whether it is under way."""
        return self._stop is not None

    def stop(self) -> None:
        """Give it up; nothing of it is kept."""
        if self._stop is not None:
            self._stop.set()
            self._screen.say("stopping", "$text-muted")

    def ask(self) -> None:
        """Ask whether to set aside all that are listed and not left out."""
        screen, seen = self._screen, self._screen.seen
        if seen is None:
            return
        left, found = screen.left, seen.preview.without(screen.left)
        first = [n for n in seen.keys if n not in screen.left][:SAMPLES]

        def show(rows: dict[int, FactRow]) -> None:
            if screen.seen is not seen or screen.left is not left:  # something else was asked for meanwhile
                screen.run("prune.all")
                return
            sentence, notes = pruning.question(found, place(screen.scope), screen.later)
            shown, count = [rows[n] for n in first if n in rows], len(found.would)
            body = prune_lines.samples(shown, count, notes, screen.app.size.width)
            screen.app.push_screen(MessageScreen(sentence, [Choice("y", f"prune {count:,}")], body=body), answered)

        def answered(answer: str | None) -> None:
            if answer == "y" and screen.seen is seen:
                self._prune(seen, found)

        screen.read(lambda raw: looking.fact_rows(raw, first), show, slot="question")

    def _prune(self, seen: Seen, found: Preview) -> None:
        """Set them aside, in one step that can be stopped."""
        screen, stop = self._screen, threading.Event()
        self._stop, aims = stop, found.would

        def progress(done: int) -> None:
            if stop.is_set():
                raise GivenUp
            screen.app.call_from_thread(self._say_how_far, done, len(aims))

        def work() -> Outcome:
            try:
                progress(0)
                done = screen.desk.editing.selection(aims).prune(progress)
            except GivenUp:
                return Outcome("stopped · nothing was changed")
            later = screen.desk.many.read(lambda raw: arrived(raw, seen.preview))  # nothing interrupts it there
            sentence = pruning.done(done, later)
            screen.ended = Stand(frozenset(aim.n for aim in aims), sentence)
            return Outcome(sentence)

        screen.act(work, self._over)

    def _say_how_far(self, done: int, of: int) -> None:
        if self._stop is not None and not self._stop.is_set():
            self._screen.say(f"{done:,} of {of:,} · Esc stops and changes nothing", "$text-muted")

    def _over(self, done: bool) -> None:
        self._stop = None
