"""What a reviewer decides in the inbox, and what is asked before."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from textual.content import Content

from memview.app import cards, deciding
from memview.app.acts import Told
from memview.app.deciding import Verb
from memview.app.editing import Outcome
from memview.app.headlines import plural
from memview.app.keeping import of_record
from memview.app.messages import Failed, Wrote
from memview.app.screens.edit import EditScreen
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice
from memview.app.widgets.sessions import session_name
from memview.app.worklist import key, signature
from memview.memory.looking import TurnDetail, turn
from memview.review import sitting
from memview.review.inbox import Card
from memview.review.secrets import mask
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.screens.inbox import InboxScreen

SAMPLES = 3
"""How many cards stand for all."""


class Judging:
    """Takes decisions on the cards of an inbox.

    Args:
        screen: the inbox.
    """

    def __init__(self, screen: InboxScreen) -> None:
        self._screen = screen
        self.editor: EditScreen | None = None
        """The editor that is open."""
        self.under_way = 0
        """How many decisions are not written yet."""
        self.undone: frozenset[str] = frozenset()
        """Facts about which something was taken back, by id, until a card of them is the current one."""
        self.actions: dict[str, Callable[[], object]] = {
            "inbox.accept": lambda: self._decide("accept"),
            "inbox.forget": lambda: self._decide("forget"),
            "inbox.pin": lambda: self._decide("pin"),
            "inbox.restore": lambda: self._decide("put back"),
            "inbox.merge": self._merge,
            "inbox.edit": self._edit,
            "inbox.accept_rest": lambda: self._ask_rest("accept"),
            "inbox.forget_rest": lambda: self._ask_rest("forget"),
            "inbox.origin": self._origin,
        }

    def _ready(self) -> Card | None:
        """The current card, where it has been seen long enough; else it is said why not."""
        screen = self._screen
        card = screen.list.current
        if card is None or screen.shown is None or (key(card), signature(card)) != screen.seen:
            screen.say("wait until the card stands", "$text-muted")
            return None
        if time.monotonic() - screen.drawn_at < screen.CALM:
            screen.say("this card has only just come; look, then decide", "$text-muted")
            return None
        return card

    def _decide(self, verb: Verb) -> None:
        screen = self._screen
        card = self._ready()
        if card is not None:
            self._do_with([card], lambda: deciding.decide(screen.desk.editing, verb, card))

    def _merge(self) -> None:
        screen = self._screen
        card, shown = self._ready(), screen.shown
        chosen = shown.alike[screen.chosen] if shown is not None and shown.alike else None
        if card is not None and chosen is not None:
            self._do_with([card], lambda: deciding.merge(screen.desk.editing, card, chosen.fact))

    def _do_with(self, decided: list[Card], work: Callable[[], Outcome]) -> None:
        """Decide on cards: the next stands at once, and they come back if it could not be done."""
        screen = self._screen

        def told(done: bool) -> None:
            self.under_way -= 1
            if not done:
                screen.list.undecide(decided)
                screen.seen = ()
                screen.go()

        self.under_way += 1
        self.undone = frozenset()
        screen.list.decide(decided)
        screen.go()
        screen.act(work, told)

    def take_back(self) -> Outcome:
        """Undo, and note the facts of which a card is to be the current one; called in a thread."""
        desk = self._screen.desk
        about = desk.many.read(lambda raw: sitting.decisions(raw, desk.me))
        outcome = desk.editing.undo()
        self.undone = frozenset(about.get(id, id) for _, id in outcome.records)
        return outcome

    # Questions

    def ask_beginning(self) -> None:
        """Ask a reviewer who opens the inbox for the first time where to begin."""
        screen = self._screen
        screen.begun = True
        sessions = sum(pile.session is not None for pile in screen.list.piles)
        left = screen.list.left
        wait = "waits here. Review it?" if left == 1 else "wait here. Review them?"
        sentence = f"{plural(left, 'fact')} of {plural(sessions, 'session')} {wait}"
        body = [
            Content("Each waits until you accept, edit or forget it; looking decides nothing."),
            Content("To start from now leaves them as they are: agents go on using them."),
        ]
        choices = (Choice("a", "all, newest session first"), Choice("n", "start from now"), Choice("escape", "not yet"))

        def answered(answer: str | None) -> None:
            screen.drawn_at = time.monotonic()
            if answer is None:
                screen.dismiss(None)
                return
            screen.list.since = None if answer == "n" else screen.list.since
            screen.act(lambda: deciding.begin(screen.desk.editing, from_now=answer == "n"))

        screen.app.push_screen(MessageScreen(sentence, choices, body=body), answered)

    def _ask_rest(self, verb: Literal["accept", "forget"]) -> None:
        """Ask whether to decide on all that is left of the session."""
        screen = self._screen
        rest = screen.list.rest()
        chosen = [card for card in rest if verb == "forget" or not card.flags]
        flagged = [card for card in rest if card not in chosen]
        count = sum(len(card.news) for card in chosen)
        if not count:
            screen.say("all that is left of this session wants a second look", "$text-muted")
            return
        pile = screen.list.pile
        where = session_name(pile.session, screen.desk.me) if pile is not None else ""
        body = [_sample(card, screen.desk.me) for card in chosen[:SAMPLES]]
        if len(chosen) > SAMPLES:
            body.append(Content.styled(f"and {len(chosen) - SAMPLES:,} more", "$text-muted"))
        if flagged:
            body += [Content(), Content.styled(f"left out, to be looked at by themselves: {len(flagged):,}", "bold")]
            body += [_sample(card, screen.desk.me) for card in flagged[:SAMPLES]]

        def answered(answer: str | None) -> None:
            if answer == "y":
                self._do_with(chosen, lambda: deciding.decide_rest(screen.desk.editing, verb, chosen))

        question = f"{verb.capitalize()} {plural(count, 'fact')}, the rest of {where}?"
        screen.app.push_screen(MessageScreen(question, (Choice("y", f"{verb} {count:,}"),), body=body), answered)

    def _origin(self) -> None:
        """Show the turn that the card came from."""
        screen = self._screen
        shown = screen.shown
        sources = shown.opened.sources if shown is not None else []
        first = next((one.turn for one in sources if one.turn is not None), None)
        quoted = shown.opened.quoted.turn if shown is not None and shown.opened.quoted is not None else None
        wanted = quoted or first
        if wanted is None:
            screen.say(
                "its turn is no longer in the store" if sources else "it names no turn it came from", "$text-muted"
            )
            return
        n = wanted.n
        screen.read(lambda raw: turn(raw, n), self._show_turn, slot="turn")

    def _show_turn(self, found: TurnDetail | None) -> None:
        screen = self._screen
        if found is None:
            screen.say("its turn is no longer in the store", "$text-muted")
            return
        name = one_line(found.row.session, 40) or "a session without a name"

        def answered(answer: str | None) -> None:
            if answer == "o":
                screen.dismiss(found.row.id)

        body = cards.turn_lines(found.request, found.response, screen.eye(60))
        choices = (Choice("o", "to its session"), Choice("escape", "back to the card"))
        screen.app.push_screen(MessageScreen(f"{name}, turn {found.place}", choices, body=body), answered)

    def _edit(self) -> None:
        """Edit the fact of the card; once it is saved, the card is decided."""
        screen = self._screen
        card, shown = self._ready(), screen.shown
        if card is None or shown is None:
            return
        editing, acts, row = screen.desk.editing, screen.desk.acts, shown.opened.detail.row
        saved: list[Wrote] = []

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            def heard(outcome: Wrote | Failed) -> None:
                if isinstance(outcome, Wrote) and outcome.records:
                    saved.append(outcome)
                told(outcome)

            acts.run(lambda: editing.edit(row, values, version), heard)

        def closed(outcome: Outcome | None) -> None:
            self.editor = None
            if outcome is not None:
                screen.say(outcome.sentence)
            if saved:
                screen.list.decide([Card(card.news[:1], card.content)] if len(card.news) > 1 else [card])
                screen.go()
            screen.reload()

        keeper, _ = of_record(editing.path, row.id, editing.clock)
        self.editor = EditScreen(
            f"Edit · {one_line(row.namespace, 40) or 'no name'}", shown.opened.detail, save,
            read=lambda: editing.read(row.id), keeper=keeper, clock=editing.clock,
        )  # fmt: skip
        screen.app.push_screen(self.editor, closed)


def _sample(card: Card, me: str) -> Content:
    text = one_line(mask(card.content), 120) or "(no text)"
    return Content.assemble((f"{cards.kind(card, me)}  ", "$text-muted"), text)
