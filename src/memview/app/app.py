"""The Textual app: the store it opens, its screens, its themes."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.terminal_theme import TerminalTheme
from textual import events, on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.message import Message
from textual.screen import Screen

from memview.app.commands import bindings
from memview.app.config import Config
from memview.app.desk import Desk
from memview.app.guard import ControlGuard
from memview.app.interrupting import Interrupting
from memview.app.key_order import KeyDone, KeyOrder
from memview.app.messages import Failed, Said, Wrote
from memview.app.screens.browse import BrowseScreen
from memview.app.themes import THEMES, chosen_theme
from memview.clock import Clock, utc_now
from memview.errors import BusyStore, MissingStore
from memview.memory.person import person

if TYPE_CHECKING:
    from textual.command import Provider

    from memview.memory.looking import Looker


PALETTE = Path(__file__).with_name("palette.tcss")
"""How the command palette looks."""


def _commands() -> type[Provider]:
    """What the command palette offers."""
    from memview.app.palette import CommandProvider

    return CommandProvider


class MemviewApp(App[int]):
    """Shows a store and lets a person put it right.

    Args:
        path: the store; it exists.
        read_only: nothing may be written.
        me: the actor that is "you"; None for the system's user.
        record_id: the record to open on.
        clock: tells the time.
        watched: whether to notice what others write; off in tests that are about something else.
        config: the keys and the theme that the person chose.
        looker: the store where it is open already; closed with the app.
    """

    CSS_PATH = "memview.tcss"
    COMMANDS: ClassVar[set[Callable[[], type[Provider]]]] = {_commands}  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(("quit", "copy.selected"), priority=True),
        Binding("ctrl+p", "command_palette", "Commands", show=False, id="app.palette", tooltip="All commands"),
    ]
    ENABLE_COMMAND_PALETTE = True

    _ansi_theme: tuple[str, TerminalTheme] | None = None

    def __init__(
        self,
        path: Path,
        *,
        read_only: bool = False,
        me: str | None = None,
        record_id: str | None = None,
        clock: Clock = utc_now,
        watched: bool = True,
        config: Config | None = None,
        looker: Looker | None = None,
    ) -> None:
        super().__init__()
        chosen = config or Config()
        self._guard = ControlGuard()
        self._key_order = KeyOrder(self, super().on_event)
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme, unknown = chosen_theme(chosen.theme, self.available_themes, self.console.color_system)
        self.animation_level = "none"
        self.desk = Desk(
            self, path, self._post, me=me or person(), clock=clock, read_only=read_only, watched=watched,
            commands=chosen.commands, keys=self._key_order, looker=looker,
        )  # fmt: skip
        self._config_problems = [*chosen.problems, *unknown]
        self._ended_before: signal.Handlers | Callable[..., object] | int | None = None
        """What a SIGTERM did before; None while it does that."""
        self.browse = BrowseScreen(self.desk, record_id)
        self._interrupting = Interrupting(self, lambda: self.action_command("quit"), self._say)
        self.title = f"memview {self.desk.name}"

    def get_default_screen(self) -> Screen[None]:
        """The browse screen."""
        self.browse.fit(self.size)
        return self.browse

    def on_load(self) -> None:
        """Leave the terminal as it was also where another program ends this one; a second SIGTERM ends it at once."""
        if threading.current_thread() is threading.main_thread():
            loop = asyncio.get_running_loop()

            def ended(number: int, frame: object) -> None:
                signal.signal(number, signal.SIG_DFL)
                loop.call_soon_threadsafe(self.exit, None, 128 + number)

            self._ended_before = signal.signal(signal.SIGTERM, ended)

    def on_ready(self) -> None:
        """Keep keys that were typed ahead until the first list stands; say what of the config file made no sense."""
        browse = self.browse
        self._key_order.hold(lambda: browse.is_mounted and browse.listing.answer.settled, lambda: None)
        if self._config_problems:
            first, *more = self._config_problems
            self.post_message(Said(first + (f" · and {len(more)} more" if more else ""), "problem"))

    def refresh_css(self, animate: bool = True) -> None:
        """Apply a theme that was chosen; before the first screen stands, nothing has any yet."""
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The filters of every line drawn; the guard against control characters comes last."""
        return [*super().get_line_filters(), self._guard]

    @property
    def _background_screens(self) -> list[Screen[object]]:
        """The screens seen through the topmost; else what changes unseen would have the whole terminal drawn anew."""
        return super()._background_screens if self.screen.styles.background.a < 1 else []

    @property
    def ansi_theme(self) -> TerminalTheme:
        """The colours that names of colours stand for; found once a theme, for it is asked for with each line drawn."""
        if self._ansi_theme is None or self._ansi_theme[0] != self.theme:
            self._ansi_theme = (self.theme, super().ansi_theme)
        return self._ansi_theme[1]

    def _post(self, message: Message) -> None:
        """Hand a worker's message to the screen that shows the store."""
        self.browse.post_message(message)

    def action_command_palette(self) -> None:
        """Open the command palette; its part of the stylesheet is read at the first time."""
        if not self.stylesheet.has_source(str(PALETTE)):
            self.stylesheet.read(PALETTE)
        from memview.app.screens.palette import PaletteScreen

        if not isinstance(self.screen, PaletteScreen):
            self.push_screen(PaletteScreen())

    def action_command(self, id: str) -> None:
        """Run a command that works on every screen and in every dialog."""
        if id == "quit":
            self.desk.acts.when_done(lambda: self.exit(0))
        else:
            self._interrupting.pressed()

    def _say(self, text: str, style: str) -> None:
        """Show a line in the status of the topmost screen that has one."""
        place = next((screen for screen in reversed(self.screen_stack) if hasattr(screen, "say")), self.browse)
        place.say(text, style)

    async def on_event(self, event: events.Event) -> None:
        """Let keys in one after the other."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            if event.key == "ctrl+j" and self.screen_stack and event.key not in self.screen.active_bindings:
                event = events.Key("enter", "\r")  # Enter, as a terminal tells it that no program listened to yet
            await self._key_order.take(event)
        else:
            await super().on_event(event)

    @on(KeyDone)
    async def _key_done(self, message: KeyDone) -> None:
        await self._key_order.done(message.number)

    def on_key(self, event: events.Key) -> None:
        """Letters typed ahead, while the focus was still on its way to an input, are text of that input."""
        from textual.widgets import Input, TextArea

        focused = self.focused if self.screen_stack else None  # an app that closes has no screen left
        if event.is_printable and isinstance(focused, (Input, TextArea)):
            event.prevent_default()
            focused.post_message(events.Key(event.key, event.character))

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        if isinstance(message.error, MissingStore):
            self.desk.watch.missed()
        self.browse.doing.wait_no_longer(locked=isinstance(message.error, BusyStore))
        self.browse.say(" ".join(part for part in (message.title, message.hint) if part), "$text-warning")

    @on(Said)
    def _said(self, message: Said) -> None:
        if not message.text:
            self.browse.hush()
        self.browse.say(message.text, "$text-warning" if message.tone == "problem" else "$foreground")

    @on(Wrote)
    def _wrote(self, message: Wrote) -> None:
        self.browse.say(message.sentence)

    def _fatal_error(self) -> None:
        """Leave with a sentence instead of Textual's traceback, which shows stored text as it is."""
        from memview.app import breakdown

        error = sys.exc_info()[1] or self._exception
        if error is not None:
            self._exit_renderables.append(breakdown.told(self.desk.path, error))
        self._close_messages_no_wait()

    def on_unmount(self) -> None:
        """Close the store."""
        self.desk.close()
        if self._ended_before is not None:
            signal.signal(signal.SIGTERM, self._ended_before)
