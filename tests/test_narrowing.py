"""What is found with the vocabulary as a guide is what the index finds alone, in the same order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memview import Memory, MemoryStore
from memview.clock import utc_now
from memview.memory.looking import Looker, Lookup, Query, find, parse
from memview.store import glimpse, initials, narrowing, ranking, walking
from memview.store.narrowing import Check
from memview.store.porter import stem

WORDS = (
    "port", "portable", "ports", "ability", "able", "ables", "universe", "universities", "hop", "hoping", "hopes",
    "tie", "ties", "the", "then", "databases", "user_name", "getUserName", "東京都", "café", "2beta", "relate",
    "порт",
)  # fmt: skip
BEGUN = (
    "p",
    "por",
    "port",
    "abilit",
    "ab",
    "univers",
    "universi",
    "ho",
    "hopi",
    "t",
    "th",
    "datab",
    "user",
    "user_n",
    "getU",
    "get-u",
    "get",
    "東",
    "caf",
    "п",
)
EVERYWHERE = Query(prefix=True)
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=14)
ASKED = st.lists(st.sampled_from((*WORDS, *BEGUN, "-the", '"port"')), min_size=1, max_size=4).map(" ".join)


@contextmanager
def opened(path: Path, texts: list[str]) -> Iterator[tuple[Memory, Looker]]:
    with MemoryStore(path, synchronous="NORMAL") as store:
        memory = store.memory("user:1")
        kept = dict.fromkeys(texts)
        memory.write_many({"content": text, "tags": ["relate"] * (n % 3 == 0)} for n, text in enumerate(kept))
        looker = Looker(path)
        yield memory, looker
        looker.close()


def asked(
    looker: Looker, lookup: Lookup | None, text: str, limit: int | None, base: Query = EVERYWHERE
) -> list[tuple[int, str]]:
    """The numbers that a search for all words finds, in order, each with why."""
    query = parse(text, now=utc_now(), base=replace(base, limit=limit)).query

    def work(raw: sqlite3.Connection) -> list[tuple[int, str]]:
        found = find(raw, query, utc_now()) if lookup is None else lookup.find(raw, query, utc_now())
        return [(n, found.why.get(n, "")) for n in found.keys] if found.how == "all" else []

    return looker.read(work)


@given(
    texts=TEXTS,
    later=st.lists(st.sampled_from(WORDS), max_size=3),
    queries=st.lists(ASKED, min_size=1, max_size=3),
    row=st.sampled_from((0, 1, 100)),
    word=st.sampled_from((1, 700)),
    most=st.sampled_from((1, 100)),
)
@settings(max_examples=25, deadline=None)
def test_a_guide_changes_nothing_but_the_way(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    later: list[str],
    queries: list[str],
    row: int,
    word: int,
    most: int,
) -> None:
    path = tmp_path_factory.mktemp("narrow") / "a.db"
    with pytest.MonkeyPatch.context() as patch, opened(path, texts) as (memory, looker):
        patch.setattr(ranking, "RANKED", 3)
        patch.setattr(narrowing, "A_ROW", row)
        patch.setattr(narrowing, "A_WORD", word)
        patch.setattr(initials, "MOST", most)
        lookup = Lookup()
        looker.read(lambda raw: lookup.learn(raw, "facts"))
        for wave in ([], later):
            memory.write_many(f"{text} {place}" for place, text in enumerate(wave))
            for text in queries:
                for limit in (None, 2, 50):
                    assert asked(looker, lookup, text, limit) == asked(looker, None, text, limit), (text, limit)


@given(
    texts=TEXTS,
    queries=st.lists(ASKED, min_size=1, max_size=3),
    sample=st.sampled_from((1, 2, 300)),
    learnt=st.booleans(),
    base=st.sampled_from(
        (
            EVERYWHERE,
            replace(EVERYWHERE, namespace="user:1"),
            replace(EVERYWHERE, under="user"),
            replace(EVERYWHERE, under="user:1"),
            replace(EVERYWHERE, order="newest"),
            replace(EVERYWHERE, tags=("relate",)),
        )
    ),
)
@settings(max_examples=40, deadline=None)
def test_reading_the_newest_records_finds_what_the_index_finds(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    queries: list[str],
    sample: int,
    learnt: bool,
    base: Query,
) -> None:
    path = tmp_path_factory.mktemp("walk") / "a.db"
    with opened(path, texts) as (memory, looker):
        memory.forget(memory.list(1)[0].id)
        other = MemoryStore(path, synchronous="NORMAL")
        other.memory("user:2").write_many([{"content": f"{text} so"} for text in texts[:3]])
        lookup = Lookup()
        if learnt:
            looker.read(lambda raw: lookup.learn(raw, "facts"))
        for text in queries:
            for limit in (1, 3, 50):
                answers = []
                for worth, scoped in ((1e9, 2.0), (0, 0.0)):
                    with pytest.MonkeyPatch.context() as patch:
                        patch.setattr(ranking, "RANKED", 3)
                        patch.setattr(walking, "SAMPLE", sample)
                        patch.setattr(walking, "A_READ", worth)
                        patch.setattr(walking, "SCOPED", scoped)
                        answers.append(asked(looker, lookup, text, limit, base))
                assert answers[0] == answers[1], (text, limit)
        other.close()


def test_words_that_came_after_the_vocabulary_was_read_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with opened(path, ["a port"]) as (memory, looker), pytest.MonkeyPatch.context() as patch:
        patch.setattr(narrowing, "A_WORD", 1)
        lookup = Lookup()
        looker.read(lambda raw: lookup.learn(raw, "facts"))
        memory.write("a portrait")
        assert len(asked(looker, lookup, "port", None)) == 2
        other = sqlite3.connect(path)
        other.execute("INSERT INTO facts (namespace, content) VALUES ('user:1', 'portugal')")
        other.commit()
        other.close()
        assert len(asked(looker, lookup, "port", None)) == 3


@pytest.mark.parametrize("learnt", [True, False])
@pytest.mark.parametrize(
    ("letter", "texts", "more"),
    [
        ("k", ["k", "kafi", "kept", "Käse", "kß", "k東", "k9"], ["km", "kя"]),
        ("п", ["п", "порт", "Правда", "пa", "пяs"], ["пy"]),
        ("東", ["東京", "東"], ["東西"]),
        ("user_n", ["user_n", "user_name", "userName", "user nine", "usernames", "user_nя"], ["user-no", "user_n2"]),
    ],
)
def test_one_letter_is_asked_for_as_the_beginnings_of_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learnt: bool, letter: str, texts: list[str], more: list[str]
) -> None:
    monkeypatch.setattr(glimpse, "LARGE", 0)
    said: list[str] = []
    with opened(tmp_path / "a.db", [*texts, "lake user"]) as (memory, looker):
        lookup = Lookup(learns=False)
        if learnt:
            looker.read(lambda raw: lookup.learn(raw, "facts"))
        memory.write_many([*more, "neither user"])
        looker.read(lambda raw: raw.set_trace_callback(said.append))
        all_of_them = [*range(1, len(texts) + 1), *range(len(texts) + 2, len(texts) + len(more) + 2)]
        assert sorted(n for n, _ in asked(looker, lookup, letter, None)) == all_of_them
        last = letter[-1]
        merged = [one for one in said if "MATCH" in one and (f'"{last}" *' in one or f' {last}" *' in one)]
        assert merged == []
        other = sqlite3.connect(tmp_path / "a.db")
        other.execute("INSERT INTO facts (namespace, content) VALUES ('user:1', ?)", (f"{letter}z by another program",))
        other.commit()
        other.close()
        assert len(asked(looker, lookup, letter, None)) == len(all_of_them) + 1


@pytest.mark.parametrize("word", [*WORDS, "conditional", "probability", "generalization", "happily", "agreed", "skies"])
def test_a_word_is_looked_for_in_a_text_as_the_index_files_it(word: str) -> None:
    if not word.isascii() or not word.islower() or "_" in word:
        return
    filed = stem(word)
    for length in range(1, len(filed) + 1):
        assert Check(filed[:length], prefix=True).holds(f" a {word} b")
    assert Check(filed, prefix=False).holds(f" {word}")
    assert not Check(filed, prefix=False).holds(f" x{word} {word}x")


@pytest.mark.parametrize("name", ["user:1", None])
def test_records_that_are_read_have_the_words_as_the_index_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    monkeypatch.setattr(walking, "SAMPLE", 1)
    monkeypatch.setattr(walking, "A_READ", 0)
    monkeypatch.setattr(walking, "SCOPED", 0.0)
    base = EVERYWHERE if name is None else replace(EVERYWHERE, namespace=name)
    texts = ["a tie", "tidal", "skies", "port", "portable", "ties", "sport", "able", "tied"]
    with opened(tmp_path / "a.db", texts) as (_, looker):
        found = {text: asked(looker, None, text, 9, base) for text in ("port", "tie", "ski", "sk")}
    assert [n for n, _ in found["port"]] == [4, 5]
    assert [n for n, _ in found["tie"]] == [1]
    assert [n for n, _ in found["ski"]] == [3]
    assert [n for n, _ in found["sk"]] == [3]
    assert [why.partition(",")[0] for _, why in found["port"]] == ["all words", "words that begin so"]
