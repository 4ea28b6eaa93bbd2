"""What agents get: the facts that a user's message would bring along, the parts of each score, and what is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from textual import events, on
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from memview.app.agents import RECALLED, Answer, Given, Part, answer
from memview.app.desk import Desk
from memview.app.screens.reviewing import ReviewScreen
from memview.app.widgets.lines import Line, Lines
from memview.app.widgets.record_row import bar
from memview.memory.looking import Ask
from memview.review import masking
from memview.text import one_line, visible

_TITLES: dict[Part, tuple[str, str]] = {
    "along": ("comes along with the message", "prefetch"),
    "recalled": ("given when the agent asks", "recall"),
    "resident": ("always before the agent", "persona"),
    "out": ("left out", ""),
}
_REASON = 12
"""Cells of the column that says why a fact is left out."""


class AgentsScreen(ReviewScreen):
    """Shows what agents get of one namespace for a message; gives the id of a fact to go to.

    Args:
        desk: the store.
        tenant: whose memory.
        namespace: which part of it.
        message: what is asked at first.
    """

    SCENE = "agents"
    AUTO_FOCUS = "Input"
    DEFAULT_CSS = """
    AgentsScreen {
        #message { height: 1; padding: 0 1; }
        #message Static { width: 2; color: $primary; text-style: bold; }
        #message Input, #message Input:focus {
            height: 1; width: 1fr; border: none; padding: 0; background: $background;
            background-tint: $background 0%;
        }
        #message Input > .input--placeholder { color: $text-disabled; }
        #given { height: 1fr; }
        #facts { width: 1fr; border: round $border-blurred; padding: 0 0 0 1; }
        #facts:focus-within { border: heavy $primary; }
        #facts Lines, #facts Lines:focus { height: 1fr; max-height: 100%; }
        #why {
            width: 48; border: round $border-blurred; padding: 0 1; scrollbar-size-vertical: 1;
            scrollbar-color: $foreground 15%; scrollbar-background: $background;
        }
        #why Static { height: auto; }
        &.-wide #why { width: 64; }
        &.-one #given { layout: vertical; }
        &.-one #facts, &.-one #facts:focus-within { border: none; height: 1fr; }
        &.-one #why { width: 1fr; height: 8; border: none; border-top: solid $border-blurred; }
        &.-short #why { display: none; }
    }
    """

    def __init__(self, desk: Desk, tenant: str, namespace: str, message: str = "") -> None:
        super().__init__(desk)
        self.ask = Ask(message, tenant=tenant, namespace=namespace, limit=RECALLED)
        self._answer = Answer()
        self._shown: list[Given | None] = []
        """What each line is about; None for a title."""

    # What it shows

    def body(self) -> Iterable[Widget]:
        """The message, what it brings, and why."""
        with Horizontal(id="message"):
            yield Static("/", markup=False)
            yield Input(self.ask.text, placeholder="what a user would say", id="said", select_on_focus=True)
        with Horizontal(id="given"):
            with Vertical(id="facts"):
                yield Lines()
            with VerticalScroll(id="why", can_focus=False):
                yield Static(markup=False)

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands of this screen do."""
        lines = self._lines
        return {
            "agents.ask": lambda: self.query_one(Input).focus(),
            "agents.list": lambda: lines().focus(),
            "open": lambda: lines().action_select(),
            "move.first": lambda: lines().action_first(),
            "move.last": lambda: lines().action_last(),
            "detail.down": lambda: self.query_one("#why").scroll_relative(y=3, animate=False),
            "detail.up": lambda: self.query_one("#why").scroll_relative(y=-3, animate=False),
        }

    def _lines(self) -> Lines:
        return self.query_one(Lines)

    def reload(self) -> None:
        """Ask again."""
        ask = self.ask
        self.read(lambda raw: answer(raw, ask, self.desk.clock()), self._show, slot="answer")

    def _show(self, found: Answer) -> None:
        """Show an answer; the cursor stays on the same fact, or goes to the first."""
        before = self.chosen.fact.id if self.chosen is not None else None
        self._answer = found
        self._shown, options = [], []
        for part, (title, verb) in _TITLES.items():
            given = found.of(part)
            if given:
                count = len(given) + (found.more if part == "out" else 0)
                options.append(Option(_title(title, verb, count), disabled=True))
                self._shown.append(None)
                options += [Option(_line(one)) for one in given]
                self._shown += given
        lines = self._lines()
        lines.clear_options()
        lines.add_options(options or [Option(Content(self._nothing()), disabled=True)])
        ids = {one.fact.id: place for place, one in reversed([*enumerate(self._shown)]) if one is not None}
        lines.highlighted = ids.get(before or "", min(ids.values(), default=None))
        where = one_line(str(self.ask.namespace), 40)
        self.head([Content.styled("What agents get", "bold"), Content.styled(f" · {where}", "$text-muted")])
        self._explain()

    def _nothing(self) -> str:
        return "An agent gets nothing for this." if self.ask.text.strip() else "Type what a user would say."

    @property
    def chosen(self) -> Given | None:
        """The fact under the cursor."""
        at = self._lines().highlighted
        return self._shown[at] if at is not None and at < len(self._shown) else None

    @on(OptionList.OptionHighlighted)
    def _moved(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._explain()

    def _explain(self) -> None:
        """Say beside the list why the fact under the cursor stands where it stands."""
        told = _told(self.chosen, self._answer) if self.chosen is not None else Content()
        self.query_one("#why Static", Static).update(told)
        self.query_one("#why").scroll_home(animate=False)

    # Asking

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value != self.ask.text:
            self.ask = replace(self.ask, text=event.value)
            self._lines().highlighted = None
            self.reload()

    @on(Input.Submitted)
    def _to_list(self, event: Input.Submitted) -> None:
        event.stop()
        self._lines().focus()

    def on_key(self, event: events.Key) -> None:
        """Down leaves the message for the list."""
        if isinstance(self.focused, Input) and event.key in ("down", "tab"):
            event.stop()
            event.prevent_default()
            self._lines().focus()

    def step_back(self) -> None:
        """From the message to the list, from there back."""
        if isinstance(self.focused, Input) and self._answer.given:
            self._lines().focus()
        else:
            self.dismiss(None)

    @on(OptionList.OptionSelected)
    def _go(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if self.chosen is not None:
            self.dismiss(self.chosen.fact.id)


def _title(words: str, verb: str, count: int) -> Content:
    """A line over the facts of one part."""
    return Content.assemble((f"{words[0].upper()}{words[1:]} {count:,}", "bold"), (f"  {verb}", "$text-muted"))


def _line(one: Given) -> Line:
    """A fact: how well it answers, or why it is left out."""
    text = masking.line(one.fact.content, 400) or "(no text)"
    if one.part == "out":
        return Line(text, "$text-muted", head=Content.styled(f"  {one.reason:<{_REASON}} ", "$text-muted"))
    if one.why is None:
        sign = "^" if one.fact.pinned else " "
        return Line(
            text,
            head=Content.styled(f"  {sign}{one.fact.importance:>3.0f} {bar(one.fact.importance / 10)} ", "$text-muted"),
        )
    return Line(
        text, head=Content.assemble((f"  {one.score:.2f} ", "$text-muted"), (f"{bar(one.score)} ", "$secondary"))
    )


def _told(one: Given, found: Answer) -> Content:
    """A fact whole, and what its place rests on."""
    lines = [Content(visible(masking.beginning(one.fact.content))), Content()]
    if one.part == "out":
        lines.append(Content.assemble(("not given: ", "bold"), one.detail))
    elif one.why is None:
        reason = "it is pinned" if one.fact.pinned else f"its importance is {one.fact.importance:.0f}"
        lines.append(Content.assemble(("always given: ", "bold"), reason))
    else:
        lines += _parts(one)
        if one.why.via is not None:
            via = masking.line(found.via.get(one.why.via, ""), 80)
            lines += [Content(), Content.assemble(("brought by a link from ", "$text-muted"), via)]
    return Content("\n").join(lines)


def _parts(one: Given) -> list[Content]:
    """The parts of a score, each with its weight."""
    why = one.why
    assert why is not None
    parts = [
        ("relevance", why.weights.relevance, why.relevance),
        ("recency", why.weights.recency, why.recency),
        ("importance", why.weights.importance, why.importance),
        ("strength", why.weights.strength, why.strength),
    ]
    rows = [
        Content.assemble(
            f"{name:<11}",
            (f"{weight:.2f} × {value:.2f}  ", "$text-muted"),
            f"{weight * value:.3f} ",
            (bar(value), "$secondary"),
        )
        for name, weight, value in parts
    ]
    return [*rows, Content.assemble((f"{'score':<24}{one.score:.3f}", "bold"))]
