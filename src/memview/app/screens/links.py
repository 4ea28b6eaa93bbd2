"""The links of a fact, in words, and the dialog that changes and removes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from memview.app.screens.dialog import Dialog, Frame
from memview.app.widgets.choices import Choice, Choices
from memview.app.widgets.lines import Line, Lines
from memview.memory.looking import FactRow, Neighbour
from memview.review import masking
from memview.text import one_line

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


class Relinking(NamedTuple):
    """What a person decided about a link."""

    link: Neighbour | None
    """The link; None where another one is wanted."""
    kind: str | None = None
    """The kind it is to have; None removes it."""


class LinksScreen(Dialog[Relinking | None]):
    """Shows the links of a fact, to change the kind of one or remove it. Nothing is written.

    Args:
        fact: the fact.
        links: its links, at least one.
    """

    DEFAULT_CSS = """
    LinksScreen {
        #links { max-width: 92; }
        #this { height: auto; max-height: 3; text-style: bold; padding-bottom: 1; }
        #meaning { height: auto; padding-top: 1; color: $text-muted; }
        &.-low #this, &.-low #meaning { padding: 0; }
    }
    """
    SHARE = 0.4
    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", show=False, id="links.close", tooltip="Close and change nothing"),
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
        with Frame(f"Links · {one_line(self.fact.namespace, 40) or 'fact'}", id="links"):
            yield Static(Content(masking.line(self.fact.content)), id="this", markup=False)
            yield Lines(*map(self._prompt, range(len(self._links))))
            yield Static("", id="meaning", markup=False)
            yield Choices(self._CHOICES)

    def on_mount(self) -> None:
        """Begin with the first link."""
        self.query_one(OptionList).highlighted = 0

    @property
    def _place(self) -> int:
        return self.query_one(OptionList).highlighted or 0

    def _prompt(self, place: int) -> Line:
        link, kind = self._links[place], self.kinds[place]
        changed = "bold $primary" if kind != link.kind else "$foreground 60%"
        return line(link.fact, Content.styled(f"{_said(kind, link.outward):<16}", changed))

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
        else:
            self.hint("it has this kind already · Tab takes another")

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


def line(fact: FactRow, head: Content | None = None) -> Line:
    """A fact as something to choose; one that is set aside says so.

    Args:
        fact: the fact.
        head: what stands before it.
    """
    text = masking.line(fact.content, 200) or "(no text)"
    if fact.status == "active":
        return Line(text, head=head)
    aside = Content.styled(one_line(fact.status, 20) + "  ", "$foreground 60%")
    return Line(text, "$foreground 60% strike", head=aside if head is None else head + aside)
