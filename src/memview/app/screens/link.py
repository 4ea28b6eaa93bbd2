"""Choosing a fact to link another with, and the kind of the link."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.worker import Worker, WorkerState

from memview.app.messages import Failed
from memview.app.screens.dialog import Dialog, Frame, wrong
from memview.app.screens.links import KINDS, line
from memview.app.widgets.choices import Choice, Choices
from memview.app.widgets.lines import Lines
from memview.errors import MemviewError
from memview.memory.looking import FactRow, Interrupted
from memview.review import masking
from memview.text import one_line

Search = Callable[[str], list[FactRow]]
"""Finds facts by words, the best first; without words those nearest at hand. Runs in a thread."""

MOST = 50
"""How many facts are offered."""


class Linking(NamedTuple):
    """A link that a person chose."""

    other: FactRow
    """The fact at its other end."""
    kind: str
    """One of :data:`KINDS`."""


class LinkScreen(Dialog[Linking | None]):
    """Asks for the other end of a link, and its kind. Nothing is written; None when it was closed.

    Args:
        fact: the fact to be linked.
        search: finds the others.
    """

    DEFAULT_CSS = """
    LinkScreen {
        #picker { height: 80%; max-height: 34; }
        #this { height: auto; max-height: 3; text-style: bold; padding-bottom: 1; }
        #kind { height: auto; padding: 0 0 1 0; }
        #line { height: 1; layout: horizontal; }
        #slash { width: 2; color: $primary; text-style: bold; }
        #line > Input { width: 1fr; }
        Lines { height: 1fr; }
        #preview { height: auto; max-height: 6; padding-top: 1; color: $text-muted; }
        &.-narrow #picker, &.-low #picker { height: 100%; }
        &.-low #this { max-height: 2; }
        &.-low #this, &.-low #preview, &.-low #kind { padding: 0; }
        &.-low #preview { max-height: 3; }
    }
    """
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False, id="picker.close", tooltip="Close without a link"),
        Binding("enter", "pick", "Link", show=False, priority=True, id="picker.pick", tooltip="Link with this fact"),
        Binding("down", "move(1)", "Down", show=False, priority=True, id="picker.down", tooltip="Next fact"),
        Binding("up", "move(-1)", "Up", show=False, priority=True, id="picker.up", tooltip="Fact before"),
        Binding("tab", "kind(1)", "Kind", show=False, priority=True, id="picker.kind", tooltip="Next kind of link"),
        Binding(
            "shift+tab", "kind(-1)", "Kind before", show=False, priority=True, id="picker.kind_back",
            tooltip="Kind of link before",
        ),
    ]  # fmt: skip

    def __init__(self, fact: FactRow, search: Search) -> None:
        super().__init__()
        self.fact = fact
        self.kind = "related"
        self._search = search
        self._rows: list[FactRow] = []
        self._said = ""
        self._found: str | None = None
        """The words that were searched for when what is offered was found; None as long as nothing was."""
        self._wanted: str | None = None
        """The words whose first fact is to be linked with, once it is found."""

    def compose(self) -> ComposeResult:
        """This fact, the kind, the search, what it found, and the keys."""
        with Frame(f"Link · {one_line(self.fact.namespace, 40) or 'fact'}", id="picker"):
            yield Static(Content(masking.line(self.fact.content)), id="this", markup=False)
            yield _Kinds((), id="kind")
            with Vertical(id="line"):
                yield Static("/", id="slash")
                yield Input(placeholder="words of the other fact")
            yield Lines()
            yield Static("", id="preview", markup=False)
            yield Choices((Choice("enter", "link"), Choice("tab", "kind"), Choice("escape", "close")))

    def on_mount(self) -> None:
        """Offer something before anything is typed."""
        self.query_one(OptionList).can_focus = False
        self.query_one(_Kinds).show(self.kind)
        self._ask("")

    # Searching

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._ask(event.value)

    def _ask(self, text: str) -> None:
        self.run_worker(
            lambda: (text, self._search(text)), thread=True, exclusive=True, exit_on_error=False, group="search"
        )

    @on(Worker.StateChanged)
    def _answered(self, event: Worker.StateChanged) -> None:
        """Show what was found, unless something else was typed meanwhile."""
        event.stop()
        error = event.worker.error
        if event.state == WorkerState.SUCCESS and event.worker.result is not None:
            asked, rows = event.worker.result
            if asked == self.query_one(Input).value:
                self._found = asked
                self._show([row for row in rows if row.id != self.fact.id][:MOST])
                if asked == self._wanted:
                    self.action_pick()
        elif event.state == WorkerState.ERROR and not isinstance(error, Interrupted):
            self._show([])
            self._say(wrong(error))
            if not isinstance(error, MemviewError):
                self.app.post_message(Failed("The search failed.", str(error), error))

    def _show(self, rows: list[FactRow]) -> None:
        """Offer facts, the cursor on the one it was on, if it is among them."""
        options = self.query_one(OptionList)
        before = self.chosen
        self._rows = rows
        options.clear_options()
        options.add_options(map(line, rows))
        ids = [row.id for row in rows]
        options.highlighted = (ids.index(before.id) if before and before.id in ids else 0) if rows else None
        self._say("" if rows else "No other fact has these words." if self.query_one(Input).value else "")
        self._preview()

    @property
    def chosen(self) -> FactRow | None:
        """The fact under the cursor."""
        place = self.query_one(OptionList).highlighted
        return self._rows[place] if place is not None and place < len(self._rows) else None

    @on(OptionList.OptionHighlighted)
    def _preview(self) -> None:
        row = self.chosen
        preview = self.query_one("#preview", Static)
        if row is None:
            preview.update(Content(self._said))
        else:
            place = one_line(row.namespace, 60)
            preview.update(Content.assemble(place + "  ", (masking.line(row.content), "$foreground")))

    def _say(self, text: str) -> None:
        self._said = text
        self._preview()

    # Choosing

    def action_move(self, by: int) -> None:
        """Move among the facts that were found."""
        options = self.query_one(OptionList)
        if self._rows:
            options.highlighted = max(0, min((options.highlighted or 0) + by, len(self._rows) - 1))

    def action_kind(self, by: int) -> None:
        """Take the next kind of link."""
        kinds = list(KINDS)
        self.kind = kinds[(kinds.index(self.kind) + by) % len(kinds)]
        self.query_one(_Kinds).show(self.kind)

    def action_pick(self) -> None:
        """Close with the fact under the cursor, if there is one; where it is still being looked for, once it is."""
        typed = self.query_one(Input).value
        if typed != self._found:
            self._wanted = typed
        elif self.chosen is not None:
            self.dismiss(Linking(self.chosen, self.kind))

    def action_close(self) -> None:
        """Close without a link."""
        self.dismiss(None)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        event.stop()

    @on(Choices.Chosen)
    def _pressed(self, message: Choices.Chosen) -> None:
        if message.key in KINDS:
            self.action_kind(list(KINDS).index(message.key) - list(KINDS).index(self.kind))
        elif message.key == "enter":
            self.action_pick()
        elif message.key == "tab":
            self.action_kind(1)
        else:
            self.action_close()


class _Kinds(Choices):
    """The kinds of link on a line, the chosen one lit, and what it means."""

    def show(self, chosen: str) -> None:
        """Light one."""
        words = Content("   ").join(
            Content.assemble((kind.replace("-", " "), "bold underline $primary" if kind == chosen else "")).stylize(
                self.button(kind)
            )
            for kind in KINDS
        )
        self.update(Content("\n").join([words, Content(KINDS[chosen])]))
