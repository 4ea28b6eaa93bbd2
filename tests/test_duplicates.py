"""Duplicates: what says the same is found, and merged without losing anything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memview import Conflict, Invalid, MemoryStore, NotFound, clock
from memview.memory.looking import ALL, Aim, Looker, Query
from memview.review import duplicates, merging
from memview.review.differences import differing
from memview.review.duplicates import Duplicates, Group
from memview.review.nearness import near
from memview.review.wording import spoken
from support import SettableClock, integrity, run, sql


@pytest.fixture
def looker(store: MemoryStore, path: Path) -> Iterator[Looker]:
    looker = Looker(path)
    yield looker
    looker.close()


def find(looker: Looker, **scope: Any) -> Duplicates:
    return duplicates.find(looker, Query(**scope), clock.utc_now())


def texts(store: MemoryStore, group: Group) -> list[str]:
    wanted = {aim.n for aim in group.aims}
    found = store._read(lambda raw: raw.execute("SELECT n, content FROM facts").fetchall())
    return sorted(content for n, content in found if n in wanted)


COPIES = [
    ("Never deploy on Friday afternoons", "never deploy on friday afternoon"),
    ("Staging runs on two small machines in Oslo", "Staging runs on two smal machines in Oslo"),
    ("The user lives in Berlin", "The user lives in Berlin."),
    ("In 2023 the team used 14 workers", "The team used 14 workers in 2023"),
    ("Keeps the café open until late", "keeps the CAFE open, until late!"),
]
OTHERS = [
    ("Uses 14 workers for the import", "Uses 16 workers for the import"),
    ("The release goes out on Tuesday", "The release goes out on Thursday"),
    ("Backups of the store are encrypted", "Backups of the store are not encrypted"),
    ("The spring meeting is in March", "The spring meeting is in April"),
    ("The new office opens in Oslo", "The new office opens in Bergen"),
    ("The flag is enabled by default here", "The flag is disabled by default here"),
    ("Knows C++ very well by now", "Knows C very well by now"),
    ("Likes dogs and not cats", "Likes cats and not dogs"),
    ("Maria runs the new office", "Marie runs the new office"),
]


@pytest.mark.parametrize(("a", "b"), COPIES)
def test_copies_are_found(store: MemoryStore, looker: Looker, a: str, b: str) -> None:
    store.memory("u").write_many([a, "Something else altogether", b])
    (group,) = find(looker).groups
    assert texts(store, group) == sorted([a, b])
    assert group.alike > 0.85


@pytest.mark.parametrize(("a", "b"), OTHERS)
def test_what_says_another_thing_is_no_copy(store: MemoryStore, looker: Looker, a: str, b: str) -> None:
    store.memory("u").write_many([a, b])
    assert find(looker).groups == []
    assert near(a, a.upper(), spoken(a), spoken(a.upper()))


def test_equal_ones_come_first_and_say_so(store: MemoryStore, looker: Looker) -> None:
    store.memory("u").write_many(
        ["Tea is served at noon daily", "Tea is servd at noon daily", "Prefers a window seat", "prefers a WINDOW seat."]
    )
    equal, near_ = find(looker).groups
    assert (equal.equal, near_.equal) == (True, False)
    assert find(looker).equal == [equal]
    assert find(looker).facts == 4


def test_namespaces_and_tenants_are_kept_apart(store: MemoryStore, looker: Looker) -> None:
    for memory in (store.memory("u"), store.memory("v"), store.tenant("acme").memory("u")):
        memory.write_many(["Prefers a window seat", "prefers a window seat."])
    assert len(find(looker).groups) == 2
    assert {(g.tenant, g.namespace) for g in find(looker, tenant=ALL).groups} == {("", "u"), ("", "v"), ("acme", "u")}
    assert [g.namespace for g in find(looker, namespace="v").groups] == ["v"]


def test_a_chain_of_small_differences_joins_no_ends(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    base = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima"
    words = base.split()
    chain = [base]
    for at in range(12):
        words[at] = words[at][:-1] + "x" + words[at][-1]
        chain.append(" ".join(words))
    memory.write_many(chain)
    ends = {chain[0], chain[-1]}
    groups = find(looker).groups
    assert len(groups) > 1
    assert not any(ends <= set(texts(store, group)) for group in groups)


def test_the_keeper_and_why(store: MemoryStore, looker: Looker, path: Path, clock: SettableClock) -> None:
    memory = store.memory("u")
    first = memory.write("Prefers a window seat")
    clock.forward(hours=1)
    second = memory.write("prefers a window seat.")
    (group,) = find(looker).groups
    assert (group.keeper.n, group.reason) == (first.n, "oldest")
    sql(path, "UPDATE facts SET access_count = 3 WHERE n = ?", (second.n,))
    assert (find(looker).groups[0].keeper.n, find(looker).groups[0].reason) == (second.n, "recalled most")
    memory.pin(first.id)
    assert find(looker).groups[0].reason == "pinned, oldest"
    memory.accept(second.id)
    assert (find(looker).groups[0].keeper.n, find(looker).groups[0].reason) == (second.n, "accepted, recalled most")


def test_a_persons_text_is_kept(store: MemoryStore, looker: Looker, path: Path) -> None:
    memory = store.memory("u")
    memory.write("Prefers a window seat")
    fact = memory.write("Prefers an aisle seat")
    with MemoryStore(path, agent="person:ann") as ann:
        ann.memory("u").update(fact.id, "prefers a WINDOW seat")
    (group,) = find(looker).groups
    assert (group.keeper.n, group.reason) == (fact.n, "a person's")


def test_a_merge_unites_what_all_had(store: MemoryStore, looker: Looker, path: Path) -> None:
    memory = store.memory("u")
    about, source = memory.write("Seats on trains"), memory.write("Said in May")
    one = memory.write("Prefers a window seat", {"a": 1}, tags=["seat"], turns=["t1"], origin="assistant", importance=3)
    two = memory.write(
        "prefers a window seat.", {"a": 2, "b": 3}, tags=["travel", "seat"], keywords=["train"], turns=["t2"],
        origin="user", importance=9, confidentiality="restricted", category="travel",
    )  # fmt: skip
    memory.link(two.id, about.id)
    memory.link(two.id, source.id, "derived-from")
    sql(path, "UPDATE facts SET access_count = 2 WHERE id IN (?, ?)", (one.id, two.id))
    (group,) = find(looker).groups
    shown = looker.read(lambda connection: merging.merged(connection, group.keeper, group.others))
    assert merging.merge(store, group.keeper, group.others) == shown
    kept = memory.get(one.id)
    assert kept.content == "Prefers a window seat"
    assert (kept.tags, kept.keywords, kept.turns) == (["seat", "travel"], ["train"], ["t1", "t2"])
    assert (kept.importance, kept.confidentiality, kept.category) == (9, "restricted", "travel")
    assert (kept.access_count, kept.metadata, kept.origin) == (4, {"a": 1, "b": 3}, "assistant")
    assert memory.get(two.id).status == "superseded"
    ties = {(tie.kind, tie.source, tie.target) for tie in memory.links(one.id)}
    assert ("supersedes", one.id, two.id) in ties
    assert ("derived-from", one.id, source.id) in ties
    assert {kind for kind, *_ in ties} == {"supersedes", "derived-from", "related"}
    assert kept.id in {fact.id for fact in memory.search("travel")}
    assert find(looker).groups == []
    integrity(path)


def test_an_accepted_keeper_stays_accepted(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    one = memory.write("Prefers a window seat")
    memory.write("prefers a window seat.", tags=["seat"])
    memory.accept(one.id)
    (group,) = find(looker).groups
    merging.merge(store, group.keeper, group.others)
    assert len(store.select("is:accepted")) == 1


def test_what_was_set_aside_can_be_restored(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    memory.write_many(["Prefers a window seat", "prefers a window seat."])
    (group,) = find(looker).groups
    merging.merge(store, group.keeper, group.others)
    assert memory.count() == 1
    assert memory.write("prefers a window seat.").status == "superseded"
    store.undo()
    assert memory.count() == 2
    store.redo()
    assert memory.count() == 1


def test_keeping_only_one_forgets_the_others(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    memory.write("Prefers a window seat")
    memory.write("prefers a window seat.", tags=["seat"])
    (group,) = find(looker).groups
    merging.keep_only(store, group.keeper, group.others)
    (kept,) = memory.list()
    assert kept.tags == []
    assert memory.write("prefers a window seat.").blocked
    store.undo()
    assert memory.count() == 2


def test_not_alike_is_remembered_and_can_be_taken_back(store: MemoryStore, looker: Looker, path: Path) -> None:
    memory = store.memory("u")
    one, _ = memory.write_many(["Prefers a window seat", "prefers a window seat."])
    (group,) = find(looker).groups
    merging.not_alike(store, group.keeper, group.others)
    assert find(looker).groups == []
    store.undo()
    assert len(find(looker).groups) == 1
    store.redo()
    memory.erase(one.id)
    assert sql(path, "SELECT count(*) FROM judgements") == [(0,)]
    integrity(path)


def test_all_equal_groups_are_one_step(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    memory.write_many(
        text for number in range(5) for text in (f"Fact {number} is about tea", f"fact {number} is about TEA!")
    )
    found = find(looker)
    assert len(found.equal) == 5
    memory.update(memory.list()[0].id, tags=["seen"])
    told: list[int] = []
    left = merging.merge_all(store, found.equal, lambda done, total: told.append(total))
    assert len(left) == 1
    assert memory.count() == 6
    assert told
    store.undo()
    assert memory.count() == 10


def test_what_changed_meanwhile_is_not_merged(store: MemoryStore, looker: Looker) -> None:
    memory = store.memory("u")
    one, two = memory.write_many(["Prefers a window seat", "prefers a window seat."])
    (group,) = find(looker).groups
    memory.update(two.id, tags=["seen"])
    for act in (merging.merge, merging.keep_only):
        with pytest.raises(Conflict):
            act(store, group.keeper, group.others)
    assert memory.count() == 2
    with pytest.raises(NotFound):
        merging.merge(store.tenant("acme"), group.keeper, group.others)
    with pytest.raises(NotFound):
        merging.not_alike(store.tenant("acme"), group.keeper, group.others)
    other = store.memory("v").write("prefers a window seat.")
    with pytest.raises(Invalid):
        merging.merge(store, Aim(one.n or 0, one.version), [Aim(other.n or 0, other.version)])


def test_a_search_can_be_stopped(store: MemoryStore, looker: Looker) -> None:
    store.memory("u").write_many(["Prefers a window seat", "prefers a window seat."])
    found = duplicates.find(looker, Query(), clock.utc_now(), lambda done, total: False)
    assert not found.complete
    told: list[tuple[int, int]] = []
    assert duplicates.find(looker, Query(), clock.utc_now(), lambda *at: told.append(at)).complete
    assert all(0 <= done <= total == 2 for done, total in told)


def test_planted_copies_are_found_and_changed_numbers_are_not(store: MemoryStore, looker: Looker) -> None:
    pick = random.Random(5)
    words = ["".join(pick.choices("abdefgiklmnoprstuw", k=pick.randint(5, 9))) for _ in range(400)]
    facts = [" ".join(pick.sample(words, 12)) + f" {pick.randint(1, 999)}" for _ in range(600)]
    typed = [fact.replace(fact[8:10], fact[9] + fact[8], 1) for fact in facts[:20]]
    moved = [" ".join([*fact.split()[6:], *fact.split()[:6]]) for fact in facts[20:40]]
    loud = [fact.upper() + "!" for fact in facts[40:60]]
    numbers = [fact + "7" for fact in facts[60:80]]
    store.memory("u").write_many([*facts, *typed, *moved, *loud, *numbers])
    found = [texts(store, group) for group in find(looker).groups]
    meant = [sorted(pair) for pair in zip(facts[:60], [*typed, *moved, *loud], strict=True) if pair[0] != pair[1]]
    assert sum(pair in found for pair in meant) >= 0.97 * len(meant)
    assert all(pair in meant for pair in found)


FACT = st.fixed_dictionaries(
    {
        "tags": st.lists(st.sampled_from("abc"), unique=True),
        "turns": st.lists(st.sampled_from(["t1", "t2"]), unique=True),
        "importance": st.integers(1, 10),
        "confidentiality": st.sampled_from(["public", "internal", "confidential", "restricted"]),
        "origin": st.sampled_from([None, "user", "tool"]),
    }
)


@settings(max_examples=25)
@given(facts=st.lists(FACT, min_size=2, max_size=4), pinned=st.booleans())
def test_merging_loses_nothing_and_undo_is_the_identity(
    tmp_path_factory: pytest.TempPathFactory, facts: list[dict[str, Any]], pinned: bool
) -> None:
    path = tmp_path_factory.mktemp("merge") / "agent.db"
    with MemoryStore(path, agent="person:ann", synchronous="NORMAL") as store:
        memory = store.memory("u")
        made = [memory.write("Prefers a seat" + "." * place, **values) for place, values in enumerate(facts)]
        memory.pin(made[-1].id, pinned)
        memory.link(made[0].id, memory.write("About trains").id)
        before = rows(path)
        aims = [Aim(fact.n or 0, memory.get(fact.id).version) for fact in made]
        merged = merging.merge(store, aims[0], aims[1:])
        assert set(merged.tags) == {tag for fact in facts for tag in fact["tags"]}
        assert set(merged.turns) == {turn for fact in facts for turn in fact["turns"]}
        kept = memory.get(made[0].id)
        levels = ["public", "internal", "confidential", "restricted"]
        assert all(levels.index(kept.confidentiality) >= levels.index(fact["confidentiality"]) for fact in facts)
        assert kept.importance == max(fact["importance"] for fact in facts)
        assert (kept.origin, kept.content, kept.pinned) == (facts[0]["origin"], made[0].content, pinned)
        assert store.undo() is not None
        assert rows(path) == before


def rows(path: Path) -> list[list[Any]]:
    """Every row as it is stored, versions aside."""
    columns = [name for (name,) in sql(path, "SELECT name FROM pragma_table_info('facts')") if name != "version"]
    return [
        sql(path, f"SELECT {', '.join(columns)} FROM facts ORDER BY n"),
        *(sql(path, f"SELECT * FROM {table} ORDER BY id") for table in ("links", "decisions", "judgements")),
    ]


def test_the_words_that_differ_are_known() -> None:
    one, other = "Never deploy on Friday afternoons", "Never deploy on friday afternoon."
    ours, theirs = differing(one, other)
    assert [one[start:end] for start, end in ours] == ["Friday afternoons"]
    assert [other[start:end] for start, end in theirs] == ["friday afternoon."]
    assert differing(one, one) == ([], [])


def test_finding_loads_no_sqlmodel() -> None:
    code = "import sys, memview.review.duplicates, memview.review.conflicts, memview.review.differences\n"
    assert run(f"{code}print('sqlmodel' in sys.modules, 'sqlalchemy' in sys.modules)") == ["False False"]
