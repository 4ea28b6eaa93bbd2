from __future__ import annotations

import asyncio
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color
from textual.filter import LineFilter
from textual.widgets import Static

from memview.app.guard import ControlGuard

BLACK = Color(0, 0, 0)
OBEYED = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), *"\u202e\u2066\u200e\u061c\u2028"}


class Careless(App[None]):
    """Shows a text that nobody made safe."""

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), ControlGuard()]

    def compose(self) -> ComposeResult:
        careless = Static("a\x1b]52;c;aGk=\x07b \x9b31m \u202egpj\r.", markup=False)
        careless.styles.border = ("round", "white")
        careless.border_title = "t\x1bitle"
        yield careless


@given(st.text(alphabet=st.characters() | st.sampled_from(sorted(OBEYED))))
def test_guard_drops_what_a_terminal_obeys_and_keeps_the_width(text: str) -> None:
    (guarded,) = ControlGuard().apply([Segment(text, Style(bold=True))], BLACK)
    assert not set(guarded.text) & OBEYED
    assert guarded.style == Style(bold=True)
    if "\u200d" not in text and "\ufe0f" not in text:
        assert cell_len(guarded.text) == cell_len(text)


def test_a_link_that_would_break_out_is_dropped() -> None:
    segments = [Segment("x", Style(link="http://a\x1b\\b")), Segment("y", Style(link="http://fine"))]
    bad, good = ControlGuard().apply(segments, BLACK)
    assert bad.style is not None
    assert bad.style.link is None
    assert good.style is not None
    assert good.style.link == "http://fine"


def test_nothing_obeyed_is_drawn_by_a_careless_widget() -> None:
    async def scenario() -> None:
        app = Careless()
        async with app.run_test(size=(40, 5)):
            drawn = [segment.text for strip in app.screen._compositor.render_strips() for segment in strip]
            assert "]52;c;aGk=b" in "".join(drawn)
            assert "title" in "".join(drawn)
            assert not set("".join(drawn)) & OBEYED

    asyncio.run(scenario())
