"""The query language: what is typed into the search line and what it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memview.store.query import (
    ALL,
    OPERATORS,
    Bound,
    Exclusion,
    Parsed,
    Query,
    completions,
    parse,
    render,
)
from memview.store.words import MAX_TERMS, term

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

TYPED = st.lists(
    st.one_of(
        st.sampled_from(
            [*OPERATORS, '"', '""', "-", "-tag:", "ns:=", "is:pinned", "-is:active", "by:asst", "kind:semantic", "3d",
             " ", "strength<0.3", "-recalled:0", "before:2026-01-01", "after:1y", "東京", "getUser", ":", "="]
        ),
        st.text(max_size=4),
    ),
    max_size=8,
).map("".join)  # fmt: skip


def read(text: str, base: Query | None = None) -> Parsed:
    return parse(text, now=NOW, base=base)


def meaning(text: str) -> Query:
    parsed = read(text)
    assert parsed.problems == ()
    return parsed.query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("", Query()),
        ("deploy window", Query(terms=(term("deploy"), term("window")))),
        ('"deploy window" x', Query(terms=(term("deploy window", phrase=True), term("x")))),
        ('"deploy win', Query(terms=(term("deploy win"),))),
        ('-old -"very old"', Query(terms=(term("old", exclude=True), term("very old", phrase=True, exclude=True)))),
        ("ns:user:42", Query(under="user:42")),
        ('ns:"user 42"', Query(under="user 42")),
        ("ns:=user", Query(namespace="user")),
        ('ns:=""', Query(namespace="")),
        ("-ns:a -ns:=b", Query(excluded=(Exclusion("under", "a"), Exclusion("namespace", "b")))),
        ("tag:a tag:b tag:a", Query(tags=("a", "b"))),
        ('tag:"say ""hi"""', Query(tags=('say "hi"',))),
        ("-tag:a", Query(excluded=(Exclusion("tags", "a"),))),
        ("cat:x kind:semantic", Query(categories=("x",), memory_types=("semantic",))),
        ("agent:planner session:s7", Query(agents=("planner",), sessions=("s7",))),
        ("by:asst by:you by:tool", Query(origins=("assistant", "person", "tool"))),
        ("from:t1", Query(turn="t1")),
        ("is:pinned -is:accepted", Query(pinned=True, accepted=False)),
        ("is:forgotten", Query(statuses=("forgotten",))),
        ("is:pruned is:active", Query(statuses=("active", "pruned"))),
        ("-is:pruned", Query()),
        ("-is:active", Query(statuses=("superseded", "pruned", "forgotten"))),
        ("before:2026-01-02", Query(before=datetime(2026, 1, 2, tzinfo=UTC))),
        ("after:2025", Query(after=datetime(2025, 1, 1, tzinfo=UTC))),
        ("after:2025-03", Query(after=datetime(2025, 3, 1, tzinfo=UTC))),
        ("before:24h", Query(before=NOW - timedelta(days=1))),
        ("after:2w after:3d", Query(after=NOW - timedelta(days=3))),
        ("-before:3d", Query(after=NOW - timedelta(days=3))),
        ("strength<0.3", Query(bounds=(Bound("strength", "<", 0.3),))),
        ("importance>=8 recalled:0", Query(bounds=(Bound("importance", ">=", 8), Bound("recalled", "=", 0)))),
        ("-recalled:0 -strength<0.5", Query(bounds=(Bound("recalled", "!=", 0), Bound("strength", ">=", 0.5)))),
    ],
)
def test_what_is_typed_has_a_meaning(text: str, query: Query) -> None:
    assert meaning(text) == query


@pytest.mark.parametrize(
    "text",
    ["don't", "a/b", "POL-358", "20.04", '"', "*", "AND", "col:", "NEAR(", "^x", "-", "()", "http://x", "--no-mouse",
     "->", '""', "x" * 10_000, "Tag:x", "is", "strength", 'mid"quote', "-*", "-\"", "🚀", "tags:x", "[/red]"],
)  # fmt: skip
def test_anything_else_is_text_to_look_for(text: str) -> None:
    assert meaning(text) == Query(terms=(term(text),))


@pytest.mark.parametrize("text", ["is:", "tag:", 'tag:"', "-tag:", "ns:=", "strength<", "before:", "from:"])
def test_half_typed_operators_limit_nothing_yet(text: str) -> None:
    assert meaning(text) == Query()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("is:foo", "echo, new, unreviewed, active, superseded, pruned or forgotten."),
        ("kind:wrong", "episodic, semantic or reflection"),
        ("by:nobody", "extraction"),
        ("before:xx", "2026-03-01"),
        ("after:99999999y", "2026-03-01"),
        ("after:2026-13-45", "2026-03-01"),
        ("strength<abc", "a number"),
        ("recalled>nan", "a number"),
        ("importance=1e999", "a number"),
        ("-is:foo", "is: takes"),
    ],
)
def test_a_wrong_operator_is_explained_and_the_rest_works(wrong: str, says: str) -> None:
    parsed = read(f"deploy {wrong} tag:x")
    assert parsed.query == Query(terms=(term("deploy"),), tags=("x",))
    (problem,) = parsed.problems
    assert says in problem.message
    assert (problem.start, problem.end) == (7, 7 + len(wrong))


@pytest.mark.parametrize("name", ["ns", "from"])
def test_what_can_stand_once_says_so(name: str) -> None:
    parsed = read(f"{name}:a {name}:b")
    assert parsed.query == read(f"{name}:a").query
    assert [problem.message for problem in parsed.problems] == [f"Only one {name}: can be used; the first one counts."]


def test_operators_know_their_places() -> None:
    (one, two) = read('x -tag:"a b" is:').operators
    assert (one.start, one.end, one.name, one.value, one.excludes) == (2, 12, "tag", "a b", True)
    assert (two.start, two.end, two.name, two.value, two.excludes) == (13, 16, "is", "", False)


def test_the_text_narrows_the_base_and_wins_over_it() -> None:
    base = Query(
        kind="turns", tenant="acme", namespace="user:42", terms=(term("a"),), tags=("t",), order="oldest", limit=5
    )
    assert read("b tag:u", base).query == replace(base, terms=(term("a"), term("b")), tags=("t", "u"))
    assert read("ns:user", base).query == replace(base, namespace=ALL, under="user")
    assert read("is:pruned", replace(base, statuses=())).query.statuses == ("pruned",)


def test_a_huge_query_is_bounded() -> None:
    query = meaning(" ".join(f"w{n}" for n in range(5_000)))
    assert len(query.terms) == MAX_TERMS


@given(TYPED)
def test_nothing_typed_makes_it_fail_and_it_reads_what_it_writes(text: str) -> None:
    parsed = read(text)
    places = [(part.start, part.end) for part in parsed.problems] + [
        (part.start, part.end) for part in parsed.operators
    ]
    assert all(0 <= start < end <= len(text) for start, end in places)
    again = read(render(parsed.query))
    assert again.query == parsed.query
    assert again.problems == ()


VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(st.builds(
    Query,
    under=st.none() | VALUES,
    tags=st.lists(VALUES, unique=True, max_size=3).map(tuple),
    agents=st.lists(VALUES, unique=True, max_size=2).map(tuple),
    turn=st.none() | VALUES,
    pinned=st.none() | st.booleans(),
    statuses=st.sampled_from([("active",), ("active", "forgotten"), ("pruned",)]),
    before=st.none() | st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)),
    bounds=st.lists(
        st.builds(Bound, st.sampled_from(["strength", "recalled"]), st.sampled_from(["<", "<=", ">", ">=", "=", "!="]),
                  st.floats(0, 1e6)),
        max_size=2, unique=True,
    ).map(tuple),
    excluded=st.lists(
        st.builds(Exclusion, st.sampled_from(["under", "namespace", "tags", "turn", "sessions"]), VALUES),
        max_size=2, unique=True,
    ).map(tuple),
))  # fmt: skip
def test_a_query_made_by_a_program_can_be_written_and_read(query: Query) -> None:
    assert meaning(render(query)) == query


def test_it_is_written_as_a_person_would() -> None:
    text = 'ns:"user 42" tag:a is:pinned importance>=8 -tag:b deploy -old "a phrase"'
    assert render(meaning(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ta", ["tag:"]),
        ("deploy -se", ["deploy -session:"]),
        ("be", ["before:"]),
        ("s", ["session:", "strength<"]),
        ("tag:", ["tag:deploy", 'tag:"two words"']),
        ("x tag:D", ["x tag:deploy"]),
        ('tag:"two', ['tag:"two words"']),
        ("is:p", ["is:pinned", "is:pruned"]),
        ("kind:se", ["kind:semantic"]),
        ("ns:=us", ["ns:=user"]),
        ("after:2", ["after:24h", "after:2w"]),
        ("", []),
        ("x ", []),
        ("nothing", []),
        ("strength<", []),
        ('tag:"done"', []),
    ],
)
def test_completion(text: str, expected: list[str]) -> None:
    def values(name: str) -> Sequence[str]:
        return {"tag": ["deploy", "two words"], "ns": ["user", "project"]}[name]

    assert completions(text, len(text), values) == expected
    assert completions(text + " more", len(text), values) == expected


@given(TYPED, st.integers(0, 30))
def test_completion_takes_anything_and_what_it_offers_is_an_operator(text: str, cursor: int) -> None:
    for offered in completions(text, cursor, lambda name: ['a "b" c', "=x", ""]):
        assert read(offered).operators
