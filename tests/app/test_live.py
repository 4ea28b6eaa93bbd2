from __future__ import annotations

import asyncio
import os
import shutil
import threading
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.message import Message

from driving import Driven, Open
from memview import MemoryStore
from memview.app.live import Watch
from memview.app.merging import merge
from memview.app.messages import StoreReplaced
from support import Process, plain

ASYNC = pytest.mark.asyncio

WRITER = """
import sys
from memview import MemoryStore
with MemoryStore(sys.argv[1], agent="scribe") as store:
    print("ready", flush=True)
    for line in sys.stdin:
        store.memory("user:42").write(line.strip())
        print("wrote", flush=True)
"""

NUMBERS = st.lists(st.integers(0, 30), unique=True, max_size=20)


@given(NUMBERS, NUMBERS, st.booleans())
def test_nothing_that_is_shown_leaves_and_all_that_belongs_is_there(
    shown: list[int], found: list[int], held: bool
) -> None:
    merged = merge(array("q", shown), array("q", found), held=held)
    assert set(shown) <= set(merged.keys)
    assert set(merged.keys) | set(merged.waiting) == set(shown) | set(found)
    assert len(set(merged.keys)) == len(merged.keys)
    assert merged.kept == set(shown) - set(found)
    if held:
        assert list(merged.keys) == shown
    else:
        assert not merged.waiting
        assert [key for key in merged.keys if key not in merged.kept] == found


@given(NUMBERS, st.integers(0, 9_000), st.booleans())
def test_in_a_long_list_little_changes(places: list[int], start: int, held: bool) -> None:
    shown = array("q", range(10_000))
    found = array("q", (key for key in shown if key - start not in places))
    for new, place in enumerate(places, 20_000):
        found.insert(start + 2 * place, new)
    merged = merge(shown, found, held=held)
    assert merged.kept == {start + place for place in places}
    if held:
        assert (merged.keys, sorted(merged.waiting)) == (shown, [*range(20_000, 20_000 + len(places))])
    else:
        assert [key for key in merged.keys if key not in merged.kept] == list(found)
        assert [key for key in merged.keys if key < 20_000] == list(shown)


async def opened_and_watching(driven: Driven) -> None:
    """Wait until the watch knows what is in the store."""
    await driven.until(lambda: driven.screen.desk.watch.watching)
    await driven.settle()


@ASYNC
async def test_what_another_process_writes_appears_with_a_mark_and_a_name(
    filled: MemoryStore, opened: Open, path: Path
) -> None:
    filled.close()
    with Process(WRITER, path) as writer:
        writer.line()
        async with opened(watched=True) as driven:
            await opened_and_watching(driven)
            writer.tell("Rollback needs two people")
            await driven.until(lambda: "Rollback needs two people" in driven.rows())
            await driven.settle()
            assert driven.lines(driven.screen.list)[0].split()[0] == "●"
            assert "live · scribe wrote 1" in driven.lines()[0]
            assert driven.title == "FACTS 7  Turns 3"
            assert "4 namespaces · 7 facts" in driven.lines()[0]


@contextmanager
def flood(store: MemoryStore) -> Iterator[threading.Thread]:
    """Somebody writes one fact after the other meanwhile."""
    stop = threading.Event()

    def write() -> None:
        for number in count():
            store.memory("flood").write(f"Drop number {number}")
            if stop.wait(0.004):
                return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield writer
    finally:
        stop.set()
        writer.join()


@ASYNC
async def test_a_flood_of_writes_starves_neither_the_list_nor_the_person(filled: MemoryStore, opened: Open) -> None:
    async with opened(watched=True) as driven:
        await opened_and_watching(driven)
        with flood(filled) as writer:
            await driven.until(lambda: "Drop number 0" in driven.rows())
            shown = len(driven.rows())
            await driven.until(lambda: len(driven.rows()) > shown)
            await driven.until(lambda: "5 namespaces" in driven.lines()[0])
            driven.send("/")
            for letter in "friday":
                driven.send(letter)
            await driven.until(lambda: driven.rows() == ["Never deploy on Friday afternoons"])
            driven.send("escape")
            await driven.until(lambda: len(driven.rows()) > 6)
            assert writer.is_alive()
        await driven.settle()
        written = filled.memory("flood").count()
        assert f"5 namespaces · {6 + written:,} facts" in driven.lines()[0]
        assert driven.title.startswith(f"FACTS {6 + written:,} ")


@ASYNC
async def test_while_somebody_works_in_the_list_new_rows_wait(filled: MemoryStore, opened: Open, path: Path) -> None:
    async with opened(watched=True) as driven:
        await opened_and_watching(driven)
        await driven.press("j")
        before = driven.rows()
        filled.memory("user:42").write("One more")
        filled.memory("user:42").write("And another")
        await driven.until(lambda: len(driven.screen.listing.answer.waiting) == 2)
        await driven.settle()
        assert driven.rows() == before
        assert "+2 above (gg)" in driven.text()
        assert driven.title.startswith("FACTS 8")
        await driven.press("g", "g")
        assert driven.rows()[:2] == ["And another", "One more"]
        assert driven.cursor_text == "And another"
        assert "above (gg)" not in driven.text()


@ASYNC
async def test_a_recall_elsewhere_shows_in_the_detail(filled: MemoryStore, opened: Open, path: Path) -> None:
    async with opened(watched=True) as driven:
        await opened_and_watching(driven)
        await driven.press("G")
        with plain(path) as other:
            other.execute("UPDATE facts SET access_count = access_count + 1")
        await driven.until(lambda: "1×" in driven.text())
        assert "1×" in "\n".join(driven.lines(driven.screen.detail))


@ASYNC
async def test_the_cursor_stays_on_its_record_while_rows_come_and_go_above_it(
    filled: MemoryStore, opened: Open
) -> None:
    memory = filled.memory("user:42")
    async with opened(watched=True) as driven:
        await opened_and_watching(driven)
        await driven.press("G", "1")
        key = driven.screen.list.cursor_key
        for round in range(20):
            fact = memory.write(f"Passing thought {round}")
            await asyncio.sleep(0.025)
            memory.forget(fact.id)
            await asyncio.sleep(0.025)
            assert driven.screen.list.cursor_key == key
        await driven.until(lambda: "6 facts" in driven.lines()[0])
        await driven.settle()
        assert driven.screen.list.cursor_key == key
        assert driven.app.is_running


def test_a_file_that_is_replaced_before_the_first_look_is_noticed_too(filled: MemoryStore, path: Path) -> None:
    filled.close()
    other = path.with_name("other.db")
    shutil.copy(path, other)
    told: list[Message] = []
    watch = Watch(path, told.append)
    os.replace(other, path)
    watch.check()
    watch.stop()
    assert [type(message) for message in told] == [StoreReplaced]


@ASYNC
async def test_a_file_that_goes_away_is_waited_for(filled: MemoryStore, opened: Open, path: Path) -> None:
    filled.close()
    async with opened(watched=True) as driven:
        await opened_and_watching(driven)
        away = path.with_name("away")
        shutil.copy(path, away)
        path.unlink()
        await driven.until(lambda: "the file is gone; waiting for it" in driven.lines()[0])
        for key in ("j", "slash", "a", "escape"):
            driven.send(key)
        os.replace(away, path)
        await driven.until(lambda: "it was read anew" in driven.status)
        await driven.settle()
        assert len(driven.rows()) == 6


@ASYNC
async def test_a_replaced_file_is_read_anew(filled: MemoryStore, opened: Open, path: Path) -> None:
    filled.close()
    other = path.with_name("other.db")
    with MemoryStore(other, agent="scribe") as store:
        store.memory("elsewhere").write("Something else entirely")
    async with opened(watched=True) as driven:
        await opened_and_watching(driven)
        os.replace(other, path)
        await driven.until(lambda: driven.rows() == ["Something else entirely"])
        assert driven.title.upper().startswith("FACTS 1 ")
