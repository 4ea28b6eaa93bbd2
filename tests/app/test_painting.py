"""What is painted is what Textual paints, line by line, however little of it is asked for; and when it is."""

from __future__ import annotations

import asyncio
import gc
import random
import weakref

import pytest
from rich.segment import Segment
from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual.app import App, ComposeResult
from textual.color import Color
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip
from textual.widget import Widget

from driving import Open
from memview import MemoryStore
from memview.app import heap
from memview.app.loader import FIRST, Loader
from memview.app.widgets import measure
from memview.app.widgets.record_list import RecordList
from memview.app.widgets.record_row import ListRow

RULES = (
    "",
    "RecordList { border: round red; }",
    "RecordList { border: heavy red; padding: 1 2; }",
    "RecordList { border-left: thick red; background: blue; }",
    "RecordList { border: round red; outline: heavy green; }",
    "RecordList { padding: 1; tint: red 30%; }",
    "RecordList { border: round red; opacity: 50%; }",
    "RecordList { hatch: cross red; padding: 1; text-opacity: 40%; }",
)


def painted(lines: list[Strip]) -> list[list[tuple[str, str]]]:
    """Each cell of some lines: its letter and how it looks."""
    return [[(letter, str(style)) for text, style, _ in line for letter in text] for line in lines]


def drawn(widget: Widget) -> str:
    """What the terminal shows of a widget: as it was last drawn, whatever has changed since."""
    lines = widget._styles_cache._cache
    return "\n".join(lines[line].text for line in sorted(lines))


@pytest.mark.parametrize("rule", RULES)
def test_a_list_is_painted_as_textual_paints_it(rule: str) -> None:
    class Listing(App[None]):
        CSS = rule

        def compose(self) -> ComposeResult:
            yield RecordList()

    async def run() -> None:
        async with Listing().run_test(size=(70, 12)) as pilot:
            listing = pilot.app.query_one(RecordList)
            ours = listing._styles_cache
            for many in (40, 3, 0, 40):
                rows = {
                    key: ListRow(key, f"fact {key} 東京 of {many}", "●", "new", "^", "planner") for key in range(many)
                }
                listing.replace(range(many), rows=rows, matcher=lambda text: [(2, 6)])
                listing.cursor = many // 2
                await pilot.pause()
                for _ in range(2):
                    region = listing.outer_size.region
                    found = painted(listing.render_lines(region))
                    listing._styles_cache = StylesCache()
                    assert found == painted(listing.render_lines(region))
                    listing._styles_cache = ours
                    listing.refresh(Region(0, 2, 9, 3))

    asyncio.run(run())


@pytest.mark.asyncio
async def test_a_part_that_is_painted_is_that_part_of_the_whole(filled: MemoryStore, opened: Open) -> None:
    async with opened() as driven:
        compositor = driven.screen._compositor
        assert type(compositor) is not Compositor
        width, height = compositor.size
        chance = random.Random(5)
        for _ in range(60):
            parts = []
            for _ in range(chance.randint(1, 4)):
                x, y = chance.randrange(width), chance.randrange(height)
                parts.append(Region(x, y, chance.randint(1, width - x), chance.randint(1, min(4, height - y))))
            compositor._dirty_regions.update(parts)
            whole = Compositor.render_strips(compositor)
            update = compositor.render_partial_update()
            assert update is not None
            for y, x, stop in update.spans:
                ends = dict(zip(update.chops[y], update.chop_ends[y], strict=True))
                for place, strip in update.chops[y].items():
                    if place < stop and ends[place] > x:
                        assert strip is not None
                        assert painted([strip]) == painted([whole[y].crop(place, ends[place])])


def test_a_scrollbar_is_drawn_anew_just_where_its_thumb_moves() -> None:
    class Bar(ScrollBar):
        drawn = 0

        def refresh(self, *_: object, **__: object) -> Bar:
            self.drawn += 1
            return self

    class Bars(App[None]):
        def compose(self) -> ComposeResult:
            yield Bar()

        CSS = "Bar { width: 1; height: 100%; }"

    def thumb(bar: ScrollBar) -> list[Segment]:
        seen = bar.window_size if bar.window_size < bar.window_virtual_size else 0
        red, black = Color.parse("red").rich_color, Color.parse("black").rich_color
        whole = ScrollBarRender.render_bar(
            bar.size.height, bar.window_virtual_size, seen, bar.position, back_color=black, bar_color=red
        )
        return list(whole.segments)

    async def run() -> None:
        async with Bars().run_test(size=(9, 31)) as pilot:
            bar, chance = pilot.app.query_one(Bar), random.Random(3)
            moved = 0
            for _ in range(600):
                lines = chance.choice([5, 31, 40, 300, 1_000_000])
                bar.set_reactive(ScrollBar.window_size, 31)
                before, drawn = thumb(bar), bar.drawn
                position = chance.choice([bar.position + 15, chance.uniform(0, max(0, lines - 31))])
                measure.show(bar, lines=lines if chance.random() < 0.3 else None, position=position)
                assert (thumb(bar) != before) <= (bar.drawn > drawn)
                moved += bar.drawn > drawn
            assert 0 < moved < 500

    asyncio.run(run())


@pytest.mark.asyncio
async def test_all_records_are_read_once_the_first_ones_stand(
    store: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.memory("user").write_many([f"Ship {n} lies in the harbour" for n in range(2 * FIRST)])
    shown: list[str] = []
    going_on = Loader.search_on

    def search_on(self: Loader, generation: int, query: object) -> None:
        shown.append(drawn(self._app.query_one(RecordList)))
        going_on(self, generation, query)  # type: ignore[arg-type]

    monkeypatch.setattr(Loader, "search_on", search_on)
    async with opened() as driven:
        assert len(shown) == 1
        await driven.press("slash", "h")
        assert [f"Ship {2 * FIRST - 1} lies" in text for text in shown] == [True, True]
        assert len(driven.screen.list.keys) == 2 * FIRST


@pytest.mark.asyncio
async def test_garbage_is_looked_for_when_a_picture_has_gone_out(
    filled: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    tidied: list[bool] = []
    async with opened() as driven:
        monkeypatch.setattr(heap, "tidy", lambda: tidied.append(True))
        await driven.press("j")
        await driven.until(lambda: tidied)
        await driven.settle()
        tidied.clear()
        await driven.press("j")
        await driven.until(lambda: tidied)
    assert tidied


def test_tidying_takes_new_garbage_away_where_there_is_much() -> None:
    class Thing:
        me: object

    def thrown_away() -> weakref.ref[Thing]:
        thing = Thing()
        thing.me = thing
        return weakref.ref(thing)

    gc.collect()
    gc.disable()
    try:
        gone = thrown_away()
        heap.tidy()
        assert gone() is not None
        kept = [[n] for n in range(2 * heap.YOUNG)]
        heap.tidy()
        assert gone() is None
        assert len(kept) == 2 * heap.YOUNG
    finally:
        gc.enable()
