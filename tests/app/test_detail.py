from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.filter import LineFilter
from textual.pilot import Pilot

from memview import MemoryStore
from memview.app.guard import ControlGuard
from memview.app.messages import GoTo
from memview.app.past import text_difference
from memview.app.widgets.detail import DetailPane
from memview.memory import looking
from memview.memory.looking import ChangeRow, FactDetail, Looker, Matcher, Neighbour, Source
from memview.review.quote import best_sentence
from stillness import still

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ME = "person:ada"


class Host(App[None]):
    """A detail pane alone, showing one record of a store."""

    CSS = "DetailPane { width: 1fr; }"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.looker = Looker(path)
        self.heard: list[tuple[str, str]] = []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlGuard()]

    def compose(self) -> ComposeResult:
        yield DetailPane()

    @on(GoTo)
    def hear(self, message: GoTo) -> None:
        self.heard.append((message.kind, message.id))

    def show(self, id: str, search: str = "") -> DetailPane:
        """Show the fact or turn of an id."""
        pane = self.query_one(DetailPane)
        matcher = Matcher(looking.parse(search, now=NOON).query.terms, prefix=True) if search else None
        fact = self.looker.read(lambda c: read_fact(c, id))
        if fact is not None:
            pane.show_fact(*fact, matcher, NOON, ME)
        else:
            turn = self.looker.read(lambda c: looking.turn(c, looking.number_of(c, "turn", id) or 0))
            assert turn is not None
            pane.show_turn(turn, matcher, NOON, ME)
        return pane


Fact = tuple[FactDetail, list[Source], list[Neighbour], list[ChangeRow]]


def read_fact(connection: sqlite3.Connection, id: str) -> Fact | None:
    n = looking.number_of(connection, "fact", id)
    fact = None if n is None else looking.fact(connection, n)
    if fact is None:
        return None
    return (
        fact, looking.sources(connection, fact.turns), looking.neighbours(connection, id),
        looking.history(connection, id),
    )  # fmt: skip


Scenario = Callable[[Host, Pilot[None]], Awaitable[None]]


def play(path: Path, scenario: Scenario, size: tuple[int, int] = (80, 40)) -> None:
    async def run() -> None:
        host = Host(path)
        async with host.run_test(size=size) as pilot:
            await scenario(host, pilot)
        host.looker.close()

    asyncio.run(run())


def text_of(pane: DetailPane) -> str:
    """What stands on the pane, as far as it is in view."""
    return "\n".join(pane.render_line(y).text.rstrip() for y in range(pane.size.height)).rstrip()


class Written:
    """A store in which much has happened, and its ids."""

    def __init__(self, path: Path) -> None:
        self.path = path
        now = [NOON - timedelta(days=10)]
        with MemoryStore(path, agent="planner", clock=lambda: now[0]) as store:
            memory = store.memory("user:42")
            self.old = memory.write("Deploys go out on Thursday").id
            talk = store.conversation("s7", namespace="user:42")
            talk.record("Hello", "Hi")
            turn = talk.record(
                "We got burnt. From now on we can only ship tue 14 to 16, the deploy window is fixed. Remember it.",
                "Noted.", tool_calls=[{"name": "calendar"}, {"name": "notes"}], model="m-1",
            )  # fmt: skip
            assert turn is not None
            self.turn = turn.id
            self.fact = memory.write(
                "Deploy window is Tuesday, 14:00 to 16:00", {"ticket": "OPS-7"}, turns=[self.turn, "gone"],
                session="s7", origin="user", category="preference", tags=["deploy", "ops"],
                confidentiality="internal", keywords=["release"],
            ).id  # fmt: skip
            self.other = memory.write("Rollback needs two people on call").id
            now[0] = NOON - timedelta(days=1)
            memory.update(self.fact, importance=7)
            memory.link(self.fact, self.other)
            now[0] += timedelta(minutes=1)
            memory.link(self.fact, self.old, "supersedes")
        now[0] = NOON - timedelta(hours=2)
        with MemoryStore(path, agent=ME, clock=lambda: now[0]) as store:
            store.memory("user:42").update(self.fact, "Deploy window is Tuesday, 14:00 to 16:00 UTC", tags=["deploy"])
            store.memory("user:42").pin(self.fact)


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path / "agent.db")


def test_a_fact_is_told_whole(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.fact, "deploy window")
        pane.focus()
        await still(pilot)
        assert text_of(pane).splitlines() == [
            " Deploy window is Tuesday, 14:00 to 16:00 UTC",
            "",
            " user:42 · preference · deploy",
            "",
            ">from  the user, s7 turn 2",
            '   "From now on we can only ship tue 14 to 16, the deploy window is fixed."',
            "       a turn that is gone",
            "",
            " agents get it  yes · 99% · 0×",
            " importance     7",
            " written        10d ago, planner",
            " reworded       2h ago, you",
            " marked         pinned",
            " confidential   internal",
            " keywords       release",
            " ticket         OPS-7",
            "",
            " Links",
            "   Rollback needs two people on call",
            "   supersedes  Deploys go out on Thursday",
            "",
            " History",
            "   2h  you      pinned it",
            "   2h  you      changed the text, tags -ops",
            "       …Tuesday, 14:00 to 16:00 {+UTC+}",
            "   1d  planner  importance 5 → 7",
            "  10d  planner  wrote it",
        ]

    play(written.path, scenario)


def test_why_agents_do_not_get_it(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.old)
        await still(pilot)
        assert "agents get it  no, superseded" in text_of(pane)
        assert "superseded by  Deploy window is Tuesday" in text_of(pane)

    play(written.path, scenario)


def test_a_turn_tells_its_sides_apart_and_folds_tool_calls(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.turn)
        pane.focus()
        await still(pilot)
        shown = text_of(pane)
        assert shown.startswith(" s7 turn 2 · user:42\n 10d ago, planner\n")
        assert shown.index(" User") < shown.index("We got burnt") < shown.index(" Assistant") < shown.index("Noted.")
        assert "▸ 2 tool calls" in shown
        assert "calendar" not in shown
        assert "model          m-1" in shown
        assert "Learnt from it\n   Deploy window" in shown
        await pilot.press("enter")
        assert '{"name": "calendar"}' in text_of(pane)
        await pilot.press("j", "enter")
        await still(pilot)
        assert host.heard == [("fact", written.fact)]

    play(written.path, scenario)


def test_moving_and_opening(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.fact)
        pane.focus()
        await still(pilot)
        for keys in (["enter"], ["down", "enter"], ["j", "enter"], ["j", "enter"], ["k", "enter"]):
            await pilot.press(*keys)
        await still(pilot)
        assert host.heard == [
            ("turn", written.turn), ("fact", written.other), ("fact", written.old), ("fact", written.old),
            ("fact", written.other),
        ]  # fmt: skip

    play(written.path, scenario)


def test_every_line_of_a_low_pane_can_be_reached(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.fact)
        pane.focus()
        await still(pilot)
        seen = set(text_of(pane).splitlines())
        for _ in range(60):
            pane.action_cursor_down()
            seen |= set(text_of(pane).splitlines())
        assert "  10d  planner  wrote it" in seen
        assert "   2h  you      pinned it" in seen
        for _ in range(60):
            pane.action_cursor_up()
        assert text_of(pane).startswith(" Deploy window")

    play(written.path, scenario, size=(60, 6))


def test_enter_opens_only_what_is_in_view(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.fact)
        pane.focus()
        await pilot.press("enter")
        assert host.heard == []
        pane.action_last()
        await pilot.press("enter")
        await still(pilot)
        assert host.heard == []
        pane.action_page_up()
        pane.action_page_up()
        await pilot.press("enter")
        await still(pilot)
        assert host.heard == [("fact", written.old)]

    play(written.path, scenario, size=(60, 4))


def test_the_same_record_keeps_its_place_and_another_begins_at_its_top(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.fact)
        pane.focus()
        await still(pilot)
        await pilot.press("end")
        place, entry = pane.scroll_offset.y, pane.entry
        assert place > 0
        host.show(written.fact)
        await still(pilot)
        assert (pane.scroll_offset.y, pane.entry) == (place, entry)
        host.show(written.other)
        await still(pilot)
        assert pane.scroll_offset.y == 0
        pane.clear("Nothing here.")
        assert "Nothing here." in text_of(pane)
        await pilot.press("enter", "j", "k")
        assert host.heard == []

    play(written.path, scenario, size=(60, 6))


def test_matches_are_bold_and_underlined_and_can_be_walked(written: Written) -> None:
    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(written.fact, "window")
        await still(pilot)
        lit = {
            segment.text
            for y in range(6)
            for segment in pane.render_line(y)
            if segment.style is not None and segment.style.bold and segment.style.underline
        }
        assert lit == {"window"}
        pane.styles.height = 3
        await still(pilot)
        assert pane.next_match()
        assert "deploy window" in text_of(pane)
        assert not pane.next_match()
        assert pane.next_match(-1)

    play(written.path, scenario)


HOSTILE = [
    "[00] list[int] arr[/]", "x [/red] y", "[@click=app.quit]x[/]", "\x1b]52;c;Zm9v\x07", "a\u202eb\u200bc",
    "\x9b31m", "tab\there",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_literal_everywhere(tmp_path: Path, text: str) -> None:
    path = tmp_path / "agent.db"
    with MemoryStore(path, agent=text, clock=lambda: NOON) as store:
        talk = store.conversation(text, namespace=text)
        turn = talk.record(text + " one", text, tool_calls=[text], k=text)
        assert turn is not None
        memory = store.memory(text)
        fact = memory.write(
            text, {"key": text}, turns=[turn.id], session=text, category=text, tags=[text], keywords=[text],
            summary=text,
        )  # fmt: skip
        other = memory.write(text + "!")
        memory.update(fact.id, text + " changed", category=text + "c")
        memory.link(fact.id, other.id)

    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        for id in (fact.id, turn.id):
            pane = host.show(id, "changed one")
            pane.focus()
            await pilot.press("enter")
            await still(pilot)
            shown = text_of(pane)
            assert not any(char in shown for char in "\x1b\x07\x9b\u202e\u200b")
            for part in ("[/red]", "[@click=app.quit]x[/]", "[00] list[int] arr[/]"):
                assert (part in shown) == (part in text)
            assert (r"\x1b]52" in shown) == ("\x1b" in text)
            assert (r"\u202e" in shown) == ("\u202e" in text)
        assert host.is_running

    play(path, scenario, size=(100, 60))


def test_what_is_no_text_shows(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    with MemoryStore(path) as store:
        ids = [store.memory("m").write(f"fact {number}").id for number in range(4)]
    plain = sqlite3.connect(path)
    with plain:
        plain.execute("UPDATE facts SET content = 42 WHERE id = ?", (ids[0],))
        plain.execute(
            "UPDATE facts SET content = 1.5, importance = 'high', created_at = 'once' WHERE id = ?", (ids[1],)
        )
        plain.execute("UPDATE facts SET content = x'00ff41', metadata = 'no json' WHERE id = ?", (ids[2],))
        plain.execute("UPDATE facts SET content = CAST(x'61ff62' AS TEXT), tags = '5' WHERE id = ?", (ids[3],))
    plain.close()

    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        for id, first in zip(ids, ("42", "1.5", r"\x00�A", r"a\udcffb"), strict=True):
            pane = host.show(id)
            await still(pilot)
            assert text_of(pane).splitlines()[0] == f" {first}"
            assert "another program" in text_of(pane)

    play(path, scenario)


@pytest.mark.parametrize(
    "text",
    ["x" * 5_000_000, "\n".join(f"line {n} of a long fact" for n in range(2_000)), "日本" * 50_000, "\n" * 9_999],
    ids=["one line", "lines", "wide", "blank"],
)
def test_long_texts_are_cut_with_a_note_and_quick(tmp_path: Path, text: str) -> None:
    path = tmp_path / "agent.db"
    with MemoryStore(path) as store:
        id = store.memory("m").write(text + "end").id

    async def scenario(host: Host, pilot: Pilot[None]) -> None:
        pane = host.show(id)
        await still(pilot)
        record = host.looker.read(lambda c: read_fact(c, id))
        assert record is not None
        took = []
        for _ in range(3):
            started = time.process_time()
            pane.show_fact(*record, None, NOON, ME)
            took.append(time.process_time() - started)
        assert min(took) < 0.1
        pane.action_last()
        whole = "\n".join(line.content.plain for line in pane._lines)
        shown = re.search(r"shown to ([\d,]+) of ([\d,]+) characters$", whole, re.M)
        assert shown is not None
        assert int(shown[1].replace(",", "")) <= 20_000
        assert int(shown[2].replace(",", "")) == len(text) + 3
        await pilot.resize_terminal(20, 5)
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(100, 30)

    play(path, scenario)


@pytest.mark.parametrize(
    ("fact", "request_", "response", "origin", "sentence"),
    [
        ("Likes tea", "Hi. I like tea a lot! Bye.", "Tea it is.", "user", "I like tea a lot!"),
        ("Likes tea", "Tea?", "You like tea.", "assistant", "You like tea."),
        ("Nothing shared", "abc def", "", "user", ""),
        ("東京に住む", "私は東京に住む。", "はい", "", ""),
    ],
)
def test_the_quoted_sentence(fact: str, request_: str, response: str, origin: str, sentence: str) -> None:
    assert best_sentence(fact, request_, response, origin) in (sentence, "私は東京に住む。")


def test_differences_keep_what_both_have() -> None:
    difference = text_difference("Deploys go out on Thursday", "Deploys go out on Friday night")
    assert difference is not None
    assert difference.plain == "Deploys go out on [-Thursday-]{+Friday night+}"
    long = text_difference("x" * 5_000_000, "y")
    assert long is not None
    assert long.plain == "5,000,000 → 1 characters"
