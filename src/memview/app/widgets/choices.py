"""A line of things to choose from, each a key and a button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose."""

    key: str
    """The key as Textual names it, e.g. ``s`` or ``escape``."""
    label: str
    """What it does, in a word or two."""

    @property
    def shown(self) -> str:
        """The key as it is written on the screen."""
        return {"escape": "Esc", "tab": "Tab", "enter": "Enter", "plus": "+"}.get(self.key, self.key)


class Choices(Static):
    """Shows keys with their words; a click on one says so. The keys themselves are the screen's to bind."""

    DEFAULT_CSS = """
    Choices { height: auto; color: $text-muted; }
    """

    @dataclass
    class Chosen(Message):
        """A choice was clicked."""

        key: str
        """Its key."""

    def __init__(self, choices: Sequence[Choice], *, id: str | None = None) -> None:
        super().__init__(_line(choices), id=id, markup=False)

    def offer(self, choices: Sequence[Choice]) -> None:
        """Show other choices."""
        self.update(_line(choices))

    @staticmethod
    def button(key: str) -> Style:
        """What makes a stretch of text a button for a choice."""
        return Style.from_meta({"choice": key})

    def on_click(self, event: events.Click) -> None:
        """Say which one was clicked."""
        key = event.style.meta.get("choice")
        if isinstance(key, str):
            event.stop()
            self.post_message(self.Chosen(key))


def _line(choices: Sequence[Choice]) -> Content:
    return Content("   ").join(
        Content.assemble((choice.shown, "bold $primary"), f" {choice.label}".replace(" ", "\u00a0")).stylize(
            Choices.button(choice.key)
        )
        for choice in choices
    )
