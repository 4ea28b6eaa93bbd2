"""Putting right what the store says, from the browse screen: edit, correct, write, link, erase."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from memview.app import erasing
from memview.app.acts import Told
from memview.app.editing import Outcome
from memview.app.erasing import Target
from memview.app.keeping import Keeper, of_record
from memview.app.messages import failed
from memview.errors import MemviewError
from memview.memory.looking import FactDetail, FactRow, Neighbour, TurnDetail
from memview.text import one_line

if TYPE_CHECKING:
    from memview.app.outside import Back
    from memview.app.screens.browse import BrowseScreen
    from memview.app.screens.edit import EditScreen
    from memview.app.screens.erase import Told as EraseTold
    from memview.app.screens.link import Linking
    from memview.app.screens.links import Relinking

T = TypeVar("T")
Record = FactDetail | TurnDetail | None
WithFact = Callable[[Callable[[FactDetail], None]], None]
"""Does something with the fact under the cursor, now or once it has been read."""


class Righting:
    """Opens what a person puts records right with.

    Args:
        screen: the browse screen.
        with_fact: reaches the fact under the cursor.
    """

    def __init__(self, screen: BrowseScreen, with_fact: WithFact) -> None:
        self._screen = screen
        self._with_fact = with_fact
        self._editor: EditScreen | None = None
        self.actions: dict[str, Callable[[], object]] = {
            "edit": lambda: with_fact(self._edit),
            "edit.outside": self._edit_outside,
            "correct": lambda: with_fact(self._correct),
            "new": self._new,
            "link": lambda: with_fact(self._link),
            "erase": self._erase,
        }
        """What each command of putting right does, by its id."""

    def fact_read(self, fact: FactDetail) -> None:
        """Let an open editor know what its fact says by now."""
        editor = self._editor
        if editor is not None and editor.detail is not None and editor.detail.row.id == fact.row.id:
            editor.record_changed(fact)

    def fact_gone(self) -> None:
        """Let an open editor know that its fact is no longer in the store."""
        if self._editor is not None and self._editor.detail is not None:
            self._editor.record_gone()

    # Editors

    def _edit(self, fact: FactDetail, outside: Callable[[str], Back] | None = None) -> None:
        from memview.app.screens.edit import EditScreen

        editing, acts = self._screen.desk.editing, self._screen.desk.acts

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            acts.run(lambda: editing.edit(fact.row, values, version), told)

        keeper, _ = of_record(editing.path, fact.row.id, editing.clock)
        self._open(
            EditScreen(
                f"Edit · {_place(fact.row.namespace)}", fact, save, read=lambda: editing.read(fact.row.id),
                keeper=keeper, outside=outside, clock=editing.clock,
            )
        )  # fmt: skip

    def _edit_outside(self) -> None:
        from memview.app import outside

        try:
            editor = outside.command(os.environ)
        except ValueError as error:
            self._screen.say(str(error), "$text-warning")
            return
        if not editor:
            self._screen.say("no editor is named in VISUAL or EDITOR · e edits here", "$text-muted")
            return
        path = self._screen.desk.path
        self._with_fact(lambda fact: self._edit(fact, lambda text: outside.edited(editor, text, path)))

    def _correct(self, fact: FactDetail) -> None:
        from memview.app.screens.correct import CorrectScreen

        editing, acts = self._screen.desk.editing, self._screen.desk.acts

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            also = tuple(screen.marked)
            acts.run(lambda: editing.correct(fact.row, values["content"], version, also), told)

        _, keeper = of_record(editing.path, fact.row.id, editing.clock)
        screen = CorrectScreen(
            f"Correct · {_place(fact.row.namespace)}", fact, save, lambda: editing.resting(fact),
            read=lambda: editing.read(fact.row.id), keeper=keeper, clock=editing.clock,
        )  # fmt: skip
        self._open(screen)

    def _new(self) -> None:
        scope = self._screen.listing.view.scope
        named = scope.under if scope.under is not None else scope.namespace
        if isinstance(named, str) and isinstance(scope.tenant, str):
            self._write_in(scope.tenant, named)
        else:
            self._with_record(self._new_beside)

    def _new_beside(self, record: Record) -> None:
        if record is None or record.row.namespace is None:
            self._screen.say("choose a namespace for it first · 1 goes to the namespaces", "$text-muted")
        else:
            self._write_in(record.row.tenant, record.row.namespace)

    def _write_in(self, tenant: str, namespace: str) -> None:
        from memview.app.screens.edit import EditScreen

        editing, acts = self._screen.desk.editing, self._screen.desk.acts
        learnt: list[Outcome] = []

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            def work() -> Outcome:
                learnt.append(editing.learn(tenant, namespace, values))
                return learnt[-1]

            acts.run(work, told)

        keeper = Keeper(editing.path, f"new:{tenant}:{namespace}", editing.clock)
        editor = EditScreen(f"New fact · {_place(namespace)}", None, save, keeper=keeper, clock=editing.clock)
        self._open(editor, lambda: self._show(learnt[-1]))

    def _show(self, learnt: Outcome) -> None:
        """Go to a fact that was there, or let a new one stand on top."""
        screen = self._screen
        if learnt.there is not None:
            screen.doing.awaiting.record(learnt.there, "fact")
        elif not screen.listing.view.text:
            screen.listing.again(keep="top")
            screen.doing.awaiting.answer()

    def _open(self, editor: EditScreen, then: Callable[[], object] = lambda: None) -> None:
        """Show an editor; once it closed with something done, say what, and go on."""

        def closed(outcome: Outcome | None) -> None:
            self._editor = None
            if outcome is not None:
                self._screen.say(outcome.sentence)
                then()

        self._editor = editor
        self._screen.app.push_screen(editor, closed)

    # Links

    def _link(self, fact: FactDetail) -> None:
        editing = self._screen.desk.editing

        def show(links: list[Neighbour]) -> None:
            if links:
                self._change_links(fact, links)
            else:
                self._new_link(fact)

        self._read(lambda: editing.links(fact.row), show)

    def _new_link(self, fact: FactDetail) -> None:
        from memview.app.screens.link import LinkScreen

        row, desk = fact.row, self._screen.desk

        def chosen(link: Linking | None) -> None:
            if link is not None:
                other, kind = link
                desk.acts.on_fact(row.n, lambda editing, now: editing.link(now, other, kind), id=row.id)

        self._screen.app.push_screen(LinkScreen(row, lambda words: desk.loader.facts_like(row, words)), chosen)

    def _change_links(self, fact: FactDetail, links: list[Neighbour]) -> None:
        from memview.app.screens.links import LinksScreen

        acts, row = self._screen.desk.acts, fact.row

        def chosen(change: Relinking | None) -> None:
            if change is None:
                return
            near, kind = change
            if near is None:
                self._new_link(fact)
            elif kind is None:
                acts.on_fact(row.n, lambda editing, now: editing.unlink(now, near.fact, near.kind), id=row.id)
            else:
                acts.on_fact(row.n, lambda editing, now: editing.relink(now, near, kind), id=row.id)

        self._screen.app.push_screen(LinksScreen(row, links), chosen)

    # Erase

    def _erase(self) -> None:
        if self._screen.doing.bulk.marks.numbers:
            self._erase_marked()
            return
        if self._screen.spot != "tree":
            self._with_record(lambda record: self._ask_erase(erasing.targets(record)))
            return
        scope = self._screen.listing.view.scope
        named = scope.under if scope.under is not None else scope.namespace
        if isinstance(named, str) and isinstance(scope.tenant, str):
            self._ask_erase(erasing.targets(None, (scope.tenant, named)))
        else:
            self._screen.say("choose one namespace to erase, or a fact or turn", "$text-muted")

    def _erase_marked(self) -> None:
        bulk, many = self._screen.doing.bulk, self._screen.desk.many
        bulk.marks.end_range()
        seen = dict(bulk.marks.versions)

        def ask(rows: list[FactRow]) -> None:
            targets = erasing.marked(rows, len(seen) - len(rows))
            if targets:
                self._ask_erase(targets, bulk.clear)
            else:
                self._screen.say("the marked facts changed or went since they were marked", "$text-muted")

        self._read(lambda: many.standing(seen), ask)

    def _ask_erase(self, targets: list[Target], then: Callable[[], object] = int) -> None:
        from memview.app.screens.erase import EraseScreen

        if not targets:
            self._screen.say("there is nothing under the cursor", "$text-muted")
            return
        editing, acts = self._screen.desk.editing, self._screen.desk.acts

        def erase(target: Target, told: EraseTold) -> None:
            left: list[str] = []

            def work() -> Outcome:
                places, unreached = editing.erase(target)
                left.extend(unreached)
                return Outcome(f"erased {erasing.told(places)}")

            acts.run(work, lambda message: told(message, left))

        def closed(sentence: str | None) -> None:
            if sentence:
                then()
                self._screen.say(sentence)

        self._screen.app.push_screen(EraseScreen(targets, editing.count, erase), closed)

    # Reading

    def _with_record(self, work: Callable[[Record], None]) -> None:
        """Do something with the fact or turn under the cursor; with None where there is none."""
        key, tab = self._screen.list.cursor_key, self._screen.listing.view.tab
        if key is None:
            work(None)
        else:
            self._read(lambda: self._screen.desk.editing.record("fact" if tab == "facts" else "turn", key), work)

    def _read(self, read: Callable[[], T], then: Callable[[T], object]) -> None:
        """Read something in a thread, then go on with it."""

        async def work() -> None:
            try:
                found = await asyncio.to_thread(read)
            except MemviewError as error:
                self._screen.post_message(failed(error, self._screen.desk.path))
            else:
                then(found)

        worker = self._screen.run_worker(work(), exit_on_error=False, group="righting", exclusive=True)
        self._screen.desk.opening(lambda: worker.is_finished, worker.cancel)


def _place(namespace: str) -> str:
    return one_line(namespace, 40) or "no name"
