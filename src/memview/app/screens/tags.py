"""Asking for tags to add and to take away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from memview.app.screens.dialog import Dialog, Frame
from memview.app.widgets.choices import Choice, Choices
from memview.text import one_line

Tags = Callable[[], Sequence[str]]
"""Reads the known tags, the most frequent first. Runs in a thread."""

OFFERED = 8
"""How many tags are shown that the word at the cursor may become."""


class Wanted(NamedTuple):
    """Tags to add and to take away."""

    add: tuple[str, ...]
    remove: tuple[str, ...]


def read(text: str) -> Wanted:
    """What was typed: ``+deploy`` or ``deploy`` adds, ``-old`` takes away; a tag with blanks stands in quotes."""
    signs: dict[str, bool] = {}
    for word in _words(text):
        name = word.lstrip("+-") if word[:1] in "+-" else word
        if name := name.strip('"').strip():
            signs[name] = not word.startswith("-")
    return Wanted(tuple(n for n, adds in signs.items() if adds), tuple(n for n, adds in signs.items() if not adds))


def _words(text: str) -> list[str]:
    """The words of a text; what stands in quotes is one."""
    words, word, quoted = [], "", False
    for letter in text + " ":
        quoted ^= letter == '"'
        if (letter.isspace() or letter == ",") and not quoted:
            words += [word] if word else []
            word = ""
        else:
            word += letter
    return [*words, word] if word.strip() else words


class TagsScreen(Dialog[Wanted | None]):
    """Asks for tags to add and to take away; None when it was closed. Nothing is written.

    Args:
        what: what they are for, safe to show.
        present: the tags of the fact, if there is only one.
        known: reads the tags there are.
    """

    DEFAULT_CSS = """
    TagsScreen {
        Frame { max-width: 76; }
        #present { height: auto; color: $text-muted; padding-bottom: 1; }
        #offered { height: 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
        &.-low #present { padding: 0; }
    }
    """
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False, id="tags.close", tooltip="Close and change nothing"),
        Binding("tab", "complete", "Complete", show=False, priority=True, id="tags.complete", tooltip="Complete a tag"),
    ]

    def __init__(self, what: str, present: Sequence[str], known: Tags) -> None:
        super().__init__()
        self._what = what
        self._present = tuple(present)
        self._read = known
        self._known: Sequence[str] = self._present

    def compose(self) -> ComposeResult:
        """What it is about, the line to type in, what it may become, and the keys."""
        with Frame(f"Tags · {self._what}"):
            if self._present:
                now = ", ".join(one_line(tag, 40) for tag in self._present)
                yield Static(Content(f"now: {now}"), id="present", markup=False)
            yield Input(placeholder="+deploy -old", select_on_focus=False)
            yield Static("", id="offered", markup=False)
            yield Choices((Choice("enter", "do it"), Choice("tab", "complete"), Choice("escape", "close")))

    def on_mount(self) -> None:
        """Have the known tags read."""
        self.run_worker(self._read, thread=True, exit_on_error=False)

    @on(Worker.StateChanged)
    def _were_read(self, event: Worker.StateChanged) -> None:
        event.stop()
        if event.state == WorkerState.SUCCESS and event.worker.result is not None:
            self._known = list(dict.fromkeys([*self._present, *event.worker.result]))
            self._offer()

    @on(Input.Changed)
    def _offer(self) -> None:
        """Show what the word at the cursor may become."""
        offered = "   ".join(one_line(tag, 30) for tag in self._fitting()[:OFFERED])
        self.query_one("#offered", Static).update(Content(offered))

    def _fitting(self) -> list[str]:
        """The known tags that begin as the word at the cursor does."""
        typed = self._word().lstrip("+-").casefold()
        taking = self._word().startswith("-") and self._present
        return [tag for tag in (self._present if taking else self._known) if tag.casefold().startswith(typed)]

    def _word(self) -> str:
        line = self.query_one(Input)
        return line.value[: line.cursor_position].rpartition(" ")[2]

    def action_complete(self) -> None:
        """Complete the word at the cursor with the likeliest tag."""
        line, word = self.query_one(Input), self._word()
        fitting = [tag for tag in self._fitting() if tag.isprintable()]
        if not word or not fitting:
            return
        sign = word[:1] if word[:1] in "+-" else ""
        head, tail = line.value[: line.cursor_position], line.value[line.cursor_position :]
        made = f"{head[: len(head) - len(word)]}{sign}{_quoted(fitting[0])} "
        line.value = made + tail.lstrip()
        line.cursor_position = len(made)

    @on(Input.Submitted)
    def action_submit(self) -> None:
        """Close with what was typed, if it is anything."""
        wanted = read(self.query_one(Input).value)
        self.dismiss(wanted if wanted.add or wanted.remove else None)

    def action_close(self) -> None:
        """Close and change nothing."""
        self.dismiss(None)

    @on(Choices.Chosen)
    def _clicked(self, message: Choices.Chosen) -> None:
        {"enter": self.action_submit, "tab": self.action_complete, "escape": self.action_close}[message.key]()


def _quoted(tag: str) -> str:
    return f'"{tag}"' if " " in tag or "," in tag else tag
