"""What comes late does no harm in an editor: it is held up where that matters."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from textual.screen import Screen
from textual.widgets import TextArea

from driving import Driven, Open
from gates import Gate
from memview import MemoryStore
from memview.app import drafts
from memview.app.app import MemviewApp
from memview.app.editing import Editing
from memview.app.keeping import Keeper
from memview.app.lane import Lane
from memview.app.many import Many
from memview.app.screens import unsaved
from memview.app.screens.browse import BrowseScreen
from memview.app.screens.conflict import ConflictScreen
from memview.app.screens.edit import EditScreen
from memview.app.screens.message import MessageScreen
from memview.errors import BusyStore
from memview.memory import state
from memview.memory.looking import FactDetail

pytestmark = pytest.mark.asyncio
Pushed = TypeVar("Pushed", bound=Screen[Any])


def once_pushed(monkeypatch: pytest.MonkeyPatch, kind: type[Pushed], then: Callable[[Pushed], object]) -> None:
    """Have something done as soon as a screen of some kind was pushed, while nothing of it stands yet."""
    push = MemviewApp.push_screen

    def pushed(self: MemviewApp, screen: Any, *args: Any, **named: Any) -> Any:
        mounting = push(self, screen, *args, **named)
        if isinstance(screen, kind):
            then(screen)
        return mounting

    monkeypatch.setattr(MemviewApp, "push_screen", pushed)


def editor(driven: Driven) -> EditScreen:
    """The editor on top."""
    screen = driven.app.screen
    assert isinstance(screen, EditScreen)
    return screen


async def tell(driven: Driven, store: MemoryStore, content: str) -> None:
    """Have somebody else write the fact under the cursor, and the browse screen learn of it."""
    shown = driven.screen.doing.shown_fact()
    assert shown is not None
    store.memory(shown.row.namespace).update(shown.row.id, content)
    driven.screen.showing.read()

    def known() -> bool:
        shown = driven.screen.doing.shown_fact()
        return shown is not None and shown.content == content

    await driven.until(known)


def said(driven: Driven, content: str) -> FactDetail:
    """The fact under the cursor as if it said something else."""
    shown = driven.screen.doing.shown_fact()
    assert shown is not None
    return shown._replace(content=content)


async def test_a_fact_that_is_written_while_its_editor_is_being_opened_stands_in_it(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        once_pushed(monkeypatch, EditScreen, lambda screen: screen.record_changed(said(driven, "By phone")))
        await driven.press("e")
        assert editor(driven).query_one(TextArea).text == "By phone"


async def test_a_fact_that_is_erased_while_its_editor_is_being_opened_is_said_to_be(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        once_pushed(monkeypatch, EditScreen, EditScreen.record_gone)
        await driven.press("e")
        assert "This fact was erased meanwhile." in driven.text()


async def test_a_fact_that_is_written_while_its_editor_closes_ends_nothing(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, told = EditScreen.on_unmount, []

    async with opened() as driven:

        def closing(self: EditScreen) -> None:
            self.record_changed(said(driven, "By phone"))
            told.append(self)
            closed(self)

        monkeypatch.setattr(EditScreen, "on_unmount", closing)
        await driven.press("e", "escape")
        assert told
        assert isinstance(driven.app.screen, BrowseScreen)


async def test_a_fact_that_is_written_while_the_conflict_is_being_shown_stands_in_it(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("e", "x")
        await tell(driven, filled, "Second")
        third = replace(drafts.BLANK, content="Third")
        once_pushed(monkeypatch, ConflictScreen, lambda screen: screen.show(third))
        await driven.press("ctrl+s")
        assert "Third" in driven.text()
        assert "They changed it again just now" in driven.text()


async def test_what_they_wrote_and_took_back_while_the_conflict_stands_leaves_mine(
    filled: MemoryStore, opened: Open
) -> None:
    async with opened() as driven:
        await driven.press("e", "x")
        before = editor(driven).draft.content.removeprefix("x")
        await tell(driven, filled, "Second")
        await driven.press("ctrl+s")
        await tell(driven, filled, before)
        await driven.press("b")
        assert editor(driven).draft.content == f"x{before}\n\n{before}"


async def test_an_editor_takes_over_no_other_fact(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("e")
        (other,) = filled.memory("user:43").list()
        detail = driven.app.desk.editing.read(other.id)
        assert detail is not None
        before = editor(driven).draft
        editor(driven).record_changed(detail)
        await driven.settle()
        assert editor(driven).draft == before


async def save_and_type(driven: Driven, saving: Gate, *keys: str) -> None:
    """Save, and press more keys while that goes on."""
    driven.send("ctrl+s")
    await driven.until(saving.reached)
    for key in keys:
        driven.send(key)
    await driven.until(lambda: driven.app._key_order.waits or not driven.app._key_order.under_way)
    saving.open()
    await driven.settle()


async def test_keys_pressed_while_a_save_goes_on_are_meant_for_what_comes_after_it(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("e", "x")
        await save_and_type(driven, Gate(monkeypatch, Editing, "edit"), "j", "d")
        assert isinstance(driven.app.screen, BrowseScreen)
        assert [fact.content for fact in filled.memory("project/atlas").trash()] == ["Atlas deploys from main"]


async def test_what_is_typed_while_a_save_goes_on_that_comes_to_nothing_is_text(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*args: object) -> object:
        raise BusyStore("The store is locked.")

    async with opened() as driven:
        await driven.press("e", "x")
        monkeypatch.setattr(Editing, "edit", busy)
        await save_and_type(driven, Gate(monkeypatch, Editing, "edit"), "y", "z")
        assert editor(driven).draft.content.startswith("xyz")


async def test_what_is_typed_before_a_conflict_stands_decides_nothing(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fact,) = filled.memory("user").list()
    async with opened() as driven:
        await driven.press("e", "x")
        filled.memory("user").update(fact.id, "Theirs")
        await save_and_type(driven, Gate(monkeypatch, Editing, "edit"), "m", "t", "b")
        assert isinstance(driven.app.screen, ConflictScreen)
        assert [fact.content for fact in filled.memory("user").list()] == ["Theirs"]
        await driven.press("m")
        assert [fact.content for fact in filled.memory("user").list()] == ["x" + fact.content]


def drafts_in(path: Path) -> list[str]:
    """The texts of the drafts that are kept."""
    files = state.folder(path).rglob("*.json")
    return [json.loads(file.read_text())["draft"]["content"] for file in files if file.parent.name == "drafts"]


async def leave_a_draft(driven: Driven) -> None:
    """Type into the fact under the cursor, and have that kept as a draft."""
    await driven.press("e", "m")
    await driven.until(lambda: not editor(driven)._unsaved._work)
    await driven.settle()
    editor(driven).dismiss(None)
    await driven.settle()
    assert [text[0] for text in drafts_in(driven.app.desk.path)] == ["m"]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drafts that are kept at once, and a question that may be answered at once."""
    monkeypatch.setattr(unsaved, "KEEP_AFTER", 0.001)
    monkeypatch.setattr(unsaved, "TOO_SOON", 0.0)


@pytest.mark.usefixtures("hasty")
async def test_an_earlier_draft_stays_until_it_is_decided_on_whatever_is_typed_before(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await leave_a_draft(driven)
        loading = Gate(monkeypatch, Keeper, "load")
        keeping = Gate(monkeypatch, Keeper, "keep", after=True)
        keeping.open()
        driven.send("e")
        await driven.until(loading.reached)
        typing = editor(driven)
        driven.send("n")
        await driven.until(lambda: typing.draft.content.startswith("n"))
        await driven.until(lambda: not typing._unsaved._work)
        loading.open()
        await driven.settle()
        assert isinstance(driven.app.screen, MessageScreen)
        assert not keeping.reached()
        await driven.press("escape")
        assert [text[0] for text in drafts_in(driven.app.desk.path)] == ["m"]
        await driven.press("e", "d", "o")
        await driven.until(lambda: not editor(driven)._unsaved._work)
        await driven.settle()
        assert [text[0] for text in drafts_in(driven.app.desk.path)] == ["o"]


@pytest.mark.usefixtures("hasty")
async def test_closing_before_an_earlier_draft_was_found_leaves_it(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await leave_a_draft(driven)
        loading = Gate(monkeypatch, Keeper, "load")
        driven.send("e")
        await driven.until(loading.reached)
        driven.send("escape")
        await driven.until(lambda: isinstance(driven.app.screen, BrowseScreen))
        loading.open()
        await driven.settle()
        assert isinstance(driven.app.screen, BrowseScreen)
        assert [text[0] for text in drafts_in(driven.app.desk.path)] == ["m"]


def tallying(lane: Lane, work: Callable[..., object]) -> bool:
    """Whether a lane is asked for the counts of wider questions."""
    return "tally" in getattr(work, "__qualname__", "")


async def test_wider_questions_are_offered_where_the_list_is_asked_again_while_they_are_counted(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        counting = Gate(monkeypatch, Lane, "read", only=tallying)
        driven.screen.doing.search_for("oslo tag:deploy")
        await driven.until(counting.reached)
        asked = driven.screen.listing.generation
        driven.send("ctrl+l")
        await driven.until(lambda: driven.screen.listing.generation > asked and driven.screen.listing.answer.whole)
        counting.open()
        await driven.settle()
        assert "without tag:deploy" in driven.text()


async def test_going_back_from_one_empty_search_to_another_offers_what_is_wider_than_that(
    filled: MemoryStore, opened: Open
) -> None:
    async with opened() as driven:
        await driven.press("slash", *"oslo", "space", *"tag", "colon", *"deploy", "enter")
        driven.screen.doing.search_for("oslo tag:ops")
        await driven.settle()
        assert "without tag:ops" in driven.text()
        await driven.press("backspace")
        assert "without tag:deploy" in driven.text()


async def test_keys_typed_before_the_neighbours_are_read_act_on_them(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled.memory("user:42")
    staging, friday, _ = sorted(memory.list(), key=lambda fact: fact.content, reverse=True)
    memory.link(staging.id, friday.id, "related")
    async with opened() as driven:
        await driven.press("j", "j", "j", "g")
        reading = Gate(monkeypatch, Many, "read", after=True)
        driven.send("n")
        await driven.until(reading.reached)
        driven.send("j")
        driven.send("enter")
        await driven.until(lambda: driven.app._key_order.waits or isinstance(driven.app.screen, BrowseScreen))
        reading.open()
        await driven.settle()
        assert driven.cursor_text == "Never deploy on Friday afternoons"
