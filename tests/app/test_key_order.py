"""Keys take effect in the order in which they were pressed, whatever closes meanwhile."""

from __future__ import annotations

import asyncio
from typing import ClassVar

import pytest
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget

from driving import Driven, Open
from memview import MemoryStore
from memview.app.key_order import KeyDone, KeyOrder

pytestmark = pytest.mark.asyncio


class Slow(Widget, can_focus=True):
    """Takes its time over a key, and closes on some."""

    async def on_key(self, event: events.Key) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        assert isinstance(self.app, Ordered)
        self.app.seen.append(event.key)
        if event.key == "x":
            self.remove()
        if event.key == "w":
            self.screen.dismiss()


class Dialog(Screen[None]):
    """A dialog with a slow widget."""

    def compose(self) -> ComposeResult:
        yield Slow()


class Ordered(App[None]):
    """Notes the keys that take effect."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(key, f"note('{key}')") for key in "abcd"]

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.order = KeyOrder(self, super().on_event)

    def compose(self) -> ComposeResult:
        yield Slow()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self.order.take(event)
        else:
            await super().on_event(event)

    @on(KeyDone)
    async def _key_done(self, message: KeyDone) -> None:
        await self.order.done(message.number)

    def action_note(self, key: str) -> None:
        self.seen.append(key.upper())


@pytest.mark.parametrize("keys", ["abcd", "1a2b", "xabcd", "wabcd", "x1w2a", "ax1b", "w1axb"])
async def test_no_key_overtakes_another_where_a_widget_closes(keys: str) -> None:
    app = Ordered()
    async with app.run_test() as pilot:
        await app.push_screen(Dialog())
        for key in keys:
            app.post_message(events.Key(key, key))
        await pilot.pause(0)
        async with asyncio.timeout(30):
            while app.order.waits or app.order.under_way:
                await pilot.pause(0)
    effects = [key for key in app.seen if not key.islower() or key in "xw"]
    assert [key.lower() for key in effects if key.isupper()] == [key for key in keys if key in "abcd"]
    places = [keys.index(key.lower()) for key in effects]
    assert places == sorted(places)


async def test_keys_typed_ahead_of_a_dialog_that_closes(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await _typed_ahead(driven)
        assert driven.screen.search.text == "dj"
        assert driven.app.screen is driven.screen
        assert len(filled.memory("user:42").list()) == 3


async def _typed_ahead(driven: Driven) -> None:
    for key in ("question_mark", "escape", "slash", "d", "j"):
        driven.send(key)
    await driven.until(lambda: driven.screen.search.text == "dj")
    await driven.settle()


async def test_a_key_under_way_when_the_app_closes_ends_quietly(opened: Open, filled: MemoryStore) -> None:
    async with opened(size=(80, 24)) as driven:
        pass
    assert not driven.app.screen_stack
    order = driven.app._key_order
    await order.done(order._number)
    await order.take(events.Key("d", "d"))
    driven.app.on_key(events.Key("d", "d"))
    assert not order.under_way
