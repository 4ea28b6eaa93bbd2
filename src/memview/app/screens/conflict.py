"""Two people wrote the same fact: both texts, and one decision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memview.app import drafts
from memview.app.drafts import Draft
from memview.app.screens.dialog import Dialog, Frame
from memview.app.sides import sides
from memview.app.widgets.choices import Choice, Choices
from memview.review.secrets import has_secret, mask

Decision = Literal["mine", "theirs", "both"]
"""Save mine over theirs, leave theirs, or make one text of both by hand."""

_DECISIONS: dict[str, Decision] = {"m": "mine", "t": "theirs", "b": "both"}
_CHOICES = (
    Choice("m", "keep mine"), Choice("t", "keep theirs"), Choice("b", "edit both"), Choice("escape", "back"),
)  # fmt: skip


class ConflictScreen(Dialog[Decision | None]):
    """Shows what was typed beside what the fact says by now, and asks which holds. Nothing is written here.

    Args:
        base: what both began from.
        mine: what was typed.
        theirs: what the fact says now.
    """

    DEFAULT_CSS = """
    ConflictScreen {
        #said { height: auto; color: $text-muted; }
        #sides { height: auto; max-height: 1fr; padding-top: 1; }
        #sides > Horizontal { height: auto; }
        .side { width: 1fr; height: auto; padding-right: 2; }
        .side > Static { height: auto; }
        .head { color: $text-muted; }
        &.-low #sides { padding-top: 0; }
        &.-narrow #sides > Horizontal { layout: vertical; }
        &.-narrow .side { width: 100%; padding: 0; }
        &.-narrow .side.-theirs { padding: 1 0 0 0; }
    }
    """
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "decide('m')", "Keep mine", show=False, id="conflict.mine", tooltip="Save mine over theirs"),
        Binding("t", "decide('t')", "Keep theirs", show=False, id="conflict.theirs", tooltip="Leave theirs"),
        Binding("b", "decide('b')", "Both", show=False, id="conflict.both", tooltip="Make one text of both by hand"),
        Binding("escape,q", "decide('')", "Back", show=False, id="conflict.back", tooltip="Back to the editor"),
        Binding(
            "exclamation_mark", "secrets", "Secrets", show=False, id="conflict.secrets", tooltip="Show or hide secrets"
        ),
        Binding("down,j", "scroll_sides(1)", "Down", show=False, id="conflict.down", tooltip="Scroll down"),
        Binding("up,k", "scroll_sides(-1)", "Up", show=False, id="conflict.up", tooltip="Scroll up"),
        Binding(
            "pagedown,ctrl+d", "scroll_sides(4)", "Page down", show=False, id="conflict.page_down", tooltip="Page down"
        ),
        Binding("pageup,ctrl+u", "scroll_sides(-4)", "Page up", show=False, id="conflict.page_up", tooltip="Page up"),
    ]

    def __init__(self, base: Draft, mine: Draft, theirs: Draft) -> None:
        super().__init__()
        self._base = base
        self._mine = mine
        self._theirs = theirs
        self._bare = False
        self._since = 0.0
        """When it came to stand, by the clock of events."""

    def compose(self) -> ComposeResult:
        """What happened, both sides, and the keys."""
        with Frame("Changed meanwhile", id="conflict"):
            yield Static(Content("Someone else changed this fact while you were typing. Which holds?"), id="said")
            with VerticalScroll(id="sides", can_focus=False), Horizontal():
                for side, head in (("mine", "yours"), ("theirs", "theirs")):
                    with Vertical(classes=f"side -{side}"):
                        yield Static(Content(head), classes="head")
                        yield Static("", id=side, markup=False)
            yield Choices(self._choices())

    def on_mount(self, event: events.Mount) -> None:
        """Show both."""
        self._since = event.time
        self._draw()
        self.put_cursor(self.query_one("#said"))

    def on_key(self, event: events.Key) -> None:
        """Take no decision from a key that was pressed before there was anything to decide."""
        if event.time < self._since:
            event.stop()
            event.prevent_default()

    def show(self, theirs: Draft) -> None:
        """Show what the fact says by now, once this stands: it was written again while this was open."""
        self.call_later(self._show, theirs)

    def _show(self, theirs: Draft) -> None:
        if theirs != self._theirs:
            self._theirs = theirs
            self.query_one("#said", Static).update(Content("They changed it again just now. Which holds?"))
            self.query_one(Choices).offer(self._choices())
            self._draw()

    def _draw(self) -> None:
        names = drafts.touched(self._base, self._mine)
        pairs = list(_pairs(names, self._mine, self._theirs, bare=self._bare))
        for place, side in enumerate(("mine", "theirs")):
            self.query_one(f"#{side}", Static).update(Content("\n").join(pair[place] for pair in pairs))

    def _choices(self) -> tuple[Choice, ...]:
        """What to choose from; where a text holds a secret, to see it too."""
        texts = [getattr(draft, name) for draft in (self._mine, self._theirs) for name in ("content", *drafts.SHORT)]
        if not any(map(has_secret, texts)):
            return _CHOICES
        return (*_CHOICES, Choice("!", "hide secrets" if self._bare else "show secrets"))

    def action_secrets(self) -> None:
        """Show the secrets in both texts, or hide them again."""
        self._bare = not self._bare
        self.query_one(Choices).offer(self._choices())
        self._draw()

    def action_decide(self, key: str) -> None:
        """Close with a decision, or with none."""
        self.dismiss(_DECISIONS.get(key))

    def action_scroll_sides(self, lines: int) -> None:
        """Scroll both texts."""
        self.query_one("#sides").scroll_relative(y=3 * lines, animate=False)

    @on(Choices.Chosen)
    def _clicked(self, message: Choices.Chosen) -> None:
        if message.key == "!":
            self.action_secrets()
        else:
            self.action_decide(message.key)


def _pairs(names: list[str], mine: Draft, theirs: Draft, *, bare: bool) -> Iterator[tuple[Content, Content]]:
    """Each field that was typed into, on both sides; secrets are hidden unless they are to stand bare."""
    for name in names:
        label = "" if name == "content" else f"{name}  "
        texts = [getattr(draft, name).strip("\n") or "none" for draft in (mine, theirs)]
        both = sides(*(texts if bare else map(mask, texts)))
        yield tuple(Content.assemble((label, "$foreground 60%"), text) for text in both)  # type: ignore[misc]
