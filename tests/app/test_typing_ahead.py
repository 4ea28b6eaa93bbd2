"""Keys typed faster than a dialog opens are meant for the dialog, never for the list beneath."""

from __future__ import annotations

import pytest
from textual.widgets import Input, TextArea

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.edit import EditScreen
from memview.app.screens.erase import EraseScreen
from memview.app.screens.link import LinkScreen
from memview.app.screens.message import MessageScreen

pytestmark = pytest.mark.asyncio


def burst(driven: Driven, *keys: str) -> None:
    """Press keys all at once."""
    for key in keys:
        driven.send(key)


def count(store: MemoryStore) -> int:
    """How many facts agents may get."""
    return sum(store.memory(name).count() for name in ("user", "user:42", "user:43", "project/atlas"))


@pytest.mark.parametrize("opener", ["e", "c"])
async def test_a_text_typed_ahead_goes_into_the_editor(filled: MemoryStore, opened: Open, opener: str) -> None:
    async with opened() as driven:
        burst(driven, "j", opener, *"dad ", "enter", "d")
        await driven.until(lambda: isinstance(driven.app.screen, EditScreen))
        await driven.settle()
        assert driven.app.screen.query_one(TextArea).text.startswith("dad \nd")
        assert count(filled) == 6


async def test_words_typed_ahead_go_into_the_link_picker(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        burst(driven, "j", "L", *"deploy")
        await driven.until(lambda: isinstance(driven.app.screen, LinkScreen))
        await driven.settle()
        assert driven.app.screen.query_one(Input).value == "deploy"
        assert count(filled) == 6


async def test_erase_takes_the_word_typed_ahead(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        burst(driven, "g", "e", "enter", *"eras")
        await driven.until(lambda: isinstance(driven.app.screen, EraseScreen))
        await driven.settle()
        assert driven.app.screen.query_one(Input).value == "eras"
        assert count(filled) == 6


async def test_a_search_kept_and_an_edit_typed_in_one_go(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        burst(driven, "slash", *"oslo", "enter", "e", *"dd")
        await driven.until(lambda: isinstance(driven.app.screen, EditScreen))
        await driven.settle()
        assert driven.screen.search.text == "oslo"
        assert driven.app.screen.query_one(TextArea).text.startswith("dd")
        assert count(filled) == 6


async def test_all_that_match_are_marked_before_the_next_key_acts(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        burst(driven, "asterisk", "d", "y")
        await driven.until(lambda: "forgot 6" in driven.status)
        assert count(filled) == 0


async def test_escape_lets_go_of_what_is_being_opened(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        given_up: list[str] = []
        driven.screen.desk.opening(lambda: False, lambda: given_up.append("it"))
        burst(driven, "d", "d", "escape", "question_mark")
        await driven.until(lambda: driven.app.screen is not driven.screen)
        assert given_up == ["it"]
        assert not isinstance(driven.app.screen, MessageScreen)
        assert count(filled) == 6
