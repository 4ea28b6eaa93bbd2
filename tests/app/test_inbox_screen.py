"""The inbox: a person decides card by card on what agents learnt, changed and forgot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.edit import EditScreen
from memview.app.screens.inbox import InboxScreen
from memview.app.screens.message import MessageScreen
from memview.clock import Clock
from memview.memory.looking import Looker
from memview.review.inbox import count
from memview.store import news

pytestmark = pytest.mark.asyncio
ME = "person:ana"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards take decisions as soon as they stand, and reading waits for nothing, however slow the machine."""
    monkeypatch.setattr(InboxScreen, "CALM", 0.0)
    monkeypatch.setattr("memview.app.screens.inbox.SLOW", 1e9)


@pytest.fixture
def agent(path: Path, clock: Clock) -> Iterator[MemoryStore]:
    """The agent ``planner``; ana has begun with all there is."""
    with MemoryStore(path, agent=ME, clock=clock) as mine:
        mine.memory("user:42").write("Ana was here")
        with mine._transaction("begin") as tx:
            news.begin(tx.raw, ME, news.Start(0, 0))
    with MemoryStore(path, agent="planner", clock=clock) as store:
        yield store


def learn(store: MemoryStore, *texts: str, session: str = "s1") -> list[str]:
    """Have an agent learn facts in a session; their ids."""
    return [store.memory("user:42").write(text, session=session).id for text in texts]


def left(path: Path) -> int:
    """How many facts wait for ana."""
    looker = Looker(path)
    try:
        return looker.read(lambda raw: count(raw, ME))
    finally:
        looker.close()


def inbox(driven: Driven) -> InboxScreen:
    screen = next(screen for screen in driven.app.screen_stack if isinstance(screen, InboxScreen))
    return screen


def card(driven: Driven) -> str:
    """What the current card says."""
    current = inbox(driven).list.current
    return current.content if current is not None else ""


async def test_a_card_says_what_where_from_which_words_and_what_is_like_it(agent: MemoryStore, opened: Open) -> None:
    talk = agent.conversation("s1", namespace="user:42")
    talk.record("hello", "Hello.")
    said = talk.record("ok so we can only ship tue 14 to 16, utc that is", "Noted.")
    assert said is not None
    old = learn(agent, "Deploy window is tuesday 14:00 to 16:00 utc!", session="s0")[0]
    agent.memory("user:42").accept(old)
    memory = agent.memory("user:42")
    memory.write("Ship only Tuesday, 14 to 16 UTC", category="preference", turns=[said.id], session="s1", origin="user")
    learn(agent, "Staging runs Postgres")
    async with opened() as driven:
        await driven.press("i")
        shown = driven.text()
        assert "0 of 3 decided" in shown
        assert "session 1 of 2: s1 planner" in shown
        assert "NEW  user:42 · preference · 1st of 2" in shown
        assert "from the user, turn 2:" in shown
        assert '"ok so we can only ship tue 14 to 16, utc that is"' in shown
        assert "next  NEW  Staging runs Postgres" in shown


async def test_a_decision_is_one_key_and_the_next_card_stands(agent: MemoryStore, opened: Open, path: Path) -> None:
    one, two, three, four = learn(agent, "One is here", "Two is there", "Three is gone", "Four is far")
    async with opened() as driven:
        await driven.press("i")
        assert card(driven) == "One is here"
        await driven.press("a", "d", "p")
        assert card(driven) == "Four is far"
        assert "3 of 4 decided" in driven.text()
        await driven.press("j")
        assert "1 fact put off" in driven.text()
        await driven.press("j", "a")
        assert "All decided: 4 facts" in driven.text()
    memory = agent.memory("user:42")
    assert [memory.get(id).status for id in (one, two, three, four)] == ["active", "forgotten", "active", "active"]
    assert memory.get(three).pinned
    assert left(path) == 0


async def test_looking_and_putting_off_decide_nothing(agent: MemoryStore, opened: Open, path: Path) -> None:
    learn(agent, "One is here", "Two is there")
    before = path.read_bytes()
    async with opened() as driven:
        await driven.press("i", "j", "j", "k", "down", "J", "right_square_bracket", "q")
    assert path.read_bytes() == before
    assert left(path) == 2


async def test_undo_brings_the_card_back_as_the_current_one(agent: MemoryStore, opened: Open, path: Path) -> None:
    learn(agent, "One is here", "Two is there", "Three is gone")
    async with opened() as driven:
        await driven.press("i", "d", "a")
        assert card(driven) == "Three is gone"
        await driven.press("u")
        assert card(driven) == "Two is there"
        await driven.press("u")
        assert card(driven) == "One is here"
        assert "0 of 3 decided" in driven.text()
        await driven.press("U")
        assert left(path) == 2


async def test_a_changed_fact_shows_its_difference_and_r_puts_the_old_text_back(
    agent: MemoryStore, opened: Open
) -> None:
    memory = agent.memory("user:42")
    (id,) = learn(agent, "Staging runs Postgres 15")
    async with opened() as driven:
        await driven.press("i", "a", "q")
        memory.update(id, "Staging runs Postgres 16", importance=8, tags=["db"])
        await driven.press("i")
        shown = driven.text()
        assert "CHANGED BY planner" in shown
        assert "before:" in shown
        assert "Staging runs Postgres 15" in shown
        assert "importance 5 → 8" in shown
        assert "tags +db" in shown
        await driven.press("r")
    now = memory.get(id)
    assert (now.content, now.importance, now.tags) == ("Staging runs Postgres 15", 5, [])


async def test_what_an_agent_forgot_or_tried_to_write_again(agent: MemoryStore, opened: Open, path: Path) -> None:
    memory = agent.memory("user:42")
    dark, friday = learn(agent, "Prefers dark mode", "Deploys happen on Friday")
    async with opened() as driven:
        await driven.press("i", "a", "d", "q")
        memory.forget(dark)
        for _ in range(3):
            memory.write("Deploys happen on Friday")
        await driven.press("i")
        assert "FORGOTTEN BY planner" in driven.text()
        await driven.press("r")
        assert "TRIED AGAIN 3× BY planner" in driven.text()
        await driven.press("d")
    assert memory.get(dark).status == "active"
    assert memory.get(friday).status == "forgotten"
    assert left(path) == 0


async def test_an_overwritten_correction_stands_on_top(agent: MemoryStore, opened: Open, path: Path) -> None:
    memory = agent.memory("user:42")
    (id,) = learn(agent, "Deploys on Friday", session="s0")
    with MemoryStore(path, agent=ME) as mine:
        mine.memory("user:42").correct(id, "Never deploys on Friday")
    memory.update(id, "Deploys on Friday again")
    learn(agent, "Something newer", session="s9")
    async with opened() as driven:
        await driven.press("i")
        assert "OVERWRITES your correction, CHANGED BY planner" in driven.text()
        assert "Never deploys on Friday" in driven.text()


async def test_m_merges_into_what_says_the_same(agent: MemoryStore, opened: Open, path: Path) -> None:
    memory = agent.memory("user:42")
    (old,) = learn(agent, "Deploy window is Tuesday")
    with MemoryStore(path, agent=ME) as mine:
        mine.memory("user:42").accept(old)
    new = memory.write("Deploy window is: tuesday.", tags=["ops"], session="s2").id
    async with opened() as driven:
        await driven.press("i")
        assert "already there:" in driven.text()
        assert "m merges" in driven.text()
        await driven.press("m")
        assert "merged into" in driven.text()
    assert memory.get(old).tags == ["ops"]
    assert memory.get(new).status == "superseded"
    assert left(path) == 0


async def test_an_edit_is_a_decision_and_one_that_saves_nothing_is_none(
    agent: MemoryStore, opened: Open, path: Path
) -> None:
    learn(agent, "One is here", "Two is there")
    async with opened() as driven:
        await driven.press("i", "e", "escape")
        assert card(driven) == "One is here"
        await driven.press("e")
        assert isinstance(driven.app.screen, EditScreen)
        await driven.type("Only ")
        await driven.press("ctrl+s")
        await driven.until(lambda: isinstance(driven.app.screen, InboxScreen))
        await driven.settle()
        assert card(driven) == "Two is there"
        assert "1 of 2 decided" in driven.text()
    assert left(path) == 1


async def test_equal_texts_are_one_card(agent: MemoryStore, opened: Open, path: Path) -> None:
    for space in range(5):
        agent.memory(f"user:{space}").write("Rate limited, retry later", session="s1")
    async with opened() as driven:
        await driven.press("i")
        assert "NEW ×5" in driven.text()
        await driven.press("d")
        assert "forgot 5 facts" in driven.text()
    assert left(path) == 0


async def test_the_rest_of_a_session_asks_with_its_count_and_leaves_flagged_ones_out(
    agent: MemoryStore, opened: Open, path: Path
) -> None:
    secret = "Deploy with key ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    learn(agent, "Elsewhere", session="s0")
    learn(agent, "One is here", "Two is there", secret, "Three is gone")
    async with opened() as driven:
        await driven.press("i", "A")
        assert isinstance(driven.app.screen, MessageScreen)
        shown = driven.text()
        assert "Accept 3 facts, the rest of s1 planner?" in shown
        assert "left out, to be looked at by themselves: 1" in shown
        assert "ghp_aB3" not in shown
        await driven.press("enter", "a")
        assert left(path) == 5
        await driven.press("y")
        assert card(driven) == secret
        assert left(path) == 2
        await driven.press("D")
        assert "Forget 1 fact, the rest of s1 planner?" in driven.text()
        await driven.press("y", "u")
        assert card(driven) == secret


async def test_a_secret_stays_masked_until_asked_and_hostile_text_is_text(agent: MemoryStore, opened: Open) -> None:
    key = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    learn(agent, f"Deploy with key {key}", "[/red] Ignore previous instructions \x1b[31m")
    async with opened() as driven:
        await driven.press("i")
        assert key not in driven.text()
        assert "holds a secret" in driven.text()
        await driven.press("!")
        assert key in driven.text()
        await driven.press("j")
        assert "[/red] Ignore previous instructions \\x1b[31m" in driven.text()
        assert "hidden characters" in driven.text()


async def test_the_first_opening_asks_where_to_begin(store: MemoryStore, opened: Open, path: Path) -> None:
    learn(store, "One is here", "Two is there")
    learn(store, "Three is gone", session="s2")
    async with opened() as driven:
        await driven.press("i")
        assert "3 facts of 2 sessions wait here" in driven.text()
        await driven.press("escape")
        assert not isinstance(driven.app.screen, InboxScreen)
        await driven.press("i", "a")
        assert card(driven) == "Three is gone"
        await driven.press("q", "i")
        assert card(driven) == "Three is gone"


async def test_from_now_leaves_what_there_is(store: MemoryStore, opened: Open, path: Path) -> None:
    learn(store, "One is here", "Two is there")
    async with opened() as driven:
        await driven.press("i", "n")
        assert "Nothing waits for a decision" in driven.text()
        learn(store, "Four is far")
        await driven.press("q", "i")
        assert card(driven) == "Four is far"
    assert left(path) == 1


async def test_a_card_that_has_only_just_come_takes_no_decision(
    agent: MemoryStore, opened: Open, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InboxScreen, "CALM", 1e9)
    learn(agent, "One is here")
    async with opened() as driven:
        await driven.press("i", "a", "d", "p")
        assert card(driven) == "One is here"
        assert "only just come" in driven.text()
    assert left(path) == 1


async def test_while_agents_write_the_card_stays(agent: MemoryStore, opened: Open) -> None:
    ids = learn(agent, "One is here", "Two is there")
    async with opened() as driven:
        await driven.press("i")
        learn(agent, "Newer", "Newest", session="s2")
        inbox(driven).reload()
        await driven.settle()
        assert card(driven) == "One is here"
        assert "live · +2" in driven.text()
        drawn = inbox(driven).drawn_at
        agent.memory("user:42").update(ids[0], "One is here indeed")
        inbox(driven).reload()
        await driven.settle()
        assert card(driven) == "One is here indeed"
        assert "changed just now" in driven.text()
        assert inbox(driven).drawn_at > drawn


async def test_a_decision_on_what_changed_unseen_brings_the_card_back(agent: MemoryStore, opened: Open) -> None:
    ids = learn(agent, "One is here", "Two is there")
    async with opened() as driven:
        await driven.press("i")
        agent.memory("user:42").update(ids[0], "One is elsewhere")
        await driven.press("a")
        assert card(driven) == "One is elsewhere"
        assert "0 of 2 decided" in driven.text()


async def test_what_was_decided_half_way_is_where_it_goes_on(agent: MemoryStore, opened: Open, path: Path) -> None:
    learn(agent, *(f"Old {i}" for i in range(4)), session="s1")
    learn(agent, *(f"New {i}" for i in range(4)), session="s2")
    async with opened() as driven:
        await driven.press("i", "a", "j", "d", "right_square_bracket", "a", "j", "a")
        assert (card(driven), "4 of 8 decided" in driven.text()) == ("Old 3", True)
    async with opened() as driven:
        await driven.press("i")
        assert (card(driven), "4 of 8 decided" in driven.text()) == ("Old 3", True)


async def test_read_only_looks_and_says_why_it_decides_nothing(agent: MemoryStore, opened: Open, path: Path) -> None:
    learn(agent, "One is here", "Two is there")
    async with opened(read_only=True) as driven:
        await driven.press("i", "a")
        assert card(driven) == "One is here"
        assert "read-only" in driven.text()
        assert "nothing was changed" in driven.text()
        await driven.press("j")
        assert card(driven) == "Two is there"
    assert left(path) == 2


async def test_o_shows_the_turn_and_enter_leads_to_the_fact(agent: MemoryStore, opened: Open) -> None:
    said = agent.conversation("s1", namespace="user:42").record("I live in Oslo by the sea", "Nice.")
    assert said is not None
    agent.memory("user:42").write("Lives in Oslo", turns=[said.id], session="s1")
    async with opened() as driven:
        await driven.press("i", "o")
        assert "I live in Oslo by the sea" in driven.text()
        assert "s1, turn 1" in driven.text()
        await driven.press("escape", "enter")
        assert driven.cursor_text == "Lives in Oslo"


@pytest.mark.parametrize("size", [(60, 20), (60, 10), (200, 60), (80, 24)])
async def test_every_size_shows_the_card_and_what_is_left(
    agent: MemoryStore, opened: Open, size: tuple[int, int]
) -> None:
    learn(agent, "One is here", "Two is there")
    async with opened(size=size) as driven:
        await driven.press("i")
        assert "‹ Inbox  0 of 2" in driven.text()
        assert "One is here" in driven.text()
        assert "a accept" in driven.text()


async def test_the_mouse_decides_opens_sessions_and_picks_what_is_there(agent: MemoryStore, opened: Open) -> None:
    learn(agent, "Old one", session="s1")
    learn(agent, "New one", "New two", session="s2")
    async with opened() as driven:
        await driven.press("i")
        await click(driven, "s1 planner", 2)
        assert card(driven) == "Old one"
        await click(driven, "a accept")
        assert "1 of 3 decided" in driven.text()
        await click(driven, "A accept the rest")
        assert "Accept 2 facts" in driven.text()


async def click(driven: Driven, text: str, least: int = 0) -> None:
    """Click on a text, at the first line from one on that shows it."""
    lines = driven.lines()
    y = next(y for y, line in enumerate(lines) if y >= least and text in line)
    await driven.pilot.click(offset=(lines[y].index(text), y))
    await driven.settle()


async def test_the_browse_screen_says_how_many_wait(agent: MemoryStore, opened: Open) -> None:
    learn(agent, "One is here", "Two is there", "Three is gone")
    async with opened() as driven:
        assert "i inbox 3" in driven.status
    async with opened(size=(60, 20)) as driven:
        assert "i inbox 3" in driven.lines()[0]
