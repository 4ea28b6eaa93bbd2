"""Small courtesies: a footer that offers what can be done, values for Tab, and a file that went away."""

from __future__ import annotations

from pathlib import Path

import pytest

from driving import Open
from memview import MemoryStore
from memview.app.messages import failed
from memview.app.screens import browse
from memview.errors import MissingStore

ASYNC = pytest.mark.asyncio


@ASYNC
async def test_without_a_record_the_footer_offers_nothing_to_do_with_one(store: MemoryStore, opened: Open) -> None:
    store.close()
    async with opened() as driven:
        for word in ("open", "edit", "forget", "sort", "undo"):
            assert word not in driven.status
        assert "/ search" in driven.status


@ASYNC
async def test_a_search_without_an_answer_offers_no_record_either(filled: MemoryStore, opened: Open) -> None:
    filled.close()
    async with opened() as driven:
        assert "Enter open" in driven.status
        await driven.press("slash")
        await driven.type("zzzzzz qqqqq")
        await driven.press("enter")
        assert not {"open", "sort"} & set(driven.status.split())


@ASYNC
async def test_what_was_done_is_said_for_a_while(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled.close()
    async with opened() as driven:
        await driven.press("d")
        assert "forgot 1" in driven.status
        monkeypatch.setattr(browse, "SAID", 0.01)
        await driven.press("u")
        await driven.until(lambda: "Enter open" in driven.status)


@ASYNC
async def test_a_file_that_went_away_is_waited_for_and_not_created(
    filled: MemoryStore, opened: Open, path: Path
) -> None:
    filled.close()
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.app.desk.watch.watching)
        away = path.with_name("away")
        path.rename(away)
        for key in ("slash", "a", "escape", "d"):
            driven.send(key)
        await driven.until(lambda: "agent.db is gone; waiting for it to come back" in driven.status)
        assert "--create" not in driven.text()
        away.rename(path)
        await driven.until(lambda: "agent.db is back; it was read anew" in driven.status)


@ASYNC
async def test_a_file_that_only_a_read_found_gone_is_said_to_be_back(
    filled: MemoryStore, opened: Open, path: Path
) -> None:
    filled.close()
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.app.desk.watch.watching)
        driven.app.post_message(failed(MissingStore("agent.db is gone."), path))
        await driven.until(lambda: "agent.db is back; it was read anew" in driven.status)
        assert "live" in driven.lines()[0]


@ASYNC
async def test_tab_completes_the_values_of_operators(filled: MemoryStore, opened: Open) -> None:
    filled.memory("user:42").write("Rollbacks are by hand", category="procedure")
    async with opened() as driven:
        await driven.press("slash")
        for typed, completed in (
            ("tag:dep", "tag:deploy"), ("cat:pro", "cat:procedure"), ("agent:pl", "agent:planner"),
            ("session:s", "session:s1"), ("kind:epi", "kind:episodic"),
        ):  # fmt: skip
            driven.screen.search.input.value = ""
            await driven.type(typed)
            await driven.press("tab")
            assert driven.screen.search.text == completed
        filled.memory("user:42").write("Backups run nightly", tags=["zebra"])
        filled.close()
        await driven.press("enter", "slash")
        driven.screen.search.input.value = ""
        await driven.type("tag:z")
        await driven.press("tab")
        assert driven.screen.search.text == "tag:zebra"


@ASYNC
async def test_erase_takes_all_that_are_marked_in_every_tenant(filled: MemoryStore, opened: Open, path: Path) -> None:
    filled.tenant("acme").memory("user:42").write("Deploy key of acme")
    filled.close()
    async with opened() as driven:
        await driven.press("slash")
        await driven.type("deploy")
        await driven.press("enter", "*", "g", "e")
        assert "4 marked facts" in driven.text()
        assert "Erases 4 facts" in driven.text()
        await driven.press("enter")
        await driven.type("erase")
        await driven.press("enter")
        await driven.until(lambda: "Erased 4 facts" in driven.text())
        await driven.press("escape", "escape")
        assert sorted(driven.rows()) == ["Lives in Oslo", "Staging skips the window", "Users sign in by mail"]
        assert not driven.screen.doing.bulk.marks.numbers
