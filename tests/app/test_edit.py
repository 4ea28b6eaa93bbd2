from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from alone import ME, NOON, Host, play
from memview import MemoryStore
from memview.app.acts import Told
from memview.app.editing import Editing, Outcome
from memview.app.messages import Failed
from memview.app.screens.conflict import ConflictScreen
from memview.app.screens.edit import EditScreen
from memview.app.screens.message import MessageScreen
from memview.app.sides import sides
from memview.errors import BusyStore
from memview.memory.looking import ChangeRow, FactDetail
from memview.text import is_hostile
from support import plain


class Editor(Host):
    """An editor alone, over a real store."""

    def __init__(self, path: Path, id: str) -> None:
        super().__init__(path)
        self.id_ = id
        self.error: BusyStore | None = None

    def now(self) -> FactDetail:
        return self.fact(self.id_)

    def history(self) -> list[ChangeRow]:
        with MemoryStore(self.path, read_only=True) as store:
            return store.memory("user:42").history(self.id_)

    async def open(self) -> EditScreen:
        """Open the editor on the fact."""
        detail = self.now()

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            if self.error is not None:
                told(Failed(self.error.title, self.error.hint, self.error))
            else:
                self.act(lambda: self.editing.edit(detail.row, values, version), told)

        return await self.show(EditScreen("Edit", detail, save, read=lambda: self.editing.read(self.id_)))


Scenario = Callable[[Editor, EditScreen], Awaitable[None]]


def edit(path: Path, id: str, scenario: Scenario, size: tuple[int, int] = (80, 24)) -> None:
    """Run a scenario in an editor that was just opened."""
    host = Editor(path, id)

    async def run() -> None:
        await scenario(host, await host.open())

    play(host, run, size)


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

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("O", "n", "space", "tab", "end", *"s", "tab", "end", *", x y", "tab", "backspace", "8")
        await host.press("ctrl+s")
        assert host.done == [Outcome("saved 1 in user:42 · u takes it back", (("fact", id),))]
        after = host.now()
        assert (after.content, after.row.category, after.tags, after.row.importance) == (
            "On Deploy window is Tuesday", "preferences", ["deploy", "x y"], 8,
        )  # fmt: skip

    edit(path, id, scenario)


def test_without_a_change_the_row_stays_bit_for_bit(path: Path) -> None:
    id = wrote(path, "with\r\ntwo lines \x1b[31m\n\ttab ", category=" odd ", tags=["a b"])
    plain = sqlite3.connect(path)
    with plain:
        plain.execute("UPDATE facts SET summary = NULL, importance = 'high', updated_at = 'once'")
    plain.close()
    before = stored(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("ctrl+s")
        for keys in (["escape"], ["x", "backspace", "ctrl+s"], ["x", "ctrl+z", "escape"]):
            await host.open()
            await host.press(*keys)
        assert host.done == [None, None, None, None]

    edit(path, id, scenario)
    assert stored(path) == before


def test_confidentiality_and_metadata(path: Path) -> None:
    id = wrote(path, metadata={"ticket": "OPS-7"})

    async def scenario(host: Editor, screen: EditScreen) -> None:
        level, metadata = screen.query_one("#confidentiality", Input), screen.query_one("#metadata", Input)
        assert metadata.value == '{"ticket": "OPS-7"}'
        level.value = "secret"
        await host.settle()
        assert host.note == "Confidentiality is one of public, internal, confidential, restricted."
        level.value, metadata.value = "Restricted", '{"ticket"'
        await host.settle()
        assert host.note.startswith("Metadata is a JSON object")
        metadata.value = '{"ticket": 8}'
        await host.press("ctrl+s")
        after = host.now()
        assert (after.confidentiality, after.metadata) == ("restricted", {"ticket": 8})

    edit(path, id, scenario)


def test_metadata_that_is_no_object_is_left_alone(path: Path) -> None:
    id = wrote(path)
    plain = sqlite3.connect(path)
    with plain:
        plain.execute("UPDATE facts SET metadata = 'no json'")
    plain.close()

    async def scenario(host: Editor, screen: EditScreen) -> None:
        assert screen.query_one("#metadata").disabled
        await host.press("x")
        await host.press("alt+s")
        assert host.now().content.startswith("xDeploy")
        assert host.now().metadata == "no json"

    edit(path, id, scenario)


def test_letters_are_text_in_every_field(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        for _ in range(2):
            await host.press(*"qju", "slash", "question_mark", "colon", "tab")
        assert screen.query_one(TextArea).text == "qju/?:Deploy window is Tuesday"
        assert screen.query_one("#category", Input).value == "qju/?:"
        assert host.screen is screen

    edit(path, id, scenario)


def test_what_cannot_be_saved_is_said_while_typing(path: Path) -> None:
    id = wrote(path)
    before = stored(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("tab", "tab", "tab", "0")
        assert host.note == "Importance is a whole number from 1 to 10."
        screen.query_one(TextArea).text = " \n"
        await host.settle()
        assert host.note.startswith("A fact needs some text.")
        await host.press("ctrl+s")
        assert host.focused is screen.query_one(TextArea)
        assert host.done == []

    edit(path, id, scenario)
    assert stored(path) == before


def test_closing_with_changes_asks(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("x", "escape")
        assert isinstance(host.screen, MessageScreen)
        await host.press("enter", "escape")
        assert host.done == []
        assert screen.query_one(TextArea).text.startswith("xDeploy")
        await host.press("escape", "d")
        assert host.done == [None]
        assert host.now().content.startswith("Deploy")
        await host.open()
        await host.press("x", "escape", "s")
        assert host.now().content.startswith("xDeploy")
        assert len(host.done) == 2

    edit(path, id, scenario)


def test_the_buttons_do_what_the_keys_do(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("x")
        await host.pilot.click("Choices", offset=(20, 1))
        await host.settle()
        assert isinstance(host.screen, MessageScreen)
        await host.pilot.click("Choices", offset=(1, 1))
        await host.settle()
        assert host.now().content.startswith("xDeploy")

    edit(path, id, scenario)


def change(host: Editor, text: str) -> None:
    """Someone else writes the fact."""
    with MemoryStore(host.path, agent="planner") as store:
        store.memory("user:42").update(host.id_, text)


def beside(host: Editor) -> tuple[str, str]:
    """Both sides of the conflict."""
    assert isinstance(host.screen, ConflictScreen)
    return host.text("#mine"), host.text("#theirs")


@pytest.mark.parametrize("told", [True, False])
def test_a_change_meanwhile_is_said_and_decided(path: Path, told: bool) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("x")
        change(host, "Theirs [/red]")
        if told:
            screen.record_changed(host.now())
            await host.settle()
            assert "Someone else changed this fact meanwhile" in host.note
        await host.press("ctrl+s")
        assert beside(host) == ("xDeploy window is Tuesday", "Theirs [/red]")
        await host.press("enter", "escape")
        assert host.done == []
        assert screen.query_one(TextArea).text == "xDeploy window is Tuesday"
        assert host.now().content == "Theirs [/red]"
        await host.press("ctrl+s", "t")
        assert host.done == [Outcome("kept theirs · yours was not saved")]
        assert host.now().content == "Theirs [/red]"
        await host.open()
        await host.press("x")
        change(host, "Theirs again")
        await host.press("ctrl+s", "m")
        assert host.now().content == "xTheirs [/red]"
        assert "Theirs again" in str([change.before for change in host.history()])

    edit(path, id, scenario, (60, 20))


def test_the_conflict_follows_further_writes_and_one_decision_ends_it(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("x")
        change(host, "Second")
        await host.press("ctrl+s")
        change(host, "Third")
        screen.record_changed(host.now())
        await host.settle()
        assert beside(host) == ("xDeploy window is Tuesday", "Third")
        assert "again" in host.text("#said")
        change(host, "Fourth")
        await host.press("m")
        assert host.now().content.startswith("xDeploy")
        assert len(host.done) == 1

    edit(path, id, scenario)


def test_both_texts_can_be_made_one_by_hand(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("x", "tab", "c")
        change(host, "Theirs")
        await host.press("ctrl+s", "b")
        assert screen.query_one(TextArea).text == "xDeploy window is Tuesday\n\nTheirs"
        assert host.note.startswith("Both texts stand here")
        await host.press("ctrl+s")
        assert (host.now().content, host.now().row.category) == ("xDeploy window is Tuesday\n\nTheirs", "c")

    edit(path, id, scenario)


def test_what_differs_is_lit_on_both_sides() -> None:
    one, other = sides("Deploy on Tuesday \x1b", "Deploy on Friday")
    assert (one.plain, other.plain) == (r"Deploy on Tuesday \x1b", "Deploy on Friday")
    lit = [[text.plain[span.start : span.end] for span in text.spans if span.style] for text in (one, other)]
    assert lit[0] == [r"Tuesday \x1b"]
    assert lit[1] == ["Friday"]


def test_an_untouched_editor_takes_the_new_text_over(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        change(host, "Newer")
        screen.record_changed(host.now())
        await host.settle()
        assert screen.query_one(TextArea).text == "Newer"
        await host.press("x", "ctrl+s")
        assert host.now().content == "xNewer"

    edit(path, id, scenario)


def test_a_pin_meanwhile_is_no_conflict(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("x")
        with MemoryStore(path, agent="planner") as store:
            store.memory("user:42").pin(id)
        screen.record_changed(host.now())
        await host.settle()
        await host.press("ctrl+s")
        assert host.now().content.startswith("xDeploy")

    edit(path, id, scenario)


def test_an_error_keeps_the_text(path: Path) -> None:
    id = wrote(path)
    wrote(path, "xDeploy window is Tuesday")

    async def scenario(host: Editor, screen: EditScreen) -> None:
        host.error = BusyStore("agent.db is locked by another program.", "Try again in a moment.")
        await host.press("x", "ctrl+s")
        assert host.note == "Not saved. agent.db is locked by another program. Try again in a moment."
        host.error = None
        await host.press("ctrl+s")
        assert host.note.startswith("Not saved. Another fact of this namespace says exactly this")
        await host.press("y", "ctrl+s")
        assert host.now().content == "xyDeploy window is Tuesday"

    edit(path, id, scenario)


def test_a_lock_is_waited_for_then_said_and_the_text_kept(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        host.editing.read(id)
        host.editing = Editing(path, ME, lambda: NOON, timeout=0.3)
        with plain(path) as other:
            other.execute("BEGIN IMMEDIATE")
            await host.press("x", "ctrl+s")
            assert host.note.startswith("Not saved. ")
            assert "another" in host.note
            assert screen.query_one(TextArea).text == "xDeploy window is Tuesday"
            host.editing.close()
            host.editing = Editing(path, ME, lambda: NOON, timeout=20)
            screen.action_save()
            await host.pilot.pause(0.3)
            assert host.note == "Saving…"
            assert host.done == []
            other.execute("ROLLBACK")
        await host.settle()
        assert len(host.done) == 1
        assert host.now().content.startswith("xDeploy")

    edit(path, id, scenario)


def test_what_does_not_show_is_seen_and_kept(path: Path) -> None:
    text = "a\x1b]52;c;x\x07b\u202ec\r\nd\u2028e\nf"
    id = wrote(path, text, category="c\x1bd\ne")

    async def scenario(host: Editor, screen: EditScreen) -> None:
        shown = screen.query_one(TextArea).text
        assert not is_hostile(shown)
        sign = shown[1]
        assert rf"{sign} is \x1b" in host.note
        assert screen.query_one("#category", Input).value[1] == sign
        await host.press("X", "tab", "end", "Y", "ctrl+s")
        assert host.now().content == "X" + text
        assert host.now().row.category == "c\x1bd\neY"

    edit(path, id, scenario)


def test_a_very_long_text_can_only_be_read_but_the_rest_edited(path: Path) -> None:
    id = wrote(path, "long text\n" * 30_000)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        assert host.note == "The first 20,000 of 300,000 characters. So long a text cannot be edited here."
        await host.press("x", "tab", *"cat", "ctrl+s")
        assert host.now().content == "long text\n" * 30_000
        assert host.now().row.category == "cat"

    edit(path, id, scenario)


def test_fields_and_keys_are_in_view(path: Path) -> None:
    id = wrote(path, "long text\n" * 50)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        for size in ((60, 20), (120, 30), (40, 12)):
            await host.pilot.resize_terminal(*size)
            await host.settle()
            for name in ("#content", "#category", "#tags", "#importance", "Choices"):
                region = screen.query_one(name).region
                assert region.height > 0
                assert host.screen.region.contains_region(region)
        for size in ((1, 1), (20, 5), (100, 40)):
            await host.pilot.resize_terminal(*size)
        await host.settle()
        assert screen.query_one(TextArea).size.height > 10

    edit(path, id, scenario)


def test_an_erased_fact_is_said(path: Path) -> None:
    id = wrote(path)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        await host.press("x")
        with MemoryStore(path) as store:
            store.memory("user:42").erase(id)
        screen.record_gone()
        await host.settle()
        assert host.note.startswith("This fact was erased meanwhile.")
        await host.press("ctrl+s")
        assert host.note.startswith("Not saved.")
        assert screen.query_one(TextArea).text == "xDeploy window is Tuesday"

    edit(path, id, scenario)


def test_a_text_of_too_many_hidden_characters_can_only_be_read(path: Path) -> None:
    text = "".join(map(chr, range(0xE0020, 0xE0060)))
    id = wrote(path, text)

    async def scenario(host: Editor, screen: EditScreen) -> None:
        assert "It can only be read here." in host.note
        await host.press("x", "escape")
        assert host.done == [None]

    edit(path, id, scenario)
