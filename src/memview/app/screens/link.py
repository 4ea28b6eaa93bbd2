"""The links of a fact: choosing another to link it with, changing and removing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import Worker, WorkerState

from memview.app.messages import Failed
from memview.app.widgets.choices import Choice, Choices
from memview.errors import MemviewError
from memview.memory.looking import FactRow, Interrupted, Neighbour
from memview.text import one_line, visible

Search = Callable[[str], list[FactRow]]
"""Finds facts by words, the best first; without words those nearest at hand. Runs in a thread."""

KINDS = {
    "related": "The two belong together.",
    "contradicts": "They cannot both hold.",
    "supersedes": "This one holds; agents no longer get the other.",
    "derived-from": "This one was made from the other.",
}
"""The kinds of link, each in words."""
TURNED = {
    "supersedes": "The other one holds; agents do not get this one.",
    "derived-from": "The other was made from this one.",
}
"""The kinds with a direction, in words from their far end."""
MOST = 50
"""How many facts are offered."""


class Linking(NamedTuple):
    """A link that a person chose."""

    other: FactRow
    """The fact at its other end."""
    kind: str
    """One of :data:`KINDS`."""


class LinkScreen(ModalScreen[Linking | None]):
    """Asks for the other end of a link, and its kind. Nothing is written; None when it was closed.

    Args:
        fact: the fact to be linked.
        search: finds the others.
    """

    DEFAULT_CSS = """
    LinkScreen {
        align: center middle;
        & > #picker {
            width: 90%;
            max-width: 104;
            height: 80%;
            max-height: 34;
            padding: 1 2 0 2;
            background: $background;
            border: heavy $primary;
            border-title-color: $primary;
            border-title-style: bold;
        }
        #this { height: auto; max-height: 3; text-style: bold; padding-bottom: 1; }
        #kind { height: auto; padding-bottom: 1; }
        #line { height: 1; layout: horizontal; }
        #slash { width: 2; color: $primary; text-style: bold; }
        Input { width: 1fr; height: 1; border: none; padding: 0; background: $background; }
        #line > Input:focus { border: none; background: $foreground 10%; }
        OptionList {
            height: 1fr; border: none; padding: 0; background: $background; scrollbar-size-vertical: 1;
            scrollbar-color: $foreground 15%; scrollbar-background: $background;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
        OptionList > .option-list--option { padding: 0; }
        OptionList > .option-list--option-highlighted {
            background: $foreground 10%; color: $foreground; text-style: bold;
        }
        #preview { height: auto; max-height: 6; padding-top: 1; color: $text-muted; }
        Choices { padding: 1 0 0 0; }
        &.-narrow > #picker { width: 100%; height: 100%; max-height: 100%; padding: 0 1; }
        &.-narrow #preview, &.-narrow Choices { padding: 0; }
        &.-narrow #preview { max-height: 3; }
        &.-narrow #kind, &.-narrow #this { padding-bottom: 0; }
    }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-wide")]
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

    def compose(self) -> ComposeResult:
        """This fact, the kind, the search, what it found, and the keys."""
        with Vertical(id="picker") as picker:
            picker.border_title = Content(f"Link · {one_line(self.fact.namespace, 40) or 'fact'}")
            yield Static(Content(one_line(self.fact.content)), id="this", markup=False)
            yield _Kinds((), id="kind")
            with Vertical(id="line"):
                yield Static("/", id="slash")
                yield Input(placeholder="words of the other fact")
            yield OptionList(compact=True)
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
                self._show([row for row in rows if row.id != self.fact.id][:MOST])
        elif event.state == WorkerState.ERROR and not isinstance(error, Interrupted):
            self._show([])
            self._say(visible(str(error)))
            if not isinstance(error, MemviewError):
                self.app.post_message(Failed("The search failed.", str(error), error))

    def _show(self, rows: list[FactRow]) -> None:
        """Offer facts, the cursor on the one it was on, if it is among them."""
        options = self.query_one(OptionList)
        before = self.chosen
        self._rows = rows
        options.clear_options()
        options.add_options([Option(_prompt(row)) for row in rows])
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
            preview.update(Content.assemble(place + "  ", (one_line(row.content), "$foreground")))

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
        """Close with the fact under the cursor, if there is one."""
        if self.chosen is not None:
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


def _prompt(row: FactRow) -> Content:
    text = one_line(row.content, 200) or "(no text)"
    if row.status == "active":
        return Content(text)
    return Content.assemble((one_line(row.status, 20) + "  ", "$foreground 60%"), (text, "$foreground 60% strike"))


class Relinking(NamedTuple):
    """What a person decided about a link."""

    link: Neighbour | None
    """The link; None where another one is wanted."""
    kind: str | None = None
    """The kind it is to have; None removes it."""


class LinksScreen(ModalScreen[Relinking | None]):
    """Shows the links of a fact, to change the kind of one or remove it. Nothing is written.

    Args:
        fact: the fact.
        links: its links, at least one.
    """

    DEFAULT_CSS = """
    LinksScreen {
        align: center middle;
        & > #links {
            width: 90%;
            max-width: 92;
            height: auto;
            max-height: 90%;
            padding: 1 2 0 2;
            background: $background;
            border: heavy $primary;
            border-title-color: $primary;
            border-title-style: bold;
        }
        #this { height: auto; max-height: 3; text-style: bold; padding-bottom: 1; }
        OptionList {
            height: auto; max-height: 12; border: none; padding: 0; background: $background;
            scrollbar-size-vertical: 1; scrollbar-color: $foreground 15%; scrollbar-background: $background;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
        OptionList:focus { border: none; background-tint: $background 0%; }
        OptionList > .option-list--option { padding: 0; }
        OptionList > .option-list--option-highlighted, OptionList:focus > .option-list--option-highlighted {
            background: $foreground 10%; color: $foreground; text-style: bold;
        }
        #meaning { height: auto; padding-top: 1; color: $text-muted; }
        Choices { padding: 1 0 0 0; }
        &.-narrow > #links { width: 100%; max-height: 100%; padding: 0 1; }
    }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-wide")]
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False, id="links.close", tooltip="Close and change nothing"),
        Binding("j", "app.simulate_key('down')", "Down", show=False, id="links.down", tooltip="Next link"),
        Binding("k", "app.simulate_key('up')", "Up", show=False, id="links.up", tooltip="Link before"),
        Binding("tab", "kind(1)", "Kind", show=False, priority=True, id="links.kind", tooltip="Next kind of link"),
        Binding(
            "shift+tab", "kind(-1)", "Kind before", show=False, priority=True, id="links.kind_back",
            tooltip="Kind of link before",
        ),
        Binding("d", "remove", "Remove", show=False, id="links.remove", tooltip="Remove this link"),
        Binding("plus", "another", "Another", show=False, id="links.another", tooltip="Link with another fact"),
    ]  # fmt: skip
    _CHOICES = (
        Choice("tab", "kind"), Choice("enter", "save the kind"), Choice("d", "remove"), Choice("plus", "another link"),
        Choice("escape", "close"),
    )  # fmt: skip

    def __init__(self, fact: FactRow, links: Sequence[Neighbour]) -> None:
        super().__init__()
        self.fact = fact
        self._links = links
        self.kinds = [link.kind for link in links]
        """The kind that each link is to have."""

    def compose(self) -> ComposeResult:
        """This fact, its links, what the kind of one means, and the keys."""
        with Vertical(id="links") as frame:
            frame.border_title = Content(f"Links · {one_line(self.fact.namespace, 40) or 'fact'}")
            yield Static(Content(one_line(self.fact.content)), id="this", markup=False)
            yield OptionList(*(Option(self._prompt(place)) for place in range(len(self._links))), compact=True)
            yield Static("", id="meaning", markup=False)
            yield Choices(self._CHOICES)

    def on_mount(self) -> None:
        """Begin with the first link."""
        self.query_one(OptionList).highlighted = 0

    @property
    def _place(self) -> int:
        return self.query_one(OptionList).highlighted or 0

    def _prompt(self, place: int) -> Content:
        link, kind = self._links[place], self.kinds[place]
        changed = "bold $primary" if kind != link.kind else "$foreground 60%"
        return Content.assemble((f"{_said(kind, link.outward):<16}", changed), _prompt(link.fact))

    @on(OptionList.OptionHighlighted)
    def _explain(self) -> None:
        link, kind = self._links[self._place], self.kinds[self._place]
        turned = kind in TURNED and not link.outward
        self.query_one("#meaning", Static).update(Content(TURNED[kind] if turned else KINDS.get(kind, "")))

    def action_kind(self, by: int) -> None:
        """Give the link under the cursor the next kind; Enter saves it."""
        kinds = list(KINDS)
        now = self.kinds[self._place]
        at = kinds.index(now) if now in kinds else -by
        self.kinds[self._place] = kinds[(at + by) % len(kinds)]
        self.query_one(OptionList).replace_option_prompt_at_index(self._place, self._prompt(self._place))
        self._explain()

    @on(OptionList.OptionSelected)
    def _save(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        link, kind = self._links[self._place], self.kinds[self._place]
        if kind != link.kind:
            self.dismiss(Relinking(link, kind))

    def action_remove(self) -> None:
        """Close with the link under the cursor to be removed."""
        self.dismiss(Relinking(self._links[self._place]))

    def action_another(self) -> None:
        """Close with another link wanted."""
        self.dismiss(Relinking(None))

    def action_close(self) -> None:
        """Close and change nothing."""
        self.dismiss(None)

    @on(Choices.Chosen)
    def _pressed(self, message: Choices.Chosen) -> None:
        if message.key == "enter":
            self.query_one(OptionList).action_select()
        elif message.key == "tab":
            self.action_kind(1)
        else:
            {"d": self.action_remove, "plus": self.action_another}.get(message.key, self.action_close)()


def _said(kind: str, outward: bool) -> str:
    """A kind of link as it is said from this end."""
    if not outward:
        kind = {"supersedes": "superseded by", "derived-from": "source of"}.get(kind, kind)
    return one_line(kind.replace("-", " "), 15)
