"""Marking facts on the browse screen, and acting on all that are marked."""

from __future__ import annotations

import asyncio
import threading
from array import array
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from textual.content import Content

from memview.app.editing import Outcome
from memview.app.headlines import plural
from memview.app.many import Deed, GivenUp, Prospect, Verb, left_out, nothing_to_do
from memview.app.marking import Marks, Matched
from memview.app.messages import Failed, Said, failed
from memview.app.screens.message import MessageScreen
from memview.app.screens.tags import TagsScreen, Wanted
from memview.app.widgets.choices import Choice
from memview.app.widgets.pages import find
from memview.app.widgets.record_row import fit
from memview.errors import MemviewError
from memview.memory.looking import FactDetail
from memview.review import masking
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen

T = TypeVar("T")

NOTHING = array("q")
WORTH_TELLING = 1_000
"""Work on more facts than this says how far it is."""


class Bulk:
    """Keeps the marks of a browse screen and acts on them.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self._many = screen.desk.many
        self._range_of = 0
        """The question whose answer the open range lies in."""
        self._looking = False
        self._stop: threading.Event | None = None
        self.marks = Marks()
        self.actions: dict[str, Callable[[], object]] = {
            "mark": self._mark,
            "mark.range": self._range,
            "mark.all": self._all,
            "mark.again": self._again,
        }
        """What each command of marking does, by its id."""

    # Marks

    def toggle(self, number: int) -> None:
        """Mark the fact under the cursor, or take its mark off."""
        row = self._screen.list.cursor_row
        self.marks.toggle(number, row.version if row is not None else 0)
        self._marked()

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
        self._marked()

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
        self._marked()

    def _all(self) -> None:
        listing = self._screen.listing
        if listing.parsed.problems:
            self._note(f"mend the search first · {listing.parsed.problems[0].message}")
        elif not listing.answer.begun:
            self._note("the search is still under way")
        elif listing.answer.how != "all":
            self._note("nothing matches as typed, and * takes no guesses · space marks a row")
        else:
            query = listing.parsed.query

            def mark(versions: dict[int, int]) -> None:
                self.marks.add(versions, Matched(query, frozenset(versions)))
                self._marked()
                self._note(f"marked {plural(len(versions), 'fact')}, all that match now")

            self._read(lambda: self._many.matching(query), mark)

    def _again(self) -> None:
        numbers, matched = self.marks.last
        if not numbers:
            self._note("nothing was marked before")
            return

        def mark(versions: dict[int, int]) -> None:
            self.marks.add(versions, matched)
            self._marked()
            gone = len(numbers) - len(versions)
            left = f", {gone:,} no longer in the store" if gone else ""
            self._note(f"marked {plural(len(versions), 'fact')} again{left}")

        self._read(lambda: self._many.versions(list(numbers)), mark)

    def _marked(self) -> None:
        """Show the marks as they are now, and read the versions that were not seen."""
        self._screen.show_listing()
        unread = [] if self.marks.ranging else self.marks.unread
        if unread:
            self._read(lambda: self._many.versions(unread), self.marks.read, hold=False)

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
        if self._stop is not None and not self._stop.is_set():
            self._stop.set()
            self._note("giving up")
        elif self.marks.ranging:
            self.marks.drop_range()
            self._marked()
        else:
            return False
        return True

    def clear(self) -> bool:
        """Let go of all marks; whether there were any."""
        count = len(self.marks)
        if count:
            self.marks.clear()
            self._marked()
            self._note("no marks · gv brings them back")
        return bool(count)

    # Acting

    def act(self, verb: Verb) -> None:
        """Do something with all marked facts, once the person agrees."""
        self._consider(Deed(verb))

    def tags(self, with_fact: Callable[[Callable[[FactDetail], None]], None]) -> None:
        """Ask for tags, for the marked facts or for the one under the cursor."""
        if self.marks.numbers:
            self.marks.end_range()
            self._ask_tags(plural(len(self.marks), "fact"), [], None)
        else:
            with_fact(lambda fact: self._ask_tags(masking.line(fact.row.content, 50), fact.tags, fact))

    def _ask_tags(self, what: str, present: list[str], fact: FactDetail | None) -> None:
        def asked(wanted: Wanted | None) -> None:
            if wanted is not None:
                deed = Deed("tag", wanted.add, wanted.remove)
                self._consider(deed, None if fact is None else {fact.row.n: fact.row.version})

        self._screen.app.push_screen(TagsScreen(what, present, self._many.tags), asked)

    def _consider(self, deed: Deed, chosen: dict[int, int] | None = None) -> None:
        """Look at what a deed would touch: the chosen facts, else those that are marked."""
        if self._looking:
            return
        self.marks.end_range()
        self._looking = True
        marked = chosen or dict(self.marks.versions)
        matched = None if chosen else self.marks.matched

        def done() -> None:
            self._looking = False

        self._read(lambda: self._many.look(deed, marked, matched), lambda seen: self._weigh(seen, chosen), done)

    def _weigh(self, prospect: Prospect, chosen: dict[int, int] | None) -> None:
        """Ask before more than one fact is touched, or one that is not in view."""
        if not prospect.aims:
            self._note(nothing_to_do(prospect))
        elif chosen is not None or (len(self.marks) == 1 and not self.marks.hidden(self._screen.list.keys)):
            self._do(prospect, bool(chosen))
        else:

            def answered(answer: str | None) -> None:
                if answer == "y":
                    self._do(prospect)

            self._screen.app.push_screen(question(prospect, self._screen.app.size.width), answered)

    def _do(self, prospect: Prospect, chosen: bool = False) -> None:
        screen, stop = self._screen, threading.Event()
        self._stop = stop
        marks = {} if chosen else dict(self.marks.versions)
        if not chosen:
            self.marks.clear()
            self._marked()

        def work() -> Outcome:
            try:
                return self._many.do(prospect, stop, self._tell)
            except GivenUp:
                screen.call_later(self._put_back, marks)
                return Outcome("gave up · nothing was changed")
            except Exception:
                screen.call_later(self._put_back, marks)
                raise
            finally:
                screen.call_later(self._ended, stop)

        screen.desk.acts.run(work)

    def _tell(self, done: int, of: int) -> None:
        """Say how far the work is; called from its thread."""
        if of > WORTH_TELLING:
            self._screen.post_message(Said(f"{done:,} of {of:,} · Esc gives up"))

    def _put_back(self, marks: dict[int, int]) -> None:
        self.marks.add(marks)
        self._marked()

    def _ended(self, stop: threading.Event) -> None:
        if self._stop is stop:
            self._stop = None

    # Within

    def _read(
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

    def _note(self, text: str) -> None:
        self._screen.say(text, "$text-muted")


def question(prospect: Prospect, width: int = 76) -> MessageScreen:
    """Asks whether to go ahead: how many exactly, some of them, and what stays.

    Args:
        prospect: what would be done.
        width: cells of the screen.
    """
    room = min(width, 76) - 8
    deed, count = prospect.deed, len(prospect.aims)
    doing = f"{_ASKED[deed.verb]} {plural(count, 'fact')}"
    tags = " ".join([*(f"+{one_line(tag, 30)}" for tag in deed.add), *(f"-{one_line(tag, 30)}" for tag in deed.remove)])
    body = [
        Content.styled(f"  {fit(masking.line(row.content), room) or '(no text)'}", "$foreground")
        for row in prospect.samples
    ]
    if count > len(body):
        body.append(Content.styled(f"  and {count - len(body):,} more", "$text-muted"))
    notes = [f"stay as they are: {', '.join(left_out(prospect))}"] if left_out(prospect) else []
    if prospect.later:
        notes.append(f"not touched: {prospect.later:,} that came to match after the marks were set")
    body += [Content(), *(Content.styled(note, "$text-muted") for note in notes)] if notes else []
    sentence = f"{doing}{prospect.place}" + (f": {tags}" if tags else "") + "?"
    return MessageScreen(sentence, [Choice("y", f"{_ASKED[deed.verb].lower()} {count:,}")], body=body)


_ASKED: dict[Verb, str] = {
    "forget": "Forget", "restore": "Put back", "pin": "Pin", "unpin": "Unpin", "accept": "Accept", "tag": "Tag",
}  # fmt: skip
