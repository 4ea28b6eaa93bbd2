"""What holds of copies whatever the texts are."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memview.review.copies import Copies
from memview.review.nearness import near, slip
from memview.review.wording import spoken

_WORDS = (
    "alpha bravo charlie delta foxtrot hotel juliett kilo lima november oscar papa quebec romeo sierra tango uniform "
    "victor whiskey yankee the of to in is and never not friday monday seven two 14 2023 user lives Berlin café 東京"
)
WORDS = _WORDS.split()
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
QUICK = settings(max_examples=50, deadline=None)


def pairs(texts: list[str]) -> set[frozenset[str]]:
    """The texts that are copies of each other; of equal ones each."""
    copies = Copies(dict(enumerate(texts)))
    copies.search(lambda done: None)
    near_ = {frozenset((a, b)) for a, others in copies.near.items() for b in others}
    equal = {frozenset((a, b)) for a, b in copies.first.items()}
    return {frozenset(texts[n] for n in pair) for pair in near_ | equal}


@QUICK
@given(TEXTS, TEXTS)
def test_near_is_the_same_from_both_sides(a: str, b: str) -> None:
    assert near(a, b, spoken(a), spoken(b)) == near(b, a, spoken(b), spoken(a))


@QUICK
@given(st.lists(TEXTS, min_size=2, max_size=12, unique_by=str.casefold), st.integers(0, 99))
def test_the_order_of_writing_makes_no_difference(texts: list[str], seed: int) -> None:
    shuffled = random.Random(seed).sample(texts, len(texts))
    assert pairs(texts) == pairs(shuffled)


@QUICK
@given(st.lists(TEXTS, min_size=1, max_size=12), TEXTS, st.sampled_from([str.upper, str.title, str.casefold]))
def test_equal_texts_are_always_found(texts: list[str], text: str, cased: Callable[[str], str]) -> None:
    assume(spoken(cased(text)) == spoken(text))
    copies = Copies(dict(enumerate([*texts, text, f"  {cased(text)}. "])))
    copies.search(lambda done: None)
    assert copies.equal(len(texts), len(texts) + 1)


@QUICK
@given(TEXTS, st.integers(0, 9_999), st.integers(0, 9_999))
def test_another_number_is_never_a_copy(text: str, one: int, other: int) -> None:
    assume(one != other)
    assert pairs([f"{text} {one}", f"{text} {other}"]) == set()


@QUICK
@given(st.lists(st.sampled_from(WORDS[:16]), min_size=6, max_size=12, unique=True), st.integers(0, 5), st.data())
def test_a_word_mistyped_is_found_among_others(words: list[str], at: int, data: st.DataObject) -> None:
    others = data.draw(st.lists(TEXTS, max_size=20))
    word = words[at]
    assume(len(word) > 4 and word[1] != word[2])
    slipped = " ".join([*words[:at], word[0] + word[2] + word[1] + word[3:], *words[at + 1 :]])
    assert frozenset((" ".join(words), slipped)) in pairs([*others, " ".join(words), slipped])


OTHERS = [("in", "on"), ("to", "two"), ("of", "off"), ("as", "was"), ("a", "b"), ("never", "ever"), ("no", "now")]


def test_a_slip_in_a_word_that_binds_is_one_and_another_little_word_is_none() -> None:
    assert all(slip(a, b) for a, b in [("of", "fo"), ("and", "amd"), ("the", "tie"), ("fro", "for")])
    assert not any(slip(a, b) for a, b in OTHERS)
