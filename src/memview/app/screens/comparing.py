"""What the screens of duplicates and conflicts share: finding them, one after the other, choosing, deciding."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any, Generic

from textual import events, on
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from memview.app.command import Command
from memview.app.commands import of_scene
from memview.app.comparing import Member, T, changed_by
from memview.app.desk import Desk
from memview.app.editing import Outcome
from memview.app.scope import Scope
from memview.app.screens.finding import FindingScreen
from memview.app.widgets.cards import Card, Cards
from memview.app.widgets.layout import Laid
from memview.memory.person import named
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.screens.edit import EditScreen, Save
    from memview.memory import MemoryStore

SOME = 5
"""Turns of which an origin shows the texts."""
_PARAGRAPH = 2_000
"""Characters of a side of a turn that are shown."""


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """A group as it was read."""

    at: int
    item: T | None
    """The group as its facts are now; None where it is none any more."""
    members: Sequence[Member] = ()
    chosen: int = 0
    below: Any = None
    """What the screen shows besides."""
    changed: str | None = None
    """Who changed it since it was last seen; None where nobody did."""
    back: Sequence[int] = ()
    """The places of groups that were taken back to."""


class ComparingScreen(FindingScreen[T]):
    """Shows groups of facts one after the other, to be decided; gives the id of a record to go to, or None.

    Args:
        desk: the store.
        scope: which namespaces are looked at.
    """

    ONE = "group"
    """What one of them is called."""
    DEFAULT_CSS = """
    ComparingScreen {
        #facing { height: 1fr; }
        #cards { border: heavy $primary; border-title-color: $primary; border-title-style: bold; }
        #cards { max-height: 70%; padding: 0 0 0 1; }
        #below {
            height: 1fr; border: round $border-blurred; border-title-color: $text-muted; padding: 0 1;
            scrollbar-size-vertical: 1; scrollbar-color: $foreground 15%; scrollbar-background: $background;
        }
        #below Static { height: auto; }
        #finding { height: 1fr; padding: 1 2; display: none; }
        &.-empty #finding { display: block; }
        &.-empty #cards, &.-empty #below { display: none; }
        &.-wide #facing { layout: horizontal; }
        &.-wide #cards { width: 1fr; height: 100%; max-height: 100%; }
        &.-wide #below { width: 72; }
        &.-one #cards { border: none; padding: 0; max-height: 75%; }
        &.-one #below { border: none; border-top: solid $border-blurred; }
        &.-short #cards { height: 1fr; max-height: 100%; border: none; padding: 0; }
        &.-short #below { display: none; }
    }
    """
    AUTO_FOCUS = "Cards"

    def __init__(self, desk: Desk, scope: Scope | None = None) -> None:
        super().__init__(desk, scope)
        self.seen: Seen[T] | None = None
        """What is shown; None while it is being read."""
        self._chosen: int | None = None
        """The number of the fact that was chosen."""
        self._took_back = False
        self._deciding = False
        """Whether a decision is being written."""
        self._refused = False
        """Whether the last decision could not be written."""
        self._editor: EditScreen | None = None

    # What each says

    @abstractmethod
    def again(self, raw: Connection, item: T) -> T | None:
        """One of them as its facts are now."""

    @abstractmethod
    def look(self, raw: Connection, item: T, chosen: int | None) -> tuple[Sequence[Member], int, Any]:
        """Read one of them: its facts, which is chosen, and what is shown besides."""

    @abstractmethod
    def draw(self, seen: Seen[T]) -> tuple[Sequence[Content], Content | Laid]:
        """The cards of what was read, and what stands below them."""

    @abstractmethod
    def nothing(self) -> Content:
        """What stands there where nothing is left to decide."""

    @abstractmethod
    def save(self, item: T, member: Member) -> Save:
        """What an editor of a fact saves with."""

    # The frame

    def body(self) -> Iterable[Widget]:
        """The facts, what follows from them, and how far the search is."""
        with Vertical(id="facing"):
            yield Cards(id="cards")
            with VerticalScroll(id="below", can_focus=False):
                yield Static(markup=False)
            yield Static(id="finding", markup=False)

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands that both screens have do."""
        return {
            "move.down": lambda: self.choose(self._at() + 1),
            "move.up": lambda: self.choose(self._at() - 1),
            "move.first": lambda: self.choose(0),
            "move.last": lambda: self.choose(len(self._members()) - 1),
            "move.half_down": lambda: self.choose(self._at() + 5),
            "move.half_up": lambda: self.choose(self._at() - 5),
            "detail.down": lambda: self.query_one("#below").scroll_relative(y=3, animate=False),
            "detail.up": lambda: self.query_one("#below").scroll_relative(y=-3, animate=False),
            "group.next": lambda: self._step(1),
            "group.previous": lambda: self._step(-1),
            "open": lambda: self._with_chosen(lambda item, member: self.dismiss(member.fact.row.id)),
            f"{self.SCENE}.edit": lambda: self._with_chosen(self._edit),
            f"{self.SCENE}.origin": lambda: self._with_chosen(lambda item, member: self._origin(member)),
            "undo": self._take_back,
            "redo": self._do_again,
            "refresh": self.search,
            "go.again": self.search,
        }

    def reason(self, command: Command) -> str:
        """Without a group nothing can be done with one."""
        needs = command.where == self.SCENE or command.id in ("open", "group.next", "group.previous")
        if needs and self.queue.current is None:
            return f"there is no {self.ONE} here"
        return ""

    # Reading

    def forget_seen(self) -> None:
        """Let go of what is shown."""
        self.seen = self._chosen = None
        self.unask("group")

    def reload(self) -> None:
        """Read the current group anew."""
        if self._stop is not None or self._deciding:
            return
        queue, at, item, chosen = self.queue, self.queue.at, self.queue.current, self._chosen
        took_back = self._took_back

        def work(raw: Connection) -> Seen[T]:
            back = queue.back(raw, self.again) if took_back and queue.settled else []
            if back:
                return Seen(at, item, back=back)
            now = None if item is None else self.again(raw, item)
            changed = None if item is None else changed_by(raw, queue.seen[at].aims)
            if now is None:
                return Seen(at, None, changed=changed)
            return Seen(at, now, *self.look(raw, now, chosen), changed)

        self.read(work, self._show, slot="group")

    def _show(self, seen: Seen[T]) -> None:
        queue, settled = self.queue, self.queue.current is not None and seen.item is None
        if seen.back:
            queue.settled.difference_update(seen.back)
            self.go_to(seen.back[0])
            return
        if settled:
            self._tell_changed(seen.changed, f"this {self.ONE} is settled")
            queue.settled.add(seen.at)
            queue.step(1)
            self.go_to(queue.at)
            return
        if seen.item is None:
            self.seen = None
            self.say_finding(self.nothing())
            return
        self._tell_changed(seen.changed, f"this is the {self.ONE} as it is now")
        queue.seen[seen.at] = seen.item
        self.seen = seen
        self.redraw()
        if self._editor is not None and (edited := self._editor.detail) is not None:
            for member in seen.members:
                if member.fact.row.id == edited.row.id:
                    self._editor.record_changed(member.fact)

    def redraw(self) -> None:
        """Draw what was read."""
        if self.seen is None:
            return
        cards, below = self.draw(self.seen)
        self.set_class(False, "-empty")
        self.query_one(Cards).show(cards, self.seen.chosen)
        self.query_one("#below Static", Static).update(below)
        self.head(*self.headline())

    def show_footer(self) -> None:
        """Draw the keys anew, with what they do to the chosen fact."""
        labels = {"open": "", **(self.labels() if self.seen is not None else {})}
        self.commands = tuple(
            replace(command, label=labels.get(command.id, command.label))
            for command in of_scene(self.SCENE, self.desk.table)
        )
        super().show_footer()

    def labels(self) -> dict[str, str]:
        """The footer's words that depend on which fact is chosen, by command."""
        return {}

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size."""
        self.redraw()

    def _tell_changed(self, actor: str | None, then: str) -> None:
        """Say who changed what is shown, unless it was this person."""
        refused, self._refused = "nothing was done: " if self._refused else "", False
        if actor is not None and actor != self.desk.me:
            self.say(f"{refused}{one_line(named(actor), 30)} changed a fact of it · {then}", "$text-warning")

    # Moving

    def go_to(self, at: int) -> None:
        """Go to a group."""
        self.queue.at, self._chosen, self.seen = at, None, None
        self.query_one("#below").scroll_home(animate=False)
        self.reload()

    def _step(self, step: int) -> None:
        over, self._took_back = self.queue.step(step), False
        if over:
            self.say(f"that was the {'last' if step > 0 else 'first'} {self.ONE}", "$text-muted")
        self.go_to(self.queue.at)

    def _at(self) -> int:
        return self.seen.chosen if self.seen is not None else 0

    def _members(self) -> Sequence[Member]:
        return self.seen.members if self.seen is not None else ()

    def choose(self, place: int) -> None:
        """Choose a fact by its place."""
        members = self._members()
        if members:
            place = min(max(place, 0), len(members) - 1)
            if place != self._at():
                self._chosen = members[place].fact.row.n
                self.seen = None
                self.reload()

    @on(Card.Clicked)
    def _clicked_card(self, message: Card.Clicked) -> None:
        message.stop()
        self.choose(message.place)

    # Deciding

    def decide(self, write: Callable[[MemoryStore], object], sentence: str) -> None:
        """Write a decision on what is shown; what is shown next takes the one after.

        Args:
            write: writes it, with the store bound to the tenant.
            sentence: what was done and how it is taken back.
        """
        members = tuple(("fact", member.fact.row.id) for member in self._members())
        tenant = self._members()[0].fact.row.tenant
        self.seen, self._took_back, self._deciding = None, False, True
        self.unask("group")

        def work() -> Outcome:
            write(self.desk.editing.in_tenant(tenant))
            return Outcome(sentence, members)

        self.act(work, self._decided)

    def _decided(self, done: bool) -> None:
        self._deciding, self._refused = False, not done

    def _with_chosen(self, work: Callable[[T, Member], object]) -> None:
        """Do something with the chosen fact of what is shown; nothing while that is being read."""
        if self.seen is not None and self.seen.item is not None:
            work(self.seen.item, self.seen.members[self.seen.chosen])

    def _take_back(self) -> None:
        self._took_back = True
        self._undo()

    def _do_again(self) -> None:
        self.act(self.desk.editing.redo)

    # Beside

    def _edit(self, item: T, member: Member) -> None:
        from memview.app.keeping import of_record
        from memview.app.screens.edit import EditScreen

        editing, row = self.desk.editing, member.fact.row
        keeper, _ = of_record(editing.path, row.id, editing.clock)

        def closed(outcome: Outcome | None) -> None:
            self._editor = None
            if outcome is not None:
                self.say(outcome.sentence)
            self.reload()

        self._editor = EditScreen(
            self.edit_title(), member.fact, self.save(item, member), read=lambda: editing.read(row.id), keeper=keeper,
            clock=editing.clock,
        )  # fmt: skip
        self.app.push_screen(self._editor, closed)

    def edit_title(self) -> str:
        """What stands over the editor."""
        return "Edit"

    def _origin(self, member: Member) -> None:
        from memview.app.screens.origin import OriginScreen

        def answered(id: str | None) -> None:
            if id is not None:
                self.dismiss(id)

        turns = [source for source in member.sources if source.turn is not None]
        if turns:
            self.app.push_screen(OriginScreen(turns), answered)
        else:
            gone = "its turn is no longer in the store" if member.sources else "it names no turn it came from"
            self.say(gone, "$text-muted")


def button(text: str, style: str, command: str) -> Content:
    """A stretch of a bar that runs a command when it is clicked."""
    return Content.styled(text, style).stylize(Style.from_meta({"command": command}))
