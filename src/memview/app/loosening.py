"""What to ask for instead, where a search found nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from textual.content import Content
from textual.style import Style

from memview.app.view import View
from memview.memory.looking import Parsed, Query, parse
from memview.text import one_line

NAMED = 30
"""Characters of a condition that are shown."""


@dataclass(frozen=True, slots=True)
class Loosening:
    """A wider question."""

    name: str
    """What is different about it, safe to show."""
    view: View
    count: int = 0
    """How many records it has."""

    def query(self, now: datetime) -> Query:
        """What it asks for."""
        base = self.view.scope.narrow(Query(kind=self.view.tab, prefix=True))
        return parse(self.view.text, now=now, base=base).query


def loosenings(view: View, parsed: Parsed) -> Iterator[Loosening]:
    """The wider questions next to one: each lets go of one condition."""
    if not view.scope.everything:
        yield Loosening("all namespaces", replace(view, scope=view.scope.wider()))
    for operator in parsed.operators:
        if operator.value:
            typed = view.text[operator.start : operator.end]
            rest = view.text[: operator.start].rstrip() + " " + view.text[operator.end :].lstrip()
            yield Loosening(f"without {one_line(typed, NAMED)}", replace(view, text=rest.strip()))
    if view.tab == "facts" and parsed.query.statuses == ("active",):
        for status in ("forgotten", "superseded"):
            yield Loosening(status, replace(view, text=f"{view.text.strip()} is:{status}".strip()))
    other = "turns" if view.tab == "facts" else "facts"
    yield Loosening(f"{other} instead", View(view.scope, view.text, "turns" if other == "turns" else "facts"))


@dataclass(slots=True)
class Offer:
    """The wider questions that have an answer, one of them under the cursor."""

    rows: list[Loosening] = field(default_factory=list)
    asked: list[Loosening] = field(default_factory=list)
    """Those whose answers are being counted."""
    chosen: int = 0

    def ask(self, asked: Iterable[Loosening], now: datetime) -> list[Query]:
        """Offer nothing until these are counted; returns what to count."""
        self.rows, self.asked, self.chosen = [], list(asked), 0
        return [loosening.query(now) for loosening in self.asked]

    def counted(self, counts: Sequence[int]) -> None:
        """Offer those that have an answer."""
        counted = zip(self.asked, counts, strict=True)
        self.rows = [replace(loosening, count=count) for loosening, count in counted if count]

    def step(self, by: int) -> None:
        """Move the cursor."""
        self.chosen = max(0, min(self.chosen + by, len(self.rows) - 1))

    def lines(self, *, focused: bool) -> list[Content]:
        """A line for each, a button."""
        width = max((len(row.name) for row in self.rows), default=0)
        digits = max((len(f"{row.count:,}") for row in self.rows), default=0)
        made = []
        for place, row in enumerate(self.rows):
            here = place == self.chosen
            line = Content.assemble(
                ("> " if here else "  ", "bold $primary" if focused else "$text-muted"),
                (f"{row.name:<{width}}", "bold $foreground" if here else "$foreground"),
                (f"  {row.count:>{digits},}", "$text-muted"),
            )
            made.append(line.stylize(Style.from_meta({"instead": place})))
        return made
