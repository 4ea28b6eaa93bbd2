from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual.widgets import Input, TextArea

from alone import NOON, Host, play
from memview import MemoryStore
from memview.app import drafts
from memview.app.acts import Told
from memview.app.drafts import Draft, StandIns, tags_of, tags_text
from memview.app.keeping import Keeper, holding
from memview.app.screens import unsaved
from memview.app.screens.edit import EditScreen
from memview.app.screens.message import MessageScreen
from memview.memory import state
from memview.text import is_hostile

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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agent.db"


BASE, TYPED = Draft("old", "", "", "5"), Draft('new "words" \ud800', "c", "", "5")


def test_a_draft_is_kept_for_its_user_alone(path: Path) -> None:
    keeper = Keeper(path, "01/../x\ud800", lambda: NOON)
    assert keeper.load() is None
    keeper.keep(BASE, TYPED, 3)
    kept = Keeper(path, "01/../x\ud800").load()
    assert kept is not None
    assert (kept.base, kept.draft, kept.version, kept.at) == (BASE, TYPED, 3, NOON)
    assert stat.S_IMODE(keeper.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(keeper.path.parent.parent.stat().st_mode) == 0o700
    assert keeper.path in list(state.kept(path))
    assert Keeper(path, "another").load() is None
    assert (holding(path, '"words"'), holding(path, "nothing")) == (1, 0)


def test_a_closed_keeper_keeps_nothing_more(path: Path) -> None:
    keeper = Keeper(path, "a", lambda: NOON)
    keeper.keep(BASE, TYPED, 1)
    keeper.close()
    keeper.keep(BASE, TYPED, 1)
    assert list(state.kept(path)) == []


def test_a_file_that_is_no_draft_is_an_error(path: Path) -> None:
    keeper = Keeper(path, "a", lambda: NOON)
    keeper.keep(BASE, TYPED, 1)
    keeper.path.write_text(json.dumps({"base": {}}))
    with pytest.raises(ValueError, match="holds no draft"):
        keeper.load()


@pytest.mark.parametrize("by", ["id", "value"])
def test_erase_reaches_drafts(path: Path, by: str) -> None:
    secret = 'zanzibar "7" \\ canary'
    with MemoryStore(path, agent="planner") as store:
        fact = store.memory("user:42").write(secret)
        other = store.memory("user:42").write("Other words")
        for id, text in ((fact.id, secret + " typed"), (other.id, "typed")):
            Keeper(path, id).keep(BASE, Draft(text, "", "", "5"), 1)
        store.erase(ids=[fact.id]) if by == "id" else store.erase(value=secret)
    assert Keeper(path, fact.id).load() is None
    assert Keeper(path, other.id).load() is not None


class Editor(Host):
    """An editor that keeps drafts, over a real store."""

    def __init__(self, path: Path, id: str) -> None:
        super().__init__(path)
        self.id_ = id

    async def open(self) -> EditScreen:
        """Open the editor on the fact."""
        detail = self.fact(self.id_)

        def save(values: dict[str, Any], version: int | None, told: Told) -> None:
            self.act(lambda: self.editing.edit(detail.row, values, version), told)

        keeper = Keeper(self.path, self.id_, lambda: NOON)
        screen = EditScreen(
            "Edit", detail, save, read=lambda: self.editing.read(self.id_), keeper=keeper,
            clock=lambda: NOON + timedelta(hours=2),
        )  # fmt: skip
        return await self.show(screen)

    async def kept(self) -> bool:
        """Whether a draft lies there, once the typing has rested."""
        async with asyncio.timeout(10):
            while not list(state.kept(self.path)):
                await asyncio.sleep(0.02)
        return True


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsaved, "TOO_SOON", 0.0)


def edit(path: Path, scenario: Callable[[Editor], Awaitable[None]]) -> None:
    with MemoryStore(path, agent="planner", clock=lambda: NOON) as store:
        host = Editor(path, store.memory("user:42").write("Deploy window is Tuesday").id)

    async def run() -> None:
        await scenario(host)

    play(host, run)


def test_what_is_typed_is_kept_offered_and_used(path: Path) -> None:
    async def scenario(host: Editor) -> None:
        await host.open()
        await host.press("x", "tab", "c")
        assert await host.kept()
        host.screen.dismiss(None)  # as a closed terminal does: nothing is said
        await host.settle()
        screen = await host.open()
        assert isinstance(host.screen, MessageScreen)
        assert host.text("#sentence") == "There is an unsaved draft from 2h ago."
        assert host.text("#body Static") == "xDeploy window is Tuesday"
        await host.press("escape")
        assert screen not in host.screen_stack
        screen = await host.open()
        await host.press("u")
        assert screen.query_one(TextArea).text == "xDeploy window is Tuesday"
        assert screen.query_one("#category", Input).value == "c"
        await host.press("ctrl+s")
        assert host.fact(host.id_).content == "xDeploy window is Tuesday"
        assert list(state.kept(path)) == []

    edit(path, scenario)


def test_a_draft_is_gone_once_it_is_discarded_or_taken_back(path: Path) -> None:
    async def scenario(host: Editor) -> None:
        await host.open()
        await host.press("x")
        assert await host.kept()
        await host.press("escape", "d")
        assert list(state.kept(path)) == []
        Keeper(path, host.id_, lambda: NOON).keep(BASE, TYPED, 1)
        await host.open()
        await host.press("d")
        assert list(state.kept(path)) == []
        assert isinstance(host.screen, EditScreen)
        assert host.screen.query_one(TextArea).text == "Deploy window is Tuesday"

    edit(path, scenario)


def test_what_is_typed_at_once_answers_no_question(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsaved, "TOO_SOON", 60.0)

    async def scenario(host: Editor) -> None:
        Keeper(path, host.id_, lambda: NOON).keep(BASE, TYPED, 1)
        await host.open()
        await host.press("d")
        assert isinstance(host.screen, MessageScreen)
        assert list(state.kept(path)) != []

    edit(path, scenario)


def test_a_draft_of_an_older_version_is_a_conflict_and_not_a_loss(path: Path) -> None:
    async def scenario(host: Editor) -> None:
        base = drafts.draft_of(host.fact(host.id_))
        Keeper(path, host.id_, lambda: NOON).keep(base, Draft("Mine", "", "", "5"), 1)
        with MemoryStore(path, agent="planner") as store:
            store.memory("user:42").update(host.id_, "Theirs", category="new")
        await host.open()
        await host.press("u")
        assert "Someone else changed this fact" in host.note
        await host.press("ctrl+s")
        assert (host.text("#mine"), host.text("#theirs")) == ("Mine", "Theirs")
        await host.press("m")
        after = host.fact(host.id_)
        assert (after.content, after.row.category) == ("Mine", "new")

    edit(path, scenario)
