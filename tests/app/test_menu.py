from __future__ import annotations

from datetime import UTC, datetime

import pytest
from textual.widgets import OptionList

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.menu import MenuScreen, with_operator
from memview.memory.looking import parse

ASYNC = pytest.mark.asyncio


def offered(driven: Driven) -> list[str]:
    """The lines of the menu on the screen."""
    assert isinstance(driven.app.screen, MenuScreen)
    options = driven.app.screen.query_one(OptionList)
    return [str(options.get_option_at_index(at).prompt) for at in range(options.option_count)]


@ASYNC
async def test_x_offers_what_can_be_done_with_a_fact_and_its_keys_work_there(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("x")
        assert "d       Forget" in offered(driven)
        assert "r       Put back" not in offered(driven)
        await driven.press("d")
        assert driven.app.screen is driven.screen
        assert filled.memory("user").count() == 0


@ASYNC
async def test_arrows_and_enter_choose_and_escape_does_not(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("x", "escape")
        assert driven.app.screen is driven.screen
        await driven.press("x")
        for _ in range(offered(driven).index("p       Pin or unpin")):
            await driven.press("j")
        await driven.press("enter")
        assert "pinned 1" in driven.status


@ASYNC
async def test_marks_come_first_in_the_menu(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space", "space", "x")
        assert offered(driven)[:2] == ["d       Forget", "a       Accept"]
        assert "2 marked" in driven.text()


@ASYNC
async def test_tree_and_turns_have_menus_of_their_own(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("1", "x")
        assert not any("Forget" in line for line in offered(driven))
        assert any("Open" in line for line in offered(driven))
        await driven.press("escape", "2", "right_square_bracket", "x")
        assert any("Copy text" in line for line in offered(driven))
        assert not any("Forget" in line for line in offered(driven))


@ASYNC
async def test_a_right_click_opens_it_there_and_for_that_row(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.pilot.click("#list", offset=(20, 3), button=3)
        await driven.settle()
        assert isinstance(driven.app.screen, MenuScreen)
        assert driven.screen.list.cursor == 2
        frame = driven.app.screen.query_one("#menu")
        assert driven.app.screen.region.contains_region(frame.region)
        await driven.press("d")
        assert filled.memory("user:43").count() == 0


@ASYNC
@pytest.mark.parametrize(("pane", "line"), [("#tree", "Open"), ("#detail", "Forget")])
async def test_a_right_click_in_the_other_panes(filled: MemoryStore, opened: Open, pane: str, line: str) -> None:
    async with opened() as driven:
        await driven.pilot.click(pane, offset=(3, 1), button=3)
        await driven.settle()
        assert any(line in shown for shown in offered(driven))


@ASYNC
async def test_f_narrows_the_search_by_what_a_fact_has(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("slash")
        await driven.type("deploy window")
        await driven.press("enter", "f")
        assert offered(driven) == [
            "1       session s1", "2       agent planner", "3       tag deploy", "4       namespace user:42",
            "5       kind semantic",
        ]  # fmt: skip
        await driven.press("3")
        assert driven.screen.search.text == "deploy window tag:deploy"
        assert len(driven.rows()) == 1
        await driven.press("backspace")
        assert driven.screen.search.text == "deploy window"


@ASYNC
async def test_f_on_a_turn(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("right_square_bracket", "f")
        assert any("session s" in line for line in offered(driven))
        await driven.press("1")
        assert driven.screen.search.text.startswith("session:s")


@ASYNC
@pytest.mark.parametrize("size", [(60, 20), (20, 5), (160, 50)])
async def test_menus_stay_on_the_screen(filled: MemoryStore, opened: Open, size: tuple[int, int]) -> None:
    async with opened(size=size) as driven:
        await driven.press("x")
        screen = driven.app.screen
        assert screen.region.contains_region(screen.query_one("#menu").region)
        await driven.pilot.resize_terminal(1, 1)
        await driven.pilot.resize_terminal(120, 36)
        assert driven.app.is_running


def test_an_operator_takes_the_place_of_one_of_its_name() -> None:
    def narrowed(text: str) -> str:
        return with_operator(text, parse(text, now=datetime(2026, 3, 1, tzinfo=UTC)), "tag", 'tag:"two words"')

    assert narrowed("") == 'tag:"two words"'
    assert narrowed("deploy tag:old") == 'deploy tag:"two words"'
    assert narrowed("tag:a -tag:b is:pinned tag:c") == '-tag:b is:pinned tag:"two words"'


@ASYNC
@pytest.mark.parametrize(
    ("keys", "title", "line"),
    [
        ("i", "Inbox", "Accept the rest"),
        ("gd", "Duplicates", "Not alike"),
        ("gc", "Conflicts", "Both hold"),
        ("gp", "Prune", "Change the rule"),
        ("gh", "Health", "Facts or turns"),
    ],
)
async def test_each_screen_of_a_review_has_its_menu(
    filled: MemoryStore, opened: Open, keys: str, title: str, line: str
) -> None:
    memory = filled.memory("user:42")
    facts = [memory.write(text) for text in ("Ships on Tuesday", "Ships on Thursday", "ships on tuesday.")]
    memory.link(facts[0].id, facts[1].id, "contradicts")
    filled.close()
    async with opened() as driven:
        await driven.press(*keys, *("a" if keys == "i" else ""))
        below = driven.app.screen
        await driven.press("x")
        assert isinstance(menu := driven.app.screen, MenuScreen)
        assert menu.query_one("#menu").border_title == title
        assert line in driven.text()
        await driven.press("escape")
        assert driven.app.screen is below


@ASYNC
async def test_a_line_of_such_a_menu_runs_its_command(filled: MemoryStore, opened: Open) -> None:
    memory = filled.memory("user:42")
    for text in ("Ships on Tuesday", "ships on tuesday."):
        memory.write(text)
    filled.close()
    async with opened() as driven:
        await driven.press("g", "d", "x", "n")
        assert "Every group is decided" in driven.text()
