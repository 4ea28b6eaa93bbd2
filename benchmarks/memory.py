"""The most memory that the app ever had, after everything that a person does to a long list.

The peer is Textual's DataTable, with a tenth of the rows at most, for it takes minutes to fill with more.
"""

from __future__ import annotations

from benchmarks import stores
from benchmarks.measure import Bench, Row
from benchmarks.painting import Painted, on_store, peak_memory, peer, the_list

ASKED = 200
"""MB, at a million facts, the words for corrections among them."""
SEARCHES = ("deploy window", "stagnig budget", "ba", "customer invoice moved")
ROWS = 100_000


def rows(bench: Bench) -> list[Row]:
    """Ours after searches (one with a slip, so that corrections are learnt), jumps and orders; theirs once filled."""
    with Painted(on_store(stores.store_of(bench, bench.facts))) as painted:
        painted.until(b"live")
        painted.quiet()
        for text in SEARCHES:
            painted.after("/", look=the_list)
            painted.after("ctrl+u", look=the_list)
            for letter in text:
                painted.after(letter, look=the_list, quiet=0.1)
            for key in ("Enter", "G", "gg", "s", "s", "Escape"):
                painted.after(key, look=the_list)
        for key in ("G", "gg", *"sssss"):
            painted.after(key, look=the_list)
        painted.quiet(2.0)
        ours = peak_memory(painted.pid)
        painted.leave()
    many = ROWS if bench.full else ROWS // 10
    with Painted(peer("table", str(many))) as painted:
        painted.until(b"Row 0000001", 600)
        painted.quiet(2.0)
        theirs = peak_memory(painted.pid)
    told = f"DataTable, {many:,} rows, {theirs:.0f} MB"
    item = f"peak memory, {bench.facts:,} facts"
    return [Row(item, f"{ours:.0f} MB", told, f"{ours / theirs:.2f}", f"<= {ASKED} MB", ours <= ASKED)]
