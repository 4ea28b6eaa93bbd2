"""Putting right from the browse screen, with other programs at the same file."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.widgets import Static, TextArea

from driving import Driven, Open
from memview import MemoryStore
from memview.app.screens.conflict import ConflictScreen
from memview.app.screens.edit import EditScreen
from memview.memory import state
from support import Process
from terminal import Terminal, memview

ASYNC = pytest.mark.asyncio

WRITER = """
import sys
from memview import MemoryStore
with MemoryStore(sys.argv[1], agent="scribe") as store:
    memory = store.memory("user:42")
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "erase":
            memory.erase(sys.argv[2])
        else:
            memory.update(sys.argv[2], line.strip())
        print("wrote", flush=True)
"""


def note(driven: Driven) -> str:
    return str(driven.app.screen.query_one("#note", Static).content)


@ASYNC
async def test_an_open_editor_hears_of_another_program(opened: Open, filled: MemoryStore, path: Path) -> None:
    id = filled.memory("user:42").list()[0].id
    filled.close()
    with Process(WRITER, path, id) as writer:
        writer.line()
        async with opened(size=(100, 30), watched=True, record_id=id) as driven:
            await driven.press("e")
            editor = driven.app.screen
            assert isinstance(editor, EditScreen)
            writer.tell("First of theirs")
            await driven.until(lambda: editor.query_one(TextArea).text == "First of theirs")
            await driven.press("x")
            writer.tell("Second of theirs")
            await driven.until(lambda: "Someone else changed this fact meanwhile" in note(driven))
            assert editor.query_one(TextArea).text == "xFirst of theirs"
            await driven.press("ctrl+s")
            conflict = driven.app.screen
            assert isinstance(conflict, ConflictScreen)
            writer.tell("Third of theirs")
            await driven.until(lambda: str(conflict.query_one("#theirs", Static).content) == "Third of theirs")
            await driven.press("escape")
            writer.tell("erase")
            await driven.until(lambda: "This fact was erased meanwhile" in note(driven))
            assert editor.query_one(TextArea).text == "xFirst of theirs"
            await asyncio.sleep(0)
            assert list(state.kept(path)) == []


@ASYNC
async def test_a_new_fact_in_this_namespace(opened: Open, filled: MemoryStore) -> None:
    forgotten = filled.memory("user:42").write("Freezes in December")
    filled.memory("user:42").forget(forgotten.id)
    filled.close()
    async with opened(size=(80, 24)) as driven:
        await driven.press("1", "j", "j", "j")
        where = driven.screen.listing.view.scope.name
        await driven.press("2", "plus")
        assert where in driven.text()
        await driven.press("ctrl+s")
        assert driven.app.screen is driven.screen
        await driven.press("plus")
        await driven.type("Written by hand")
        await driven.press("ctrl+s")
        assert f"wrote 1 in {where} · u takes it back" in driven.status
        assert driven.cursor_text == "Written by hand"
        await driven.press("u")
        assert "took back writing 1 fact" in driven.status


@ASYNC
async def test_what_was_forgotten_is_shown_where_it_can_be_brought_back(opened: Open, filled: MemoryStore) -> None:
    memory = filled.memory("user:42")
    memory.forget(memory.write("Freezes in December").id)
    beside = memory.list()[0].id
    filled.close()
    async with opened(size=(100, 24), record_id=beside) as driven:
        await driven.press("plus")
        await driven.type("Freezes in December")
        await driven.press("ctrl+s")
        assert "this was forgotten before · r brings it back" in driven.status
        assert driven.cursor_text == "Freezes in December"
        await driven.press("r")
        assert "brought back 1" in driven.status


@ASYNC
async def test_on_an_empty_store_it_is_said_what_is_missing(opened: Open, store: MemoryStore) -> None:
    store.close()
    async with opened(size=(80, 24)) as driven:
        await driven.press("plus")
        assert "choose a namespace for it first" in driven.status
        for keys in (("g", "e"), ("c",), ("E",), ("L",)):
            await driven.press(*keys)
            assert "there is nothing under the cursor" in driven.status


def test_a_closed_terminal_keeps_what_was_typed(path: Path) -> None:
    with MemoryStore(path, agent="planner") as store:
        store.memory("user:42").write("Deploy window is Tuesday")
    with Terminal(memview(path), columns=80, rows=24) as terminal:
        terminal.wait_for("Deploy window")
        terminal.press("e")
        terminal.wait_for("importance")
        terminal.press("xyz")
        terminal.wait_for(lambda _: any(b"xyzDeploy" in file.read_bytes() for file in state.kept(path)))
        terminal.hang_up()
        terminal.process.wait(timeout=20)
    with Terminal(memview(path), columns=80, rows=24) as terminal:
        terminal.wait_for("Deploy window")
        terminal.press("e")
        terminal.wait_for("There is an unsaved draft")
        terminal.settle(quiet=0.5)
        terminal.press("u")
        assert "Edit · user:42" in terminal.wait_for("xyzDeploy window")
