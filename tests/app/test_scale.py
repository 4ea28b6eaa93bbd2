"""What a key or a commit costs on a store of many records, counted in questions, rows and drawings instead of time."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.strip import Strip

from driving import Driven, Open
from memview import MemoryStore
from memview.app.loader import FIRST, Loader
from memview.app.widgets import detail
from memview.app.widgets.layout import Line, lay_out
from memview.app.widgets.record_list import RecordList
from memview.memory import looking

pytestmark = pytest.mark.asyncio

MANY = 20_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of many facts, made once: one in a hundred is about a harbour, all are about a ship."""
    file = tmp_path_factory.mktemp("large") / "made.db"
    texts = [f"Ship {n} lies in the {'harbour' if n % 100 == 0 else 'roads'}" for n in range(MANY)]
    with MemoryStore(file, synchronous="NORMAL") as store:
        for start in range(0, MANY, 5_000):
            store.memory("user:42").write_many(texts[start : start + 5_000])
    return file


@pytest.fixture
def large(made: Path, path: Path) -> Iterator[MemoryStore]:
    """A copy of it for one test."""
    shutil.copyfile(made, path)
    with MemoryStore(path, agent="scribe") as store:
        yield store


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts questions to the store by name, and lines that the list draws."""
    done: Counter[str] = Counter()

    def counted(owner: type, name: str) -> None:
        plain = getattr(owner, name)

        def counting(*args: object, **named: object) -> object:
            done[name] += 1
            return plain(*args, **named)

        monkeypatch.setattr(owner, name, counting)

    for name in ("search", "compare", "rows", "detail"):
        counted(Loader, name)
    counted(RecordList, "paint_line")
    return done


def shown(driven: Driven) -> int:
    """How many lines of rows the list has in view."""
    return driven.screen.list.size.height


async def test_a_key_asks_once_and_draws_each_line_once(large: MemoryStore, opened: Open, work: Counter[str]) -> None:
    async with opened() as driven:
        await driven.press("slash")
        work.clear()
        await driven.press("h")
        assert len(driven.screen.list.keys) == MANY // 100
        assert (work["search"], work["compare"], work["detail"]) == (1, 0, 0)  # the first comes along
        assert work["paint_line"] <= shown(driven)


async def test_a_key_that_changes_no_row_draws_none(large: MemoryStore, opened: Open, work: Counter[str]) -> None:
    async with opened() as driven:
        await driven.press("slash")
        await driven.type("harbour")
        work.clear()
        await driven.press("space")
        assert (work["search"], work["paint_line"]) == (1, 0)


async def test_keys_typed_at_once_are_answered_by_the_last(
    large: MemoryStore, opened: Open, work: Counter[str]
) -> None:
    async with opened() as driven:
        await driven.press("slash")
        work.clear()
        await driven.type("harbour")
        assert len(driven.screen.list.keys) == MANY // 100
        assert work["paint_line"] <= 7 * shown(driven)


async def test_the_first_rows_of_very_many_come_before_all(
    large: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[int] = []
    plain = looking.Lookup.find

    def find(self: looking.Lookup, raw: object, query: looking.Query, now: object) -> looking.Found:
        limits.append(query.limit or 0)
        return plain(self, raw, query, now)  # type: ignore[arg-type]

    monkeypatch.setattr(looking.Lookup, "find", find)
    async with opened() as driven:
        assert limits == [FIRST, 0]
        assert len(driven.screen.list.keys) == MANY
        await driven.press("slash")
        await driven.type("harbour")
        assert limits[-1] == FIRST


async def test_going_to_the_end_reads_only_the_rows_around_it(
    large: MemoryStore, opened: Open, work: Counter[str]
) -> None:
    async with opened() as driven:
        work.clear()
        await driven.press("G")
        assert driven.cursor_text == "Ship 0 lies in the harbour"
        assert work["search"] == 0
        assert len(driven.screen.list._rows._rows) < 500


async def test_a_commit_elsewhere_reads_what_changed_alone(
    large: MemoryStore, opened: Open, work: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.screen.desk.watch.watching)
        await driven.settle()
        searched: list[object] = []
        monkeypatch.setattr(looking.Lookup, "find", lambda *args: searched.append(args))
        work.clear()
        large.memory("user:42").write("A boat came in")
        await driven.until(lambda: driven.rows()[0] == "A boat came in")
        await driven.settle()
        assert searched == []
        assert (work["search"], work["compare"], work["rows"], work["detail"]) == (0, 1, 0, 0)
        assert work["paint_line"] <= shown(driven)


async def test_the_top_is_followed_however_many_come_in(large: MemoryStore, opened: Open) -> None:
    memory = large.memory("user:42")
    async with opened(watched=True) as driven:
        await driven.until(lambda: driven.screen.desk.watch.watching)
        await driven.press("1")
        key = driven.screen.list.cursor_key
        for n in range(3 * shown(driven)):
            memory.write(f"Boat {n}")
        last = f"Boat {3 * shown(driven) - 1}"
        await driven.until(lambda: driven.lines(driven.screen.list)[0].count(last))
        assert driven.screen.list.cursor_key == key


async def test_long_facts_are_laid_out_once_and_drawn_as_far_as_they_show(
    store: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "\n".join(f"line {n}" for n in range(2_000))
    store.memory("user:42").write_many([f"Log {i}\n{body}" for i in range(200)])
    laid: list[int] = []
    drawn: list[int] = []

    def counted(*args: Any) -> list[Line]:
        lines = lay_out(*args)
        laid.append(len(lines))
        return lines

    draw = detail.DetailPane.render_line

    def drawing(self: detail.DetailPane, y: int) -> Strip:
        drawn.append(y)
        return draw(self, y)

    monkeypatch.setattr(detail, "lay_out", counted)
    monkeypatch.setattr(detail.DetailPane, "render_line", drawing)
    async with opened() as driven:
        laid.clear()
        drawn.clear()
        for key in ("3", "2", "1", "2", "tab", "2"):
            await driven.press(key)
        assert laid == []
        height = driven.screen.detail.size.height
        assert len(drawn) <= 12 * height  # a pane may be drawn again for what came meanwhile; the text has 2,000 lines
        drawn.clear()
        await driven.press("j")
        assert driven.cursor_text.startswith("Log 198")
        assert len(laid) == 1
        assert laid[0] < 1_100
        assert len(drawn) <= 6 * height
