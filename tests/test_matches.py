"""Matches: what is made bold in a shown text."""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memview.store.matches import Matcher, spans
from memview.store.words import term, terms

if TYPE_CHECKING:
    from _typeshed import TraceFunction

TEXT = st.text(st.one_of(st.sampled_from("aBc dE_1./東京都ガßéﬁ½İ\u0301\u200b가ﾞ"), st.characters()), max_size=30)


def lit(shown: str, query: str, *, prefix: bool = True) -> list[str]:
    return [shown[start:end] for start, end in spans(shown, terms(query), prefix=prefix)]


@pytest.mark.parametrize(
    ("shown", "query", "expected"),
    [
        ("The deploys are done", "deploying", ["deploys"]),
        ("A deployment window", "depl win", ["deployment", "window"]),
        ("nothing here", "deploy", []),
        ("Café or CAFE\u0301", "cafe", ["Café", "CAFE\u0301"]),
        ("Cafe", "café", ["Cafe"]),
        ("ß Straße straße", "strasse", ["Straße", "straße"]),
        ("İstanbul x", "istanbul x", ["İstanbul", "x"]),
        ("ﬁne ½ day", "fine day", ["ﬁne", "day"]),
        ("the getUserName call", "user", ["User"]),
        ("the getUserName call", "getUser", ["getUserName"]),
        ("the getUserName call", "get_user_name", ["getUserName"]),
        ("snake_case_name", "case", ["case"]),
        ("see src/app/main_loop.py now", "app/main_loop.py", ["app/main_loop.py"]),
        ("see POL-358, POL-3", "pol-358", ["POL-358"]),
        ("I don't", "don't", ["don't"]),
        ("私は東京都に住む", "東京", ["東京"]),
        ("私は東京都に住む", "京都に", ["京都に"]),
        ("私は東京都に住む", "都", ["都"]),
        ("ｶﾞｽ料金", "ガス", ["ｶﾞｽ"]),
        ("나는 한국어를", "한국", ["한국"]),
        ("живёт в Москве", "москв", ["Москве"]),
        ("a -> b -> c", "->", ["->", "->"]),
        ("ship 🚀 it", "🚀", ["🚀"]),
        ("pass\u200bword", "password", ["pass\u200bword"]),
        ("aa aa aa", "aa", ["aa", "aa", "aa"]),
    ],
)
def test_what_matches_is_lit(shown: str, query: str, expected: list[str]) -> None:
    assert lit(shown, query) == expected


def test_whole_words_only_unless_prefixes_count() -> None:
    assert lit("deployment done", "depl don", prefix=False) == []


def test_a_phrase_is_lit_as_one() -> None:
    matcher = Matcher([term("deploy window", phrase=True)], prefix=True)
    shown = "The deploy  window, a deploy; a window; deploy windowed"
    assert [shown[start:end] for start, end in matcher.spans(shown)] == ["deploy  window", "deploy windowed"]
    assert Matcher([term("a a b", phrase=True)], prefix=False).spans("a a a b") == [(2, 7)]


def test_what_is_excluded_is_not_lit() -> None:
    assert spans("a b", [term("a", exclude=True), term("b")], prefix=True) == [(2, 3)]
    assert spans("a", [], prefix=True) == []


@given(TEXT, TEXT, st.booleans())
def test_places_are_in_order_and_inside(shown: str, query: str, prefix: bool) -> None:
    places = spans(shown, [*terms(query), term(query, phrase=True)], prefix=prefix)
    edges = [edge for place in places for edge in place]
    assert edges == sorted(set(edges))
    assert all(0 <= edge <= len(shown) for edge in edges)


@given(TEXT)
def test_a_text_is_lit_by_each_of_its_words(shown: str) -> None:
    for word in shown.split():
        assert spans(shown, [term(word)], prefix=False)


@pytest.mark.parametrize("line", ["a", "a ", "東", "aB", "a_", "é", "\u0301", "deploy ", "("])
def test_a_line_twice_as_long_takes_about_twice_as_long(line: str) -> None:
    matcher = Matcher(terms("a/a/b deploy 東東京 () é"), prefix=True)

    def work(count: int) -> int:
        """How many lines of code are run."""
        done = 0

        def count_line(frame: FrameType, event: str, argument: object) -> TraceFunction:
            nonlocal done
            done += event == "line"
            return count_line

        before = sys.gettrace()
        sys.settrace(count_line)
        try:
            matcher.spans(line * count)
        finally:
            sys.settrace(before)
        return done

    work(50)
    assert work(1_000) < 200 + 3 * work(500)
