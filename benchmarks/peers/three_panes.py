"""Three panes with rows in Textual alone: what any program of this shape costs before it does a thing."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Footer, Input, OptionList, Static

ROWS = [f"Bare row number {number} of a list" for number in range(50)]


class ThreePanes(App[None]):
    """A list of places, a list of rows and a text, under an input and above a footer."""

    CSS = """
    Horizontal > * { border: round $primary; height: 1fr; width: 1fr; }
    """
    BINDINGS = [("q", "quit", "Quit"), ("e", "edit", "Edit"), ("d", "forget", "Forget")]
    AUTO_FOCUS = "#rows"

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        yield Input(placeholder="search")
        with Horizontal():
            yield OptionList(*(f"place {number}" for number in range(20)))
            yield OptionList(*ROWS, id="rows")
            yield Static("\n".join(ROWS[:10]), markup=False)
        yield Footer()


if __name__ == "__main__":
    ThreePanes().run()
