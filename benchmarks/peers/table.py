"""A Textual DataTable with as many rows as its argument says: the list that an app gets without further work."""

from __future__ import annotations

import sys

from textual.app import App, ComposeResult
from textual.widgets import DataTable


class Table(App[None]):
    """One table with a cursor on rows; ``s`` sorts it by its text."""

    BINDINGS = [("s", "sort", "Sort"), ("q", "quit", "Quit")]

    def compose(self) -> ComposeResult:
        """The table and nothing else."""
        yield DataTable(cursor_type="row")

    def on_mount(self) -> None:
        """Fill it; columns of fixed width spare it the measuring of each cell."""
        table = self.query_one(DataTable)
        for label, width in (("fact", 60), ("agent", 12), ("age", 4)):
            table.add_column(label, width=width, key=label)
        table.add_rows(
            (f"Row {number:07d} {number * 7919 % 99_991:05d}", "planner", "2h") for number in range(int(sys.argv[1]))
        )

    def action_sort(self) -> None:
        """Sort by what each row says, backwards and forwards in turn."""
        self._backwards = not getattr(self, "_backwards", False)
        self.query_one(DataTable).sort("fact", reverse=self._backwards)


if __name__ == "__main__":
    Table().run()
