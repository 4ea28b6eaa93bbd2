"""A keystroke through the screen: from the key in the pseudo-terminal to the list of its answer, painted.

The peer is Textual's own input in three panes of its widgets, which finds nothing: what echoing a letter costs there.
With ``--full`` at a million facts; and while fifty agents write.
"""

from __future__ import annotations

import random
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import stores
from benchmarks.measure import Bench, Row, at_most, milliseconds, percentile
from benchmarks.painting import Painted, on_store, peer, the_list
from benchmarks.texts import Texts

WORDS = 12
"""Words that are typed, twice as many with ``--full``, of the kinds that a person types: whole, cut short, mistyped."""
LETTERS = 10
"""The longest that is typed of a word."""
ASKED, ASKED_AMONG_WRITERS = 50, 60
PROCESSES, WRITERS, EACH_A_SECOND = 5, 50, 5
"""Fifty agents in five processes, for fifty interpreters leave two cores nothing; each writes 5 facts a second."""
_WRITING = """
import sys, time
from memview import MemoryStore
path, first, writers, rate = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
stores = [MemoryStore(path, agent=f"agent{first + i}", synchronous="NORMAL") for i in range(writers)]
memories = [store.memory(f"crowd:{first + i}") for i, store in enumerate(stores)]
print("ready", flush=True)
start, count = time.monotonic(), 0
while True:
    for memory in memories:
        memory.write(f"1{first:03d}{count:07d} 0{time.time_ns()}")
        count += 1
        time.sleep(max(0.0, start + count / (rate * writers) - time.monotonic()))
"""


def rows(bench: Bench) -> list[Row]:
    """At rest, and among writers."""
    size = f"{bench.facts:,} facts"
    path = stores.store_of(bench, bench.facts)
    echo = _echoed()
    alone = _typed(path, bench)
    copy = bench.scratch / "crowd.db"
    shutil.copy(path, copy)
    with agents(copy):
        crowd = _typed(copy, bench)
    ratio = percentile(alone, 0.5) / percentile(echo, 0.5)
    told = f"{WRITERS} writers, {WRITERS * EACH_A_SECOND} facts a second, {PROCESSES} processes"
    return [
        at_most(
            f"key to painted list, {size}", alone, ASKED, f"bare Textual echo {milliseconds(echo)}", f"{ratio:.1f}"
        ),
        at_most(f"key to painted list among writers, {size}", crowd, ASKED_AMONG_WRITERS, told),
    ]


@contextmanager
def agents(path: Path) -> Iterator[None]:
    """Fifty agents write into a store meanwhile."""
    each = WRITERS // PROCESSES
    running = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITING, str(path), str(first), str(each), str(EACH_A_SECOND)],
            stdout=subprocess.PIPE, text=True,
        )
        for first in range(0, WRITERS, each)
    ]  # fmt: skip
    try:
        for process in running:
            assert process.stdout is not None
            process.stdout.readline()
        yield
        assert all(process.poll() is None for process in running), "a writer ended early"
    finally:
        for process in running:
            process.kill()
            process.wait()


def _typed(path: Path, bench: Bench) -> list[float]:
    """Seconds from each letter to its list."""
    texts = Texts(9)
    meant = random.Random(9).sample(stores.facts(bench.facts), WORDS * 2 if bench.full else WORDS)
    times = []
    with Painted(on_store(path)) as painted:
        painted.until(b"live")
        painted.terminal.press("/")
        painted.quiet()
        for fact in meant:
            painted.after("ctrl+u", look=the_list)
            word = max(texts.query(fact).split(), key=len)[:LETTERS]
            times += [painted.after(letter, look=the_list) for letter in word]
        painted.leave()
    return times


def _echoed() -> list[float]:
    """Seconds from each letter to its echo in Textual's own input."""
    with Painted(peer("three_panes")) as painted:
        painted.until(b"Bare row")
        painted.terminal.press("\x1b[Z", "\x1b[Z")
        painted.quiet()
        letters = string.ascii_lowercase
        times = [painted.after(key, look=lambda lines: lines[:3]) for key in letters]
        if letters not in "".join(painted.quiet()[:3]):
            raise AssertionError("the letters were not typed into the input")
        return times
