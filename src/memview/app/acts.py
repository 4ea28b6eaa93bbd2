"""What a person does to a record: each act runs in a thread, one after the other, and its outcome is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from textual.app import App
from textual.message import Message
from textual.worker import Worker

from memview.app.messages import Failed, Said, Wrote, failed
from memview.errors import BusyStore, MemviewError, NotFound

if TYPE_CHECKING:
    from memview.app.editing import Editing, Outcome
    from memview.app.loader import Loader
    from memview.memory.looking import FactRow

LONG = 2.0
"""Seconds after which an act that is not done is said to be under way, and again after as many."""

Told = Callable[[Wrote | Failed], object]
"""Takes what became of an act."""


class Acts:
    """Runs acts in the order in which they were asked for.

    Args:
        app: runs the threads.
        editing: writes.
        loader: reads the record that is meant.
        post: takes the outcomes, as `Wrote` or `Failed`.
        check: notices what is new in the store; called from the thread before and after a write.
    """

    def __init__(
        self,
        app: App[int],
        editing: Editing,
        loader: Loader,
        post: Callable[[Message], object],
        check: Callable[[], None],
    ) -> None:
        self._app = app
        self._post = post
        self._editing = editing
        self._loader = loader
        self._check = check
        self._turn = asyncio.Lock()
        self._pending = 0
        self._then: Callable[[], object] | None = None

    def on_fact(
        self,
        key: int,
        act: Callable[[Editing, FactRow], Outcome],
        known: Callable[[bool], object] | None = None,
        *,
        id: str = "",
    ) -> None:
        """Do something to the fact of a number, as it is when its turn comes.

        Args:
            key: the number.
            act: does it, in a thread.
            known: told whether it could be done, once that is known.
            id: the id that was seen with the number: in another file that took the store's place the number may be
                that of another fact, which is left alone. Empty where it was not seen.
        """

        def work() -> Outcome:
            fact = self._loader.fact(key)
            if fact is None or id not in ("", fact.id):
                raise NotFound("This fact is no longer in the store.")
            return act(self._editing, fact)

        def told(outcome: Wrote | Failed) -> None:
            if known is not None:
                known(isinstance(outcome, Wrote))
            if isinstance(outcome, Failed) and isinstance(outcome.error, BusyStore):
                outcome = replace(outcome, hint="Nothing was changed; try again.")
            self._post(outcome)

        self.run(work, told)

    def run(self, work: Callable[[], Outcome], told: Told | None = None) -> None:
        """Do something that waits for the file.

        Args:
            work: does it, in a thread.
            told: takes the outcome, for a screen that tells it by itself.
        """
        self._pending += 1
        job: Worker[None] = self._app.run_worker(
            partial(self._run, work, told or self._post), exit_on_error=False, group="acts"
        )
        del job

    def when_done(self, then: Callable[[], object]) -> None:
        """Call a function once all acts are done; at once if none is under way."""
        if self._pending:
            self._then = then
        else:
            then()

    async def _run(self, work: Callable[[], Outcome], told: Told) -> None:
        try:
            async with self._turn:
                outcome = await self._outcome_of(work)
            told(outcome)
        finally:
            self._pending -= 1
            if self._then is not None:
                self.when_done(self._then)

    async def _outcome_of(self, work: Callable[[], Outcome]) -> Wrote | Failed:
        """Do it in a thread; where that takes long, say so meanwhile."""
        ticks, over = count(1), False

        def lasts() -> None:
            if not over:  # a tick may still be under way when the act has ended
                self._post(Said(f"working on it · {LONG * next(ticks):.0f} s"))

        timer = self._app.set_interval(LONG, lasts)
        try:
            return await asyncio.to_thread(self._outcome, work)
        finally:
            over = True
            timer.stop()
            if next(ticks) > 1:
                self._post(Said(""))

    def _outcome(self, work: Callable[[], Outcome]) -> Wrote | Failed:
        """Do it, and say how it went."""
        try:
            self._check()
            outcome = work()
            self._check()
        except MemviewError as error:
            return failed(error, self._editing.path)
        except Exception as error:
            return Failed("That could not be done.", str(error), error)
        return Wrote(outcome.sentence, outcome.records)
