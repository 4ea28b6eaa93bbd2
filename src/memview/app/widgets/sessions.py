"""The column of sessions beside the card of an inbox."""

from __future__ import annotations

from datetime import datetime

from textual.content import Content
from textual.style import Style

from memview import clock
from memview.app.cards import button, session_line
from memview.app.widgets.steady import Steady
from memview.app.worklist import Pile, Worklist
from memview.memory.person import named
from memview.review.inbox import Session
from memview.text import one_line

_BELOW = 3
"""Lines under the sessions: a blank, and what can be done with the rest."""


def session_name(session: Session | None, me: str) -> str:
    """A session and who learnt in it, safe to show."""
    if session is None:
        return "overwritten"
    return f"{one_line(session.session, 24) or 'no session,'} {one_line(named(session.agent, me), 16)}"


def when(pile: Pile, now: datetime) -> str:
    """When the last of a session's facts came: the day and time within a week, else the age."""
    at = max((one.at for card in pile.cards for one in card.news), default="")
    moment = clock.stored(at)
    if (now - moment).days < 6:
        return f"{moment.astimezone():%a %H:%M}"
    return f"{clock.ago(moment, now)} ago"


class Sessions(Steady):
    """The sessions with their counts and how far each is, around the current one; a click goes there."""

    def show(self, work: Worklist, me: str, read_only: bool) -> None:
        """Show the sessions of a worklist.

        Args:
            work: the sessions.
            me: the actor that is "you".
            read_only: whether nothing can be decided.
        """
        width, height = self.content_size
        room = max(1, height - (0 if read_only else _BELOW) - 1)
        piles, here = work.piles, work.pile
        at = piles.index(here) if here is not None else 0
        first = max(0, min(at - room // 2, len(piles) - room))
        lines = []
        for place, pile in enumerate(piles[first : first + room], first):
            count = pile.left + pile.decided
            name = session_name(pile.session, me).removeprefix("no session, ")
            line = session_line(name, count, pile.decided, width, here=pile is here)
            lines.append(line.stylize(Style.from_meta({"session": place})))
        more = len(piles) - len(lines)
        if more > 0:
            others = (*piles[:first], *piles[first + room :])
            decided = sum(pile.decided for pile in others)
            count = decided + sum(pile.left for pile in others)
            lines.append(session_line(f"{more:,} more", count, decided, width, here=False).stylize("$text-muted"))
        if here is not None and not read_only:
            lines += [Content(), *_rest(here.left)]
        self.tell(Content("\n").join(lines))


def _rest(left: int) -> list[Content]:
    words = f"the rest, {left:,}"
    return [
        Content.assemble(("A", "bold $primary"), (f" accept {words}", "$text-muted")).stylize(
            button("inbox.accept_rest")
        ),
        Content.assemble(("D", "bold $primary"), (f" forget {words}", "$text-muted")).stylize(
            button("inbox.forget_rest")
        ),
    ]
