"""Vocabulary: what a mistyped or half-typed word may have meant, held against a real index."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memview.store.porter import stem
from memview.store.vocabulary import Vocabulary, spelt
from memview.store.words import TOKENIZE, expression, prepare, term

TEXTS = (
    "pottery classes", "the universities agreed", "a database release", "deployment window on Tuesday",
    "deploys on Tuesday", "Москва и Тверь", "東京都", "getUserName", "two houses, generous courses",
    "the cat sat", "conspiracies", "sha256 x1y2z3", "window cleaning",
)  # fmt: skip


@pytest.fixture(scope="module")
def raw() -> sqlite3.Connection:
    made = sqlite3.connect(":memory:")
    made.execute(f'CREATE VIRTUAL TABLE words USING fts5(content, tokenize = "{TOKENIZE}")')
    made.execute("CREATE VIRTUAL TABLE filed USING fts5vocab(words, 'row')")
    made.executemany("INSERT INTO words VALUES (?)", [(prepare(text),) for text in TEXTS])
    return made


@pytest.fixture(scope="module")
def vocabulary(raw: sqlite3.Connection) -> Vocabulary:
    return Vocabulary(raw.execute("SELECT term, doc FROM filed"))


def found(raw: sqlite3.Connection, word: str, *, prefix: bool = False, also: tuple[str, ...] = ()) -> list[str]:
    asked = expression(term(word), prefix=prefix, also=also)
    return [TEXTS[row[0] - 1] for row in raw.execute("SELECT rowid FROM words WHERE words MATCH ?", (asked,))]


@pytest.mark.parametrize(
    ("typed", "meant", "text"),
    [
        ("pottrey", "pottery", "pottery classes"),
        ("databse", "database", "a database release"),
        ("realease", "release", "a database release"),
        ("tusday", "tuesday", "deployment window on Tuesday"),
        ("deplyo", "deploy", "deploys on Tuesday"),
        ("Masqva", None, None),
        ("Москвы", "москва", "Москва и Тверь"),
        ("housse", "house", "two houses, generous courses"),
        ("wndow", "window", "window cleaning"),
    ],
)
def test_a_slip_finds_the_word(
    raw: sqlite3.Connection, vocabulary: Vocabulary, typed: str, meant: str | None, text: str | None
) -> None:
    corrections = vocabulary.corrections(typed)
    assert corrections[:1] == ([meant] if meant else [])
    if meant:
        assert text in found(raw, meant)


@pytest.mark.parametrize("typed", ["cta", "at", "", "x1y2z4", "東亰", "two words", "z" * 5000, "\ud800", "qqqqqq"])
def test_short_words_numbers_and_nonsense_have_no_corrections(vocabulary: Vocabulary, typed: str) -> None:
    assert vocabulary.corrections(typed) == []


def test_the_closest_comes_first_then_the_more_frequent() -> None:
    words = Vocabulary([("garden", 3), ("gardon", 50), ("harden", 1000), ("warden", 900)])
    assert words.corrections("gardan") == ["gardon", "garden"]
    assert words.corrections("xarden") == ["harden", "warden", "garden"]
    assert words.corrections("gardan", limit=1) == ["gardon"]


def test_a_half_typed_word_that_outgrew_its_stem(raw: sqlite3.Connection, vocabulary: Vocabulary) -> None:
    assert not vocabulary.has_prefix("universi")
    stem_word = vocabulary.stem_of("universi")
    assert stem_word is not None
    assert found(raw, "universi", prefix=True) == []
    assert found(raw, "universi", prefix=True, also=(stem_word,)) == ["the universities agreed"]
    assert vocabulary.stem_of("universitatem") is None
    assert vocabulary.stem_of("cats") is not None
    assert vocabulary.stem_of("ca") is None


def test_it_knows_what_a_search_would_find(vocabulary: Vocabulary) -> None:
    assert "Deploying" in vocabulary
    assert "deplo" not in vocabulary
    assert vocabulary.has_prefix("deplo")
    assert not vocabulary.has_prefix("xylo")
    assert vocabulary.count("window") == 2
    assert vocabulary.count("windmill") == 0
    assert "anything" not in Vocabulary([])
    assert len(Vocabulary([("a", 1), ("b", 2)])) == 2


def test_every_filed_word_has_a_spelling_that_finds_it(raw: sqlite3.Connection, vocabulary: Vocabulary) -> None:
    for (filed,) in raw.execute("SELECT term FROM filed").fetchall():
        assert stem(spelt(filed, filed)) == filed


@given(st.text(max_size=30))
def test_nothing_typed_makes_it_fail(typed: str) -> None:
    words = Vocabulary([("potteri", 2), ("univers", 1), ("москв", 1), ("東京", 1)])
    words.corrections(typed)
    words.stem_of(typed)
    assert words.has_prefix(typed) or not words.count(typed)
