from __future__ import annotations

import tracemalloc
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memview.text import ELLIPSIS, NEWLINE_MARK, cut, is_hostile, one_line, visible

ANY_TEXT = st.text(alphabet=st.characters())
"""All of Unicode, lone surrogates among it."""

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u200b\u200e\u200f\u2028\u2029"
    "\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068\u2069\u206a\u206f"
    "\u3164\ufe00\ufe01\ufeff\uffa0\ufff9\ufffa\ufffb\ufdd0\ufffe\uffff\ud800\udfff"
    "\U0001bca0\U0001d173\U0001fffe\U000e0001\U000e0041\U000e007f\U000e0100\U000e01ef\U0010ffff"
)
NASTY = "".join(map(chr, [*range(9), *range(11, 32), *range(0x7F, 0xA0)])) + INVISIBLE
HONEST_PIECES = ["a", "\u0645\u06cc", "\u200c", "\u200d", "\ufe0f", "\U0001f469", "\u2764", "1", "\u20e3", "\n"]
MIXED = st.lists(st.sampled_from([*HONEST_PIECES, *NASTY])).map("".join)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("a\x1b]52;c;aGk=\x07b", r"a\x1b]52;c;aGk=\x07b"),
        ("\x9b31mred", r"\x9b31mred"),
        ("safe\rFAKE", r"safe\x0dFAKE"),
        ("gpj\u202eexe", r"gpj\u202eexe"),
        ("pass\u200bword", r"pass\u200bword"),
        ("hi\U000e0041", r"hi\U000e0041"),
        ("half \ud83d", r"half \ud83d"),
        ("a\u200db", r"a\u200db"),
        ("a\ufe0f\u200d\U0001f469", "a\\ufe0f\\u200d\U0001f469"),
        ("\U0001f600\ufe0f\ufe0f\ufe01", "\U0001f600\ufe0f\\ufe0f\\ufe01"),
        ("two\r\nlines\n", "two\nlines\n"),
    ],
)
def test_what_cannot_be_seen_is_written_out(stored: str, shown: str) -> None:
    assert visible(stored) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain ASCII, C:\\x1b [/red] y [@click=app.quit]x[/]",
        "a\ttab and\na line",
        "東京タワー 한국어 ｗｉｄｅ",
        "cafe\u0301 Z\u030a\u0323 naïve",
        "עברית and العربية",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian, with a non-joiner
        "\u0915\u094d\u200d\u0937 \u0d28\u0d4d\u200d",  # Devanagari and Malayalam, with joiners
        "\U0001f469\U0001f3fd\u200d\U0001f680 \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u2764\ufe0f\u200d\U0001f525 1\ufe0f\u20e3 \U0001f1e9\U0001f1ea \u2602\ufe0e",
        "icon \ue0b0, unassigned \u0378",
    ],
)
def test_honest_text_passes_unchanged(text: str) -> None:
    assert visible(text) is text or visible(text) == text
    assert not is_hostile(text)


@pytest.mark.parametrize("character", NASTY)
def test_each_dangerous_character_is_escaped(character: str) -> None:
    shown = visible(f"a{character}b")
    assert shown.isascii()
    assert shown.startswith("a\\")
    assert f"{ord(character):x}" in shown
    assert is_hostile(f"a{character}b")


@given(ANY_TEXT | MIXED)
def test_nothing_dangerous_survives(text: str) -> None:
    shown = visible(text)
    assert not set(shown) & set(NASTY)
    assert not any(
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown.translate({9: 32, 10: 32})
    )


@given(ANY_TEXT | MIXED)
def test_showing_twice_changes_nothing_more(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert not is_hostile(visible(text))


@given(MIXED)
def test_hostile_means_that_something_was_escaped(text: str) -> None:
    assert is_hostile(text) == (visible(text) != text.replace("\r\n", "\n"))


@given(ANY_TEXT | MIXED, st.integers(1, 30))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert not set(line) & {"\n", "\t", *NASTY}


def test_line_breaks_become_one_mark() -> None:
    assert one_line("\n  first \r\n\n\t second\tword\n") == f"first {NEWLINE_MARK} second word"


def test_a_huge_line_costs_no_more_than_a_short_one() -> None:
    huge = "wörd " * 1_000_000
    tracemalloc.start()
    line = one_line(huge)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000, "only its beginning is worked on"
    assert len(line) == 400
    assert line.endswith(ELLIPSIS)


def test_blank_beginning_of_a_long_text_still_says_that_there_is_more() -> None:
    assert one_line(" " * 10_000 + "x") == ELLIPSIS


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 4, "abc…"),
        ("abc def", 5, "abc…"),
        ("abe\u0301f", 4, "ab…"),
        ("a\U0001f468\u200d\U0001f469 x", 4, "a…"),
        ("a\U0001f44d\U0001f3fd x", 3, "a…"),
        ("a\U0001f1e9\U0001f1ea x", 3, "a…"),
        ("\u0301" * 9, 4, "\u0301\u0301\u0301…"),
        ("ab", 1, "…"),
    ],
)
def test_cut_keeps_what_belongs_together(text: str, limit: int, expected: str) -> None:
    assert cut(text, limit) == expected
