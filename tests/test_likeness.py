"""Whether two texts state the same: what counts as equal, and what never does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memview.memory.likeness import NEAR, differs, normalised, repeats, same, similarity


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User prefers dark mode", "  user PREFERS   dark mode. "),
        ("User prefers dark mode", "The user prefers dark modes"),
        ("Deploys on Friday", "The team: deploys on Friday!"),
        ("On Friday the team deploys the service", "The team deploys the service on Friday"),
        ("User doesn't like tea", "User does not like tea"),
        ("Caroline’s dog barks a lot", "Caroline's dog barks a lot"),
        ("Has two cats", "Has 2 cats"),
        ("1,000 users", "1000 users"),
        ("The meeting room is on the third floor", "The meeting room is on the 3rd floor"),
        ("The user is restoring an old motorcycle", "The user is restoring an old motorcyle"),
        ("東京が好きです。", "東京が好きです"),
    ],
)
def test_the_same_statement_in_other_clothes(a: str, b: str) -> None:
    assert same(a, b)
    assert same(b, a)
    assert repeats(a, b)


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("Deploys on Friday", "Never deploys on Friday", "negation"),
        ("User likes tea in the morning", "User doesn't like tea in the morning", "negation"),
        ("Likes tea, not coffee", "Likes coffee, not tea", "negation"),
        ("我喜欢茶", "我不喜欢茶", "negation"),
        ("Trinkt Kaffee", "Trinkt keinen Kaffee", "negation"),
        ("Ana come carne", "Ana nunca come carne", "negation"),
        ("The team has 12 members", "The team has 13 members", "number"),
        ("It is -5 degrees there", "It is 5 degrees there", "number"),
        ("The plan costs $5", "The plan costs €5", "number"),
        ("Uses version 1.2", "Uses version 1.20", "number"),
        ("Has two cats", "Has three cats", "number"),
        ("The release is on 2026-01-05", "The release is on 2026-01-06", "date"),
        ("The lease ends in May", "The lease ends in June", "date"),
        ("The audit was last week", "The audit is next week", "date"),
        ("The deploy window is every Tuesday", "The deploy window is every Thursday", "weekday"),
        ("Caroline went to the pottery class", "Melanie went to the pottery class", "name"),
        ("The user works with Jon on the service", "The user works with John on the service", "name"),
        ("Mary likes tea", "Marie likes tea", "name"),
        ("The user moved to Berlin", "The user moved to Rome", "name"),
    ],
)
def test_what_turns_a_meaning_around_keeps_two_texts_apart(a: str, b: str, why: str) -> None:
    assert differs(a, b) == differs(b, a) == why
    assert not same(a, b)
    assert not same(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("User prefers dark mode", "User prefers light mode"),
        ("Anna loves Bob", "Bob loves Anna"),
        ("Prefers tea to coffee in the office", "Prefers coffee to tea in the office"),
        ("User lives in a flat", "User lived in a flat"),
        ("Prefers C", "Prefers C++"),
        ("Prefers C#", "Prefers C++"),
        ("The favourite colour of the kitchen walls in the old house by the lake is blue",
         "The favourite colour of the kitchen walls in the old house by the lake is green"),
        ("User installs the plugin", "User uninstalls the plugin"),
        ("Moved away from the city", "Moved back to the city"),
        ("", "Something"),
    ],
)  # fmt: skip
def test_one_word_for_another_is_another_statement(a: str, b: str) -> None:
    assert not same(a, b)
    assert similarity(a, b) < NEAR


def test_a_text_that_says_more_repeats_nothing() -> None:
    known = "The user told the team in the meeting that peanuts make them ill"
    more = "The user told the team in the meeting that peanuts and shellfish make them ill"
    assert same(known, more)
    assert repeats(known, more)
    assert not repeats(more, known)


@pytest.mark.parametrize(
    ("new", "known", "expected"),
    [
        ("User prefers dark mode", "The user prefers dark mode in VS Code", True),
        ("Deploy window", "The deploy window is Tuesday afternoon", True),
        ("Deploys on Friday", "Deploys on Friday at 5 with Bob", True),
        ("The deploy window is Tuesday afternoon", "Deploy window", False),
        ("Prefers dark mode", "Bob prefers dark mode", False),
        ("Deploys on Friday", "Deploys on Friday no more, never again", False),
        ("Has 2 cats", "Has 2 cats and 3 dogs", True),
        ("cats", "In 2019 the user had cats", False),
    ],
)
def test_a_known_text_may_go_on_but_not_be_about_something_else(new: str, known: str, expected: bool) -> None:
    assert repeats(new, known) is expected


def test_a_text_is_contained_by_whole_words_only() -> None:
    assert same("likes art", "She likes art a lot")
    assert not same("likes art", "She likes artichokes a lot")


def test_normalising_keeps_the_signs_that_tell_things_apart() -> None:
    assert normalised(" It’s  *READ-only*, (see `v3.5`)! ") == "its read only see v3.5"
    assert normalised("C++ and C#, R&D at 5%") == "c++ and c# r&d at 5%"
    assert normalised("a\u200bb\u00ad") == "ab"
    assert normalised("ＦＵＬＬ width") == "full width"


texts = st.text(max_size=80) | st.lists(
    st.sampled_from(["Anna", "never", "likes", "tea", "on", "Friday", "5", "May", "the", "茶", "not", "C++", "."]),
    max_size=12,
).map(" ".join)


@settings(max_examples=50, deadline=None)
@given(texts, texts)
def test_the_measure_is_fair_to_any_texts(a: str, b: str) -> None:
    assert same(a, a)
    assert repeats(a, a)
    assert (differs(a, b) is None) == (differs(b, a) is None)
    assert 0 <= similarity(a, b) <= 1
    assert normalised(normalised(a)) == normalised(a)
    if same(a, b):
        assert differs(a, b) is None
