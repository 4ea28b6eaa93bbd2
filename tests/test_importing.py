"""Threads that use memview for the first time at the same moment, each by another of its names."""

from __future__ import annotations

import pytest

from support import run

_ALL_AT_ONCE = """
import sys, threading
import memview
from memview.store.vocabulary import Vocabulary
sys.setswitchinterval(1e-6)  # threads meet within the first imports, not only by a rare chance
names = [*memview.__all__, "likeness", "duplicates", "conflicts", "repeating", "corrections"]
homes = {"likeness": "memory", "repeating": "memory", "duplicates": "review", "conflicts": "review"}
together, failed = threading.Barrier(len(names)), []

def use(name):
    together.wait()
    try:
        if name == "corrections":
            Vocabulary([("deploy", 1)]).corrections("deplyo")
        elif name in homes:
            __import__(f"memview.{homes[name]}.{name}")
        else:
            getattr(memview, name)
    except BaseException as error:
        failed.append(f"{name}: {error!r}")

threads = [threading.Thread(target=use, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("\\n".join(failed) or "all are there")
"""


@pytest.mark.parametrize("attempt", range(3))
def test_threads_that_begin_together_all_find_what_they_name(attempt: int) -> None:
    assert run(_ALL_AT_ONCE) == ["all are there"]
