"""Secrets in stored texts: flagged, masked wherever they would be shown, and shown where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.conflict import ConflictScreen
from memview.app.screens.erase import EraseScreen
from memview.review import masking
from memview.review.secrets import MASK
from support import sql

pytestmark = pytest.mark.asyncio

VALUE = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1234"
KEY = f"ghp_{VALUE}"


@pytest.fixture
def keys(filled: MemoryStore) -> MemoryStore:
    """The store with a key in three facts (one of them in its history alone) and two turns."""
    talk = filled.conversation("s7", namespace="user:42")
    first = talk.record(f"Deploy with {KEY} please", "Done")
    assert first is not None
    talk.record("What was the key?", f"It is {KEY}")
    memory = filled.memory("user:42")
    memory.write(f"Deploy key is {KEY}", turns=[first.id], session="s7", tags=["deploy"])
    memory.write(f"The CI uses {KEY} as well")
    memory.write(f"Old key {KEY} was revoked", metadata={"note": f"see {KEY}"})
    filled.close()
    return filled


async def search(driven: Driven, text: str) -> None:
    await driven.press("slash", "ctrl+u")
    await driven.type(text)
    await driven.press("enter")


def flags(driven: Driven) -> dict[str, str]:
    """The flag of each row in view, by its text."""
    listed = driven.screen.list
    rows = [listed._rows.get(key) for key in listed.keys]
    return {row.text: row.flag for row in rows if row is not None}


async def test_a_secret_is_flagged_and_masked_in_list_and_detail(keys: MemoryStore, opened: Open) -> None:
    async with opened(size=(160, 50)) as driven:
        await search(driven, "deploy key")
        assert flags(driven)[f"Deploy key is ghp_{MASK}"] == "!"
        shown = driven.text()
        assert VALUE[:6] not in shown
        assert f"Deploy with ghp_{MASK} please" in shown  # the sentence it came from
        await driven.press("right_square_bracket")
        assert VALUE[:6] not in driven.text()
        assert f"Deploy with ghp_{MASK} please" in driven.text()


async def test_the_detail_shows_it_where_that_is_asked_for_until_one_moves_on(keys: MemoryStore, opened: Open) -> None:
    async with opened(size=(160, 50)) as driven:
        await search(driven, "key")
        await driven.press("exclamation_mark")
        assert VALUE in driven.text().replace("\n", "")
        await driven.press("exclamation_mark")
        assert VALUE[:6] not in driven.text()
        await driven.press("exclamation_mark", "j")
        assert VALUE[:6] not in driven.text()
        await driven.press("k")
        assert VALUE[:6] not in driven.text()


async def test_what_has_no_secret_says_so(filled: MemoryStore, opened: Open) -> None:
    filled.close()
    async with opened() as driven:
        await driven.press("exclamation_mark")
        assert "no secret was found in it" in driven.status


async def test_metadata_and_history_are_masked(keys: MemoryStore, opened: Open, path: Path) -> None:
    with MemoryStore(path) as store:
        memory = store.memory("user:42")
        old = next(fact for fact in memory.list() if fact.content.startswith("Old key"))
        memory.update(old.id, content="Old key was revoked")
    async with opened(size=(160, 50)) as driven:
        await search(driven, "revoked")
        shown = driven.text()
        assert "changed the text" in shown
        assert f"see ghp_{MASK}" in shown
        assert VALUE[:6] not in shown


async def test_a_copy_has_the_secret_and_says_so(keys: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "deploy key")
        await driven.press("y")
        assert driven.app.clipboard == f"Deploy key is {KEY}"
        assert "with its secret" in driven.status


async def test_dialogs_are_masked(keys: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "is:secret")
        assert len(driven.rows()) == 3
        await driven.press("g", "e")
        assert isinstance(driven.app.screen, EraseScreen)
        assert f"ghp_{MASK}" in driven.text()
        assert VALUE[:6] not in driven.text()
        await driven.press("escape", "asterisk", "d")
        assert "Forget 3 facts" in driven.text()
        assert VALUE[:6] not in driven.text()


async def test_hostile_characters_are_flagged(filled: MemoryStore, opened: Open, path: Path) -> None:
    filled.close()
    sql(path, "UPDATE facts SET content = content || char(8238) WHERE content LIKE 'Lives%'")
    async with opened() as driven:
        await search(driven, "oslo")
        assert flags(driven) == {"Lives in Oslo\u202e": "?"}
        assert "\\u202e" in driven.text()


@pytest.mark.parametrize("cut", range(401 - len(KEY), 400, 7))
async def test_a_key_that_is_cut_in_a_row_is_not_shown_either(cut: int) -> None:
    whole = "a " * ((cut - cut % 2) // 2) + KEY
    assert VALUE[:1] not in masking.beginning(whole[: masking.CARRIED]).replace(MASK, "").replace("a ", "")


async def test_a_part_is_masked_where_only_the_rest_tells_that_it_is_secret() -> None:
    whole = "The password is hunter2!x, keep it"
    assert masking.part_hidden("hunter2!x", whole) == MASK
    assert masking.part_hidden("keep", whole) == "keep"


async def test_what_agents_get_does_not_ask_with_the_secret(keys: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "is:secret")
        await driven.press("g", "r")
        assert "What agents get" in driven.text()
        assert MASK in driven.text()
        assert VALUE not in driven.text()


async def test_secrets_of_two_wordings_are_hidden_until_they_are_asked_for(keys: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        await search(driven, "friday")
        await driven.press("e")
        await driven.type("x")
        with MemoryStore(keys.path, agent="scribe") as other:
            (fact,) = other.memory("user:42").search("friday afternoons")
            other.memory("user:42").update(fact.id, f"The key is {KEY}")
        await driven.press("ctrl+s")
        assert isinstance(driven.app.screen, ConflictScreen)
        assert f"The key is ghp_{MASK}" in driven.text()
        assert "show secrets" in driven.text().replace("\xa0", " ")
        await driven.press("exclamation_mark")
        assert KEY in driven.text()
        await driven.press("exclamation_mark")
        assert VALUE[:6] not in driven.text()
