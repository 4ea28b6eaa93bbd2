"""When an app stands still: no message is on its way and none is being heard."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.message_pump import MessagePump
from textual.pilot import Pilot


def unheard(app: App[Any]) -> list[str]:
    """Who has messages that were not heard to their end, in all screens.

    Waiting so many rounds instead is a guess at how often a message sets off another, and at how long each takes.
    """
    nodes = [app, *(node for screen in app.screen_stack for node in screen.walk_children(with_self=True))]
    return [f"messages to {node}" for node in nodes if not _rests(node)]


def _rests(node: MessagePump) -> bool:
    """Whether it has heard all its messages, and waits for the next one."""
    queue: Any = node._message_queue
    return queue.empty() and bool(queue.ready_event._waiters)


async def still(pilot: Pilot[Any]) -> None:
    """Wait until an app without threads stands still and is drawn."""
    quiet = 0
    while quiet < 3:
        await pilot.pause(0)
        quiet = 0 if unheard(pilot.app) else quiet + 1
