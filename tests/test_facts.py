"""Durable facts: what an agent writes, finds, changes and lets go of."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memview import Fact, Invalid, Memory, MemoryStore, NotFound
from support import SettableClock, integrity, sql, together

T = TypeVar("T")
NAMES = ["user:42", "a/b", "naïve café", "  blanks  ", "", "🦊🦊", "notes:index", "%_", "a\0b", "';--", "名前"]


@pytest.fixture
def memory(store: MemoryStore) -> Memory:
    return store.memory("user:42")


def at_once(work: Callable[[int], T], count: int = 8) -> list[T]:
    """The results of as many threads, which all start at the same moment."""
    barrier = Barrier(count)

    def start(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


def stored(path: Path) -> list[Any]:
    return sql(path, "SELECT * FROM facts ORDER BY n")


def metadata_of(fact: Any) -> Any:
    """``fact.metadata``, of which a type checker believes that it is SQLAlchemy's."""
    return fact.metadata


def contents(facts: list[Fact]) -> list[str]:
    return [fact.content for fact in facts]


# 1. writing


def test_A1_a_written_fact_comes_back_with_what_was_given(memory: Memory, clock: SettableClock) -> None:
    fact = memory.write("Deploy window is Tuesday", metadata={"source": "standup"}, tags=["deploy"], session="s1")
    assert fact.id
    assert fact.content == "Deploy window is Tuesday"
    assert metadata_of(fact) == {"source": "standup"}
    assert fact.created_at == clock.now
    assert (fact.agent, fact.session, fact.tags, fact.status) == ("planner", "s1", ["deploy"], "active")
    assert memory.count() == 1
    assert memory.get(fact.id) == fact


@given(
    content=st.text(min_size=1).filter(str.strip),
    metadata=st.dictionaries(
        st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()), max_size=3
    ),
    tags=st.lists(st.text(), unique=True, max_size=3),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_A1_any_text_and_metadata_come_back_as_they_were_given(
    store: MemoryStore, content: str, metadata: dict[str, object], tags: list[str]
) -> None:
    memory = store.memory("any")
    fact = memory.get(memory.write(content).id)
    assert fact.content == content
    changed = memory.update(fact.id, metadata=metadata, tags=tags)
    assert memory.get(fact.id) == changed
    assert (metadata_of(changed), changed.tags) == (metadata, tags)


# 2. what cannot be stored


@pytest.mark.parametrize("content", ["", " ", "\t\n", "\u2003", "\u3000"])
def test_A2_a_blank_content_is_refused_and_nothing_is_written(memory: Memory, path: Path, content: str) -> None:
    with pytest.raises(ValueError, match="content is required"):
        memory.write(content)
    assert stored(path) == []
    assert sql(path, "SELECT * FROM changes") == []


@pytest.mark.parametrize(
    "values",
    [
        {"content": b"bytes"}, {"content": None}, {"content": "half a pair \ud83d"}, {"metadata": "text"},
        {"metadata": [1]}, {"metadata": {"nan": float("nan")}}, {"metadata": {"set": {1}}}, {"tags": "one"},
        {"tags": [1]}, {"importance": "high"}, {"importance": True}, {"strength": float("inf")}, {"strength": None},
        {"memory_type": "dream"}, {"confidentiality": "secret"}, {"origin": "hearsay"}, {"session": 3},
        {"category": 1.5}, {"turns": "t1"}, {"summary": "\udfff"},
    ],
)  # fmt: skip
def test_A1_a_value_that_cannot_be_stored_is_named(memory: Memory, path: Path, values: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        memory.write(**{"content": "fine", **values})
    assert next(iter(values)) in refused.value.title
    assert stored(path) == []


def test_unknown_arguments_are_refused(memory: Memory) -> None:
    with pytest.raises(TypeError, match="mood"):
        memory.write_many([{"content": "fine", "mood": "good"}])
    with pytest.raises(TypeError, match="status"):
        memory.update("id", status="forgotten")


def test_E_importance_is_clamped(memory: Memory) -> None:
    assert [memory.write(f"fact {value}", importance=value).importance for value in (-3, 0, 5, 11)] == [1, 1, 5, 10]


def test_many_are_written_all_or_none(memory: Memory) -> None:
    with pytest.raises(Invalid):
        memory.write_many(["one", {"content": "two", "tags": ["x"]}, " "])
    assert memory.count() == 0
    assert memory.write_many([]) == []
    one, two, again = memory.write_many(["one", {"content": "two", "tags": ["x"]}, "one"])
    assert (one.id, two.tags, memory.count()) == (again.id, ["x"], 2)


# 3. identical texts


def test_A3_identical_content_is_one_fact(memory: Memory) -> None:
    first = memory.write("Deploy window is Tuesday")
    assert memory.write("Deploy window is Tuesday") == first
    assert memory.write("deploy window is tuesday") != first
    assert memory.write("Deploy window is Tuesday ") != first
    assert memory.count() == 3


def test_A9_writing_again_adds_turns_and_tags_and_changes_nothing_else(memory: Memory, clock: SettableClock) -> None:
    first = memory.write("same", tags=["a"], turns=["t1"], importance=3, metadata={"k": 1})
    clock.forward(hours=1)
    again = memory.write("same", tags=["b", "a"], turns=["t2", "t1"], importance=9, metadata={"k": 2}, category="c")
    assert (again.tags, again.turns) == (["a", "b"], ["t1", "t2"])
    assert (again.importance, again.meta, again.category) == (3, {"k": 1}, None)
    assert (again.created_at, again.last_accessed_at) == (first.created_at, first.last_accessed_at)


def test_A3_eight_threads_writing_one_text_make_one_fact(memory: Memory) -> None:
    assert len({fact.id for fact in at_once(lambda _: memory.write("the same"))}) == 1
    assert memory.count() == 1


WRITER = """
import sys
from memview import MemoryStore
with MemoryStore(sys.argv[1], agent=sys.argv[2], timeout=30) as store:
    memory = store.memory("user:42")
    start()
    {body}
"""


def test_A3_eight_processes_writing_one_text_make_one_fact(store: MemoryStore, path: Path) -> None:
    code = WRITER.format(body='print(memory.write("the same").id)')
    answers = together(code, path)
    assert len({line for lines in answers for line in lines}) == 1
    assert store.memory("user:42").count() == 1


# 4. listing


def test_A4_a_list_is_newest_first_and_of_fifty(memory: Memory, clock: SettableClock) -> None:
    memory.write_many([f"fact {number}" for number in range(55)])
    clock.forward(days=-400)
    memory.write("written last, by a clock that was set back")
    assert contents(memory.list(limit=2)) == ["written last, by a clock that was set back", "fact 54"]
    assert len(memory.list()) == 50
    assert len(memory.list(limit=0)) == 56


# 5. forgetting


def test_A5_a_forgotten_fact_is_gone_from_count_search_and_list(memory: Memory) -> None:
    fact = memory.write("Deploy window is Tuesday")
    assert memory.forget(fact.id) is True
    assert (memory.count(), memory.list(), memory.search("deploy")) == (0, [], [])
    assert memory.forget(fact.id) is False
    assert contents(memory.trash()) == ["Deploy window is Tuesday"]
    with pytest.raises(NotFound):
        memory.forget("no such id")
    with pytest.raises(KeyError):
        memory.get("no such id")


def test_beyond_a_forgotten_text_is_not_learnt_again_until_it_is_restored(memory: Memory, path: Path) -> None:
    fact = memory.write("They live in Berlin")
    memory.forget(fact.id)
    before = stored(path)
    again = memory.write("They live in Berlin", tags=["home"], turns=["t9"])
    assert (again.id, again.blocked, again.status) == (fact.id, True, "forgotten")
    assert stored(path) == before
    assert memory.restore(fact.id) is True
    assert memory.restore(fact.id) is False
    assert memory.write("They live in Berlin").blocked is False
    assert contents(memory.search("berlin")) == ["They live in Berlin"]


def test_beyond_what_is_forgotten_stays_so_while_eight_processes_write_it(store: MemoryStore, path: Path) -> None:
    memory = store.memory("user:42")
    fact = memory.write("They live in Berlin")
    body = 'print([memory.write("They live in Berlin").status for _ in range(40)][-1])'
    code = WRITER.format(body=f'if sys.argv[2] == "0": memory.forget("{fact.id}")\n    {body}')
    assert set(map(tuple, together(code, path))) <= {("forgotten",), ("active",)}
    assert memory.get(fact.id).status == "forgotten"
    assert memory.write("They live in Berlin").blocked
    assert memory.count() == 0


def test_A5_of_eight_threads_that_forget_one_does(memory: Memory) -> None:
    fact = memory.write("once")
    assert sorted(at_once(lambda _: memory.forget(fact.id))) == [False] * 7 + [True]


# 6. searching


def test_A6_a_search_takes_words_and_no_syntax(memory: Memory) -> None:
    memory.write_many(["The deploy window is Tuesday", "Deploys need a review", "Lunch is at noon"])
    assert contents(memory.search("When can we deploy?"))[-1] == "The deploy window is Tuesday"
    assert contents(memory.search("DEPLOY WINDOW")) == ["The deploy window is Tuesday", "Deploys need a review"]
    assert contents(memory.search("deploy window", match="all")) == ["The deploy window is Tuesday"]
    assert memory.search("") == memory.search("  ") == memory.search("zeppelin") == []


def test_A6_more_matched_words_rank_higher_and_ties_are_newest_first(memory: Memory) -> None:
    memory.write_many(["red green blue", "red", "red green", "blue"])
    found = memory.search("red green blue")
    assert contents(found) == ["red green blue", "red green", "blue", "red"]
    scores = [fact.score or 0 for fact in found]
    assert scores == sorted(scores, reverse=True)
    assert all(fact.why for fact in found)


def test_A6_a_search_gives_five_unless_asked_for_more(memory: Memory) -> None:
    memory.write_many([f"deploy {number}" for number in range(9)])
    assert len(memory.search("deploy")) == 5
    assert len(memory.search("deploy", limit=7)) == 7
    assert len(memory.search("deploy", limit=0)) == 9


@pytest.mark.parametrize(
    "query",
    [
        "don't",
        "a/b",
        "POL-358",
        "20.04",
        '"',
        "*",
        "AND",
        "col:",
        "NEAR(",
        "^x",
        "-",
        "()",
        pytest.param("x" * 10_000, id="long"),
    ],
)
def test_A6_a_query_is_literal(memory: Memory, query: str) -> None:
    memory.write_many([f"we said {query} once", "nothing of the kind"])
    assert contents(memory.search(query, match="all")) in ([f"we said {query} once"], [])
    memory.search(query)


# 7. any script


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Окно развёртывания во вторник", "ВТОРНИК"),
        ("デプロイは火曜日です", "火曜日"),
        ("部署窗口是星期二", "星期二"),
        ("배포는 화요일입니다", "화요일"),
        ("Το παράθυρο είναι την Τρίτη", "παραθυρο"),
        ("نافذة النشر يوم الثلاثاء", "النشر"),
        ("मंगलवार को डिप्लॉय", "मंगलवार"),
        ("Straße und Café", "strasse cafe"),
        ("see getUserName", "user name"),
    ],
)
def test_A7_any_script_is_found(memory: Memory, content: str, query: str) -> None:
    memory.write_many([content, "an English sentence"])
    assert contents(memory.search(query, match="all")) == [content]


# 8. namespaces


@pytest.mark.parametrize("name", NAMES)
def test_A8_a_namespace_sees_its_own_facts_only(store: MemoryStore, name: str) -> None:
    other = store.memory("elsewhere")
    foreign = other.write("seen elsewhere")
    memory = store.memory(name)
    fact = memory.write("seen here")
    assert contents(memory.list()) == contents(memory.search("seen")) == ["seen here"]
    assert [fact.namespace for fact in memory.list()] == [name]
    assert memory.write("seen elsewhere").id != foreign.id
    assert other.count() == 1
    for act in (memory.get, memory.forget, memory.restore, memory.pin, memory.history, memory.links, memory.erase):
        with pytest.raises(NotFound):
            act(foreign.id)
    assert {space.namespace for space in store.namespaces()} == {name, "elsewhere"}
    assert other.get(foreign.id).status == "active"
    assert memory.get(fact.id).content == "seen here"


# 9. caps and pruning


def test_A9_the_oldest_beyond_the_cap_are_pruned(store: MemoryStore) -> None:
    memory = store.memory("small", max_entries=3)
    for number in range(5):
        memory.write(f"fact {number}")
    assert contents(memory.list()) == ["fact 4", "fact 3", "fact 2"]
    assert sorted(contents(memory.trash())) == ["fact 0", "fact 1"]
    assert memory.search("fact 0", match="all") == []


def test_A9_a_pruned_text_written_again_is_revived_as_the_newest(store: MemoryStore, clock: SettableClock) -> None:
    memory = store.memory("small", max_entries=2)
    first = memory.write("one", tags=["a"])
    memory.write_many(["two", "three"])
    assert memory.get(first.id).status == "pruned"
    clock.forward(days=-1)
    assert memory.write("one", tags=["b"]).id == first.id
    assert contents(memory.list()) == ["one", "three"]
    assert memory.get(first.id).tags == ["a", "b"]
    assert contents(memory.search("one two three", limit=0)) == ["one", "three"]
    memory.write("four")
    assert contents(memory.list()) == ["four", "one"]


def test_A9_a_batch_beyond_the_cap_says_which_of_it_were_pruned(store: MemoryStore) -> None:
    memory = store.memory("small", max_entries=2)
    assert [fact.status for fact in memory.write_many(["one", "two", "three"])] == ["pruned", "active", "active"]


def test_A9_a_pinned_fact_is_never_pruned(store: MemoryStore) -> None:
    memory = store.memory("small", max_entries=2)
    kept = memory.write("keep me")
    assert memory.pin(kept.id).pinned is True
    memory.write_many(["one", "two", "three"])
    assert contents(memory.list()) == ["three", "keep me"]
    memory.pin(kept.id, False)
    memory.write("four")
    assert contents(memory.list()) == ["four", "three"]


def test_A9_the_cap_belongs_to_the_namespace(store: MemoryStore, path: Path) -> None:
    store.memory("small", max_entries=2).write("one")
    with MemoryStore(path, agent="other") as another:
        another.memory("small").write_many(["two", "three"])
        another.memory("large").write_many(["one", "two", "three"])
        assert another.memory("small").count() == 2
        assert another.memory("large").count() == 3


def test_A9_a_handle_that_would_cut_says_so_before_it_does(store: MemoryStore) -> None:
    memory = store.memory("small")
    memory.write_many(["one", "two", "three"])
    with pytest.warns(UserWarning, match="holds 3 facts and this handle asks for 2"):
        capped = store.memory("small", max_entries=2)
    assert memory.count() == 3
    capped.write("four")
    assert contents(memory.list()) == ["four", "three"]
    with pytest.warns(UserWarning, match="kept 2 facts and this handle asks for 1"):
        store.memory("small", max_entries=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store.memory("small", max_entries=5)
    with pytest.raises(Invalid):
        store.memory("small", max_entries=0)


# 10. nothing is lost


def test_A10_eight_threads_lose_nothing(memory: Memory) -> None:
    at_once(lambda thread: [memory.write(f"fact {thread} {number}") for number in range(20)])
    assert {*contents(memory.list(limit=0))} == {f"fact {t} {n}" for t in range(8) for n in range(20)}
    assert len(memory.search("fact", limit=0)) == 160


def test_A10_eight_processes_lose_nothing(store: MemoryStore, path: Path) -> None:
    code = WRITER.format(body='[memory.write(f"fact {sys.argv[2]} {number}") for number in range(20)]')
    together(code, path)
    memory = store.memory("user:42")
    assert {*contents(memory.list(limit=0))} == {f"fact {p} {n}" for p in range(8) for n in range(20)}
    assert len(memory.search("fact", limit=0)) == 160
    assert sql(path, "SELECT actor, count(*) FROM changes GROUP BY 1") == [(str(p), 20) for p in range(8)]
    integrity(path)
