"""What each command does on the browse screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from memview.app.commands import BY_ID, Command
from memview.app.headlines import ORDER_WORDS
from memview.app.messages import FactRead, Located, TurnRead
from memview.app.scope import Scope
from memview.app.screens.awaiting import Awaiting
from memview.app.screens.bulk import Bulk
from memview.app.view import View
from memview.memory.looking import ALL, FactDetail, FactRow, TurnDetail, TurnRow
from memview.review.secrets import has_secret

if TYPE_CHECKING:
    from memview.app.editing import Editing, Outcome
    from memview.app.many import Verb
    from memview.app.screens.browse import BrowseScreen
    from memview.app.screens.going import Going
    from memview.app.screens.menu import Menus
    from memview.app.screens.moving import Moving
    from memview.app.screens.righting import Righting

SET_ASIDE = ("forgotten", "pruned", "superseded")


class Doing:
    """Runs the commands of a browse screen. What only a command needs is imported at the first one.

    Args:
        screen: the screen.
    """

    def __init__(self, screen: BrowseScreen) -> None:
        self._screen = screen
        self._fact: FactRead | None = None
        self._waiting: tuple[int | None, Callable[[FactDetail], None]] | None = None
        """What is to be done with the fact under the cursor once it has been read, and the number of that fact."""
        self._turn: TurnDetail | None = None
        self._before_search: View | None = None
        self.awaiting = Awaiting(screen)
        self.bulk = Bulk(screen)

    @cached_property
    def _moving(self) -> Moving:
        from memview.app.screens.moving import Moving

        return Moving(self._screen)

    @cached_property
    def menus(self) -> Menus:
        """What opens the menus."""
        from memview.app.screens.menu import Menus

        return Menus(self._screen, lambda: bool(self.bulk.marks.numbers), self._with_fact, lambda: self._turn)

    @cached_property
    def _righting(self) -> Righting:
        from memview.app.screens.righting import Righting

        return Righting(self._screen, self._with_fact)

    @cached_property
    def _going(self) -> Going:
        from memview.app.screens.going import Going

        return Going(self._screen, self._with_fact)

    @cached_property
    def _own(self) -> dict[str, Callable[[], object]]:
        """What the commands do that are not those of one of the parts, by their ids."""
        return {
            "help": self._help,
            "palette": self._palette,
            "close": self._quit,
            "quit": self._quit,
            "escape": self._escape,
            "undo": self._undo,
            "redo": lambda: self._screen.desk.acts.run(self._screen.desk.editing.redo),
            "back": self._back,
            "refresh": self._refresh,
            "search": self._search,
            "search.keep": lambda: self._screen.go_to_spot("list"),
            "search.cancel": self.leave_search,
            "search.complete": lambda: self._screen.search.input.action_complete(),
            "search.move": lambda: self._moving.move("cursor_down"),
            "forget": lambda: self._act("forget", lambda editing, fact: editing.forget(fact)),
            "accept": lambda: self._act("accept", lambda editing, fact: editing.accept(fact)),
            "pin": lambda: self._act("pin", lambda editing, fact: editing.pin(fact)),
            "restore": lambda: self._act("restore", lambda editing, fact: editing.restore(fact)),
            "tags": lambda: self.bulk.acting.tags(self._with_fact),
            "filter": lambda: self.menus.filter(),
            "menu": lambda: self.menus.menu(),
            "origin": self._origin,
            "copy": self._copy,
            "copy.id": self._copy_id,
            "markdown": self._markdown,
            "secrets": self._secrets,
            "sort": self._sort,
            "go.again": self._refresh,
        }

    def _work(self, id: str) -> Callable[[], object]:
        """What a command does; of the parts only those are imported that are looked at until it is found."""
        if id in self._own:
            return self._own[id]
        parts = (lambda: self.bulk, lambda: self._moving, lambda: self._going, lambda: self._righting)
        return next(actions[id] for part in parts if id in (actions := part().actions))

    def run(self, id: str) -> None:
        """Run a command, or say why it cannot be run now."""
        command = BY_ID[id]
        reason = self.why_not(command)
        if reason:
            self._screen.say(reason, "$text-muted")
        else:
            self._work(id)()

    def why_not(self, command: Command) -> str:
        """Why a command is not allowed now; empty if it is."""
        screen, need = self._screen, command.need
        if command.writes and screen.desk.read_only:
            return "this store is open read-only · nothing was changed"
        if not need or need == "writable":
            return ""
        if need != "record" and screen.listing.view.tab == "turns":
            return "that is for facts; this is a turn"
        if command.many and self.bulk.marks.numbers:
            return ""
        if screen.list.cursor_key is None:
            return "there is nothing under the cursor"
        row = screen.list.cursor_row
        aside = row is not None and row.state_name in SET_ASIDE
        if command.id == "forget" and row is not None and row.state_name == "forgotten":
            return "it is forgotten already"
        if need == "edit" and aside and row is not None:
            return f"it is {row.state_name} · r puts it back first"
        return "it is active already" if need == "restore" and not aside else ""

    def allowed(self) -> set[str]:
        """The ids of the commands that are allowed now."""
        return {command.id for command in self._screen.desk.commands if not self.why_not(command)}

    def fact_shown(self, read: FactRead) -> None:
        """Note which fact the detail shows; do what waited for it, and let an open editor know."""
        self._fact = read
        if "_righting" in vars(self):
            self._righting.fact_read(read.fact)
        waiting = self._waiting
        if waiting is None or waiting[0] == self._screen.list.cursor_key != read.fact.row.n:
            return  # it is about a fact that the cursor has left
        self._waiting = None
        if waiting[0] == read.fact.row.n and self.shown_fact() is not None:
            waiting[1](read.fact)
        else:
            self._screen.say("the list changed meanwhile · nothing was done", "$text-muted")

    def turn_shown(self, read: TurnRead) -> None:
        """Note which turn the detail shows."""
        self._turn = read.turn

    def fact_gone(self) -> None:
        """Note that the fact of the detail is no longer in the store, and let an open editor know."""
        self._fact = self._waiting = None
        if "_righting" in vars(self):
            self._righting.fact_gone()

    # Everywhere

    def _help(self) -> None:
        from memview.app.screens.help import HelpScreen

        self._screen.app.push_screen(HelpScreen(self.allowed(), self._screen.desk.commands))

    def _palette(self) -> None:
        self._screen.app.action_command_palette()

    def _quit(self) -> None:
        screen = self._screen
        screen.desk.acts.when_done(lambda: screen.app.exit(0))

    def _escape(self) -> None:
        screen = self._screen
        if self.bulk.stop_or_drop():
            return
        if screen.has_class("-zoomed"):
            self._moving.zoom()
        elif screen.listing.view.text:
            screen.search.put("")
            screen.ask(replace(screen.listing.view, text="", order=None, lit=()))
        elif screen.spot == "detail" and screen.has_class("-one", "-two"):
            self._moving.left()
        else:
            self.bulk.clear()

    def _undo(self) -> None:
        screen, editing = self._screen, self._screen.desk.editing

        def work() -> Outcome:
            from memview.app.editing import Outcome

            question = editing.earlier()
            if question is None:
                return editing.undo()
            screen.app.call_from_thread(self._ask_undo, question)
            return Outcome("")

        screen.desk.acts.run(work)

    def _ask_undo(self, question: str) -> None:
        """Take back a step from an earlier sitting only if that is agreed to."""
        from memview.app.screens.message import MessageScreen
        from memview.app.widgets.choices import Choice

        def answered(key: str | None) -> None:
            if key == "y":
                self._screen.desk.acts.run(self._screen.desk.editing.undo)

        choices = (Choice("y", "take it back"), Choice("escape", "leave it"))
        self._screen.app.push_screen(MessageScreen(question, choices), answered)

    def _back(self) -> None:
        screen = self._screen
        if not screen.places:
            if screen.has_class("-one", "-two") and screen.spot != "tree":
                self._moving.left()
            else:
                screen.say("you did not come from anywhere else", "$text-muted")
            return
        place = screen.places.pop()
        self._settle(place.view)
        screen.listing.go_back(place)
        screen.listing.count_other()
        screen.go_to_spot("detail" if place.spot == "detail" else "tree" if place.spot == "tree" else "list")

    def _refresh(self) -> None:
        self._screen.listing.again()
        self.awaiting.answer()
        self._screen.desk.loader.spaces()
        self._screen.refresh(repaint=True, layout=True)

    # Search

    def _search(self) -> None:
        self._before_search = self._screen.listing.view
        self._screen.go_to_spot("search")

    def leave_search(self) -> None:
        """Put the search back that was there before the search line was entered."""
        screen, before = self._screen, self._before_search
        if before is not None and before.text != screen.search.text:
            screen.search.put(before.text)
            screen.ask(replace(screen.listing.view, text=before.text))
        screen.go_to_spot("list")

    def search_for(self, text: str) -> None:
        """Show another search; the way back is kept."""
        self.look_at(replace(self._screen.listing.view, text=text))

    def look_at(self, view: View) -> None:
        """Show another view; the way back is kept."""
        screen = self._screen
        screen.places.append(screen.listing.here(screen.spot))
        self._show_view(view)
        screen.go_to_spot("list")

    def _show_view(self, view: View, cursor_on: int | None = None) -> None:
        self._settle(view)
        self._screen.ask(view, cursor_on=cursor_on)

    def _settle(self, view: View) -> None:
        """Bring search line and tree to a view that was not chosen through them."""
        screen = self._screen
        screen.search.put(view.text)
        screen.spaces.pick(view.scope)
        screen.spaces.kind = view.tab

    # Records

    def _act(self, verb: Verb, act: Callable[[Editing, FactRow], Outcome]) -> None:
        if self.bulk.marks.numbers:
            self.bulk.acting.act(verb)
            return
        key = self._screen.list.cursor_key
        if key is None:
            return
        listing, row = self._screen.listing, self._screen.list.cursor_row
        if verb == "forget":
            listing.leave(key)
            self._screen.around.footer()
        seen = row.id if row is not None else ""
        self._screen.desk.acts.on_fact(key, act, lambda done: listing.outcome_known(key, left=done), id=seen)

    def shown_fact(self) -> FactDetail | None:
        """The fact under the cursor, if the detail shows it by now."""
        read = self._fact
        return read.fact if read is not None and read.fact.row.n == self._screen.list.cursor_key else None

    def _with_fact(self, work: Callable[[FactDetail], None]) -> None:
        """Do something with the fact under the cursor, now or once it has been read."""
        fact = self.shown_fact()
        if fact is None:
            self._waiting = (self._screen.list.cursor_key, work)
            self._screen.desk.opening(lambda: self._waiting is None, self._wait_for_no_fact)
        else:
            work(fact)

    def _wait_for_no_fact(self) -> None:
        self._waiting = None

    def wait_no_longer(self, *, locked: bool) -> None:
        """Do nothing with a fact that has not been read yet, and hold no key for an answer: reading failed.

        Args:
            locked: whether somebody held the lock.
        """
        self._wait_for_no_fact()
        self.awaiting.give_up()
        self._screen.listing.could_not_read(locked=locked)

    def _origin(self) -> None:
        screen, read = self._screen, self._fact
        if read is None or read.fact.row.n != screen.list.cursor_key:
            return
        turn = next((source.turn for source in read.sources if source.turn is not None), None)
        if turn is None:
            gone = "its turn is no longer in the store" if read.sources else "it names no turn it came from"
            screen.say(gone, "$text-muted")
        else:
            self.show_record(Located(turn))

    def show_record(self, message: Located) -> None:
        """Go to a record: a turn in its session, a fact in its namespace; the way back is kept."""
        screen, row = self._screen, message.row
        if row is None:
            screen.say("it is no longer in the store", "$text-muted")
            return
        screen.places.append(screen.listing.here(screen.spot))
        if isinstance(row, TurnRow):
            scope = Scope(row.tenant, under=row.namespace, namespace=None if row.namespace is None else ALL)
            view = View(scope, f'session:"{_quoted(row.session)}"', "turns", "oldest", screen.listing.lit)
        else:
            aside = f"is:{row.status}" if row.status in SET_ASIDE else ""
            view = View(Scope(row.tenant, under=row.namespace), aside, "facts")
        self._show_view(view, cursor_on=row.n)
        screen.go_to_spot("list")

    def _copy(self) -> None:
        fact = self.shown_fact()
        row = self._screen.list.cursor_row
        text = fact.content if fact is not None else row.text if row is not None else ""
        self._screen.app.copy_to_clipboard(text)
        if has_secret(text):
            self._screen.say("copied the text with its secret · it stays in the clipboard", "$text-warning")
        else:
            self._screen.say("copied the text")

    def _copy_id(self) -> None:
        fact = self.shown_fact()
        if fact is not None:
            self._screen.app.copy_to_clipboard(fact.row.id)
            self._screen.say(f"copied {fact.row.id}")

    def _markdown(self) -> None:
        shown = self._screen.detail.toggle_markdown()
        self._screen.say("texts as Markdown" if shown else "texts as they were written", "$text-muted")

    def _secrets(self) -> None:
        screen = self._screen
        did = screen.detail.toggle_secrets()
        if did and screen.spot == "list" and screen.has_class("-one", "-two"):
            screen.go_to_spot("detail")
        screen.say(did or "no secret was found in it", "$text-muted")

    def _sort(self) -> None:
        screen = self._screen
        screen.ask(screen.listing.next_order())
        screen.say(ORDER_WORDS[screen.listing.order], "$text-muted")


def _quoted(value: str) -> str:
    return value.replace('"', '""')
