from __future__ import annotations

import sqlite3
import threading
from array import array
from typing import Literal

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.messages import Listed
from memview.memory.looking import Found, Lookup
from support import LIMIT

pytestmark = pytest.mark.asyncio


async def search(driven: Driven, text: str) -> None:
    await driven.press("slash")
    await driven.type(text)


async def test_opens_with_the_newest_first_and_the_exact_counts(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        assert driven.rows()[0] == "Users sign in by mail"
        assert driven.title == "FACTS 6  Turns 3"
        assert driven.found == "6 in all namespaces · newest first"
        top = driven.lines()[0]
        assert "agent.db" in top
        assert "4 namespaces · 6 facts · 3 turns" in top


async def test_search_finds_as_one_types_and_says_how_many_of_how_many(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "dep")
        assert driven.found == "3 of 6 in all namespaces · best first"
        await driven.type("loy fri")
        assert driven.rows() == ["Never deploy on Friday afternoons"]
        await driven.press("enter")
        assert driven.screen.spot == "list"
        assert driven.found == "1 of 6 in all namespaces · best first"


async def test_escape_in_the_search_puts_the_former_search_back(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "oslo")
        await driven.press("enter", "slash")
        await driven.type(" nothing like it")
        await driven.press("escape")
        assert driven.rows() == ["Lives in Oslo"]
        assert driven.screen.search.text == "oslo"
        await driven.press("escape")
        assert len(driven.rows()) == 6


async def test_an_answer_from_before_the_words_were_known_comes_too_late(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "fridya")
        listing = driven.screen.listing
        driven.screen.post_message(Listed(listing.generation, Found(array("q")), True, {}))
        await driven.settle()
        assert driven.rows() == ["Never deploy on Friday afternoons"]


async def test_words_learnt_behind_a_former_search_correct_the_one_typed_meanwhile(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn, learning, go_on = Lookup.learn, threading.Event(), threading.Event()

    def slow(lookup: Lookup, raw: sqlite3.Connection, kind: Literal["facts", "turns"]) -> None:
        learning.set()
        go_on.wait(LIMIT)
        learn(lookup, raw, kind)

    monkeypatch.setattr(Lookup, "learn", slow)
    async with opened() as driven:
        driven.send("slash")
        driven.send("f")
        await driven.until(learning.is_set)
        for letter in "ridya":
            driven.send(letter)
        await driven.until(lambda: driven.screen.search.text == "fridya" and driven.screen.listing.answer.whole)
        assert driven.rows() == []
        go_on.set()
        await driven.settle()
        assert driven.rows() == ["Never deploy on Friday afternoons"]


async def test_misspelt_words_are_corrected_and_said_to_be(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "fridya")
        assert driven.rows() == ["Never deploy on Friday afternoons"]
        assert "no such words; the likeliest" in driven.found


async def test_a_wrong_operator_is_explained_in_the_search_line(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "is:nonsense")
        assert driven.found.startswith("is: takes pinned, accepted")
        assert driven.found.endswith(", …")
        assert len(driven.rows()) == 6


async def test_moving_in_the_list_while_typing(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "deploy")
        first = driven.cursor_text
        await driven.press("down")
        assert driven.cursor_text != first
        assert driven.screen.spot == "search"


async def test_tab_completes_an_operator_and_then_its_namespace(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "n")
        await driven.press("tab")
        assert driven.screen.search.text == "ns:"
        await driven.type("proj")
        await driven.press("tab")
        assert driven.screen.search.text == "ns:project/atlas"
        assert driven.rows() == ["Atlas deploys from main"]
        await driven.press("tab")
        assert driven.screen.spot == "list"


async def test_nothing_found_says_so_and_where_there_is_something(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("1", "j")
        await search(driven, "oslo")
        assert driven.rows() == []
        text = driven.text()
        assert "No fact in project matches." in text
        assert "> all namespaces  1" in text
        await driven.press("enter", "enter")
        assert driven.rows() == ["Lives in Oslo"]
        assert driven.screen.spaces.scope.everything
        assert driven.screen.spot == "list"


async def test_what_to_ask_instead_can_be_chosen_by_key_and_by_click(filled: MemoryStore, opened: Open) -> None:
    forgotten = filled.memory("user:43").list()[0]
    filled.memory("user:43").forget(forgotten.id)
    async with opened() as driven:
        await search(driven, "oslo is:pinned is:accepted after:1d")
        await driven.press("enter")
        text = driven.text()
        assert "without is:pinned" not in text
        await driven.press("escape")
        await search(driven, "oslo")
        await driven.press("enter")
        assert "> forgotten" in driven.text()
        await driven.press("down")
        assert "> turns instead  1" in driven.text()
        await driven.press("k", "enter")
        assert driven.screen.search.text == "oslo is:forgotten"
        assert driven.rows() == ["Lives in Oslo"]
        await driven.press("backspace")
        lines = driven.lines(driven.screen.list)
        y = next(at for at, line in enumerate(lines) if "turns instead" in line)
        await driven.pilot.click("#list", offset=(8, y + 1))
        await driven.settle()
        assert driven.title == "Facts 0  TURNS 1"


async def test_moving_in_the_tree_scopes_the_list_at_once(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("1")
        tree = driven.lines(driven.screen.spaces)
        assert [line.split() for line in tree[:7]] == [
            [">all", "6"],
            ["▾", "project", "1"],
            ["atlas", "1"],
            ["▾", "user", "5"],
            ["user", "alone", "1"],
            ["42", "3"],
            ["43", "1"],
        ]
        await driven.press("G")
        assert driven.rows() == ["Lives in Oslo"]
        assert driven.found == "1 in user:43 · newest first"
        await driven.press("k", "k")
        assert driven.rows() == ["Users sign in by mail"]


async def test_the_tree_folds_and_unfolds(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("1", "G", "h")
        assert driven.screen.spaces.scope.name == "user"
        await driven.press("h")
        assert "42" not in "".join(driven.lines(driven.screen.spaces))
        await driven.press("l")
        assert "42" in "".join(driven.lines(driven.screen.spaces))
        await driven.press("l")
        assert driven.screen.spot == "list"


async def test_tenants_stand_above_only_when_there_are_several(filled: MemoryStore, opened: Open) -> None:
    filled.tenant("acme").memory("user:1").write("Acme pays yearly")
    async with opened() as driven:
        await driven.press("1", "j")
        assert driven.lines(driven.screen.spaces)[1].split() == [">▾", "default", "6"]
        await driven.press("G")
        assert driven.rows() == ["Acme pays yearly"]


async def test_sort_goes_through_the_orders(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("s")
        assert driven.rows()[0].startswith("Deploy window")
        assert driven.found.endswith("oldest first")
        await driven.press("s", "s")
        assert driven.rows()[0] == "Never deploy on Friday afternoons"
        assert driven.found.endswith("most important first")


async def test_turns_are_the_other_tab(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("right_square_bracket")
        assert driven.title == "Facts 6  TURNS 3"
        assert driven.rows()[0] == "I live in Oslo ▸ Nice, Oslo!"
        assert "Nice, Oslo!" in driven.text()
        await driven.press("left_square_bracket")
        assert driven.rows()[0] == "Users sign in by mail"


async def test_turns_read_as_a_conversation(filled: MemoryStore, opened: Open) -> None:
    filled.conversation("s1", namespace="user:42").record("And tests", "")
    async with opened() as driven:
        await driven.press("right_square_bracket")
        assert driven.found.endswith("by session")
        lines = [line[6:].split() for line in driven.lines(driven.screen.list)[:4]]
        assert [line[0] for line in lines] == ["s1", "And", "And", "s2"]
        assert driven.rows() == [
            "We can only ship on Tuesday, 14 to 16 ▸ Noted: Tuesday afternoons.",
            "And never on a Friday ▸ Never on Fridays.",
            "And tests", "I live in Oslo ▸ Nice, Oslo!",
        ]  # fmt: skip
        await driven.press("s")
        assert driven.found.endswith("newest first")
        assert driven.rows()[:2] == ["And tests", "I live in Oslo ▸ Nice, Oslo!"]


async def test_from_a_fact_to_its_turn_and_exactly_back(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "deploy")
        await driven.press("enter")
        for _ in driven.rows():
            if not driven.cursor_text.startswith("Deploy window"):
                await driven.press("j")
        before = (driven.rows(), driven.screen.list.cursor, driven.screen.search.text, driven.found)
        await driven.press("o")
        assert driven.cursor_text.startswith("We can only ship on Tuesday")
        assert driven.rows()[1] == "And never on a Friday ▸ Never on Fridays."
        await driven.press("backspace")
        assert (driven.rows(), driven.screen.list.cursor, driven.screen.search.text, driven.found) == before
        assert driven.screen.spot == "list"


async def test_a_source_opens_from_the_detail_too(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "window 14:00")
        await driven.press("enter", "enter", "enter")
        assert driven.cursor_text.startswith("We can only ship on Tuesday")
        await driven.press("backspace")
        assert driven.screen.spot == "detail"


async def test_the_detail_follows_the_cursor(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("G")
        assert "14:00 to 16:00 UTC" in " ".join("".join(driven.lines(driven.screen.detail)).split())


async def test_a_forgotten_fact_stays_in_place_until_the_list_is_asked_again(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "d")
        assert driven.cursor_text == "Atlas deploys from main"
        row = driven.screen.list.cursor_row
        assert row is not None
        assert (row.note, row.dimmed) == ("forgotten", True)
        assert "forgot 1" in driven.status
        assert "u brings it back" in driven.status
        await driven.press("d")
        assert "it is forgotten already" in driven.status
        assert driven.title.startswith("FACTS 5")
        await driven.press("ctrl+l")
        assert "Atlas deploys from main" not in driven.rows()
        await driven.press("g", "t")
        assert driven.rows() == ["Atlas deploys from main"]


async def test_undo_brings_it_back(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await driven.press("j", "d", "u")
        row = driven.screen.list.cursor_row
        assert row is not None
        assert not row.dimmed
        assert driven.title.startswith("FACTS 6")


async def test_opens_on_a_record(filled: MemoryStore, opened: Open) -> None:
    fact = filled.memory("user:42").list()[-1]
    async with opened(record_id=fact.id) as driven:
        assert driven.cursor_text == fact.content
        assert driven.screen.spaces.scope.name == "user:42"


async def test_an_empty_store_teaches_how_to_fill_it(store: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        text = driven.text()
        assert "from memview import MemoryStore" in text
        assert 'memory.write("Deploy window is Tuesday")' in text


async def test_read_only_offers_no_writing_and_says_why(filled: MemoryStore, opened: Open) -> None:
    async with opened(read_only=True) as driven:
        assert "read-only" in driven.lines()[0]
        assert "forget" not in driven.status
        await driven.press("d")
        assert "read-only · nothing was changed" in driven.status
        assert driven.title.startswith("FACTS 6")


async def test_earlier_searches_come_back_as_in_a_shell(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        for words in ("oslo", "friday"):
            await search(driven, words)
            await driven.press("enter", "escape")
        await search(driven, "dep")
        for key, text in (
            ("ctrl+p", "friday"), ("ctrl+p", "oslo"), ("ctrl+p", "oslo"), ("ctrl+n", "friday"), ("ctrl+n", "dep"),
            ("ctrl+n", "dep"), ("ctrl+p", "friday"),
        ):  # fmt: skip
            await driven.press(key)
            assert driven.screen.search.text == text
        assert driven.rows() == ["Never deploy on Friday afternoons"]
        await driven.press("escape")
        assert driven.screen.search.text == ""


async def test_the_words_that_were_searched_for_are_lit_in_the_turn(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "tuesday")
        await driven.press("enter", "o")
        assert driven.rows()[0].startswith("We can only ship on Tuesday")
        matcher = driven.screen.listing.matcher
        assert matcher is not None
        assert matcher.spans("on Tuesday")
        assert any(line.matches for line in driven.screen.detail._lines)


async def test_a_row_that_no_longer_matches_is_told_of_beside_the_count(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "oslo")
        await driven.press("enter", "d")
        assert "0 of 5 in all namespaces · 1 stays until ctrl+l" in driven.found
        at = driven.lines()[1].index("1 stays")
        await driven.pilot.click(offset=(at + 2, 1))
        await driven.settle()
        assert driven.rows() == []
        assert "stays" not in driven.found
