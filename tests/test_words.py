"""Words: whatever was written is found by what a person would type for it. Checked against SQLite's own FTS5."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memview.store.porter import stem
from memview.store.words import (
    MAX_INDEXED,
    MAX_TERMS,
    TOKENIZE,
    Term,
    all_of,
    any_of,
    as_text,
    expression,
    flatten,
    none_of,
    prepare,
    spans_of_words,
    term,
    terms,
)

SPACELESS_LETTERS = "東京都の塔私は日本語を話す我喜欢汉语가나다한국어ガバワーทยกินမြနខមែរ"
MIXED = st.text(
    st.one_of(
        st.sampled_from(SPACELESS_LETTERS),
        st.sampled_from("abcXYZ019 __..--''\"*()/:^éßłЙяñ"),
        st.characters(),
    ),
    max_size=40,
)


class Index:
    """An FTS5 table as the store makes it, in memory."""

    def __init__(self) -> None:
        self.raw = sqlite3.connect(":memory:")
        self.raw.execute(f'CREATE VIRTUAL TABLE words USING fts5(content, extra, tokenize = "{TOKENIZE}")')

    def put(self, *texts: str) -> None:
        self.raw.execute("DELETE FROM words")
        self.raw.executemany("INSERT INTO words VALUES (?, '')", [(prepare(text),) for text in texts])

    def match(self, asked: str) -> list[int]:
        found = self.raw.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", (asked,))
        return [row[0] for row in found]

    def finds(self, query: str, *texts: str, prefix: bool = False) -> list[str]:
        self.put(*texts)
        return [texts[n - 1] for n in self.match(all_of(terms(query), prefix=prefix))]


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    made = Index()
    yield made
    made.raw.close()


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("DEPLOY", "The deploy window"),
        ("deploying", "She deploys it"),
        ("Москва", "живёт в москва"),
        ("ёлка", "новая елка"),
        ("cafe", "the Café"),
        ("café", "the cafe\u0301"),
        ("strasse", "Straße 5"),
        ("lodz", "Łódź"),
        ("istanbul", "İSTANBUL"),
        ("東京", "私は東京都に住んでいます"),
        ("住んで", "私は東京都に住んでいます"),
        ("喜欢", "我喜欢汉语"),
        ("语", "我喜欢汉语"),
        ("都", "東京都に住む"),
        ("한국", "나는 한국어를 말한다"),
        ("ガス", "ｶﾞｽ料金"),
        ("กิน", "ฉันกินข้าว"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
        ("ABC", "ＡＢＣ"),
        ("user", "call getUserName now"),
        ("getUserName", "get_user_name()"),
        ("user_name", "getUserName"),
        ("getusername", "getUserName"),
        ("user name", "getUserName"),
        ("http", "XMLHttpRequest"),
        ("xmlhttprequest", "XMLHttpRequest"),
        ("main_loop.py", "src/app/main_loop.py:12"),
        ("v2beta", "release v2beta"),
        ("sha256", "SHA256"),
        ("password", "pass\u200bword"),
        ("don't", "I don't know"),
        ("a/b", "either a/b or c"),
        ("POL-358", "see POL-358"),
        ("20.04", "Ubuntu 20.04"),
        ("AND", "this and that"),
        ("col:", "col: value"),
        ("NEAR(", "NEAR(x)"),
        ("^x", "^x marks"),
        ("C++", "C++ code"),
        ("🚀launch", "🚀launch day"),
    ],
)
def test_a_query_finds_what_a_person_means(index: Index, query: str, text: str) -> None:
    assert index.finds(query, text, "something else entirely") == [text]
    assert index.finds(query, text, "something else entirely", prefix=True) == [text]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("東都", "東京都"),
        ("358", "POL-3581"),
        ("20.04", "20.4"),
        ("て", "でも"),
        ("กา", "กิน"),
        ("user:alice", "user:alicia"),
    ],
)
def test_a_query_does_not_find_what_is_only_alike(index: Index, query: str, text: str) -> None:
    assert index.finds(query, text) == []


def test_what_is_typed_so_far_finds_what_it_begins(index: Index) -> None:
    texts = ("the getUserName call", "deployment", "東京都", "gets busy")
    assert index.finds("getUs", *texts, prefix=True) == ["the getUserName call"]
    assert index.finds("depl", *texts, prefix=True) == ["deployment"]
    assert index.finds("depl", *texts) == []
    assert index.finds("京", *texts) == ["東京都"]


def test_a_phrase_runs_into_and_out_of_an_identifier(index: Index) -> None:
    index.put("the getUserName call fails")
    for phrase in ("the getUserName", "the getUserName call", "user name call", "getUserName call fails"):
        assert index.match(expression(term(phrase, phrase=True), prefix=False)) == [1], phrase
    assert index.match(expression(term("name getUserName", phrase=True), prefix=False)) == []


def test_quoted_words_are_whole_words(index: Index) -> None:
    index.put("deployment window")
    assert index.match(expression(term("deployment wind", phrase=True), prefix=True)) == []
    assert index.match(expression(term("deployment wind"), prefix=True)) == [1]


def test_all_any_and_none(index: Index) -> None:
    index.put("red apple", "green apple", "red brick")
    red, apple = terms("red apple")
    assert index.match(all_of([red, apple], prefix=False)) == [1]
    assert index.match(any_of([red, apple], prefix=False)) == [1, 2, 3]
    no_apple = term("apple", exclude=True)
    assert index.match(all_of([red, no_apple], prefix=True)) == [3]
    assert index.match(any_of([red, no_apple], prefix=True)) == [3]
    assert all_of([no_apple], prefix=True) == ""
    assert index.match(none_of([red, no_apple])) == [1, 2]


def test_fillers_do_not_make_a_match_unless_there_is_nothing_else(index: Index) -> None:
    index.put("What to do", "The deploy window is Tuesday")
    assert index.match(any_of(terms("When can we deploy?"), prefix=False)) == [2]
    assert index.match(any_of(terms("what to do"), prefix=False)) == [1]


def test_another_word_may_stand_for_the_last_one(index: Index) -> None:
    index.put("two universities")
    asked = term("universi")
    assert index.match(expression(asked, prefix=True)) == []
    assert index.match(expression(asked, prefix=True, also=["universe"])) == [1]
    assert index.match(expression(term("two-universi"), prefix=True, also=["universe", "..."])) == [1]


@pytest.mark.parametrize("text", ['"', "*", "-", "()", "🚀", "🤖", "_", "...", "\x00", "\ud800"])
def test_what_has_no_letter_or_digit_is_literal(text: str) -> None:
    found = terms(text)
    assert [one.literal for one in found] == [True]
    assert all_of(found, prefix=True) == ""
    found[0].text.encode()
    with pytest.raises(ValueError, match="literal"):
        expression(found[0], prefix=True)


def test_a_very_long_query_is_bounded_and_runs(index: Index) -> None:
    index.put("w0 w1", "a/b")
    many = " ".join(f"w{n}" for n in range(3000))
    assert len(terms(many)) == MAX_TERMS
    assert index.match(any_of(terms(many), prefix=True)) == [1]
    assert index.match(all_of(terms("a/b" * 3000 + " x"), prefix=True)) == []
    assert len(terms("東" * 10_000)[0].pieces) == MAX_TERMS


def test_whatever_stands_in_a_text_column_has_a_text() -> None:
    assert [as_text(value) for value in ("x", None, 7, 1.5, b"caf\xc3\xa9 \xff")] == [
        "x",
        "",
        "7",
        "1.5",
        "café \ufffd",
    ]


def test_no_bytes_are_lost_to_nul_or_lone_surrogates(index: Index) -> None:
    assert index.finds("after", "before\x00after \ud800 tail") == ["before\x00after \ud800 tail"]
    assert index.finds("tail", "before\x00after \ud800 tail") == ["before\x00after \ud800 tail"]


def test_only_the_beginning_of_an_enormous_text_is_indexed() -> None:
    assert prepare("a " * MAX_INDEXED).count("a") == MAX_INDEXED // 2


def test_a_key_is_kept_in_one_piece_or_few() -> None:
    key = "aB3" * 400
    assert prepare(key) == key.lower()
    assert prepare("aB_" * 400) == " ".join(["ab"] * 400)


@given(MIXED)
def test_no_query_makes_fts_fail(text: str) -> None:
    index = _shared()
    for prefix in (True, False):
        for asked in (all_of(terms(text), prefix=prefix), any_of(terms(text), prefix=prefix)):
            if asked:
                assert index.match(asked) is not None
    quoted = (term(text, phrase=True), term(text, exclude=True), term("x"))
    index.match(all_of([one for one in quoted if not one.literal], prefix=True))


@given(MIXED, st.booleans())
def test_every_word_of_a_text_finds_the_text(text: str, prefix: bool) -> None:
    index = _shared()
    index.put(text)
    for word in text.split():
        asked = all_of([term(word)], prefix=prefix)
        assert asked == "" or index.match(asked) == [1]
    whole = term(text, phrase=True)
    assert whole.literal or index.match(expression(whole, prefix=prefix)) == [1]


@given(st.text(st.sampled_from(SPACELESS_LETTERS), min_size=1, max_size=20), st.text("ab1. ", max_size=5), st.data())
def test_every_part_of_a_run_without_spaces_finds_the_text(run: str, around: str, data: st.DataObject) -> None:
    index = _shared()
    index.put(around + run + around)
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    part = term(run[start:end])
    assert part.literal or index.match(expression(part, prefix=False)) == [1]


@given(MIXED)
def test_words_have_their_places_in_the_text(text: str) -> None:
    flat = flatten(text)
    places = list(spans_of_words(flat))
    assert " ".join(word for word, _, _ in places) == prepare(text)
    assert all(0 <= start < end <= len(flat) for _, start, end in places)


@given(st.text(st.sampled_from("aeiouyblstzдé"), max_size=6), st.sampled_from(_ENDINGS := [
    "", "s", "es", "ies", "sses", "ed", "eed", "ing", "y", "e", "ational", "ization", "iveness", "biliti", "logi",
    "icate", "ative", "ful", "ement", "ion", "sion", "ll", "ate", "izing", "ated",
]))  # fmt: skip
def test_stems_are_those_of_fts5(beginning: str, ending: str) -> None:
    word = flatten(beginning + ending)
    index = _shared()
    index.put(word)
    index.raw.execute("CREATE VIRTUAL TABLE IF NOT EXISTS filed USING fts5vocab(words, 'row')")
    assert [row[0] for row in index.raw.execute("SELECT term FROM filed")] == ([stem(word)] if word else [])


def test_terms_keep_what_was_typed() -> None:
    assert terms("POL-358 POL-358 x") == (Term("POL-358", ("pol", "358")), Term("x", ("x",)))


_made: list[Index] = []


def _shared() -> Index:
    if not _made:
        _made.append(Index())
    return _made[0]
