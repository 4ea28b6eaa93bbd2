"""Marking facts on the browse screen."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from memview.app.headlines import plural
from memview.app.marking import Marks, Matched
from memview.app.messages import Failed, failed
from memview.app.widgets.pages import find
from memview.errors import MemviewError

if TYPE_CHECKING:
    from memview.app.many import Many
    from memview.app.screens.acting import Acting
    from memview.app.screens.browse import BrowseScreen

T = TypeVar("T")

NOTHING = array("q")


class Bulk:
    """Keeps the marks of a browse screen, and acts on them through `memview.app.screens.acting`.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self._range_of = 0
        """The question whose answer the open range lies in."""
        self.marks = Marks()
        self.actions: dict[str, Callable[[], object]] = {
            "mark": self._mark,
            "mark.range": self._range,
            "mark.all": self._all,
            "mark.again": self._again,
        }
        """What each command of marking does, by its id."""

    @property
    def _many(self) -> Many:
        return self._screen.desk.many

    @cached_property
    def acting(self) -> Acting:
        """What acts on marked facts."""
        from memview.app.screens.acting import Acting

        return Acting(self._screen, self)

    # Marks

    def toggle(self, number: int) -> None:
        """Mark the fact under the cursor, or take its mark off."""
        row = self._screen.list.cursor_row
        self.marks.toggle(number, row.version if row is not None else 0)
        self.marked()

    def clicked(self, number: int) -> None:
        """Mark the fact whose mark column was clicked, or take its mark off; turns carry no marks."""
        if self._screen.listing.view.tab == "facts":
            self.toggle(number)

    def _mark(self) -> None:
        screen = self._screen
        if screen.list.cursor_key is not None:
            self.toggle(screen.list.cursor_key)
            if screen.spot == "list":
                screen.list.cursor += 1

    def _range(self) -> None:
        screen = self._screen
        if self.marks.ranging:
            self.marks.end_range()
        elif screen.list.cursor_key is not None:
            self._range_of = screen.listing.generation
            self.marks.begin_range(screen.list.cursor_key)
        self.marked()

    def cursor_moved(self) -> None:
        """Take the open range along with the cursor."""
        if not self.marks.ranging:
            return
        screen, keys = self._screen, self._screen.list.keys
        begun = find(keys, self.marks.anchor, screen.list.cursor)
        if begun is None or screen.listing.generation != self._range_of:
            self.marks.end_range()
        else:
            first, last = sorted((begun, screen.list.cursor))
            self.marks.extend(keys[first : last + 1])
        self.marked()

    def _all(self) -> None:
        listing = self._screen.listing
        if listing.parsed.problems:
            self.note(f"mend the search first · {listing.parsed.problems[0].message}")
        elif not listing.answer.begun:
            self.note("the search is still under way")
        elif listing.answer.how != "all":
            self.note("nothing matches as typed, and * takes no guesses · space marks a row")
        else:
            query = listing.parsed.query

            def mark(versions: dict[int, int]) -> None:
                self.marks.add(versions, Matched(query, frozenset(versions)))
                self.marked()
                self.note(f"marked {plural(len(versions), 'fact')}, all that match now")

            self.read(lambda: self._many.matching(query), mark)

    def _again(self) -> None:
        numbers, matched = self.marks.last
        if not numbers:
            self.note("nothing was marked before")
            return

        def mark(versions: dict[int, int]) -> None:
            self.marks.add(versions, matched)
            self.marked()
            gone = len(numbers) - len(versions)
            left = f", {gone:,} no longer in the store" if gone else ""
            self.note(f"marked {plural(len(versions), 'fact')} again{left}")

        self.read(lambda: self._many.versions(list(numbers)), mark)

    def marked(self) -> None:
        """Show the marks as they are now, and read the versions that were not seen."""
        self._screen.around.show()
        unread = [] if self.marks.ranging else self.marks.unread
        if unread:
            self.read(lambda: self._many.versions(unread), self.marks.read, hold=False)

    def show(self) -> None:
        """Draw the marks in the list; they are for facts alone."""
        screen = self._screen
        shown = self.marks.numbers if screen.listing.view.tab == "facts" else frozenset()
        if screen.list.marks is not shown:
            screen.list.marks = shown

    def told(self) -> str:
        """The marks in words; empty where there are none."""
        listed = self._screen.list.keys if self._screen.listing.view.tab == "facts" else NOTHING
        return self.marks.told(listed)

    def stop_or_drop(self) -> bool:
        """Give up work that is under way, or drop the open range; whether there was either."""
        if "acting" in vars(self) and self.acting.stop():
            self.note("giving up")
        elif self.marks.ranging:
            self.marks.drop_range()
            self.marked()
        else:
            return False
        return True

    def clear(self) -> bool:
        """Let go of all marks; whether there were any."""
        count = len(self.marks)
        if count:
            self.marks.clear()
            self.marked()
            self.note("no marks · gv brings them back")
        return bool(count)

    def forget(self) -> None:
        """Know of no marks any more, before the same numbers come to mean other records."""
        self.marks = Marks()
        self.marked()

    # Within

    def read(
        self, work: Callable[[], T], then: Callable[[T], object], finish: Callable[[], object] = int, *,
        hold: bool = True,
    ) -> None:  # fmt: skip
        """Read something in a thread, and go on with it; keys that follow wait for that, if they are to be held."""

        async def reading() -> None:
            try:
                then(await asyncio.to_thread(work))
            except MemviewError as error:
                self._screen.post_message(failed(error, self._screen.desk.path))
            except Exception as error:
                self._screen.post_message(Failed("The store could not be read.", str(error), error))
            finally:
                finish()

        job: Awaitable[None] = reading()
        worker = self._screen.run_worker(job, exit_on_error=False, group="marks")
        if hold:
            self._screen.desk.opening(lambda: worker.is_finished, worker.cancel)

    def note(self, text: str) -> None:
        """Say something in the status."""
        self._screen.say(text, "$text-muted")
