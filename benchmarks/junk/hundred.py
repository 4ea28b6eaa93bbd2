"""``python -m benchmarks.junk.hundred``: the keys of a review of a hundred facts, one by one in a real terminal.

One fact of eight is forgotten, one of 25 pinned, one of 25 put off once; the rest is accepted. Nothing is decided with
``A`` or ``D``.
"""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path

from benchmarks.junk.hand import Hand
from benchmarks.junk.person import CALM
from memview import MemoryStore

SESSIONS = (14, 9, 17, 11, 20, 8, 13, 8)
"""How many facts were learnt in each; a hundred in all."""
_DECISIONS = "aaadaaaapaaadaaaaajaaadaa"
_CARD = re.compile(r"Note (\d+) of s\d+ is \d+")


def main() -> None:
    """Make the store, review it, and say what that took."""
    with tempfile.TemporaryDirectory(prefix="memview-hundred-") as scratch:
        path = Path(scratch) / "agent.db"
        learnt(path)
        begun = time.monotonic()
        keys, left = reviewed(path, Path(scratch))
        took = time.monotonic() - begun
        print(f"{sum(SESSIONS)} facts, {len(SESSIONS)} sessions: {keys} keys, {left} left, {took:.0f} s")


def learnt(path: Path) -> None:
    """A store with a hundred facts that wait."""
    for number, size in enumerate(SESSIONS, 1):
        with MemoryStore(path, agent="planner" if number % 2 else "scribe") as store:
            memory = store.memory("user:42")
            for at in range(size):
                memory.write(f"Note {at} of s{number} is {at * 31 + number}", session=f"s{number}")


def reviewed(path: Path, state: Path) -> tuple[int, int]:
    """Decide on all of it; how many keys that took, the way there and back with them, and how many facts wait then."""
    folders = {name: str(state / name.lower()) for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")}
    with Hand(path, 120, 36, folders) as hand:
        hand.press("i")
        hand.wait("Review them?")
        hand.press("a")
        screen = hand.wait("0 of 100 decided")
        pressed = 0
        while "left here" in screen:
            card = _CARD.search(screen)
            hand.terminal.settle(CALM)
            hand.press(_DECISIONS[pressed % len(_DECISIONS)])
            pressed += 1
            screen = hand.wait(lambda text, card=card: "only just come" in text or _moved(text, card))  # type: ignore[misc]
            while "put off" in screen and "left here" not in screen:
                hand.press("j")
                screen = hand.wait("left here")
        left = hand.number(r"(\d+) facts? put off", screen) or 0
        hand.press("q")
        hand.wait("facts")
        hand.press("q")
        assert hand.terminal.ended() == 0
        return sum(hand.keys.values()), left


def _moved(text: str, card: re.Match[str] | None) -> bool:
    """Whether another card stands, or none."""
    now = _CARD.search(text)
    return now is None or card is None or now[0] != card[0]


if __name__ == "__main__":
    main()
