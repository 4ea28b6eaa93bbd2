from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual.app import App
from textual.filter import LineFilter
from textual.pilot import Pilot
from textual.widgets import Input, Static, TextArea

from memview import MemoryStore
from memview.app import drafts
from memview.app.drafts import Draft, StandIns, tags_of, tags_text
from memview.app.editing import Editing, Outcome
from memview.app.guard import ControlGuard
from memview.app.screens.edit import EditScreen
from memview.app.screens.message import MessageScreen
from memview.errors import BusyStore
from memview.memory import looking
from memview.memory.looking import FactDetail, Looker
from memview.text import is_hostile

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ME = "person:ada"


class Host(App[None]):
    """An editor alone, over a real store."""

    def __init__(self, path: Path, id: str) -> None:
        super().__init__()
        self.path, self.id_ = path, id
        self.editing = Editing(path, ME, lambda: NOON)
        self.error: Exception | None = None
        self.done: list[Outcome | None] = []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlGuard()]

    def read(self) -> FactDetail:
        """The fact as it is now."""
        looker = Looker(self.path)
        detail = looker.read(lambda c: looking.fact(c, looking.number_of(c, "fact", self.id_) or 0))
        looker.close()
        assert detail is not None
        return detail

    def open(self) -> EditScreen:
        """Open the editor on the fact."""
        detail = self.read()

        def save(values: dict[str, Any], version: int | None) -> Outcome:
            if self.error is not None:
                raise self.error
            return self.editing.edit(detail.row, values, version)

        screen = EditScreen(detail, save)
        self.push_screen(screen, self.done.append)
        return screen


Scenario = Callable[[Host, EditScreen, Pilot[None]], Awaitable[None]]


def play(path: Path, id: str, scenario: Scenario, size: tuple[int, int] = (100, 30)) -> Host:
    """Run a scenario in an editor that was just opened."""
    host = Host(path, id)

    async def run() -> None:
        async with host.run_test(size=size) as pilot:
            screen = host.open()
            await pilot.pause()
            await scenario(host, screen, pilot)
        host.editing.close()

    asyncio.run(run())
    return host


async def settled(host: Host, pilot: Pilot[None]) -> None:
    """Wait until nothing is being saved any more."""
    await host.workers.wait_for_complete()
    await pilot.pause()


def note(screen: EditScreen) -> str:
    return str(screen.query_one("#note", Static).content)


def stored(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT * FROM facts ORDER BY n").fetchall()
    connection.close()
    return rows


def wrote(path: Path, content: str = "Deploy window is Tuesday", **values: Any) -> str:
    with MemoryStore(path, agent="planner", clock=lambda: NOON - timedelta(days=2)) as store:
        return store.memory("user:42").write(content, **values).id


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agent.db"


def test_all_fields_are_saved(path: Path) -> None:
    id = wrote(path, category="preference", tags=["deploy"])

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("O", "n", "space", "tab", "end", *"s", "tab", "end", *", x y", "tab", "backspace", "8")
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        assert host.done == [Outcome("saved 1 in user:42 · u takes it back", (("fact", id),))]
        after = host.read()
        assert (after.content, after.row.category, after.tags, after.row.importance) == (
            "On Deploy window is Tuesday", "preferences", ["deploy", "x y"], 8,
        )  # fmt: skip

    play(path, id, scenario)


@pytest.mark.parametrize("keys", [["ctrl+s"], ["escape"], ["x", "backspace", "ctrl+s"], ["x", "ctrl+z", "escape"]])
def test_without_a_change_the_row_stays_bit_for_bit(path: Path, keys: list[str]) -> None:
    id = wrote(path, "with\r\ntwo lines \x1b[31m\n\ttab ", category=" odd ", tags=["a b"])
    plain = sqlite3.connect(path)
    with plain:
        plain.execute("UPDATE facts SET summary = NULL, importance = 'high', updated_at = 'once'")
    plain.close()
    before = stored(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await settled(host, pilot)
        assert host.done == [None]

    play(path, id, scenario)
    assert stored(path) == before


def test_confidentiality_and_metadata(path: Path) -> None:
    id = wrote(path, metadata={"ticket": "OPS-7"})

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        level, metadata = screen.query_one("#confidentiality", Input), screen.query_one("#metadata", Input)
        assert metadata.value == '{"ticket": "OPS-7"}'
        level.value = "secret"
        await pilot.pause()
        assert note(screen) == "Confidentiality is one of public, internal, confidential, restricted."
        level.value, metadata.value = "Restricted", '{"ticket"'
        await pilot.pause()
        assert note(screen).startswith("Metadata is a JSON object")
        metadata.value = '{"ticket": 8}'
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        after = host.read()
        assert (after.confidentiality, after.metadata) == ("restricted", {"ticket": 8})

    play(path, id, scenario)


def test_metadata_that_is_no_object_is_left_alone(path: Path) -> None:
    id = wrote(path)
    plain = sqlite3.connect(path)
    with plain:
        plain.execute("UPDATE facts SET metadata = 'no json'")
    plain.close()

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        assert screen.query_one("#metadata").disabled
        await pilot.press("x", "alt+s")
        await settled(host, pilot)
        assert host.read().content.startswith("xDeploy")
        assert host.read().metadata == "no json"

    play(path, id, scenario)


def test_letters_are_text_in_every_field(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        for _ in range(2):
            await pilot.press(*"qjkfu", "slash", "question_mark", "colon", "d", "tab")
        assert screen.query_one(TextArea).text == "qjkfu/?:dDeploy window is Tuesday"
        assert screen.query_one("#category", Input).value == "qjkfu/?:d"
        assert host.screen is screen

    play(path, id, scenario)


def test_what_cannot_be_saved_is_said_while_typing(path: Path) -> None:
    id = wrote(path)
    before = stored(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("tab", "tab", "tab", "0")
        assert note(screen) == "Importance is a whole number from 1 to 10."
        screen.query_one(TextArea).text = " \n"
        await pilot.pause()
        assert note(screen).startswith("A fact needs some text.")
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        assert host.focused is screen.query_one(TextArea)
        assert host.done == []

    play(path, id, scenario)
    assert stored(path) == before


@pytest.mark.parametrize(("key", "text"), [("s", "xDeploy"), ("d", "Deploy"), ("escape", None), ("enter", None)])
def test_closing_with_changes_asks(path: Path, key: str, text: str | None) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("x", "escape")
        assert isinstance(host.screen, MessageScreen)
        await pilot.press(key)
        await settled(host, pilot)
        if text is None:
            assert host.done == []
            assert screen.query_one(TextArea).text.startswith("xDeploy")
        else:
            assert host.read().content.startswith(text)
            assert len(host.done) == 1

    play(path, id, scenario)


def test_the_buttons_do_what_the_keys_do(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        await pilot.click("Choices", offset=(20, 1))
        await pilot.pause()
        assert isinstance(host.screen, MessageScreen)
        await pilot.click("Choices", offset=(1, 1))
        await settled(host, pilot)
        assert host.read().content.startswith("xDeploy")

    play(path, id, scenario)


def change(host: Host, text: str) -> None:
    """Someone else writes the fact."""
    with MemoryStore(host.path, agent="planner") as store:
        store.memory("user:42").update(host.id_, text)


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(
    ("key", "text", "closed"),
    [("m", "xDeploy window is Tuesday", True), ("t", "Theirs [/red]", True), ("escape", "Theirs [/red]", False)],
)
def test_a_change_meanwhile_is_said_and_decided(path: Path, told: bool, key: str, text: str, closed: bool) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        change(host, "Theirs [/red]")
        if told:
            screen.record_changed(host.read())
            assert "Someone else changed this fact meanwhile" in note(screen)
        assert screen.query_one(TextArea).text == "xDeploy window is Tuesday"
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        assert isinstance(host.screen, MessageScreen)
        body = str(host.screen.query_one("#body Static", Static).content)
        assert "xDeploy window is Tuesday" in body
        assert "Theirs [/red]" in body
        await pilot.press("enter", key)
        await settled(host, pilot)
        assert host.read().content == text
        assert bool(host.done) == closed
        if not closed:
            assert screen.query_one(TextArea).text == "xDeploy window is Tuesday"

    play(path, id, scenario)


def test_a_second_change_while_deciding_is_overruled_by_one_decision(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        change(host, "Second")
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        change(host, "Third")
        screen.record_changed(host.read())
        await pilot.press("m")
        await settled(host, pilot)
        assert host.read().content.startswith("xDeploy")
        assert len(host.done) == 1

    play(path, id, scenario)


def test_an_untouched_editor_takes_the_new_text_over(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        change(host, "Newer")
        screen.record_changed(host.read())
        assert screen.query_one(TextArea).text == "Newer"
        await pilot.press("x", "ctrl+s")
        await settled(host, pilot)
        assert host.read().content == "xNewer"

    play(path, id, scenario)


def test_a_pin_meanwhile_is_no_conflict(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        with MemoryStore(path, agent="planner") as store:
            store.memory("user:42").pin(id)
        screen.record_changed(host.read())
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        assert host.read().content.startswith("xDeploy")

    play(path, id, scenario)


def test_an_error_keeps_the_text(path: Path) -> None:
    id = wrote(path)
    wrote(path, "xDeploy window is Tuesday")

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        host.error = BusyStore("agent.db is locked by another program.", "Try again in a moment.")
        await pilot.press("x", "ctrl+s")
        await settled(host, pilot)
        assert note(screen) == "Not saved. agent.db is locked by another program. Try again in a moment."
        host.error = None
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        assert note(screen).startswith("Not saved. Another fact of this namespace says exactly this")
        await pilot.press("y", "ctrl+s")
        await settled(host, pilot)
        assert host.read().content == "xyDeploy window is Tuesday"

    play(path, id, scenario)


def test_what_does_not_show_is_seen_and_kept(path: Path) -> None:
    text = "a\x1b]52;c;x\x07b\u202ec\r\nd\u2028e\nf"
    id = wrote(path, text, category="c\x1bd\ne")

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        shown = screen.query_one(TextArea).text
        assert not is_hostile(shown)
        sign = shown[1]
        assert rf"{sign} is \x1b" in note(screen)
        assert screen.query_one("#category", Input).value[1] == sign
        await pilot.press("X", "tab", "end", "Y", "ctrl+s")
        await settled(host, pilot)
        assert host.read().content == "X" + text
        assert host.read().row.category == "c\x1bd\neY"

    play(path, id, scenario)


def test_a_very_long_text_can_only_be_read_but_the_rest_edited(path: Path) -> None:
    id = wrote(path, "long text\n" * 30_000)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        assert note(screen) == "The first 20,000 of 300,000 characters. So long a text cannot be edited here."
        await pilot.press("x", "tab", *"cat", "ctrl+s")
        await settled(host, pilot)
        assert host.read().content == "long text\n" * 30_000
        assert host.read().row.category == "cat"

    play(path, id, scenario)


@pytest.mark.parametrize("size", [(60, 20), (160, 50), (40, 12)])
def test_fields_and_keys_are_in_view(path: Path, size: tuple[int, int]) -> None:
    id = wrote(path, "long text\n" * 500)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        for name in ("#content", "#category", "#tags", "#importance", "Choices"):
            region = screen.query_one(name).region
            assert region.height > 0
            assert host.screen.region.contains_region(region)
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(20, 5)
        await pilot.resize_terminal(200, 60)
        assert screen.query_one(TextArea).size.height > 20

    play(path, id, scenario, size)


def test_an_erased_fact_is_said(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        await pilot.press("x")
        with MemoryStore(path) as store:
            store.memory("user:42").erase(id)
        screen.record_gone()
        assert note(screen).startswith("This fact was erased meanwhile.")
        await pilot.press("ctrl+s")
        await settled(host, pilot)
        assert note(screen).startswith("Not saved.")
        assert screen.query_one(TextArea).text == "xDeploy window is Tuesday"

    play(path, id, scenario)


NASTY = st.text(st.sampled_from("ab \t\r\n\x00\x1b\x85\u2028\u202e\u200b■□\U000e0041\ud800é"), max_size=30)


@given(NASTY, NASTY)
@example("\r", "\n")
@example("\r\n", "\r\n")
@example("a\n\r\n", "■")
def test_a_field_gives_back_exactly_what_was_stored(text: str, line: str) -> None:
    stand_ins = StandIns(text, [line])
    area = TextArea(stand_ins.show(text))
    assert stand_ins.store(area.text) == text
    assert not is_hostile(stand_ins.show(text).replace("\r\n", "\n"))
    assert stand_ins.store(stand_ins.show_line(line)) == line
    assert not {"\n", "\r", "\t"} & set(stand_ins.show_line(line))


def test_a_text_of_too_many_hidden_characters_can_only_be_read(path: Path) -> None:
    text = "".join(map(chr, range(0xE0020, 0xE0060)))
    id = wrote(path, text)

    async def scenario(host: Host, screen: EditScreen, pilot: Pilot[None]) -> None:
        assert "It can only be read here." in note(screen)
        await pilot.press("x", "escape")
        await settled(host, pilot)
        assert host.done == [None]

    play(path, id, scenario)


TAG = st.text(max_size=8) | st.text(st.sampled_from('a ,"\n'), max_size=6)


@given(st.lists(TAG, unique=True, max_size=4))
@example(["a b"])
@example(["0\xa00", "x\ny", "  "])
@example(['say "hi"'])
@example(["a,b", "c"])
def test_tags_come_back_from_their_field(tags: list[str]) -> None:
    assert tags_of(tags_text(tags)) == tags


def test_only_what_changed_is_written() -> None:
    base = Draft("text", "", "a, b", "5.5")
    assert drafts.changes(base, base) == {}
    assert drafts.changes(base, Draft("text", "c", "a, b ", "7")) == {"category": "c", "importance": 7}
    assert drafts.changes(base, Draft("text ", "", "a, b", "5.5", "Internal", "")) == {
        "content": "text ", "confidentiality": "internal", "metadata": {},
    }  # fmt: skip
    assert drafts.changes(Draft("t", "c", "a", "5"), Draft("t", " ", "", "5")) == {"category": None, "tags": []}
    assert drafts.problems(base, base) == {}
    bad = drafts.problems(base, Draft("", "", "", "11", "secret", "[1]"))
    assert list(bad) == ["content", "importance", "confidentiality", "metadata"]
