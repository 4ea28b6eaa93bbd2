"""When a screen is drawn: its first picture once, with what the person came for, and what they wait for at once."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual import events
from textual.geometry import Size
from textual.timer import Timer
from textual.widget import Widget

from memview.app import heap
from memview.app.screens.sized import SizedScreen
from memview.app.screens.sparing import SparingCompositor

PATIENCE = 0.2
"""Seconds that the first picture waits for what it is to show; then it is drawn without."""

BREATH = 0.01
"""Seconds in which a picture goes out to the terminal, before anything else begins."""

HANDED_OVER = 0.0002
"""Seconds in which the thread that writes takes over what was drawn; while this one goes on, that may take 0.005."""

CALM = 0.05
"""Seconds without a picture after which nobody is thought to wait."""


class Held(SizedScreen[None]):
    """A screen that draws nothing until it has something to show."""

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._compositor = SparingCompositor()
        self._calm: Timer | None = None

    drawn = False
    """Whether it draws by now."""
    _awaited: Widget | None = None
    """What is drawn as soon as it has changed."""

    def fit(self, size: Size) -> None:
        """Take on the classes of a size before anything is styled: else all is styled again for them."""
        for breakpoints, length in (
            (self.HORIZONTAL_BREAKPOINTS, size.width),
            (self.VERTICAL_BREAKPOINTS, size.height),
        ):
            fitting = [name for least, name in sorted(breakpoints or ()) if least <= length]
            self.add_class(*fitting[-1:], update=False)

    def on_mount(self) -> None:
        """Wait no longer than that."""
        self.set_timer(PATIENCE, self.draw)
        self._calm = self.set_interval(CALM, self._tidy, pause=True)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Style nothing again that was styled just now."""
        if not self.drawn:
            event.refresh_styles = False

    def draw(self) -> None:
        """Draw from now on: what it was to show is there."""
        if not self.drawn:
            self.drawn = True
            self.refresh()
            self.afterwards(self.behind)

    def afterwards(self, work: Callable[[], None]) -> None:
        """Do something once what has changed is drawn and has gone out to the terminal."""
        self.call_after_refresh(self.set_timer, BREATH, work)

    def at_once(self, widget: Widget) -> None:
        """Draw a widget as soon as it has changed, for a person waits for it.

        What has changed is drawn at the next frame else, and where something was drawn just now (the letter that was
        typed) that is 17 to 33 milliseconds off.
        """
        self._awaited = widget

    async def _on_idle(self, event: events.Idle) -> None:
        """Draw what is waited for, once it has changed; until then nothing is done that comes after it."""
        awaited = self._awaited
        if awaited is not None and awaited._repaint_required:
            event.prevent_default()
            return
        self._awaited = None
        if awaited in self._dirty_widgets:
            self._on_timer_update()

    def behind(self) -> None:
        """Begin with what the first picture does not show: it was drawn."""

    def _compositor_refresh(self) -> None:
        """Draw what has changed; until it may, what has changed adds up."""
        if self.drawn:
            super()._compositor_refresh()
            time.sleep(HANDED_OVER)
            if self._calm is not None:
                self._calm.reset()

    def _tidy(self) -> None:
        """Do what would hold up a picture."""
        if self._calm is not None:
            self._calm.pause()
        heap.tidy()
