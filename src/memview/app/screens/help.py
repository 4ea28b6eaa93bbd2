"""What can be done, and with which keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import groupby, zip_longest
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memview.app.commands import COMMANDS, WHERE_TITLES, Command, shown_key
from memview.app.describe import BLANK, Paragraph
from memview.app.screens.dialog import Dialog, Frame
from memview.app.widgets.choices import Choice, Choices
from memview.app.widgets.layout import lay_out

_KEYS = 11
"""Cells of the column of keys, the blanks beside it included."""
_SENTENCES, _TITLES = 54, 32
"""The least width of a column of sentences, and of titles."""
_GAP = 4
_NONE = Content("")
_CONFIG = Content.styled("keys and theme: ~/.config/memview/config.toml", "$text-muted")


class HelpScreen(Dialog[None]):
    """All commands with their keys, by groups, in as many columns as fit.

    Args:
        allowed: ids of the commands that can be used now; the others are left out. None for all.
        commands: the table, with the keys that the person chose.
    """

    DEFAULT_CSS = """
    HelpScreen {
        #help, &.-narrow #help, &.-low #help { width: 100%; max-width: 176; max-height: 100%; padding: 0 2; }
        #commands { height: auto; }
        #commands Static { height: auto; text-wrap: nowrap; }
        Frame > Choices { padding: 0; }
    }
    """
    AUTO_FOCUS = "#commands"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,q,question_mark,f1", "close", "Close", show=False, id="help.close", tooltip="Close the help"
        ),
        Binding("j", "scroll(1)", "Down", show=False, id="help.down", tooltip="Scroll down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="help.up", tooltip="Scroll up"),
        Binding("ctrl+d", "scroll(8)", "Half a page down", show=False, id="help.half_down", tooltip="Scroll down"),
        Binding("ctrl+u", "scroll(-8)", "Half a page up", show=False, id="help.half_up", tooltip="Scroll up"),
        Binding("g", "scroll(-999)", "Top", show=False, id="help.top", tooltip="To the top"),
        Binding("G", "scroll(999)", "Bottom", show=False, id="help.bottom", tooltip="To the bottom"),
    ]  # fmt: skip

    def __init__(self, allowed: Collection[str] | None = None, commands: Sequence[Command] = COMMANDS) -> None:
        super().__init__()
        self._allowed = allowed
        self._commands = commands

    def compose(self) -> ComposeResult:
        """The columns and the way out."""
        with Frame("Help", _CONFIG, id="help"):
            with VerticalScroll(id="commands"):
                yield Static(markup=False)
            yield Choices((Choice("escape", "close"),))

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the columns for the width."""
        shown = columns(min(event.size.width, 176) - 7, event.size.height - 3, self._allowed, self._commands)
        self.query_one("#commands Static", Static).update(shown)
        self.query_one("#commands").styles.max_height = max(1, event.size.height - 3)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        """Scroll the commands."""
        self.query_one("#commands").scroll_relative(y=lines, animate=False)

    @on(Choices.Chosen)
    def _clicked(self) -> None:
        self.dismiss(None)


class KeysScreen(Dialog[None]):
    """The keys of a dialog, one a line.

    Args:
        of: the dialog.
    """

    DEFAULT_CSS = """
    KeysScreen {
        Frame { width: auto; min-width: 32; }
        VerticalScroll { height: auto; max-height: 1fr; width: auto; }
        VerticalScroll > Static { width: auto; height: auto; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "close", "Close", show=False, id="keys.close", tooltip="Close"),
    ]

    def __init__(self, of: Dialog[Any]) -> None:
        super().__init__()
        self._said = _keys_of(of)

    def compose(self) -> ComposeResult:
        """The keys and the way out."""
        with Frame("Keys here"):
            with VerticalScroll():
                yield Static(self._said, markup=False)
            yield Choices((Choice("escape", "close"),))

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    @on(Choices.Chosen)
    def _clicked(self) -> None:
        self.dismiss(None)


def _keys_of(dialog: Dialog[Any]) -> Content:
    """What the keys of a dialog do."""
    keys: dict[str, list[str]] = {}
    for key, active in dialog.active_bindings.items():
        if active.binding.id and active.tooltip and active.node is not dialog.app and active.node.is_attached:
            keys.setdefault(active.tooltip, []).append(shown_key(key))
    return Content("\n").join(
        Content.assemble((" ".join(names).ljust(_KEYS), "bold $primary"), (f" {said}", "$foreground"))
        for said, names in keys.items()
    )


def columns(
    width: int, height: int, allowed: Collection[str] | None = None, commands: Sequence[Command] = COMMANDS
) -> Content:
    """The commands in columns of even height: a sentence on each if all can be seen at once, else its title.

    Args:
        width: cells of all columns together.
        height: lines that can be seen.
        allowed: ids of the commands to show; None for all.
        commands: the table.
    """
    chosen = [command for command in commands if command.keys and (allowed is None or command.id in allowed)]
    sentences = _arranged(width, _SENTENCES, chosen, lambda command: command.help)
    if len(sentences) <= height:
        return Content("\n").join(sentences)
    titles = _arranged(width, _TITLES, chosen, lambda command: command.title)
    return Content("\n").join(titles if len(titles) <= height else sentences)


def _arranged(width: int, least: int, chosen: Sequence[Command], words: Callable[[Command], str]) -> list[Content]:
    """The lines of all columns together."""
    count = max(1, (width + _GAP) // (least + _GAP))
    each = (width - _GAP * (count - 1)) // count
    groups = [_group(title, commands, words) for title, commands in _groups(chosen)]
    made = _dealt([[line.content for line in lay_out(group, each)] for group in groups], count)
    return [
        Content(" " * _GAP).join([_wide(part, each) for part in row]) for row in zip_longest(*made, fillvalue=_NONE)
    ]


def _groups(chosen: Sequence[Command]) -> list[tuple[str, list[Command]]]:
    """The commands by group, in the table's order."""
    return [(WHERE_TITLES[where], list(commands)) for where, commands in groupby(chosen, lambda command: command.where)]


def _group(title: str, commands: list[Command], words: Callable[[Command], str]) -> list[Paragraph]:
    """A title and a line for each command."""
    lines = [Paragraph(Content.assemble((words(command), "$foreground")), _keys(command)) for command in commands]
    return [Paragraph(Content.assemble((title, "bold"))), *lines, BLANK]


def _keys(command: Command) -> Content:
    """The keys of a command, as many as fit into their column."""
    keys = " ".join(shown_key(key) for key in command.keys)
    keys = keys if len(keys) < _KEYS else shown_key(command.keys[0])
    return Content.assemble((keys, "bold $primary"), " " * max(1, _KEYS - len(keys)))


def _dealt(blocks: list[list[Content]], count: int) -> list[list[Content]]:
    """Groups in reading order over columns, so that the highest column is as low as can be; no group is parted."""
    for height in range(max(map(len, blocks)), sum(map(len, blocks)) + 1):
        made: list[list[Content]] = [[]]
        for block in blocks:
            if made[-1] and len(made[-1]) + len(block) > height:
                made.append([])
            made[-1].extend(block)
        if len(made) <= count:
            return [column[:-1] for column in made]
    return [[line for block in blocks for line in block]]


def _wide(line: Content, width: int) -> Content:
    """A line padded to so many cells."""
    return line.pad_right(max(0, width - line.cell_length))
