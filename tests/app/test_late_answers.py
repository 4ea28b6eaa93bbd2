"""An answer that comes late does no harm to what was done meanwhile: threads are held up where that matters."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from driving import Driven, Open
from gates import Gate
from memview import MemoryStore
from memview.app import deciding, pruning
from memview.app.app import MemviewApp
from memview.app.editing import Editing
from memview.app.keeping import Keeper
from memview.app.lane import Lane
from memview.app.loader import Loader
from memview.app.many import Many
from memview.app.screens import inbox, unsaved
from memview.app.screens.browse import BrowseScreen
from memview.app.screens.duplicates import DuplicatesScreen
from memview.app.screens.edit import EditScreen
from memview.app.screens.health import HealthScreen
from memview.app.screens.help import KeysScreen
from memview.app.screens.prune import PruneScreen
from memview.app.wellness import entries
from memview.app.widgets.lines import Lines
from memview.app.widgets.record_list import RecordList
from memview.errors import BusyStore
from memview.memory import state
from memview.review import merging as merge
from support import SettableClock

pytestmark = pytest.mark.asyncio

TWICE = ("Never deploy on Friday afternoons", "Never deploy on friday afternoon")


async def test_an_editor_closes_once_it_has_saved_whatever_was_opened_over_it_meanwhile(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("e", "x")
        editor = driven.app.screen
        assert isinstance(editor, EditScreen)
        saving = Gate(monkeypatch, Editing, "edit")
        driven.send("ctrl+s")
        await driven.until(saving.reached)
        editor.action_keys()
        await driven.until(lambda: isinstance(driven.app.screen, KeysScreen))
        saving.open()
        await driven.settle()
        assert isinstance(driven.app.screen, BrowseScreen)
        assert "saved 1" in driven.status


async def test_a_group_read_for_a_search_before_is_not_shown_in_the_next_one(
    store: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in TWICE:
        store.memory("user:42").write(text)
    async with opened() as driven:
        await driven.press("g", "d")
        screen = driven.app.screen
        assert isinstance(screen, DuplicatesScreen)
        reading = Gate(monkeypatch, DuplicatesScreen, "look", after=True)
        finding = Gate(monkeypatch, DuplicatesScreen, "find")
        screen.reload()
        await driven.until(reading.reached)
        driven.send("ctrl+l")
        await driven.until(finding.reached)
        reading.open()
        await driven.until(lambda: not [worker for worker in driven.app.workers if worker.group == "default"])
        await driven.pilot.pause(0)
        assert screen.seen is None
        finding.open()
        await driven.settle()
        assert "group 1 of 1" in driven.text()


async def test_a_search_begun_while_all_are_merged_shows_what_it_finds(
    store: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        for text in (f"The {number}. printer is red", f"The {number}. printer is red!"):
            store.memory("user:42").write(text)
    async with opened() as driven:
        await driven.press("g", "d", "A")
        merging = Gate(monkeypatch, merge, "merge_all")
        driven.send("y")
        await driven.until(merging.reached)
        finding = Gate(monkeypatch, DuplicatesScreen, "find")
        driven.send("ctrl+l")
        await driven.until(finding.reached)
        merging.open()
        await driven.until(lambda: not [worker for worker in driven.app.workers if worker.group == "acts"])
        finding.open()
        await driven.settle()
        assert "group 1 of 3" in driven.text()


def forgotten(store: MemoryStore) -> list[str]:
    """The facts that a person forgot."""
    spaces = ("user", "user:42", "user:43", "project/atlas")
    return [fact.content for space in spaces for fact in store.memory(space).trash()]


@pytest.mark.parametrize(
    ("before", "keys", "fact"),
    [
        (["1"], ["j", "l"], "Atlas deploys from main"),
        (["1"], ["j", "enter"], "Atlas deploys from main"),
        (["1"], ["j", "tab"], "Atlas deploys from main"),
        (["1"], ["j", "3"], "Atlas deploys from main"),
        ([], ["s"], "Deploy window is Tuesday, 14:00 to 16:00 UTC"),
        (["right_square_bracket"], ["left_square_bracket"], "Users sign in by mail"),
        (["slash", *"friday", "enter"], ["escape"], "Users sign in by mail"),
        (["slash", *"friday"], ["escape"], "Users sign in by mail"),
        (["j", "j", "j", "g", "n", "down"], ["enter"], "Never deploy on Friday afternoons"),
    ],
)
async def test_a_key_acts_on_the_list_that_was_asked_for_before_it(
    filled: MemoryStore,
    opened: Open,
    monkeypatch: pytest.MonkeyPatch,
    before: list[str],
    keys: list[str],
    fact: str,
) -> None:
    memory = filled.memory("user:42")
    staging, friday, _ = sorted(memory.list(), key=lambda fact: fact.content, reverse=True)
    memory.link(staging.id, friday.id, "related")
    async with opened() as driven:
        await driven.press(*before)
        searching = Gate(monkeypatch, Loader, "_listed")
        for key in (*keys, "d"):
            driven.send(key)
        await driven.until(searching.reached)
        await driven.until(lambda: not driven.app._key_order.under_way)
        searching.open()
        await driven.settle()
        assert forgotten(filled) == [fact]


def asks(what: str) -> Callable[[Lane, Callable[..., object]], bool]:
    """Tells of a question to a lane whether it is made by a function of this name."""
    return lambda lane, work: what in getattr(work, "__qualname__", "")


async def test_a_key_behind_a_link_acts_on_what_it_leads_to(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled.memory("user:42")
    staging, friday, _ = sorted(memory.list(), key=lambda fact: fact.content, reverse=True)
    memory.link(staging.id, friday.id, "related")
    async with opened() as driven:
        await driven.press("j", "j", "j", "g", "n", "down")
        locating = Gate(monkeypatch, Lane, "read", only=asks("locate"))
        driven.send("enter")
        driven.send("d")
        await driven.until(locating.reached)
        await driven.until(lambda: not driven.app._key_order.under_way)
        locating.open()
        await driven.settle()
        assert forgotten(filled) == ["Never deploy on Friday afternoons"]


async def test_a_key_typed_before_the_first_list_acts_on_the_record_that_was_named(
    filled: MemoryStore, path: Path, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    (atlas,) = filled.memory("project/atlas").list()
    locating = Gate(monkeypatch, Lane, "read", only=asks("locate"))
    app = MemviewApp(path, me="person:ana", record_id=atlas.id, clock=clock, watched=False)
    async with app.run_test(size=(120, 36)) as pilot:
        driven = Driven(app, pilot)
        driven.send("d")
        await driven.until(lambda: locating.reached() and driven.screen.listing.answer.settled)
        await driven.until(lambda: not app._key_order.under_way)
        locating.open()
        await driven.settle()
    assert forgotten(filled) == ["Atlas deploys from main"]


async def test_a_key_pressed_while_a_search_that_was_kept_goes_on_is_not_the_last_that_does_anything(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("slash", *"frida")
        searching = Gate(monkeypatch, Loader, "_listed")
        order = driven.app._key_order
        driven.send("y")
        await driven.until(lambda: searching.reached() and not order.under_way)
        driven.send("enter")
        await driven.until(lambda: driven.screen.spot == "list" and not order.under_way)
        driven.send("d")
        await driven.until(lambda: order.waits)
        searching.open()
        await driven.settle()
        assert forgotten(filled) == ["Never deploy on Friday afternoons"]
        await driven.press("u")
        assert forgotten(filled) == []


async def test_a_count_that_goes_on_is_stopped_and_not_begun_again_where_its_screen_closes(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting, counts, look = threading.Event(), [], pruning.look

    def endless(raw: sqlite3.Connection, *args: Any) -> object:
        counts.append(args)
        if len(counts) > 1:
            return look(raw, *args)
        counting.set()
        numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
        return raw.execute(numbers).fetchone()

    monkeypatch.setattr(pruning, "look", endless)
    async with opened() as driven:
        driven.send("g")
        driven.send("p")
        await driven.until(counting.is_set)
        await driven.press("q")
        assert isinstance(driven.app.screen, BrowseScreen)
        assert len(counts) == 1


async def test_a_count_that_was_to_begin_when_its_screen_closed_does_not(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, look = [], pruning.look

    def counted(*args: Any) -> object:
        counts.append(args)
        return look(*args)

    monkeypatch.setattr(pruning, "look", counted)
    counting = Gate(monkeypatch, Lane, "read", only=asks("PruneScreen.reload"))
    async with opened() as driven:
        driven.send("g")
        driven.send("p")
        await driven.until(counting.reached)
        screen = driven.app.screen
        assert isinstance(screen, PruneScreen)
        driven.send("q")
        await driven.until(lambda: screen.lane._closed)
        counting.open()
        await driven.settle()
    assert not counts


async def test_a_second_step_back_is_asked_about_where_it_is_of_an_earlier_sitting(
    filled: MemoryStore, path: Path, opened: Open, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with MemoryStore(path, agent="person:ana", clock=clock) as earlier:
        (oslo,) = earlier.memory("user:43").list()
        earlier.memory("user:43").forget(oslo.id)
    clock.forward(days=1)
    async with opened() as driven:
        await driven.press("d", "g", "u")
        undoing = Gate(monkeypatch, Editing, "undo")
        driven.send("u")
        await driven.until(undoing.reached)
        driven.send("u")
        await driven.until(lambda: driven.app._key_order.waits or not driven.app._key_order.under_way)
        undoing.open()
        await driven.settle()
        assert forgotten(filled) == ["Lives in Oslo"]
        assert "before this sitting" in driven.text()


async def test_what_could_not_be_decided_is_said_though_its_screen_has_closed(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*args: object) -> object:
        raise BusyStore("The store is locked.")

    async with opened() as driven:
        await driven.press("i", "a")
        monkeypatch.setattr(inbox.InboxScreen, "CALM", 0.0)
        monkeypatch.setattr(deciding, "decide", busy)
        deciding_ = Gate(monkeypatch, deciding, "decide")
        screen = driven.app.screen
        driven.send("a")
        await driven.until(deciding_.reached)
        driven.send("q")
        await driven.until(lambda: not screen.is_running)
        deciding_.open()
        await driven.settle()
        assert "The store is locked." in driven.status


async def test_the_records_of_one_number_do_not_stand_under_another(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("g", "h")
        screen = driven.app.screen
        assert isinstance(screen, HealthScreen)
        counts = [entry.count for entry in entries(screen.found)]
        some = next(at for at, count in enumerate(counts) if count)
        none = next(at for at, count in enumerate(counts) if not count)
        lines = screen.query_one(Lines)
        lines.highlighted = none
        await driven.settle()
        reading = Gate(monkeypatch, Many, "read", after=True)
        lines.highlighted = some
        await driven.until(reading.reached)
        lines.highlighted = none
        await driven.pilot.pause(0)
        reading.open()
        await driven.settle()
        assert not screen.query_one(RecordList).keys


async def test_enter_links_with_what_was_typed_not_with_what_stood_there_before(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled.memory("user:42")
    staging, _, window = sorted(memory.list(), key=lambda fact: fact.content, reverse=True)
    async with opened() as driven:
        await driven.press("j", "j", "j", "L")
        searching = Gate(monkeypatch, Loader, "facts_like")
        driven.send("w")
        await driven.until(searching.reached)
        for key in ("i", "n", "d", "enter"):
            driven.send(key)
        await driven.until(lambda: not driven.app._key_order.under_way and not driven.app._key_order.waits)
        searching.open()
        await driven.settle()
        assert isinstance(driven.app.screen, BrowseScreen)
        assert [{link.source, link.target} for link in memory.links(staging.id)] == [{staging.id, window.id}]


async def test_no_turn_looks_forgotten_while_the_fact_of_its_number_is(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("G", "k", "k")
        forgetting = Gate(monkeypatch, Editing, "forget")
        driven.send("d")
        await driven.until(forgetting.reached)
        driven.send("]")
        await driven.until(lambda: driven.screen.listing.view.tab == "turns" and len(driven.rows()) == 3)
        await driven.until(lambda: all(driven.rows()))
        states = [row.state_name for row in map(driven.screen.list._rows.get, driven.screen.list.keys) if row]
        assert "forgotten" not in states
        forgetting.open()
        await driven.settle()
        assert len(forgotten(filled)) == 1


async def test_the_list_hears_of_changes_again_after_one_could_not_be_read(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare = Loader._looked_again

    def busy(*args: object) -> object:
        raise BusyStore("The store is locked.")

    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.app.desk.watch.watching)
        monkeypatch.setattr(Loader, "_looked_again", busy)
        filled.memory("user").write("Likes tea")
        await driven.until(lambda: "locked" in driven.status)
        monkeypatch.setattr(Loader, "_looked_again", compare)
        filled.memory("user").write("Likes coffee")
        await driven.until(lambda: "Likes coffee" in driven.rows())
        assert "Likes tea" in driven.rows()


async def test_a_slow_reading_from_before_a_decision_brings_no_card_back(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox.InboxScreen, "CALM", 0.0)
    async with opened() as driven:
        await driven.press("i", "a")
        screen = driven.app.screen
        assert isinstance(screen, inbox.InboxScreen)
        monkeypatch.setattr(inbox, "SLOW", -1.0)  # so that what is read is not at once read anew
        monkeypatch.setattr(inbox, "REST", 1e9)
        reading = Gate(monkeypatch, inbox, "look", after=True)
        screen._read_now()
        await driven.until(reading.reached)
        decided = screen.list.current
        assert decided is not None
        driven.send("a")
        await driven.until(lambda: screen.list.current is not decided and not screen.judging.under_way)
        reading.open()
        await driven.settle()
        assert not screen.list.waits(decided)


async def test_a_draft_written_late_is_not_put_over_a_newer_one(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unsaved, "KEEP_AFTER", 0.001)
    async with opened() as driven:
        await driven.press("e")
        keeping = Gate(monkeypatch, Keeper, "keep")
        driven.send("a")
        await driven.until(keeping.reached)
        driven.send("b")
        editor = driven.app.screen
        assert isinstance(editor, EditScreen)
        await driven.until(lambda: editor.draft.content.startswith("ab"))
        await driven.until(lambda: not editor._unsaved._work)
        keeping.open()
        await driven.settle()
        (kept,) = state.folder(driven.app.desk.path).rglob("*.json")
        assert json.loads(kept.read_text())["draft"]["content"].startswith("ab")


async def test_marks_are_not_about_the_facts_of_another_file(
    filled: MemoryStore, path: Path, tmp_path: Path, opened: Open
) -> None:
    filled.close()
    with MemoryStore(tmp_path / "other.db", agent="planner") as other:
        other.memory("user").write_many([f"Another fact {number}" for number in range(6)])
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.app.desk.watch.watching)
        await driven.press("space", "space")
        os.replace(tmp_path / "other.db", path)
        await driven.until(lambda: "another file" in driven.status)
        await driven.settle()
        assert driven.rows()[0] == "Another fact 5"
        await driven.press("g", "v")
        assert not driven.screen.list.marks


async def test_a_fact_left_out_before_the_question_stands_is_not_counted_in_it(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened() as driven:
        await driven.press("g", "p", "slash", *["backspace"] * 60, *"strength<2", "enter")
        reading = Gate(monkeypatch, Many, "read", after=True)
        driven.send("d")
        await driven.until(reading.reached)
        driven.send("space")
        screen = driven.app.screen
        assert isinstance(screen, PruneScreen)
        await driven.until(lambda: screen.left)
        reading.open()
        await driven.settle()
        assert f"Prune {screen.going} facts" in driven.text()
