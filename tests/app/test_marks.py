from __future__ import annotations

from array import array

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.marking import Marks

ASYNC = pytest.mark.asyncio


async def search(driven: Driven, text: str) -> None:
    await driven.press("slash")
    await driven.type(text)
    await driven.press("enter")


def foot(driven: Driven) -> str:
    """What stands at the bottom edge of the list."""
    return driven.lines()[-2].partition("│")[0] if driven.app.size.width < 70 else driven.lines()[-2]


def marked(driven: Driven) -> list[str]:
    """The texts of the rows that carry a mark on the screen."""
    lines = [line.text for line in (driven.screen.list.render_line(y) for y in range(len(driven.screen.list.keys)))]
    return [line[6:].strip() for line in lines if line[2] == "x"]


@ASYNC
async def test_space_marks_and_goes_on_and_a_second_time_takes_the_mark_off(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space", "space")
        assert [text.split("  ")[0] for text in marked(driven)] == ["Users sign in by mail", "Atlas deploys from main"]
        assert driven.screen.list.cursor == 2
        assert "2 marked" in foot(driven)
        await driven.press("k", "space")
        assert "1 marked" in foot(driven)
        await driven.press("escape")
        assert marked(driven) == []
        assert "marked" not in foot(driven)


@ASYNC
async def test_marks_stay_through_searching_and_are_counted_there(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space", "space", "space")
        await search(driven, "oslo")
        assert "3 marked, 2 of them not in this list" in foot(driven)
        await search(driven, " is:pinned")
        assert "3 marked, not in this list" in foot(driven)
        await driven.press("escape")
        assert len(marked(driven)) == 3
        assert "3 marked" in foot(driven)
        await driven.press("right_square_bracket")
        assert marked(driven) == []
        assert "3 marked, not in this list" in foot(driven)


@ASYNC
async def test_marks_stay_on_their_records_while_others_arrive(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "space")
        filled.memory("user").write("Somebody wrote meanwhile")
        await driven.press("ctrl+l")
        assert driven.rows()[0] == "Somebody wrote meanwhile"
        assert [text.split("  ")[0] for text in marked(driven)] == ["Atlas deploys from main"]


@ASYNC
async def test_a_range_follows_the_cursor_and_escape_drops_it(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space", "v", "j", "j", "j")
        assert len(marked(driven)) == 5
        assert "5 marked · v ends the range" in foot(driven)
        await driven.press("k")
        assert len(marked(driven)) == 4
        await driven.press("escape")
        assert "1 marked" in foot(driven)
        await driven.press("v", "G", "v", "g", "g")
        assert len(marked(driven)) == 4
        await driven.press("escape")
        assert marked(driven) == []


@ASYNC
async def test_another_search_ends_the_range(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("v", "j")
        await search(driven, "deploy")
        await driven.press("G")
        assert "2 marked" in foot(driven)
        assert "v ends" not in foot(driven)


@ASYNC
async def test_star_marks_all_that_match_and_gv_brings_the_last_marks_back(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "deploy")
        await driven.press("*")
        assert "marked 3 facts, all that match now" in driven.status
        assert len(marked(driven)) == 3
        await driven.press("escape", "escape")
        assert marked(driven) == []
        await driven.press("g", "v")
        assert "marked 3 facts again" in driven.status
        assert "3 marked" in foot(driven)


@ASYNC
@pytest.mark.parametrize(
    ("typed", "said"),
    [("is:nonsense", "mend the search first"), ("fridya", "takes no guesses"), ("oslo friday", "takes no guesses")],
)
async def test_star_takes_no_guesses(filled: MemoryStore, opened: Open, typed: str, said: str) -> None:
    async with opened() as driven:
        await search(driven, typed)
        await driven.press("*")
        assert said in driven.status
        assert "marked" not in foot(driven)


@ASYNC
async def test_turns_are_not_marked(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("right_square_bracket")
        for key in ("space", "v", "*"):
            await driven.press(key)
            assert "this is a turn" in driven.status
        assert "marked" not in foot(driven)


@ASYNC
async def test_a_click_in_the_mark_column_marks(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.pilot.click("#list", offset=(3, 2))
        await driven.settle()
        assert [text.split("  ")[0] for text in marked(driven)] == ["Atlas deploys from main"]


@ASYNC
async def test_with_marks_the_footer_shows_what_they_are_for(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("space")
        assert driven.status.startswith("d forget   a accept   p pin   t tags   r put back   space mark")


@ASYNC
async def test_where_one_pane_fits_the_first_line_counts_the_marks(filled: MemoryStore, opened: Open) -> None:
    async with opened(size=(60, 20)) as driven:
        await driven.press("space", "space")
        assert "2 marked" in driven.lines()[0]


def test_a_range_keeps_the_versions_that_were_seen_before_it() -> None:
    marks = Marks()
    marks.toggle(3, 7)
    marks.begin_range(2)
    marks.extend([2, 3, 4])
    marks.read({2: 1, 3: 8, 4: 1})
    assert marks.versions == {3: 7, 2: 1, 4: 1}
    marks.drop_range()
    assert marks.versions == {3: 7}


def test_hidden_marks_are_counted_again_for_another_list() -> None:
    marks = Marks()
    marks.add({1: 1, 2: 1})
    assert marks.told(array("q", [1, 2, 3])) == "2 marked"
    assert marks.told(array("q", [1])) == "2 marked, 1 of them not in this list"
    marks.toggle(1, 1)
    assert marks.told(array("q", [1])) == "1 marked, not in this list"
