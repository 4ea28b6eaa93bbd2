"""The inbox: what agents learnt, changed and forgot, card by card, to decide on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Offset
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from memview.app import cards
from memview.app.cards import Eye, Shown, open_card
from memview.app.commands import Command
from memview.app.desk import Desk
from memview.app.headlines import plural
from memview.app.keys import own_key, with_own_keys
from memview.app.screens.judging import Judging
from memview.app.screens.reviewing import SAID, ReviewScreen
from memview.app.widgets.footer import Footer
from memview.app.widgets.sessions import Sessions, session_name, when
from memview.app.widgets.steady import Steady
from memview.app.worklist import Look, Worklist, key, look, signature
from memview.review.inbox import Card
from memview.text import one_line

SLOW = 0.05
"""Seconds: where reading the inbox takes longer, the next reading waits."""
REST = 4.0
"""So many times as long as it took."""
FOOTER = {"-three": 11, "-wide": 12}
"""How many keys the footer shows at most where there is room."""


class InboxScreen(ReviewScreen):
    """Puts one card after the other to a decision; gives the id of a fact or turn to go to.

    Args:
        desk: the store.
    """

    SCENE = "inbox"
    AUTO_FOCUS = ""
    CALM: ClassVar[float] = 0.2
    """Seconds that a card must have been seen before a decision on it is taken."""
    DEFAULT_CSS = """
    InboxScreen {
        #inbox { height: 1fr; }
        Sessions { width: 28; height: 1fr; border-right: solid $border-blurred; padding: 1 1 0 1; }
        &.-wide Sessions { width: 40; }
        #desk { width: 1fr; height: 1fr; padding: 1 1 0 2; }
        &.-wide #desk { max-width: 124; }
        #card { height: 1fr; scrollbar-size-vertical: 1; scrollbar-color: $foreground 15%;
            scrollbar-background: $background; }
        #card Static, #coming { height: auto; }
        #coming { border-top: solid $border-blurred; }
        #said { height: 1; padding: 0 1; }
        &.-two Sessions, &.-one Sessions { display: none; }
        &.-one #desk, &.-two #desk { padding: 0 1; }
        &.-short #said, &.-short #coming { display: none; }
    }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.list = Worklist()
        self.begun: bool | None = None
        """Whether the reviewer has said where to begin; None until it is known."""
        self.shown: Shown | None = None
        """The current card with all that is told of it; None until it was read."""
        self.seen: tuple[object, ...] = ()
        """Which card stands on the screen, and as of when it was read."""
        self.drawn_at = 0.0
        """When that was first drawn, on the monotonic clock."""
        self.chosen = 0
        """Which of the facts that are already there is meant."""
        self._ahead: Shown | None = None
        self._bare = False
        self._took = 0.0
        self._soon: Timer | None = None
        self._hushed: Timer | None = None

    # What it shows

    def body(self) -> Iterable[Widget]:
        """The sessions, the card, what comes after it, and a line for what was done."""
        with Horizontal(id="inbox"):
            yield Sessions()
            with Vertical(id="desk"):
                with VerticalScroll(id="card", can_focus=False):
                    yield Steady()
                yield Steady(id="coming")
        yield Static(id="said", markup=False)

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands of the inbox do."""
        self.judging = Judging(self)
        return {
            **self.judging.actions,
            "inbox.later": self._later,
            "inbox.back": self._back,
            "inbox.secret": self._secret,
            "inbox.alike": lambda: self._choose(self.chosen + 1),
            "inbox.session_previous": lambda: self._go_session(-1),
            "inbox.session_next": lambda: self._go_session(1),
            "open": lambda: self.dismiss(self.shown.card.first.id if self.shown else None),
            "undo": lambda: self._undo(self.judging.take_back),
            "detail.down": lambda: self._scroll(3),
            "detail.up": lambda: self._scroll(-3),
            "move.half_down": lambda: self._scroll(self._card().size.height // 2),
            "move.half_up": lambda: self._scroll(-self._card().size.height // 2),
            "move.first": lambda: self._open_session(0),
            "move.last": lambda: self._open_session(len(self.list.piles) - 1),
        }

    def _card(self) -> VerticalScroll:
        return self.query_one("#card", VerticalScroll)

    def _scroll(self, lines: int) -> None:
        self._card().scroll_relative(y=lines, animate=False)

    def reason(self, command: Command) -> str:
        """Why a command is of no use for the current card."""
        card, shown = self.list.current, self.shown
        if not command.id.startswith("inbox.") or command.id in _ALWAYS:
            return ""
        if command.id == "inbox.later":
            return "" if card or self.list.later else "nothing waits for a decision"
        if card is None:
            return "nothing waits for a decision"
        if command.id == "inbox.restore" and card.kind == "new":
            return "it is new: there is nothing to put back"
        if command.id == "inbox.merge" and not (shown is not None and shown.alike and shown.alike[self.chosen].same):
            return "nothing is there that says the same; e edits"
        if command.id == "inbox.edit" and card.kind in ("forgotten", "tried"):
            return "it is forgotten · r puts it back first"
        if command.id == "inbox.secret" and "secret" not in card.flags:
            return "it holds no secret"
        return ""

    # Reading

    def reload(self) -> None:
        """Read the inbox anew; where that takes long, not more often than is good."""
        if self._took <= SLOW or not self.is_mounted:
            self._read_now()
        elif self._soon is None:
            self._soon = self.set_timer(REST * self._took, self._read_now)

    def _read_now(self) -> None:
        self._soon = None
        settled, since, decisions = self.judging.under_way == 0, self.list.since, self.list.decisions
        undone = self.judging.undone

        def take(found: tuple[Look, float]) -> None:
            unchanged = self.list.decisions == decisions
            self._take(*found, settled=settled and unchanged, undone=undone & self.judging.undone)

        def work(raw: Any) -> tuple[Look, float]:
            started = time.perf_counter()
            return look(raw, self.desk.me, since), time.perf_counter() - started

        self.read(work, take, slot="inbox")

    def _take(self, found: Look, took: float, *, settled: bool, undone: frozenset[str]) -> None:
        """Take in what was read; the card on the screen stays, and where it changed it says so."""
        self._took = took
        if self.begun is None:
            self.begun = found.inbox.begun or not found.inbox.left or self.desk.read_only
        before = self.list.current
        returned = self.list.take(found, settled=settled, undone=undone)
        self.judging.undone -= undone
        now = self.list.current
        if before is not None and now is not None and key(before) == key(now) and signature(before) != signature(now):
            self.say("this fact changed just now; here it is as it is now", "$text-warning")
        elif before is not None and (now is None or key(before) != key(now)) and not returned:
            self.say("the fact that stood here needs no decision any more", "$text-muted")
        self.go(again=True)
        if not self.begun:
            self.judging.ask_beginning()

    def go(self, *, again: bool = False) -> None:
        """Show the current card, at once where it was read ahead.

        Args:
            again: read it anew, too, since what is told besides may have changed.
        """
        card = self.list.current
        ahead, seen = self._ahead, (key(card), signature(card)) if card is not None else ()
        if card is None:
            self.shown, self.seen = None, ()
        elif ahead is not None and ahead.card == card and seen != self.seen:
            self._put(ahead, seen)
            again = False
        elif seen != self.seen:
            self.shown, again = None, True
        self._draw()
        if card is not None and again:
            now = self.desk.clock()
            self.read(lambda raw: open_card(raw, card, now), partial(self._opened, card, seen), slot="card")
        else:
            self._read_ahead()

    def _opened(self, card: Card, seen: tuple[object, ...], shown: Shown | None) -> None:
        """Take in what was read of a card."""
        if self.list.current is None or (key(self.list.current), signature(self.list.current)) != seen:
            return
        if shown is None:
            self.reload()
            return
        if self.judging.editor is not None:
            self.judging.editor.record_changed(shown.opened.detail)
        self._put(shown, seen)
        self._draw()
        self._read_ahead()

    def _put(self, shown: Shown, seen: tuple[object, ...]) -> None:
        """Have a card stand on the screen."""
        self.shown = shown
        if seen != self.seen:
            self.seen, self._bare, self.chosen = seen, False, 0
            self.drawn_at = time.monotonic()
            self._card().scroll_home(animate=False)

    def _read_ahead(self) -> None:
        """Read the next card, so that it stands as soon as this one is decided."""
        card, now = next(self.list.coming(), None), self.desk.clock()
        if card is None:
            return

        def put(shown: Shown | None) -> None:
            self._ahead = shown

        self.read(lambda raw: open_card(raw, card, now), put, slot="ahead")

    # Drawing

    def on_resize(self, event: events.Resize) -> None:
        """Wrap anew."""
        self.call_after_refresh(self._draw)

    def eye(self, width: int) -> Eye:
        """Who looks at the current card, in lines of so many cells."""
        keys = {command.id: own_key(command.id, self.commands) for command in self.commands}
        return Eye(self.desk.me, self.desk.clock(), max(20, width), self.list.place(), self._bare, self.chosen, keys)

    def _draw(self) -> None:
        """Draw everything anew."""
        if not self.is_mounted or self.begun is None:
            return
        pane = self._card()
        eye = self.eye(pane.scrollable_content_region.width or self.size.width - 4)
        if self.shown is not None:
            told = Content("\n").join(cards.tell(self.shown, eye))
        else:
            told = Content("…" if self.list.current is not None else self._nothing())
        pane.query_one(Steady).tell(told)
        coming = []
        for label, card in zip(("next", "then"), self.list.coming(), strict=False):
            coming.append(cards.brief(label, card, eye))
        below = self.query_one("#coming", Steady)
        below.tell(Content("\n").join(coming))
        below.display = bool(coming)
        self.query_one(Sessions).show(self.list, self.desk.me, self.desk.read_only)
        self._show_head()
        self.show_footer()
        self.call_after_refresh(self._put_cursor)

    def _put_cursor(self) -> None:
        """Put the terminal's own cursor on the card."""
        if self.is_current:
            self.app.cursor_position = self._card().content_region.offset + Offset(0, 0)

    def _nothing(self) -> str:
        """What stands where no card is left."""
        put_off = sum(len(card.news) for card in self.list.put_off if self.list.waits(card))
        if put_off:
            return f"{plural(put_off, 'fact')} put off. {own_key('inbox.later', self.commands)} takes them up again."
        if self.list.decided:
            return f"All decided: {plural(self.list.decided, 'fact')}. What agents learn next will wait here."
        return "Nothing waits for a decision. What agents learn, change and forget will wait here."

    def _show_head(self) -> None:
        """Draw the first line."""
        work, pile = self.list, self.list.pile
        total = work.decided + work.left
        short = self.has_class("-one")
        parts = [Content.styled("Inbox", "bold")]
        if total:
            parts.append(Content.styled(f"  {work.decided:,} of {total:,}{'' if short else ' decided'}", "$text-muted"))
        if pile is not None:
            name = session_name(pile.session, self.desk.me)
            if not short:
                at = work.piles.index(pile) + 1
                name = f"session {at:,} of {len(work.piles):,}: {name}, {when(pile, self.desk.clock())}"
            parts.append(Content.styled(f" · {name}", "$text-muted"))
            parts.append(Content.styled(f" · {pile.left:,} left here", "$text-muted"))
        live = ("read-only", "$text-muted") if self.desk.read_only else ("live", "$text-success")
        right = [] if short and not self.desk.read_only else [Content.styled(*live)]
        if work.arrived:
            right.append(Content.styled(f"+{len(work.arrived):,}", "$primary"))
        self.head(parts, right)

    def show_footer(self) -> None:
        """Draw the keys that can be used now; more of them where there is room."""
        if not self.is_mounted:
            return
        most = max((count for name, count in FOOTER.items() if self.has_class(name)), default=6)
        in_card = ("open", "inbox.restore", "inbox.merge") if self.has_class("-one") else ("open",)
        fitting = [command for command in self.commands if command.label and command.keys and command.id not in in_card]
        allowed = [command for command in fitting if not self.why_not(command)]
        self.query_one(Footer).offer(sorted(allowed, key=lambda command: command.rank)[:most])

    def say(self, text: str, style: str = "$foreground") -> None:
        """Show a line above the keys for a while, so that they stay; in their place where there is no room."""
        if not text or not self.is_mounted:
            return
        text = with_own_keys(one_line(text, 200), self.commands)
        if self.has_class("-short"):
            super().say(text, style)
            return
        line = self.query_one("#said", Static)
        line.update(Content.styled(text, style))
        if self._hushed is not None:
            self._hushed.stop()
        self._hushed = self.set_timer(SAID, lambda: line.update(Content()))

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Take what was clicked in the card, or a session."""
        meta = event.style.meta
        if isinstance(at := meta.get("session"), int):
            self._open_session(at)
        elif meta.get("command") == "inbox.alike":
            self._choose(int(meta.get("at", 0)))
        elif isinstance(command := meta.get("command"), str):
            self.run(command)

    def on_key(self, event: events.Key) -> None:
        """The arrow up goes the other way among the facts that are already there."""
        if event.key == "up" and not self.sequence._first:
            event.stop()
            event.prevent_default()
            self._choose(self.chosen - 1)

    # Going about

    def _later(self) -> None:
        if self.list.current is None:
            self.list.take_up_all()
        else:
            self.list.put_later()
        self.go()

    def _back(self) -> None:
        if self.list.take_up():
            self.go()
        else:
            self.say("nothing was put off", "$text-muted")

    def _choose(self, at: int) -> None:
        """Choose another of the facts that are already there."""
        if self.shown is not None and self.shown.alike:
            self.chosen = at % len(self.shown.alike)
            self._draw()

    def _secret(self) -> None:
        self._bare = not self._bare
        self._draw()

    def _go_session(self, step: int) -> None:
        if self.list.next_pile(step):
            self.go()
        else:
            self.say("no other session has anything left", "$text-muted")

    def _open_session(self, at: int) -> None:
        if self.list.open_pile(at):
            self.go()
        else:
            self.say("nothing is left of that session", "$text-muted")


_ALWAYS = ("inbox.back", "inbox.session_previous", "inbox.session_next")
