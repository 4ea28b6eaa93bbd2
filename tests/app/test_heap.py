"""Memory that a long list had is the system's again when the list is gone."""

from __future__ import annotations

import platform

import pytest

from support import run

CODE = """
from array import array
from pathlib import Path
from memview.app import heap

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

if heapless:
    heap.hold_no_lists()
array("q", bytes(8_000_000))  # freed at once: from now on blocks of this size are usual
before = resident()
lists, pins = [], []
for _ in range(10):
    lists.append(array("q", bytes(4_000_000)))
    pins.append(bytes(100_000))
lists.clear()
print(resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="about glibc's allocator")
def test_lists_that_are_gone_leave_no_holes() -> None:
    (left,) = run(CODE.replace("heapless", "True"))
    (usual,) = run(CODE.replace("heapless", "False"))
    assert int(left) < 10_000_000 < int(usual)
