"""What the screens work with: the open store and who works on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from textual.app import App
from textual.message import Message

from memview.app import ahead
from memview.app.commands import TABLE, Command, of_scene
from memview.app.key_order import KeyOrder
from memview.app.lane import Lane
from memview.app.live import Watch
from memview.app.loader import Loader
from memview.clock import Clock
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.acts import Acts
    from memview.app.editing import Editing
    from memview.app.many import Many
    from memview.memory.looking import Looker


class Desk:
    """An open store: its readers, its one writer and its watch.

    Args:
        app: runs the workers.
        path: the store.
        post: takes the messages of readers, writer and watch; called from any thread.
        me: the actor that is "you".
        clock: tells the time.
        read_only: nothing may be written.
        watched: whether to notice what others write; off in tests that are about something else.
        commands: the table of all commands, with the keys that the person chose.
        keys: holds keys while what they are meant for is being opened; None never does.
        looker: the store where it is open already, for its first question; closed with the others.
    """

    def __init__(
        self,
        app: App[int],
        path: Path,
        post: Callable[[Message], object],
        *,
        me: str,
        clock: Clock,
        read_only: bool,
        watched: bool = True,
        commands: Sequence[Command] = TABLE,
        keys: KeyOrder | None = None,
        looker: Looker | None = None,
    ) -> None:
        self.path = path
        self.me = me
        self.clock = clock
        self.read_only = read_only
        self._keys = keys
        self.table = commands
        """All commands."""
        self.commands = of_scene("browse", commands)
        """Those of the browse screen."""
        self._post = post
        self._listeners: tuple[Callable[[Message], object], ...] = ()
        self.watch = Watch(path, self._tell)
        self.loader = Loader(app, path, clock, post, looker)
        self._app = app
        self._sat_down = clock()
        self._watched = watched
        self._lanes: WeakSet[Lane] = WeakSet()

    @cached_property
    def editing(self) -> Editing:
        """The writer."""
        from memview.app.editing import Editing

        return Editing(self.path, self.me, self.clock, started=self._sat_down)

    @cached_property
    def many(self) -> Many:
        """What acts on many facts at once."""
        from memview.app.many import Many

        return Many(self.editing)

    @cached_property
    def acts(self) -> Acts:
        """What runs the acts of the writer, one after the other."""
        from memview.app.acts import Acts

        return Acts(self._app, self.editing, self.loader, self._post, self.watch.check)

    @property
    def name(self) -> str:
        """The file's name, safe to show."""
        return one_line(self.path.name, 40)

    def lane(self) -> Lane:
        """A connection for one kind of question of a screen; closed with the others, if the screen does not before."""
        lane = Lane(self.path)
        self._lanes.add(lane)
        return lane

    def opening(self, until: Callable[[], object], give_up: Callable[[], object]) -> None:
        """Have the keys that follow wait for what is being opened; see :meth:`KeyOrder.hold`."""
        if self._keys is not None:
            self._keys.hold(until, give_up)

    def tell(self, message: Message) -> None:
        """Have the browse screen say what came of an act whose own screen has closed."""
        self._post(message)

    def start(self) -> None:
        """Begin with what the first rows do without: to watch, to import what commands need."""
        if self._watched:
            self.watch.start()
        load = partial(ahead.load, writes=not self.read_only)
        self._app.run_worker(load, thread=True, exit_on_error=False, group="warm")

    def listen(self, listener: Callable[[Message], object]) -> None:
        """Have the watch's messages told to somebody else too; called from its thread."""
        self._listeners = (*self._listeners, listener)

    def stop_listening(self, listener: Callable[[Message], object]) -> None:
        """Tell them nothing more."""
        self._listeners = tuple(other for other in self._listeners if other != listener)

    def _tell(self, message: Message) -> None:
        """Pass on what the watch noticed."""
        for listener in (self._post, *self._listeners):
            listener(message)

    def close(self) -> None:
        """Close all that is open; the writer last, so that it can tidy up."""
        self.watch.stop()
        self.loader.close()
        for lane in self._lanes:
            lane.close()
        opened = vars(self)
        if "many" in opened:
            self.many.close()
        if "editing" in opened:
            self.editing.close()
