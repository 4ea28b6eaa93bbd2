"""Moving in a long list: to its end, by half pages, and into another order, from the key to the painted rows.

The peer is Textual's DataTable with a tenth of the rows at most, for it takes minutes to fill with more.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks import stores
from benchmarks.measure import Bench, Row, at_most, milliseconds, percentile
from benchmarks.painting import Look, Painted, on_store, peer, the_list

TIMES = 40
"""How often each is done."""
ASKED = {"jump to the end": 50, "half a page": 16, "another order": 250}
"""Milliseconds, of the 95th percentile."""
OURS = {"jump to the end": ("gg", "G"), "half a page": ("ctrl+d",), "another order": ("s",)}
THEIRS = {"jump to the end": ("\x1b[1;5H", "\x1b[1;5F"), "half a page": ("\x1b[6~",), "another order": ("s",)}
"""The keys; all but the last lead away from where that one leads."""
ROWS = 100_000


def rows(bench: Bench) -> list[Row]:
    """Each way to move, beside the table's."""
    with Painted(on_store(stores.store_of(bench, bench.facts))) as painted:
        painted.until(b"live")
        painted.quiet()
        painted.terminal.press("2")
        ours = {name: _moved(painted, "gg", keys, the_list) for name, keys in OURS.items()}
        painted.leave()
    many = ROWS if bench.full else ROWS // 10
    with Painted(peer("table", str(many))) as painted:
        painted.until(b"Row 0000001", 600)
        painted.quiet(2.0)
        theirs = {name: _moved(painted, "\x1b[1;5H", keys, tuple) for name, keys in THEIRS.items()}
    return [_row(name, bench, ours[name], many, theirs[name]) for name in ASKED]


def _row(name: str, bench: Bench, ours: list[float], many: int, theirs: list[float]) -> Row:
    told = f"DataTable, {many:,} rows, {milliseconds(theirs)}"
    ratio = percentile(theirs, 0.5) / percentile(ours, 0.5)
    return at_most(f"{name}, {bench.facts:,} facts", ours, ASKED[name], told, f"{ratio:.1f} times")


def _moved(painted: Painted, top: str, keys: Sequence[str], look: Look) -> list[float]:
    """Seconds from the last of some keys to the rows that it leads to, beginning at the top of the list."""
    *away, key = keys
    times = []
    painted.after(top, look=look)
    for _ in range(TIMES):
        for before in away:
            painted.after(before, look=look)
        times.append(painted.after(key, look=look, changes=True))
    return times
