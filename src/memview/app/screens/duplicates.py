"""Duplicates: groups of facts that say the same, to be merged one by one or, where they are equal, all at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from textual.content import Content

from memview.app import duplicates, told_apart
from memview.app.comparing import Member
from memview.app.describe import BLANK, Paragraph
from memview.app.duplicates import Merging
from memview.app.editing import Outcome
from memview.app.headlines import plural
from memview.app.keys import own_key
from memview.app.screens.comparing import ComparingScreen, Seen, button
from memview.app.screens.message import MessageScreen
from memview.app.widgets.choices import Choice
from memview.app.widgets.layout import Laid
from memview.app.widgets.record_row import fit
from memview.errors import Conflict, Invalid
from memview.memory.looking import Aim, Query
from memview.review import duplicates as library
from memview.review import masking
from memview.review.duplicates import Group
from memview.review.progress import Progress, Stopped

if TYPE_CHECKING:
    from memview.app.acts import Told
    from memview.app.screens.edit import Save

_SAMPLES = 3
_LABEL = 14


class DuplicatesScreen(ComparingScreen[Group]):
    """Shows facts that say the same, group by group, and merges them."""

    SCENE = "duplicates"

    # Finding and reading

    def find(self, query: Query, progress: Progress) -> tuple[list[Group], int, bool]:
        """Find the groups."""
        found = library.find(self.desk.many, query, self.desk.clock(), progress)
        return found.groups, found.compared, found.complete

    def again(self, raw: Connection, item: Group) -> Group | None:
        """A group as its facts are now."""
        return library.again(raw, item)

    def look(self, raw: Connection, item: Group, chosen: int | None) -> tuple[Sequence[Member], int, Any]:
        """The facts of a group and what a merge would make."""
        return duplicates.look(raw, item, chosen)

    def actions(self) -> dict[str, Callable[[], object]]:
        """What the commands of this screen do."""
        return {
            **super().actions(),
            "duplicates.merge": self._merge,
            "duplicates.only": self._keep_only,
            "duplicates.apart": self._not_alike,
            "duplicates.all": self._ask_all,
        }

    # Drawing

    def headline(self) -> tuple[list[Content], list[Content]]:
        """Which group it is, how alike its facts are, and how many are equal."""
        title = Content.styled("Duplicates", "bold")
        seen, where = self.seen, Content.styled(f" · {self.scope.name}", "$text-muted")
        if seen is None or seen.item is None:
            return [title, where], []
        group, narrow = seen.item, self.has_class("-one")
        count = len(self.queue.items)
        place = f" {seen.at + 1:,} of {count:,}" if narrow else f"  group {seen.at + 1:,} of {count:,}"
        alike = " · equal" if group.equal else f" · {group.alike:.0%} alike"
        stopped = "" if self.complete else " · stopped early"
        parts = [title, Content(place + alike), Content(stopped), where]
        if not narrow:
            parts.append(Content.styled(" · measured on normalised text", "$text-muted"))
        equal = sum(1 for _, one in self.queue.left if one.equal)
        offer = button(f"{equal:,} equal", "$foreground", "duplicates.all") + button(
            f"  {own_key('duplicates.all', self.commands)} merges all", "$text-muted", "duplicates.all"
        )
        return parts, [offer] if equal > 1 and not self.desk.read_only else []

    def labels(self) -> dict[str, str]:
        """What the keys do to the chosen fact."""
        if self.seen is None or self.has_class("-one"):
            return {"duplicates.edit": "", "undo": ""}  # so that there is room for what is needed more
        number = self.seen.chosen + 1
        apart = "not alike" if len(self.seen.members) == 2 else f"{number} is not alike"
        return {
            "duplicates.merge": f"merge into {number}", "duplicates.only": f"keep only {number}",
            "duplicates.apart": apart, "duplicates.edit": "edit and merge",
        }  # fmt: skip

    def draw(self, seen: Seen[Group]) -> tuple[Sequence[Content], Content | Laid]:
        """The facts with their differences lit, and below what a merge would make."""
        group, made = seen.item, seen.below
        assert group is not None
        assert isinstance(made, Merging)
        cards = []
        for place, (member, text) in enumerate(
            zip(seen.members, told_apart.texts(seen.members, seen.chosen), strict=True)
        ):
            lines = [text, self._about(group, place, seen.chosen, member)]
            quote = told_apart.quote(member)
            if quote and not self.has_class("-one"):
                lines.append(quote)
            cards.append(Content("\n").join(lines))
        cards_ = self.query_one("#cards")
        facts = plural(len(group.aims), "fact").upper()
        cards_.border_title = Content(f"{facts} · {'EQUAL' if group.equal else f'{group.alike:.0%} ALIKE'}")
        cards_.border_subtitle = Content(f"{len(seen.members)} shown") if len(seen.members) < len(group.aims) else ""
        return cards, self._after(group, seen.members, made)

    def _about(self, group: Group, place: int, chosen: int, member: Member) -> Content:
        why = (
            f"keep ({group.reason}) · " if place == chosen == 0 else "keep (your choice) · " if place == chosen else ""
        )
        mine = f"proposed ({group.reason}) · " if place == 0 != chosen else why
        style = "$text-success" if place == chosen else "$text-muted"
        return Content.assemble((mine, style), told_apart.about(member, self.desk.clock(), self.desk.me))

    def _after(self, group: Group, shown: Sequence[Member], made: Merging) -> Content | Laid:
        """The record that a merge would make."""
        key, below = own_key("duplicates.merge", self.commands) or "merging", self.query_one("#below")
        told = list(duplicates.told(group, shown, made))
        below.border_title = "" if self.has_class("-one") else Content(f"After {key}")
        if self.has_class("-one"):
            parts = [Content.assemble((f"{name} ", "$text-muted"), words) for name, words in told]
            return Content.assemble((f"after {key}: ", "bold"), Content.styled(" · ", "$text-muted").join(parts))
        lines = [Paragraph(words, Content.styled(f"{name:<{_LABEL}}", "$text-muted")) for name, words in told]
        conflicts = own_key("go.conflicts", self.desk.table) or "conflicts"
        note = f"numbers, negations, dates and names are equal in all; where they differ it is a conflict ({conflicts})"
        return Laid([*lines, BLANK, Paragraph(Content.styled(note, "$text-muted"))])

    def nothing(self) -> Content:
        """All is decided, or there was nothing."""
        count = f"{self.compared:,} {'fact' if self.compared == 1 else 'facts'} of {self.scope.name}"
        if self.queue.items:
            first = f"Every group is decided: {plural(len(self.queue.items), 'group')} among {count}."
        else:
            first = f"No duplicates among {count}." if self.complete else "Stopped: none was found by then."
        more = [
            "Equal are facts whose words are the same but for case, blanks and punctuation; near are those with a word",
            "mistyped, moved or added that says nothing. Where a number, a negation, a date or a name differs, the two",
            "are a conflict.",
        ]
        keys = [("ctrl+l", "compares again"), (own_key("go.conflicts", self.desk.table), "shows conflicts")]
        ways = [Content.assemble((key, "bold $primary"), (f" {does}", "$text-muted")) for key, does in keys if key]
        return Content("\n").join(
            [Content.styled(first, "bold"), Content(), Content.styled(" ".join(more), "$text-muted"), Content(),
             Content("   ").join(ways)]
        )  # fmt: skip

    # Deciding

    def _formed(self) -> Group | None:
        """The group around the chosen fact, as it is shown; None while it is being read."""
        made = self.seen.below if self.seen is not None else None
        return made.group if isinstance(made, Merging) else None

    def _merge(self) -> None:
        from memview.review import merging

        if (group := self._formed()) is not None:
            what = f"merged {plural(len(group.others), 'fact')} into {self._at() + 1} · u takes the merge apart"
            self.decide(lambda store: merging.merge(store, group.keeper, group.others), what)

    def _keep_only(self) -> None:
        from memview.review import merging

        if (group := self._formed()) is not None:
            what = f"kept {self._at() + 1}, forgot {plural(len(group.others), 'fact')} · u brings back"
            self.decide(lambda store: merging.keep_only(store, group.keeper, group.others), what)

    def _not_alike(self) -> None:
        from memview.review import merging

        if (group := self._formed()) is not None:
            what = "noted: not alike, and not offered again · u takes that back"
            self.decide(lambda store: merging.not_alike(store, group.keeper, group.others), what)

    def edit_title(self) -> str:
        """The editor merges."""
        return "Edit and merge"

    def save(self, item: Group, member: Member) -> Save:
        """An edited text is merged into at once, in the same step."""
        from memview.review import merging

        editing, group = self.desk.editing, self._formed()
        assert group is not None
        row = member.fact.row

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            def work() -> Outcome:
                now = editing.read(row.id) if version is None else None
                keeper = Aim(row.n, now.row.version if now is not None else version or row.version)
                try:
                    merging.merge(editing.in_tenant(row.tenant), keeper, group.others, values)
                except Conflict as error:
                    if error.id == row.id:
                        raise
                    raise Invalid("Another fact of the group changed.", "Close and look at the group again.") from None
                records = (("fact", row.id),)
                return Outcome(f"saved and merged {plural(len(group.others), 'fact')} · u takes both back", records)

            self.desk.acts.run(work, told)

        return save

    # All equal groups

    def _ask_all(self) -> None:
        equal = [(at, group) for at, group in self.queue.left if group.equal]
        if not equal:
            self.say("no equal groups are left", "$text-muted")
            return
        wanted = [group.keeper for _, group in equal[:_SAMPLES]]
        self.read(lambda raw: duplicates.samples(raw, wanted), partial(self._ask, equal), slot="samples")

    def _ask(self, equal: list[tuple[int, Group]], samples: list[str]) -> None:
        count = sum(len(group.others) for _, group in equal)
        room = min(self.size.width, 76) - 14
        body = [
            Content.assemble((f"{1 + len(group.others):>5}×  ", "$text-muted"), fit(masking.line(text), room))
            for (_, group), text in zip(equal, samples, strict=False)
        ]
        if len(equal) > len(samples):
            body.append(Content.styled(f"        and {len(equal) - len(samples):,} more groups", "$text-muted"))
        body += [Content(), Content.styled("each keeps its proposed fact · u takes all apart again", "$text-muted")]
        sentence = f"Merge {plural(count, 'fact')} into {len(equal):,} with equal text in {self.scope.name}?"

        def answered(key: str | None) -> None:
            if key == "y":
                self._merge_all(equal)

        choice = Choice("y", f"merge {plural(len(equal), 'group')}")
        self.app.push_screen(MessageScreen(sentence, [choice], body=body), answered)

    def _merge_all(self, equal: list[tuple[int, Group]]) -> None:
        from memview.review import merging

        stop = self._stop = threading.Event()
        left: list[Group] = []

        def progress(done: int, total: int) -> bool:
            self.post_message(self.Told(done, total))
            return not stop.is_set()

        def work() -> Outcome:
            for tenant in dict.fromkeys(group.tenant for _, group in equal):
                wanted = [group for _, group in equal if group.tenant == tenant]
                try:
                    left.extend(merging.merge_all(self.desk.editing.in_tenant(tenant), wanted, progress))
                except Stopped:
                    left.extend(wanted)
                    return Outcome("gave up · nothing was changed")
            return Outcome(_merged(equal, left))

        def then(done: bool) -> None:
            if self._stop is not stop:  # a search was begun meanwhile
                return
            self._stop = None
            self._took_back = False
            if done:
                self.queue.settled.update(at for at, group in equal if group not in left)
                self.queue.step(1)
            self.go_to(self.queue.at)

        self.act(work, then)


def _merged(equal: list[tuple[int, Group]], left: list[Group]) -> str:
    done = [group for _, group in equal if group not in left]
    stay = f"; {plural(len(left), 'group')} changed meanwhile and stay" if left else ""
    count = sum(len(group.others) for group in done)
    return f"merged {plural(count, 'fact')} into {len(done):,}{stay} · u takes that apart"
