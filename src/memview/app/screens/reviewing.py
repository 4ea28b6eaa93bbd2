"""What all screens of a review share: their keys, their lines at top and bottom, reading, acting and taking back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from sqlite3 import Connection
from typing import ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.message import Message
from textual.style import Style
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from memview.app import messages
from memview.app.commands import BY_ID, FOOTER_LIMIT, WHERE_TITLES, Command, Scene, of_scene
from memview.app.desk import Desk
from memview.app.editing import Outcome
from memview.app.keys import Sequence as KeySequence
from memview.app.keys import rebound
from memview.app.lane import Lane
from memview.app.screens.answering import AnsweringScreen
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice
from memview.app.widgets.footer import Footer
from memview.app.widgets.header import Header
from memview.app.widgets.list_messages import MenuWanted
from memview.errors import MemviewError
from memview.memory.looking import Interrupted
from memview.text import one_line

T = TypeVar("T")

SAID = 6.0
"""Seconds that a line of the status stands."""
BREATH = 1.0
"""Seconds between two readings of a store into which an agent keeps writing, at least."""
READ_ONLY = "this store is open read-only · nothing was changed"


class ReviewScreen(AnsweringScreen[str | None]):
    """A screen of its own, with the commands of its scene; gives the id of a record to go to, or None.

    A screen of this kind says what each command does in `actions` and what it shows in `body`.

    Args:
        desk: the store.
    """

    SCENE: ClassVar[Scene]
    """Whose commands it has."""
    HORIZONTAL_BREAKPOINTS = [(0, "-one"), (70, "-two"), (100, "-three"), (160, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (14, "-tall")]

    @dataclass
    class Answered(Message):
        """Something was read."""

        slot: str
        number: int
        show: Callable[[], object]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.commands = of_scene(self.SCENE, desk.table)
        self._bindings = rebound(self._bindings, self.commands)
        self.sequence = KeySequence(self, self._show_continuations, self.run, self.commands)
        self._newest: dict[str, int] = {}
        self._said_timer: Timer | None = None
        self._breathing = self._heard_more = False
        self._do: dict[str, Callable[[], object]] = {
            "help": self._help,
            "menu": self._menu,
            "palette": lambda: self.app.action_command_palette(),
            "close": lambda: self.dismiss(None),
            "escape": self.step_back,
            "quit": lambda: self.desk.acts.when_done(lambda: self.app.exit(0)),
            "undo": self._undo,
            "redo": lambda: self.act(self.desk.editing.redo),
            "refresh": self.reload,
            "go.again": self.reload,
            **self.actions(),
        }

    # What each screen says

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands of the scene do, by id; those that all screens share are known already."""
        raise NotImplementedError

    def body(self) -> Iterable[Widget]:
        """What stands between the first line and the last."""
        raise NotImplementedError

    def reload(self) -> None:
        """Read anew what the screen shows."""
        raise NotImplementedError

    def store_changed(self) -> None:
        """What is done when the store changed: all is read anew, unless a screen says otherwise."""
        self.reload()

    def reason(self, command: Command) -> str:
        """Why a command of the scene is not allowed now, in words; empty if it is."""
        return ""

    def step_back(self) -> None:
        """What Esc does: take off one layer, or close."""
        self.dismiss(None)

    # The frame

    def compose(self) -> ComposeResult:
        """The first line, the body, the last line."""
        yield Header(id="header")
        yield from self.body()
        yield Footer(id="footer")

    def on_mount(self) -> None:
        """Read what is to be shown, and hear of changes."""
        self.desk.listen(self._heard)
        self.show_footer()
        self.reload()

    def on_unmount(self) -> None:
        """Hear no more, and want no answer any more."""
        self.desk.stop_listening(self._heard)
        self._newest.clear()

    def head(self, parts: Sequence[Content], right: Sequence[Content] = ()) -> None:
        """Show the first line; its first part follows the way back."""
        way = Content.styled("‹ ", "bold $primary").stylize(_button("close"))
        first = parts[0] if parts else Content()
        self.query_one(Header).show([Content.assemble(way, first), *parts[1:]], list(right))

    def say(self, text: str, style: str = "$foreground") -> None:
        """Show a line in the status for a while."""
        if not text or not self.is_mounted:
            return
        footer = self.query_one(Footer)
        footer.say(Content.styled(one_line(text, 200), style))
        if self._said_timer is not None:
            self._said_timer.stop()
        self._said_timer = self.set_timer(SAID, lambda: footer.say(Content()))

    def show_footer(self) -> None:
        """Draw the keys anew: those that can be used now, the most useful first."""
        if not self.is_mounted:
            return
        typing = isinstance(self.focused, Input)
        fitting = [command for command in self.commands if (command.spots == ("search",)) is typing and command.label]
        allowed = [command for command in fitting if command.keys and not self.why_not(command)]
        self.query_one(Footer).offer(sorted(allowed, key=lambda command: command.rank)[:FOOTER_LIMIT])

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        self.show_footer()

    def _show_continuations(self, following: list[tuple[str, Command]] | None) -> None:
        if following is None:
            self.show_footer()
        else:
            self.query_one(Footer).offer_next(following)

    # Keys

    def on_key(self, event: events.Key) -> None:
        """Take the second key of a sequence, and name letters that mean nothing."""
        if self.sequence.take(event.key):
            event.stop()
            event.prevent_default()
        elif event.character and event.is_printable and event.key not in self.active_bindings:
            self.say(f"{one_line(event.character)} does nothing here · ? help", "$text-muted")

    def action_prefix(self, key: str) -> None:
        """Begin a sequence of keys."""
        self.sequence.begin(key)

    def action_command(self, id: str) -> None:
        """Run a command."""
        self.run(id)

    @on(messages.CommandWanted)
    def _clicked(self, message: messages.CommandWanted) -> None:
        message.stop()
        self.run(message.id)

    def run(self, id: str) -> None:
        """Run a command, or say why it cannot be run now."""
        reason = self.why_not(BY_ID[id])
        if reason:
            self.say(reason, "$text-muted")
        elif id in self._do:
            self._do[id]()

    def why_not(self, command: Command) -> str:
        """Why a command is not allowed now; empty if it is."""
        if command.writes and self.desk.read_only:
            return READ_ONLY
        return self.reason(command)

    def _help(self) -> None:
        from memview.app.screens.help import HelpScreen

        self.app.push_screen(HelpScreen({each.id for each in self.commands if not self.why_not(each)}, self.commands))

    def _menu(self, at: Offset | None = None) -> None:
        """Offer what can be done on this screen and on no other."""
        from memview.app.screens.menu import MenuScreen, items

        own = [each for each in self.commands if each.where == self.SCENE and each.spots != ("search",)]
        offered = items(each for each in own if not self.why_not(each))
        self.app.push_screen(MenuScreen(WHERE_TITLES[own[0].where], offered, at), self._picked)

    def _picked(self, id: str | None) -> None:
        if id is not None:
            self.run(id)

    @on(MenuWanted)
    def _menu_wanted(self, message: MenuWanted) -> None:
        message.stop()
        self._menu(message.at)

    # Reading and acting

    def read(
        self, work: Callable[[Connection], T], then: Callable[[T], object], *, slot: str = "",
        lane: Lane | None = None, otherwise: Callable[[], object] = int,
    ) -> None:  # fmt: skip
        """Read in a thread, and show the answer unless the same slot has been asked again meanwhile.

        Args:
            work: reads; called in a thread.
            then: shows; called here.
            slot: what the question is about.
            lane: where it is asked, if it is slow and must hold up nothing else.
            otherwise: called here where it could not be read, which is said.
        """
        ask = self.desk.many.read if lane is None else lane.read
        self.unask(slot)
        number = self._newest[slot]

        def answer() -> None:
            while self._newest.get(slot) == number:
                try:
                    found = ask(work)
                except Interrupted:
                    continue
                except MemviewError as error:
                    self.post_message(messages.failed(error, self.desk.path))
                    self.post_message(self.Answered(slot, number, otherwise))
                else:
                    self.post_message(self.Answered(slot, number, partial(then, found)))
                return

        self.run_worker(answer, thread=True, exit_on_error=False)

    def unask(self, slot: str) -> None:
        """Let an answer that is still on its way come too late."""
        self._newest[slot] = self._newest.get(slot, 0) + 1

    @on(Answered)
    def _answered(self, message: Answered) -> None:
        message.stop()
        if self._newest.get(message.slot) == message.number:
            message.show()
            self.show_footer()

    def act(self, work: Callable[[], Outcome], then: Callable[[bool], object] | None = None) -> None:
        """Do something that writes, in its turn and in a thread; its sentence stands in the status afterwards.

        Args:
            work: does it.
            then: called here with whether it was done, before what is shown is read anew.
        """

        def told(outcome: messages.Wrote | messages.Failed) -> None:
            if self not in self.app.screen_stack:
                self.desk.tell(outcome)
                return
            done = isinstance(outcome, messages.Wrote)
            if then is not None:
                then(done)
            if isinstance(outcome, messages.Wrote):
                self.say(outcome.sentence)
            else:
                self.say(f"{outcome.title} {outcome.hint}".strip(), "$text-warning")
            self.reload()

        self.desk.acts.run(work, told)

    @on(messages.Failed)
    def _failed(self, message: messages.Failed) -> None:
        message.stop()
        self.say(f"{message.title} {message.hint}".strip(), "$text-warning")

    def _heard(self, message: Message) -> None:
        """Called by the watch, from its thread."""
        if isinstance(message, messages.StoreChanged):
            self.post_message(self.Changed())

    class Changed(Message, bubble=False):
        """The store changed; many at once are one."""

        def can_replace(self, message: Message) -> bool:
            """Later ones say the same."""
            return isinstance(message, ReviewScreen.Changed)

    @on(Changed)
    def _changed(self) -> None:
        """Hear of a change; of those that follow within a breath, after it and once."""
        if self._breathing:
            self._heard_more = True
            return
        self._breathing, self._heard_more = True, False
        self.store_changed()
        self.set_timer(BREATH, self._breathed)

    def _breathed(self) -> None:
        self._breathing = False
        if self._heard_more:
            self._changed()

    def _undo(self, undo: Callable[[], Outcome] | None = None) -> None:
        """Take back the last step; in a thread, by a function where a screen wants to know more of it."""
        editing = self.desk.editing
        take_back = undo or editing.undo

        def work() -> Outcome:
            question = editing.earlier()
            if question is None:
                return take_back()
            self.app.call_from_thread(self._ask_undo, question, take_back)
            return Outcome("")

        self.act(work)

    def _ask_undo(self, question: str, undo: Callable[[], Outcome]) -> None:
        """Take back a step from an earlier sitting only if that is agreed to."""

        def answered(key: str | None) -> None:
            if key == "y":
                self.act(undo)

        choices = (Choice("y", "take it back"), Choice("escape", "leave it"))
        self.app.push_screen(MessageScreen(question, choices), answered)


def _button(command: str) -> Style:
    """What makes a stretch of text in a bar a button for a command."""
    return Style.from_meta({"command": command})
