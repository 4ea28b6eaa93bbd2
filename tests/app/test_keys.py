from __future__ import annotations

import asyncio

import pytest
from textual.command import Hits
from textual.widgets import Input

from driving import Open
from memview import MemoryStore
from memview.app.commands import COMMANDS, REVIEWS, TABLE, Scene, bindings, for_footer, of_scene, shown_key
from memview.app.config import understood
from memview.app.keys import with_own_keys
from memview.app.palette import CommandProvider

ASYNC = pytest.mark.asyncio

QUITTING = {"q", "ctrl+q", "ctrl+c"}
EVERY_KEY = [
    *(chr(code) for code in range(33, 127) if chr(code) not in QUITTING),
    *("up", "down", "left", "right", "enter", "escape", "tab", "shift+tab", "backspace", "space", "delete", "home"),
    *("end", "pageup", "pagedown", "f1", "f2", "ctrl+d", "ctrl+u", "ctrl+l", "ctrl+o", "ctrl+r", "ctrl+p", "ctrl+s"),
]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("no marks · gv brings them back", "no marks · Z brings them back"),
        ("this was there already · e edits it", "this was there already · ctrl+e edits it"),
        ("it has no links · L links it with another fact", "it has no links"),
        ("it is pruned · r puts it back first", "it is pruned · r puts it back first"),
    ],
)
def test_sentences_name_the_chosen_keys(said: str, shown: str) -> None:
    chosen = understood({"keys": {"mark.again": "Z", "edit": "ctrl+e", "link": ""}}).commands
    assert with_own_keys(said, chosen) == shown


def test_every_command_says_what_it_does_and_has_an_id_of_its_own() -> None:
    assert len({command.id for command in TABLE}) == len(TABLE)
    for command in TABLE:
        assert command.keys
        assert len(command.title) <= 24, command.id
        assert command.help.endswith("."), command.id
        assert len(command.label.split()) <= 2, command.id


@pytest.mark.parametrize("scene", ["browse", *REVIEWS])
def test_no_key_means_two_things_on_a_screen(scene: Scene) -> None:
    keys = [key for command in of_scene(scene) if command.spots != ("search",) for key in command.keys]
    assert sorted(keys) == sorted(set(keys))


def test_every_binding_can_be_rebound_and_explains_itself() -> None:
    for binding in bindings():
        assert binding.id
        assert binding.tooltip or binding.action.startswith("prefix")


def test_a_footer_shows_six_at_most() -> None:
    ids = {command.id for command in COMMANDS}
    assert [command.id for command in for_footer("list", ids)] == [
        "open", "edit", "restore", "forget", "link", "go.inbox",
    ]  # fmt: skip
    assert all(len(for_footer(spot, ids)) <= 6 for spot in ("tree", "list", "detail", "search"))


def test_keys_are_shown_as_they_are_on_the_keyboard() -> None:
    assert [shown_key(key) for key in ("question_mark", "g t", "ctrl+l", "escape", "U")] == [
        "?", "gt", "ctrl+l", "Esc", "U",
    ]  # fmt: skip


@ASYNC
async def test_letters_are_text_in_the_search(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("slash")
        await driven.press("q", "j", "k", "f", "u", "slash", "question_mark", "colon", "d", "h", "l", "1", "n")
        assert driven.screen.search.text == "qjkfu/?:dhl1n"
        assert driven.app.is_running
        assert len(filled.memory("user:42").list()) == 3


@ASYNC
@pytest.mark.parametrize("typed", ["", "nothinglikethis"])
async def test_every_key_where_there_is_nothing(store: MemoryStore, opened: Open, typed: str) -> None:
    if typed:
        store.memory("user:42").write("Deploy window is Tuesday")
    async with opened() as driven:
        await driven.press("slash")
        await driven.type(typed)
        for spot in ("tree", "list", "detail"):
            for key in EVERY_KEY:
                driven.screen.go_to_spot(spot)
                await driven.press(key)
                for _ in range(4):
                    if driven.app.screen is not driven.screen:
                        await driven.press("escape")
                assert driven.app.screen is driven.screen, key
        await driven.settle()
        assert driven.app.is_running
        assert len(store.memory("user:42").list()) == bool(typed)


@ASYNC
async def test_a_letter_that_means_nothing_says_so(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("W")
        assert "W does nothing here · ? help" in driven.status


@ASYNC
async def test_the_tab_that_one_is_on_already_says_so(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("]", "]")
        assert driven.title == "Facts 6  TURNS 3"
        assert "these are the turns · [ shows the facts" in driven.status
        await driven.press("[", "[")
        assert driven.title == "FACTS 6  Turns 3"
        assert "these are the facts · ] shows the turns" in driven.status


@ASYNC
async def test_ctrl_c_is_esc_in_the_search_and_quits_pressed_twice(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("slash")
        await driven.type("oslo")
        await driven.press("ctrl+c")
        assert (driven.screen.spot, driven.screen.search.text) == ("list", "")
        assert "ctrl+c again quits" in driven.status
        driven.send("ctrl+c")
        driven.send("ctrl+c")
        await driven.until(lambda: not driven.app.is_running)
    assert driven.app.return_code == 0


@ASYNC
async def test_g_shows_what_may_follow_after_a_moment(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "j", "g")
        await driven.until(lambda: "t trash" in driven.status)
        for word in ("g top", "d duplicates", "c conflicts", "p prune", "h health", "r agents", "u steps", "e erase"):
            assert word in driven.status
        await driven.press("g")
        assert driven.screen.list.cursor == 0
        assert "trash" not in driven.status


@ASYNC
async def test_a_key_that_does_not_follow_g_is_lost(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("g", "w")
        assert driven.title.startswith("FACTS 6")
        assert driven.app.screen is driven.screen


@ASYNC
async def test_keys_of_the_footer_can_be_clicked(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        at = driven.status.index("/ search")
        await driven.pilot.click("#footer", offset=(at + 3, 0))
        await driven.settle()
        assert driven.screen.spot == "search"


@ASYNC
async def test_tabs_can_be_clicked(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.pilot.click("#list", offset=(driven.title.index("Turns") + 4, 0))
        await driven.settle()
        assert driven.title == "Facts 6  TURNS 3"


@ASYNC
async def test_the_palette_runs_commands_by_name(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("colon")
        await driven.type("trash")
        await driven.press("enter")
        assert driven.screen.search.text == "is:forgotten"


@ASYNC
async def test_enter_typed_ahead_in_the_palette_runs_what_the_letters_before_it_find(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, go_on = CommandProvider.search, asyncio.Event()

    async def slow(provider: CommandProvider, query: str) -> Hits:
        await go_on.wait()
        async for hit in find(provider, query):
            yield hit

    monkeypatch.setattr(CommandProvider, "search", slow)
    async with opened() as driven:
        for key in ("colon", *"trash", "enter"):
            driven.send(key)
        keys = driven.app._key_order
        await driven.until(lambda: keys.waits and not keys.under_way and driven.app.screen is not driven.screen)
        assert driven.app.screen.query_one(Input).value == "trash"
        go_on.set()
        await driven.settle()
        assert driven.screen.search.text == "is:forgotten"
        assert driven.app.screen is driven.screen


@ASYNC
async def test_d_held_down_forgets_one_and_u_brings_it_back(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        for _ in range(5):
            driven.send("d")
        await driven.settle()
        assert driven.title.startswith("FACTS 5")
        await driven.press("u")
        assert driven.title.startswith("FACTS 6")


@ASYNC
async def test_q_quits_and_what_was_asked_before_is_done(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        driven.send("d")
        driven.send("q")
        await driven.until(lambda: not driven.app.is_running)
    assert driven.app.return_code == 0
    assert filled.memory("user").list() == []


@ASYNC
@pytest.mark.parametrize("state", [(), ("slash", "d"), ("1",), ("3",), ("right_square_bracket",), ("z",)])
async def test_any_size_in_any_state(filled: MemoryStore, opened: Open, state: tuple[str, ...]) -> None:
    async with opened() as driven:
        await driven.press(*state)
        for size in [(80, 24), (20, 5), (1, 1), (60, 10), (2, 40), (200, 60), (60, 20), (120, 36)]:
            await driven.pilot.resize_terminal(*size)
            driven.send("down")
            await driven.settle()
        assert driven.app.is_running
        assert "agent.db" in driven.lines()[0]
