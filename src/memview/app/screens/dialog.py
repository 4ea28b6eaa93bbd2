"""What every dialog is made of: a frame over the screen beneath, and its keys on its last line."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from memview.app.screens.answering import AnsweringScreen
from memview.app.screens.sized import Result
from memview.errors import MissingStore
from memview.text import one_line, visible

NOTHING = Content()


class Frame(Vertical):
    """The frame of a dialog.

    Args:
        title: what stands in its upper edge, safe to show.
        foot: what stands in its lower edge.
        id: its id.
    """

    def __init__(self, title: str, foot: Content = NOTHING, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._foot = foot
        self.border_title = Content(title) if title else ""
        self.hint("")

    def hint(self, text: str) -> None:
        """Say something in the lower edge; empty puts back what stood there."""
        self.border_subtitle = Content.styled(text, "$text-muted") if text else self._foot


class Dialog(AnsweringScreen[Result], ModalScreen[Result]):
    """Asks or shows something over the screen beneath; on a small screen it takes all of it.

    Styles are inherited from the first base alone, so those of a modal screen are given here.
    """

    DEFAULT_CSS = """
    Dialog {
        layout: vertical;
        overflow-y: auto;
        align: center middle;
        Frame {
            width: 90%;
            max-width: 104;
            height: auto;
            max-height: 90%;
            padding: 1 2 0 2;
            background: $background;
            border: heavy $primary;
            border-title-color: $primary;
            border-title-style: bold;
            border-subtitle-color: $text-muted;
            border-subtitle-style: none;
        }
        Frame > Choices { padding: 1 0 0 0; }
        Input, Input:focus { height: 1; border: none; padding: 0; background: $background; }
        Input:focus { background: $foreground 10%; }
        VerticalScroll {
            scrollbar-size-vertical: 1; scrollbar-color: $foreground 15%; scrollbar-background: $background;
        }
        &.-narrow Frame, &.-low Frame { width: 100%; max-height: 100%; padding: 0 1; }
        &.-low Frame > Choices { padding: 0; }
    }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]
    SHARE: ClassVar[float] = 0.0
    """How much of the screen's height its list may take, from 0 to 1; 0 leaves that to its styles."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "keys", "Keys", show=False, id="dialog.keys", tooltip="The keys of this dialog"),
        Binding("q", "leave", "Leave", show=False, id="dialog.leave", tooltip="The same as Esc"),
    ]

    def on_resize(self, event: events.Resize) -> None:
        """Leave room for what stands beside a list."""
        if self.SHARE:
            for listed in self.query("Lines, Tree"):
                listed.styles.max_height = max(2, int(event.size.height * self.SHARE))

    def action_keys(self) -> None:
        """Show the keys of this dialog."""
        from memview.app.screens.help import KeysScreen

        self.app.push_screen(KeysScreen(self))

    def action_leave(self) -> None:
        """Do what Esc does."""
        self.app.simulate_key("escape")

    def on_key(self, event: events.Key) -> None:
        """Name a letter that means nothing here."""
        dead = event.character and event.is_printable and event.key not in self.active_bindings
        self.hint(f"{one_line(event.character)} does nothing here · ? keys" if dead and event.character else "")

    def hint(self, text: str) -> None:
        """Say something in the lower edge of the frame, until the next key."""
        for frame in self.query(Frame):
            frame.hint(text)

    def put_cursor(self, widget: Widget) -> None:
        """Put the terminal's own cursor on a widget, for screen readers and magnifiers, once it is laid out."""

        def put() -> None:
            self.app.cursor_position = widget.content_region.offset

        self.call_after_refresh(put)


def wrong(error: BaseException | None) -> str:
    """What a dialog says of an error that a thread met, safe to show."""
    if isinstance(error, MissingStore):
        return "The file is gone; waiting for it to come back."
    return visible(str(error))
