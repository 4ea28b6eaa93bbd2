"""``memview review --plain``: the inbox line by line, over a pipe and on a terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from command import cli
from memview import MemoryStore
from memview.memory.person import person
from memview.text import is_hostile
from support import SettableClock
from terminal import Terminal


def left(path: Path, reviewer: str | None = None) -> int:
    from memview.review.inbox import count

    with MemoryStore(path, read_only=True) as store:
        return store._read(lambda raw: count(raw, person(reviewer)))


def fill(path: Path, clock: SettableClock, *texts: str, session: str = "s1") -> list[str]:
    with MemoryStore(path, agent="planner", clock=clock) as store:
        facts = store.memory("user:42").write_many([{"content": text, "session": session} for text in texts])
    return [fact.id for fact in facts]


def review(path: Path, letters: str, *arguments: str) -> str:
    told = cli("review", path, "--plain", "--start", "all", *arguments, stdin=letters.encode())
    assert told.status == 0, told.err
    assert "\x1b" not in told.out
    assert not is_hostile(told.out + told.err)
    return told.out + told.err


def test_a_letter_decides_and_what_is_not_decided_stays(path: Path, clock: SettableClock) -> None:
    ids = fill(path, clock, "One", "Two", "Three", "Four")
    told = review(path, "adpq")
    assert "Decided on 3 facts; 1 left." in told
    with MemoryStore(path) as store:
        facts = [store.memory("user:42").get(id) for id in ids]
    assert [fact.status for fact in facts] == ["active", "forgotten", "active", "active"]
    assert [fact.pinned for fact in facts] == [False, False, True, False]
    assert "Four" in review(path, "a")
    assert left(path) == 0
    assert "Nothing waits" in review(path, "a")


def test_later_is_no_decision_and_the_end_of_the_input_stops(path: Path, clock: SettableClock) -> None:
    fill(path, clock, "One", "Two")
    assert "Two" in review(path, "j")
    assert "Decided on 1 fact; 1 left." in review(path, "ja")
    assert left(path) == 1


def test_undo_asks_again(path: Path, clock: SettableClock) -> None:
    fill(path, clock, "One", "Two")
    told = review(path, "duaa")
    assert told.count("  One") == 2
    assert "Took back: forget." in told
    assert "Decided on 2 facts; 0 left." in told


def test_the_rest_of_a_session_is_counted_and_needs_a_y(path: Path, clock: SettableClock) -> None:
    fill(path, clock, "One", "Two", "key ghp_" + "aB3d" * 9)
    fill(path, clock, "Three", session="s2")
    assert "Accept 1 fact?" in review(path, "An")
    assert left(path) == 4
    told = review(path, "Ay Ay")
    assert "Accept 2 facts (1 with a warning left out)?" in told
    assert "warning: it holds a secret" in told
    assert "ghp_aB3d" not in told
    assert left(path) == 1
    assert "Forget 1 fact?" in review(path, "Dy")
    assert left(path) == 0


def test_a_change_shows_both_and_is_put_back(path: Path, clock: SettableClock) -> None:
    (id,) = fill(path, clock, "Staging runs Postgres 15")
    review(path, "a")
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").update(id, "Staging runs Postgres 16")
    told = review(path, "r")
    assert "CHANGED by planner" in told
    assert "before, content: Staging runs Postgres 15" in told
    with MemoryStore(path) as store:
        assert store.memory("user:42").get(id).content == "Staging runs Postgres 15"


def test_the_first_time_it_asks_where_to_begin(path: Path, clock: SettableClock) -> None:
    fill(path, clock, "One")
    told = cli("review", path, "--plain", stdin=b"n")
    assert "1 fact from 1 sessions wait" in told.out
    assert "Nothing waits" in told.err
    assert cli("review", path, "--plain", stdin=b"").err == "Nothing waits for a decision.\n"
    assert left(path, "bob") == 1
    gone = cli("review", path, "--plain", "--reviewer", "bob", stdin=b"")
    assert gone.status == 1
    assert left(path, "bob") == 1


def test_a_hundred_facts_take_no_more_than_110_letters(path: Path, clock: SettableClock) -> None:
    fill(path, clock, *(f"Fact number {number}" for number in range(100)))
    assert "Decided on 100 facts; 0 left." in review(path, "a" * 100)


def test_hostile_text_is_inert(path: Path, clock: SettableClock) -> None:
    bad = "\x1b]0;renamed\x07 \u202e [/red] \x9b2J"
    with MemoryStore(path, agent=bad, clock=clock) as store:
        turn = store.conversation(bad, namespace=bad).record(f"said {bad}", bad)
        assert turn is not None
        store.memory(bad).write(f"said {bad}", category=bad, session=bad, turns=[turn.id])
    assert "hidden or unsafe" in review(path, "o?\x07a")


def test_without_plain_it_says_what_to_do(path: Path, clock: SettableClock) -> None:
    fill(path, clock, "One")
    told = cli("review", path)
    assert told.status == 2
    assert "--plain" in told.err
    assert cli("review", path.parent / "missing.db", "--plain").status == 3


def test_on_a_terminal_a_key_decides_without_enter_and_nothing_moves_the_cursor(
    path: Path, clock: SettableClock
) -> None:
    fill(path, clock, "One", "Two")
    command = [sys.executable, "-m", "memview", "review", os.fspath(path), "--plain", "--start", "all"]
    with Terminal(command) as terminal:
        terminal.wait_for("  One")
        terminal.wait_for(lambda text: text.count("?]") == 1)
        terminal.press("a")
        terminal.wait_for(lambda text: text.count("?]") == 2)
        terminal.press("j")
        terminal.wait_for("1 left.")
        assert terminal.ended() == 0
        assert b"\x1b" not in terminal.raw
    assert left(path) == 1


def test_on_a_terminal_no_key_is_lost_that_is_typed_before_it_is_asked_for(path: Path, clock: SettableClock) -> None:
    fill(path, clock, "One", "Two", "Three")
    command = [sys.executable, "-m", "memview", "review", os.fspath(path), "--plain"]
    with Terminal(command) as terminal:
        terminal.press("a", "d", "Up", "a", "q")
        terminal.wait_for("Decided on 2 facts; 1 left.")
        assert "\\x1b[A does nothing here" in terminal.text
        assert terminal.ended() == 0
