"""Acting on all facts that are marked on the browse screen, once the person agrees."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.content import Content

from memview.app.editing import Outcome
from memview.app.headlines import plural
from memview.app.many import Deed, GivenUp, Prospect, Verb, left_out, nothing_to_do
from memview.app.messages import Said
from memview.app.screens.message import MessageScreen
from memview.app.screens.tags import TagsScreen, Wanted
from memview.app.widgets.choices import Choice
from memview.app.widgets.record_row import fit
from memview.memory.looking import FactDetail
from memview.review import masking
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.screens.browse import BrowseScreen
    from memview.app.screens.bulk import Bulk

WORTH_TELLING = 1_000
"""Work on more facts than this says how far it is."""


class Acting:
    """Acts on the marked facts of a browse screen.

    Args:
        screen: the screen.
        bulk: keeps the marks.
    """

    def __init__(self, screen: BrowseScreen, bulk: Bulk) -> None:
        self._screen = screen
        self._bulk = bulk
        self._looking = False
        self._stop: threading.Event | None = None

    def stop(self) -> bool:
        """Give up work that is under way; whether there was any."""
        if self._stop is None or self._stop.is_set():
            return False
        self._stop.set()
        return True

    def act(self, verb: Verb) -> None:
        """Do something with all marked facts, once the person agrees."""
        self._consider(Deed(verb))

    def tags(self, with_fact: Callable[[Callable[[FactDetail], None]], None]) -> None:
        """Ask for tags, for the marked facts or for the one under the cursor."""
        if self._bulk.marks.numbers:
            self._bulk.marks.end_range()
            self._ask_tags(plural(len(self._bulk.marks), "fact"), [], None)
        else:
            with_fact(lambda fact: self._ask_tags(masking.line(fact.row.content, 50), fact.tags, fact))

    def _ask_tags(self, what: str, present: list[str], fact: FactDetail | None) -> None:
        def asked(wanted: Wanted | None) -> None:
            if wanted is not None:
                deed = Deed("tag", wanted.add, wanted.remove)
                self._consider(deed, None if fact is None else {fact.row.n: fact.row.version})

        self._screen.app.push_screen(TagsScreen(what, present, self._screen.desk.many.tags), asked)

    def _consider(self, deed: Deed, chosen: dict[int, int] | None = None) -> None:
        """Look at what a deed would touch: the chosen facts, else those that are marked."""
        if self._looking:
            return
        self._bulk.marks.end_range()
        self._looking = True
        marked = chosen or dict(self._bulk.marks.versions)
        matched = None if chosen else self._bulk.marks.matched

        def done() -> None:
            self._looking = False

        self._bulk.read(
            lambda: self._screen.desk.many.look(deed, marked, matched), lambda seen: self._weigh(seen, chosen), done
        )

    def _weigh(self, prospect: Prospect, chosen: dict[int, int] | None) -> None:
        """Ask before more than one fact is touched, or one that is not in view."""
        if not prospect.aims:
            self._bulk.note(nothing_to_do(prospect))
        elif chosen is not None or (len(self._bulk.marks) == 1 and not self._bulk.marks.hidden(self._screen.list.keys)):
            self._do(prospect, bool(chosen))
        else:

            def answered(answer: str | None) -> None:
                if answer == "y":
                    self._do(prospect)

            self._screen.app.push_screen(question(prospect, self._screen.app.size.width), answered)

    def _do(self, prospect: Prospect, chosen: bool = False) -> None:
        screen, stop = self._screen, threading.Event()
        self._stop = stop
        marks = {} if chosen else dict(self._bulk.marks.versions)
        if not chosen:
            self._bulk.marks.clear()
            self._bulk.marked()

        def work() -> Outcome:
            try:
                return self._screen.desk.many.do(prospect, stop, self._tell)
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
        self._bulk.marks.add(marks)
        self._bulk.marked()

    def _ended(self, stop: threading.Event) -> None:
        if self._stop is stop:
            self._stop = None


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
