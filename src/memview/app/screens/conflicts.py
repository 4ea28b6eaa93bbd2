"""Conflicts: pairs of facts of which only one can hold, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from textual.content import Content

from memview.app import conflicts, told_apart
from memview.app.comparing import Member, members
from memview.app.describe import Paragraph
from memview.app.headlines import plural
from memview.app.keys import own_key
from memview.app.screens.comparing import ComparingScreen, Seen
from memview.app.widgets.layout import Laid
from memview.memory.looking import Query
from memview.review import conflicts as library
from memview.review.conflicts import Opposition
from memview.review.progress import Progress

if TYPE_CHECKING:
    from memview.app.acts import Told
    from memview.app.screens.edit import Save

_LABEL = 14
_SURE = {"linked": "linked", "standing": "superseded", "word": "value", "date": "time"}


class ConflictsScreen(ComparingScreen[Opposition]):
    """Shows two facts that exclude each other, pair by pair, and asks which holds."""

    SCENE = "conflicts"
    ONE = "pair"
    DEFAULT_CSS = """
    ConflictsScreen {
        &.-three #cards, &.-wide #cards { layout: horizontal; }
        &.-three Card, &.-wide Card { width: 1fr; height: auto; margin: 0 1 0 0; }
    }
    """

    # Finding and reading

    def find(self, query: Query, progress: Progress) -> tuple[list[Opposition], int, bool]:
        """Find the pairs."""
        found = library.find(self.desk.many, query, self.desk.clock(), progress)
        return found.pairs, found.compared, found.complete

    def again(self, raw: Connection, item: Opposition) -> Opposition | None:
        """A pair as its facts are now."""
        return library.again(raw, item)

    def look(self, raw: Connection, item: Opposition, chosen: int | None) -> tuple[Sequence[Member], int, Any]:
        """Both facts, the newer first; that is chosen until a person chooses."""
        return members(raw, item.aims), int(item.older.n == chosen), None

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands of this screen do."""
        return {
            **super().actions(),
            "conflicts.holds": self._holds,
            "conflicts.both": self._both,
            "conflicts.left": lambda: self.choose(0),
            "conflicts.right": lambda: self.choose(1),
        }

    # Drawing

    def headline(self) -> tuple[list[Content], list[Content]]:
        """Which pair it is, and what it is about."""
        title = Content.styled("Conflicts", "bold")
        seen, where = self.seen, Content.styled(f" · {self.scope.name}", "$text-muted")
        if seen is None or seen.item is None:
            return [title, where], []
        count = len(self.queue.items)
        place = f" {seen.at + 1:,} of {count:,}" if self.has_class("-one") else f"  pair {seen.at + 1:,} of {count:,}"
        what = conflicts.kind(seen.item, seen.members)
        stopped = "" if self.complete else " · stopped early"
        return [title, Content(f"{place} · {_SURE.get(what, what)}"), Content(stopped), where], []

    def labels(self) -> dict[str, str]:
        """What the keys do to the chosen fact."""
        if self.seen is None or self.has_class("-one"):
            return {}
        number = self.seen.chosen + 1
        return {"conflicts.holds": f"{number} holds", "conflicts.edit": f"edit {number}"}

    def draw(self, seen: Seen[Opposition]) -> tuple[Sequence[Content], Laid]:
        """Both facts with what differs lit, and below why only one can hold."""
        pair = seen.item
        assert pair is not None
        texts = told_apart.texts(seen.members, seen.chosen)
        pairs = zip(seen.members, texts, strict=True)
        cards = [self._card(place, member, text) for place, (member, text) in enumerate(pairs)]
        self.query_one("#cards").border_title = Content("WHICH HOLDS")
        told = list(conflicts.told(pair, seen.members, seen.chosen))
        key, below = own_key("conflicts.holds", self.commands) or "deciding", self.query_one("#below")
        below.border_title = "" if self.has_class("-one") else Content("Why")
        told[-1] = (f"after {key}", told[-1][1])
        beside = "{}: " if self.has_class("-one") else f"{{:<{_LABEL}}}"
        return cards, Laid(
            [Paragraph(words, Content.styled(beside.format(name), "$text-muted")) for name, words in told]
        )

    def _card(self, place: int, member: Member, text: Content) -> Content:
        age = "newer · " if place == 0 else "older · "
        about = told_apart.about(member, self.desk.clock(), self.desk.me)
        lines = [text, Content.assemble((age, "$text-muted"), about)]
        if quote := told_apart.quote(member):
            lines.append(quote)
        return Content("\n").join(lines)

    def nothing(self) -> Content:
        """All is decided, or there was nothing."""
        count = f"{self.compared:,} {'fact' if self.compared == 1 else 'facts'} of {self.scope.name}"
        if self.queue.items:
            first = f"Every pair is decided: {plural(len(self.queue.items), 'pair')} among {count}."
        else:
            first = f"No conflicts among {count}." if self.complete else "Stopped: none was found by then."
        more = (
            "A conflict is a pair of which only one can hold: linked as contradicting each other, superseded while "
            "agents get both or neither, or the same words with another number, weekday, time or value, or with a no."
        )
        keys = [("ctrl+l", "compares again"), (own_key("go.duplicates", self.desk.table), "shows duplicates")]
        ways = [Content.assemble((key, "bold $primary"), (f" {does}", "$text-muted")) for key, does in keys if key]
        return Content("\n").join(
            [Content.styled(first, "bold"), Content(), Content.styled(more, "$text-muted"), Content(),
             Content("   ").join(ways)]
        )  # fmt: skip

    # Deciding

    def _holds(self) -> None:
        from memview.review import settling

        def settle(pair: Opposition, member: Member) -> None:
            holds, other = pair.aims if member.fact.row.n == pair.newer.n else pair.aims[::-1]
            what = f"{self._at() + 1} holds, the other is superseded · u takes that back"
            self.decide(lambda store: settling.this_holds(store, holds, other), what)

        self._with_chosen(settle)

    def _both(self) -> None:
        from memview.review import settling

        def settle(pair: Opposition, member: Member) -> None:
            what = "noted: both hold, and they are not offered again · u takes that back"
            self.decide(lambda store: settling.both_hold(store, *pair.aims), what)

        self._with_chosen(settle)

    def save(self, item: Opposition, member: Member) -> Save:
        """An edit as everywhere; the pair is looked at again after it."""
        editing = self.desk.editing

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            self.desk.acts.run(lambda: editing.edit(member.fact.row, values, version), told)

        return save
