"""``python -m memview.cli.demo.agent PATH``: a small agent that learns something every few seconds.

It lives as long as its stdin stays open, which the demo holds; so it ends with the demo however that ends. With
``--build`` it first makes the store, while the demo loads the app, and says ``ready`` on stdout. With ``--remove`` it
removes the folder of the store at the end, should the demo not have got around to it.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import shutil
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from memview.cli.demo.people import NAMES
from memview.errors import MemviewError

FOLDER_PREFIX = "memview-demo-"
"""How the names of the demo's folders begin; nothing else is ever removed."""
READY = "ready"
"""What the agent prints when it has made the store."""
_SERVICES = ("tiles", "geocoder", "router", "importer", "search", "labels", "export", "gateway", "cache", "quota")
_NEWS = (
    ("project:atlas", "p95 of {service} is {ms} ms after the last deploy", "performance"),
    ("project:atlas", "{name} paused the rollout of {service} at {percent}%", "release"),
    ("project:atlas", "{service} was restarted by {name} at {hour}:{minute:02} UTC", "operations"),
    ("project:billing", "Invoice run {number} finished with {few} warnings", "operations"),
    ("project:billing", "{name} approved credit note {number}", "process"),
    ("support", "Ticket {number} is about {service} and waits for {name}", "ticket"),
    ("support", "{few} customers asked about {service} today, after {number}", "ticket"),
    ("user:42", "Wants the notes on {service} shared with {name}", "preference"),
    ("user:42", "Has a call with {name} at {hour}:{minute:02} about {service}", "calendar"),
    ("user:43", "Needs the numbers on ticket {number} before {hour}:{minute:02}", "routine"),
)


def news(seed: int | None = None) -> Iterator[tuple[str, str, str]]:
    """Facts without end: namespace, text and category."""
    chance = random.Random(seed)
    for number in count(48_100):
        namespace, text, category = chance.choice(_NEWS)
        yield (
            namespace,
            text.format(
                service=chance.choice(_SERVICES), name=chance.choice(NAMES), ms=chance.randint(12, 480), number=number,
                percent=5 * chance.randint(1, 19), hour=chance.randint(8, 18), minute=chance.choice((0, 15, 30, 45)),
                few=chance.randint(2, 9),
            ),
            category,
        )  # fmt: skip


def work(path: Path, pause: float) -> None:
    """Write one fact or a few at a time until stdin ends.

    Args:
        path: the store.
        pause: about how many seconds lie between two writes.
    """
    from memview.memory import MemoryStore

    learned = news()
    with MemoryStore(path, agent="planner", synchronous="NORMAL") as store:
        session = f"live-{random.randrange(1_000)}"
        wait = pause / 4
        while not _parent_gone(wait):
            wait = pause * random.uniform(0.5, 1.5)
            for namespace, text, category in [next(learned) for _ in range(random.choice((1, 1, 1, 2, 3)))]:
                turn = store.conversation(session, namespace=namespace).record(f"New: {text}.", "Noted.")
                store.memory(namespace).write(
                    text,
                    category=category,
                    tags=["live"],
                    origin="tool",
                    session=session,
                    turns=[turn.id] if turn else (),
                )


def _parent_gone(seconds: float) -> bool:
    """Wait; true as soon as stdin has ended."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(ready) and not os.read(sys.stdin.fileno(), 1)


def _build(path: Path) -> None:
    from memview.cli.demo.building import build

    build(path)
    print(READY, flush=True)


def main(arguments: list[str]) -> int:
    """Work until the parent is gone. Returns the exit status."""
    path = Path(next(argument for argument in arguments if not argument.startswith("--")))
    pause = next((float(argument[8:]) for argument in arguments if argument.startswith("--pause=")), 4.0)
    try:
        if "--build" in arguments:
            _build(path)
        with contextlib.suppress(MemviewError, KeyboardInterrupt):  # the store is gone with the demo: nobody to tell
            work(path, pause)
    finally:
        if "--remove" in arguments and path.parent.name.startswith(FOLDER_PREFIX):
            shutil.rmtree(path.parent, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
