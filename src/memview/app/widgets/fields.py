"""The fields of an editor: the text of a fact and what is noted on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Label, TextArea

from memview.app import drafts
from memview.app.drafts import Draft, StandIns


class Fields(Vertical):
    """A text, and below it fields of one line. What would not show stands there as visible signs.

    Args:
        held: what they hold at first.
        names: the fields of one line, of :data:`memview.app.drafts.SHORT`.
    """

    DEFAULT_CSS = """
    Fields {
        height: 1fr;
        .field { height: 1; layout: horizontal; }
        .field > Label { width: 17; color: $text-muted; }
        .field:focus-within > Label { color: $primary; text-style: bold; }
        .field > Input { width: 1fr; height: 1; border: none; padding: 0; background: $background; }
        .field > Input:focus { background: $foreground 10%; }
        #content-field { height: 1fr; min-height: 2; margin-bottom: 1; }
        TextArea { width: 1fr; height: 1fr; border: none; padding: 0; background: $background; }
        TextArea:focus { background: $background; border: none; }
        TextArea .text-area--cursor-line { background: $background; }
        TextArea .text-area--selection { background: $primary 40%; }
    }
    """

    class Changed(Message):
        """Something was typed."""

    def __init__(self, held: Draft, names: Sequence[str] = drafts.SHORT) -> None:
        super().__init__()
        self._held = held
        self._names = names
        self._stand_ins = _stand_ins(held)

    def compose(self) -> ComposeResult:
        """The text first, for that is what is mostly edited."""
        with Vertical(id="content-field", classes="field"):
            yield TextArea(
                self._shown, soft_wrap=True, tab_behavior="focus", read_only=self.too_long, show_line_numbers=False,
                highlight_cursor_line=False, id="content",
            )  # fmt: skip
        for name in self._names:
            with Vertical(classes="field"):
                yield Label(name)
                yield Input(
                    self._stand_ins.show_line(getattr(self._held, name)), id=name, select_on_focus=False,
                    disabled=name == "metadata" and not self._metadata_fits,
                )  # fmt: skip

    @property
    def draft(self) -> Draft:
        """What is typed, as it would be stored."""
        short = {name: self._stand_ins.store(self.query_one(f"#{name}", Input).value) for name in self._names}
        content = self._held.content if self.too_long else self._stand_ins.store(self.query_one(TextArea).text)
        return replace(self._held, content=content, **short)

    @property
    def too_long(self) -> bool:
        """Whether the text can only be read here."""
        return len(self._held.content) > drafts.LONGEST or not self._stand_ins.complete

    def show(self, draft: Draft) -> None:
        """Hold something else from now on; nothing is said of it as typed."""
        self._held = draft
        self._stand_ins = _stand_ins(draft)
        with self.prevent(Input.Changed, TextArea.Changed):
            area = self.query_one(TextArea)
            area.load_text(self._shown)
            area.read_only = self.too_long
            for name in self._names:
                self.query_one(f"#{name}", Input).value = self._stand_ins.show_line(getattr(draft, name))
            for metadata in self.query("#metadata"):
                metadata.disabled = not self._metadata_fits

    def remark(self) -> str:
        """What is to know of the text before typing; empty where nothing is."""
        if not self._stand_ins.complete:
            return "This text holds too many kinds of characters that do not show. It can only be read here."
        if self.too_long:
            length = len(self._held.content)
            return f"The first {drafts.BEGINNING:,} of {length:,} characters. So long a text cannot be edited here."
        legend = self._stand_ins.legend()
        return f"Characters that do not show: {legend}" if legend else ""

    @property
    def lines(self) -> int:
        """How many lines the text takes, at about 80 columns."""
        return sum(1 + len(line) // 80 for line in self._held.content[:10_000].split("\n"))

    @property
    def _metadata_fits(self) -> bool:
        """Whether the metadata can be edited on one line."""
        return drafts.is_object(self._held.metadata) and len(self._held.metadata) <= 4_000

    @property
    def _shown(self) -> str:
        """The text as its field holds it."""
        content = self._held.content
        return self._stand_ins.show(content[: drafts.BEGINNING] if len(content) > drafts.LONGEST else content)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _typed(self, event: Message) -> None:
        event.stop()
        self.post_message(self.Changed())


def _stand_ins(draft: Draft) -> StandIns:
    return StandIns(draft.content, [getattr(draft, name) for name in drafts.SHORT])
