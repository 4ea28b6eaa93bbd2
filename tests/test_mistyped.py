"""What a mistyped search finds: what may have been meant, wherever the words that are right leave something of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from command import cli
from memview import MemoryStore
from memview.clock import utc_now
from memview.memory.looking import Found, Looker, Lookup, Query, fact_rows, parse

TEXTS = (
    "gardon one", "gardon two", "gardon and more of it", "harvest in the garden", "when a gardon sings",
    "so the marden", "universities agreed", "getUserName is slow", "snake_case_name is quick",
    "paqui", "a paquiqui danced",
)  # fmt: skip


@pytest.fixture
def looker(tmp_path: Path) -> Iterator[Looker]:
    with MemoryStore(tmp_path / "a.db") as store:
        store.memory("user:1").write_many(TEXTS)
    looker = Looker(tmp_path / "a.db")
    yield looker
    looker.close()


def searched(looker: Looker, text: str, limit: int | None = None) -> tuple[list[str], Found]:
    query = parse(text, now=utc_now(), base=Query(prefix=True, limit=limit)).query
    found = looker.read(lambda raw: Lookup().find(raw, query, utc_now()))
    rows = looker.read(lambda raw: fact_rows(raw, found.keys))
    return [rows[n].content for n in found.keys], found


def test_of_words_as_close_all_are_tried_the_more_frequent_first(looker: Looker) -> None:
    shown, found = searched(looker, "gardan")
    assert shown == [
        "gardon two",
        "gardon one",
        "when a gardon sings",
        "gardon and more of it",
        "harvest in the garden",
    ]
    assert [[term.text for term in reading] for reading in found.readings] == [["gardon"], ["garden"]]
    assert [term.text for term in found.terms] == ["gardon", "garden"]
    assert found.how == "corrected"


def test_the_words_that_are_right_tell_which_was_meant(looker: Looker) -> None:
    shown, found = searched(looker, "harvest gardan")
    assert shown == ["harvest in the garden"]
    assert [[term.text for term in reading] for reading in found.readings] == [["harvest", "garden"]]


def test_the_first_rows_of_several_readings_are_the_first_of_all(looker: Looker) -> None:
    whole, _ = searched(looker, "gardan")
    for limit in range(1, 6):
        shown, found = searched(looker, "gardan", limit)
        assert shown == whole[:limit]
        assert len(found.readings) == (2 if limit == 5 else 1)
        assert set(found.keys) == set(found.scores) == set(found.why)


@pytest.mark.parametrize(
    ("typed", "text"), [("getUserNmae", "getUserName is slow"), ("snake_csae_name quick", "snake_case_name is quick")]
)
def test_a_slip_in_an_identifier_is_forgiven(looker: Looker, typed: str, text: str) -> None:
    shown, found = searched(looker, typed)
    assert shown == [text]
    assert found.how == "corrected"


def test_a_word_goes_on_after_its_stem_only_as_an_ending_does(looker: Looker) -> None:
    assert searched(looker, "universi")[0] == ["universities agreed"]
    assert searched(looker, "paquiqni")[0] == ["a paquiqui danced"]


def test_the_command_names_all_that_may_have_been_meant(looker: Looker) -> None:
    assert cli("search", looker.path, "gardan").err == "Nothing has these words; this is what has: gardon or garden\n"


@pytest.mark.parametrize(
    ("typed", "texts"),
    [
        ("vers", ["universities agreed"]),
        ("aquiq", ["a paquiqui danced"]),
        ("rnam", ["getUserName is slow"]),
        ("vers agreed", ["universities agreed"]),
        ("arve", ["harvest in the garden"]),
    ],
)
def test_a_part_of_a_word_finds_it(looker: Looker, typed: str, texts: list[str]) -> None:
    shown, found = searched(looker, typed)
    assert shown == texts
    assert found.how == "corrected"


def test_two_letters_of_a_word_are_no_part_that_tells(looker: Looker) -> None:
    assert searched(looker, "vu")[0] == []


def test_the_command_line_says_what_a_part_was_taken_for(tmp_path: Path, looker: Looker) -> None:
    told = cli("search", tmp_path / "a.db", "vers")
    assert "universities agreed" in told.out
    assert "univers" in told.err
