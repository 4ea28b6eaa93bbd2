"""In which order a search gives what it found, and that its first rows are the first of all its rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memview import MemoryStore
from memview.clock import utc_now
from memview.memory.looking import Found, Looker, Query, fact_rows, find
from memview.store import ranking
from memview.store.words import terms

WORDS = ("deploy", "deployment", "window", "windows", "friday")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12)


def looked_for(path: Path, text: str, limit: int | None = None, *, scored: bool = True) -> tuple[list[str], Found]:
    looker = Looker(path)
    query = Query(terms=terms(text), prefix=True, limit=limit)
    found = looker.read(lambda raw: find(raw, query, utc_now(), scored=scored))
    rows = looker.read(lambda raw: fact_rows(raw, found.keys))
    looker.close()
    return [rows[n].content for n in found.keys], found


def filled(path: Path, texts: list[str]) -> Path:
    with MemoryStore(path) as store:
        for text in dict.fromkeys(texts):
            store.memory("user:1").write(text)
    return path


def test_a_whole_word_comes_before_a_begun_one_and_a_short_text_before_a_long_one(tmp_path: Path) -> None:
    texts = ["They port it", "The port of Hamburg is open", "Portraits", "A long talk about portable stoves"]
    path = filled(tmp_path / "a.db", texts)
    shown, found = looked_for(path, "port")
    assert shown == ["They port it", "The port of Hamburg is open", "Portraits", "A long talk about portable stoves"]
    assert looked_for(path, "port", scored=False)[0] == shown
    whys = [found.why[n] for n in found.keys]
    assert whys == ["all words, short texts first"] * 2 + ["words that begin so, short texts first"] * 2


def test_of_very_many_the_newest_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "RANKED", 2)
    path = filled(tmp_path / "a.db", ["port", "a port", "that one port", "portable"])
    shown, found = looked_for(path, "port")
    assert shown == ["that one port", "a port", "port", "portable"]
    assert looked_for(path, "port", scored=False)[0] == shown
    assert found.why[found.keys[0]] == "all words, newest first"


@given(texts=TEXTS, asked=st.lists(st.sampled_from((*WORDS, "dep", "win", "f")), min_size=1, max_size=3).map(" ".join))
@settings(max_examples=25, deadline=None)
def test_the_first_rows_are_the_first_of_all(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], asked: str
) -> None:
    path = filled(tmp_path_factory.mktemp("order") / "a.db", texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "RANKED", 3)
        whole, found = looked_for(path, asked)
        scores = [found.scores[n] for n in found.keys]
        assert scores == sorted(scores, reverse=True)
        assert looked_for(path, asked, scored=False)[0] == whole
        for limit in (1, 2, 5):
            assert looked_for(path, asked, limit)[0] == whole[:limit]
