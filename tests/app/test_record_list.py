from __future__ import annotations

import asyncio
import random
from array import array
from collections.abc import Awaitable, Callable, Iterable, Sequence

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual import on
from textual.app import App, ComposeResult
from textual.content import Content
from textual.filter import LineFilter
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import Selection

from memview.app.guard import ControlGuard
from memview.app.widgets.list_messages import CursorMoved, ListMessage, MarkToggled, MenuWanted, Opened, PageWanted
from memview.app.widgets.record_list import RecordList
from memview.app.widgets.record_row import ListRow, RowState, draw_row
from stillness import still


def fact(key: int, text: str | None = None) -> ListRow:
    return ListRow(key, text or f"fact {key}", "●", "new", "^", who="planner", whose="user", age="2h", strength=0.5)


class Listing(App[None]):
    """A list that is answered at once, from rows made up or given."""

    def __init__(self, rows: Iterable[ListRow] = (), *, answers: bool = True) -> None:
        super().__init__()
        self.rows = {row.key: row for row in rows}
        self.answers = answers
        self.heard: list[ListMessage] = []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlGuard()]

    def compose(self) -> ComposeResult:
        yield RecordList()

    @on(PageWanted)
    def answer(self, message: PageWanted) -> None:
        self.heard.append(message)
        if self.answers:
            rows = {key: self.rows.get(key) or fact(key) for key in message.keys}
            message.list.put_rows(rows, question=message.question)

    @on(CursorMoved)
    @on(Opened)
    @on(MarkToggled)
    @on(MenuWanted)
    def hear(self, message: ListMessage) -> None:
        self.heard.append(message)


Scenario = Callable[[Listing, RecordList, Pilot[None]], Awaitable[None]]


def play(scenario: Scenario, app: Listing | None = None, size: tuple[int, int] = (80, 24)) -> None:
    """Run a scenario in an app of a given size whose list has the focus."""

    async def run() -> None:
        running = app or Listing()
        async with running.run_test(size=size) as pilot:
            listing = running.query_one(RecordList)
            listing.focus()
            await still(pilot)
            await scenario(running, listing, pilot)

    asyncio.run(run())


def lines(listing: RecordList) -> list[str]:
    """What stands on the list's lines."""
    return [listing.render_line(y).text for y in range(listing.size.height)]


def screen_line(listing: RecordList) -> int:
    """The line on which the cursor's row stands."""
    return listing.cursor - listing.scroll_offset.y


def test_a_million_rows_are_asked_for_by_the_page() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(array("q", range(1_000_000)))
        await still(pilot)
        asked = [key for message in app.heard if isinstance(message, PageWanted) for key in message.keys]
        assert len(asked) == len(set(asked)) <= 200
        assert lines(listing)[0].startswith(">  ●^ fact 0 ")
        await pilot.press("end")
        await still(pilot)
        assert lines(listing)[-1].startswith(">  ●^ fact 999999 ")
        assert listing.cursor_key == 999_999

    play(scenario)


def test_missing_rows_wait_quietly_and_late_answers_to_an_earlier_result_are_ignored() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(100))
        await still(pilot)
        assert lines(listing)[1].strip() == "·"
        earlier = app.heard[-1]
        listing.replace(range(50))
        await still(pilot)
        later = app.heard[-1]
        assert isinstance(earlier, PageWanted)
        assert isinstance(later, PageWanted)
        listing.put_rows({1: fact(1)}, question=earlier.question)
        assert lines(listing)[1].strip() == "·"
        listing.put_rows({1: fact(1)}, question=later.question)
        assert "fact 1" in lines(listing)[1]

    play(scenario, Listing(answers=False))


@pytest.mark.parametrize("known", [True, False], ids=["told along", "asked again"])
def test_a_row_read_before_its_record_changed_comes_too_late(known: bool) -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(9))
        await still(pilot)
        before = app.heard[-1]
        assert isinstance(before, PageWanted)
        listing.stale([1])
        listing.sync(range(9), rows={1: fact(11)} if known else {})
        await still(pilot)
        listing.put_rows({key: fact(key) for key in before.keys}, question=before.question)
        assert "fact 2" in lines(listing)[2]
        assert "fact 1 " not in lines(listing)[1]
        again = app.heard[-1]
        assert isinstance(again, PageWanted)
        assert again.keys == (before.keys if known else [1])
        listing.put_rows({1: fact(11)}, question=again.question)
        assert "fact 11" in lines(listing)[1]

    play(scenario, Listing(answers=False))


def test_rows_already_here_stand_until_their_fresh_versions_come() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(9))
        await still(pilot)
        app.answers = False
        app.heard.clear()
        listing.replace([5, 3])
        await still(pilot)
        assert "fact 5" in lines(listing)[0]
        assert [sorted(message.keys) for message in app.heard if isinstance(message, PageWanted)] == [[3, 5]]
        listing.clear()
        listing.replace([5, 3])
        assert "fact" not in lines(listing)[0]

    play(scenario)


def test_keys_move_the_cursor_within_the_list() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(100))
        await pilot.press("up", "down", "down", "down", "up")
        assert listing.cursor == 2
        await pilot.press("pagedown")
        assert (listing.cursor, listing.scroll_offset.y) == (25, 23)
        listing.action_half_page_down()
        assert (listing.cursor, listing.scroll_offset.y) == (37, 35)
        listing.action_half_page_up()
        await pilot.press("pageup")
        assert (listing.cursor, listing.scroll_offset.y) == (2, 0)
        await pilot.press("end", "down")
        assert (listing.cursor, listing.scroll_offset.y) == (99, 76)
        await pilot.press("home")
        assert (listing.cursor, listing.scroll_offset.y) == (0, 0)

    play(scenario)


def test_every_key_is_harmless_on_an_empty_list() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.empty = "No facts [yet]\nAgents write them"
        await pilot.press("up", "down", "pageup", "pagedown", "home", "end")
        await pilot.click(listing, offset=(3, 3))
        assert listing.cursor_key is None
        assert [line.strip() for line in lines(listing)[:4]] == ["", "No facts [yet]", "Agents write them", ""]
        listing.empty = Content.from_markup("[b]No[/b] hits")
        assert lines(listing)[1].strip() == "No hits"
        listing.replace([1])
        listing.replace([])
        await still(pilot)
        assert app.heard[-1].key is None  # type: ignore[attr-defined]

    play(scenario)


def test_cursor_and_view_stay_on_their_record_while_rows_come_and_go() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        chance = random.Random(9)
        keys = list(range(1000))
        listing.replace(keys)
        listing.cursor = 500
        await still(pilot)
        listing.scroll_to(y=490, animate=False)
        listing.marks = frozenset({495, 505})
        for fresh in range(1000, 1500):
            place = chance.randrange(len(keys))
            if chance.random() < 0.5:
                keys.insert(place, fresh)
            elif keys[place] not in (495, 500, 505):
                del keys[place]
            listing.sync(keys)
            assert (listing.cursor_key, screen_line(listing)) == (500, 10)
        await still(pilot)
        assert screen_line(listing) == 10
        assert lines(listing)[10].startswith(">  ●^ fact 500 ")
        marked = [line.split()[2] for line in lines(listing) if line[2] == "x"]
        assert marked == ["495", "505"]

    play(scenario)


def test_new_rows_wait_above_without_moving_the_view() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(100))
        await still(pilot)
        before = lines(listing)
        listing.sync([200, 201, 202, *listing.keys])
        await still(pilot)
        assert lines(listing) == before
        assert (listing.cursor, listing.cursor_key) == (3, 0)
        listing.action_first()
        await still(pilot)
        assert "fact 200 " in lines(listing)[0]

    play(scenario)


def test_a_view_scrolled_away_from_the_cursor_stays_on_its_own_rows() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(1000))
        await still(pilot)
        listing.scroll_to(y=300, animate=False)
        await still(pilot)
        listing.sync([*range(2000, 2010), *listing.keys])
        await still(pilot)
        assert "fact 300 " in lines(listing)[0]
        assert (listing.cursor_key, listing.cursor) == (0, 10)

    play(scenario)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [([0, 1, 2, 4, 5], 4), ([0, 1, 2], 2), ([*range(100, 3000), 4, 5], 4), ([100, 101], 101), ([100], 100), ([], None)],
)
def test_a_cursor_whose_record_left_goes_to_the_nearest_that_stayed(keys: list[int], expected: int | None) -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(6))
        listing.cursor = 3
        listing.replace(keys, keep="cursor")
        await still(pilot)
        assert listing.cursor_key == expected

    play(scenario)


def test_another_result_begins_at_its_top_unless_asked_otherwise() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(1000))
        listing.cursor = 700
        listing.replace(range(999, -1, -1), keep="cursor")
        assert (listing.cursor_key, listing.cursor) == (700, 299)
        listing.replace(range(500))
        await still(pilot)
        assert (listing.cursor, listing.scroll_offset.y) == (0, 0)
        assert listing.go_to(321)
        assert listing.cursor_key == 321
        assert not listing.go_to(5000)

    play(scenario)


def test_the_owner_hears_only_where_the_cursor_came_to_rest() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(10, 30))
        await still(pilot)
        app.heard.clear()
        for _ in range(15):
            listing.action_cursor_down()
        await still(pilot)
        moves = [(message.key, message.index) for message in app.heard if isinstance(message, CursorMoved)]
        assert moves[-1] == (25, 15)
        assert len(moves) < 15

    play(scenario)


def test_mouse_moves_marks_opens_and_asks_for_the_menu() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(10))
        await still(pilot)
        app.heard.clear()
        await pilot.click(listing, offset=(20, 4))
        assert listing.cursor == 4
        await pilot.click(listing, offset=(2, 5))
        await pilot.click(listing, offset=(20, 6), times=2)
        await pilot.click(listing, offset=(20, 7), button=3)
        await pilot.click(listing, offset=(20, 15))
        said = [(type(message).__name__, message.key) for message in app.heard if not isinstance(message, CursorMoved)]  # type: ignore[attr-defined]
        assert said == [("MarkToggled", 5), ("Opened", 6), ("MenuWanted", 7)]
        assert listing.cursor == 7

    play(scenario)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x [/red] y", "x [/red] y"),
        ("[@click=app.quit]x[/]", "[@click=app.quit]x[/]"),
        ("[00] list[int] arr[/]", "[00] list[int] arr[/]"),
        ("a\x1b]52;c;aGk=\x07b", r"a\x1b]52;c;aGk=\x07b"),
        ("gpj\u202eexe", r"gpj\u202eexe"),
        ("one\ntwo", "one ↵ two"),
        ("word " * 1_000_000, "word word word word word word word…"),
        ("x" * 5_000_000, "x" * 38 + "…"),
    ],
    ids=["unbalanced", "action", "brackets", "clipboard", "direction", "lines", "5 MB of words", "5 MB in one word"],
)
def test_text_is_shown_as_what_it_is(text: str, shown: str) -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace([1])
        await still(pilot)
        assert lines(listing)[0][6:45].rstrip() == shown
        assert listing.render_line(0).cell_length == 67

    play(scenario, Listing([fact(1, text)]), size=(68, 5))


WIDE_AND_ZERO_WIDE = [
    fact(1, "東京タワーの東京タワーの東京タワーの東京タワーの東京タワーの東京タワーの東京タワー"),
    ListRow(2, "e\u0301" * 90, dimmed=True, note="forgotten", who="東京東京東京東京", whose="東京東", age="11mo"),
    ListRow(3, "\U0001f468\u200d\U0001f469\u200d\U0001f467 " * 60, struck=True, strength=1.0),
    None,
]


@pytest.mark.parametrize("row", WIDE_AND_ZERO_WIDE)
def test_every_line_is_exactly_as_wide_as_asked(row: ListRow | None) -> None:
    for width in range(200):
        strip = draw_row(row, RowState(cursor=True, marked=True), width, lambda part: Style(), [(3, 99)])
        assert cell_len(strip.text) == strip.cell_length == width


def test_narrow_lists_drop_columns_and_keep_the_signs() -> None:
    row = ListRow(
        1,
        "Deploy on Friday",
        "†",
        "forgotten",
        "!",
        "planner",
        "user",
        "3d",
        strength=1.0,
        dimmed=True,
        note="forgotten",
    )
    shown: dict[int, str] = {}

    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        for width in (121, 81, 58, 40, 21):
            await pilot.resize_terminal(width, 4)
            listing.replace([1, 2])
            listing.marks = frozenset({1})
            await still(pilot)
            shown[width] = lines(listing)[0]

    play(scenario, Listing([row]))
    assert all(line.startswith("> x†! Deploy") for line in shown.values())
    assert shown[121].split()[-5:] == ["forgotten", "planner", "user", "3d", "███"]
    assert shown[81].split()[-3:] == ["forgotten", "3d", "███"]
    assert shown[58].split()[-3:] == ["forgotten", "3d", "███"]
    assert shown[40].split()[-2:] == ["forgotten", "3d"]
    assert shown[21].split()[-1].endswith("…")


def test_matches_are_bold_and_underlined_also_where_the_text_is_cut() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace([1], matcher=lambda text: [(0, 6), (12, 400)])
        await still(pilot)
        strip = listing.render_line(0)
        lit = [piece.text for piece in strip if piece.style and piece.style.underline and piece.style.bold]
        assert lit == ["Deploy", "s Tuesday"]

    play(scenario, Listing([fact(1, "Deploy day is Tuesday afternoon")]), size=(39, 5))


def test_selected_text_is_the_text_alone() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(100))
        await still(pilot)
        selection = Selection(Offset(5, 1), Offset(4, 3))
        assert listing.get_selection(selection) == ("1\nfact 2\nfact", "\n")
        app.screen.selections = {listing: selection}
        await still(pilot)
        looks = {piece.style.bgcolor for piece in listing.render_line(2) if piece.style and "fact 2" in piece.text}
        rest = {piece.style.bgcolor for piece in listing.render_line(5) if piece.style and "fact 5" in piece.text}
        assert looks != rest
        assert app.screen.get_selected_text() == "1\nfact 2\nfact"

    play(scenario)


def test_the_terminals_own_cursor_follows_the_current_row() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(100))
        await pilot.press("down", "down")
        assert app.cursor_position == Offset(0, 2)
        await pilot.press("end")
        assert app.cursor_position == Offset(0, 23)

    play(scenario)


def test_resizing_keeps_it_running_and_the_cursor_in_view() -> None:
    async def scenario(app: Listing, listing: RecordList, pilot: Pilot[None]) -> None:
        listing.replace(range(1000))
        listing.cursor = 20
        for size in ((20, 5), (1, 1), (200, 60), (80, 24)):
            await pilot.resize_terminal(*size)
            await still(pilot)
            assert 0 <= screen_line(listing) < size[1]
        assert any(line.startswith(">  ●^ fact 20 ") for line in lines(listing))

    play(scenario)
