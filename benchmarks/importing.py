"""What ``import memview`` adds to a bare interpreter."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.measure import Bench, Row, percentile, seconds


def rows(bench: Bench) -> list[Row]:
    """Against ``python -c pass``."""
    bare, ours = _wall("pass"), _wall("import memview")
    return [
        Row("import memview", f"{ours * 1000:.0f} ms", f"python -c pass {bare * 1000:.0f} ms", f"{ours / bare:.2f}")
    ]


def _wall(code: str) -> float:
    runs = [seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True)) for _ in range(9)]
    return percentile(runs, 0.5)
