from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual.widgets import Input, TextArea

from alone import NOON, Host, play
from memview import MemoryStore
from memview.app import drafts
from memview.app.acts import Told
from memview.app.drafts import Draft, StandIns, tags_of, tags_text
from memview.app.keeping import Keeper, holding
from memview.app.screens.edit import EditScreen
from memview.app.screens.message import MessageScreen
from memview.memory import state
from memview.text import is_hostile


NASTY = st.text(st.sampled_from("ab \t\r\n\x00\x1b\x85\u2028\u202e\u200b■□\U000e0041\ud800é"), max_size=30)


@given(NASTY, NASTY)
@example("\r", "\n")
@example("\r\n", "\r\n")
@example("a\n\r\n", "■")
def test_a_field_gives_back_exactly_what_was_stored(text: str, line: str) -> None:
    stand_ins = StandIns(text, [line])
    area = TextArea(stand_ins.show(text))
    assert stand_ins.store(area.text) == text
    assert not is_hostile(stand_ins.show(text).replace("\r\n", "\n"))
    assert stand_ins.store(stand_ins.show_line(line)) == line
    assert not {"\n", "\r", "\t"} & set(stand_ins.show_line(line))


TAG = st.text(max_size=8) | st.text(st.sampled_from('a ,"\n'), max_size=6)


@given(st.lists(TAG, unique=True, max_size=4))
@example(["a b"])
@example(["0\xa00", "x\ny", "  "])
@example(['say "hi"'])
@example(["a,b", "c"])
def test_tags_come_back_from_their_field(tags: list[str]) -> None:
    assert tags_of(tags_text(tags)) == tags


def test_only_what_changed_is_written() -> None:
    base = Draft("text", "", "a, b", "5.5")
    assert drafts.changes(base, base) == {}
    assert drafts.changes(base, Draft("text", "c", "a, b ", "7")) == {"category": "c", "importance": 7}
    assert drafts.changes(base, Draft("text ", "", "a, b", "5.5", "Internal", "")) == {
        "content": "text ", "confidentiality": "internal", "metadata": {},
    }  # fmt: skip
    assert drafts.changes(Draft("t", "c", "a", "5"), Draft("t", " ", "", "5")) == {"category": None, "tags": []}
    assert drafts.problems(base, base) == {}
    bad = drafts.problems(base, Draft("", "", "", "11", "secret", "[1]"))
    assert list(bad) == ["content", "importance", "confidentiality", "metadata"]
