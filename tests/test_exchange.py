"""A store as JSON lines and back: nothing lost, and bad lines told by number."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memview import Loaded, MemoryStore
from support import plain

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
FACT = st.fixed_dictionaries(
    {"content": TEXT.filter(str.strip)},
    optional={
        "tags": st.lists(TEXT, max_size=3),
        "keywords": st.lists(TEXT, max_size=2),
        "category": st.none() | TEXT,
        "importance": st.integers(-3, 20),
        "strength": st.floats(0, 1),
        "metadata": st.dictionaries(TEXT, st.none() | st.integers() | TEXT | st.lists(TEXT, max_size=2), max_size=3),
        "confidentiality": st.sampled_from(["public", "restricted"]),
        "session": st.none() | TEXT,
    },
)  # fmt: skip


def written(store: MemoryStore) -> list[str]:
    return list(store.export(every_tenant=True))


def read(store: MemoryStore, lines: list[str]) -> Loaded:
    return store.load(lines, every_tenant=True)


@settings(max_examples=15, deadline=None)
@given(facts=st.lists(FACT, max_size=6), turns=st.lists(st.tuples(TEXT, TEXT), max_size=3), namespace=TEXT)
def test_nothing_is_lost(facts: list[dict[str, object]], turns: list[tuple[str, str]], namespace: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = (Path(folder) / name for name in ("a.db", "b.db"))
        one, two = (MemoryStore(path, synchronous="NORMAL") for path in paths)
        with one, two:
            memory = one.tenant("acme").memory(namespace)
            kept = [memory.write(**fact) for fact in facts]  # type: ignore[arg-type]
            for request, response in turns:
                one.conversation("s", namespace=namespace).record(request, response, note=namespace)
            ids = list(dict.fromkeys(fact.id for fact in kept))
            for id in ids[1:]:
                memory.link(ids[0], id, "derived-from")
            if ids:
                memory.accept(ids[0])
                memory.forget(ids[-1])
            lines = written(one)
            loaded = read(two, lines)
            assert loaded.refused == []
            assert written(two) == lines
            assert read(two, lines).added == 0
            assert read(two, lines).same == loaded.added
            if ids:
                last = next(fact for fact in kept if fact.id == ids[-1])
                assert two.tenant("acme").memory(namespace).write(last.content).blocked


def test_values_that_json_cannot_hold_survive(store: MemoryStore, path: Path, tmp_path: Path) -> None:
    store.memory("u").write("plain")
    with plain(path) as connection:
        connection.execute("UPDATE facts SET summary = x'00ff', category = CAST(x'ff41' AS TEXT), strength = 0.1")
    with MemoryStore(tmp_path / "two.db") as two:
        assert read(two, written(store)).refused == []
    with plain(tmp_path / "two.db") as connection:
        row = connection.execute(
            "SELECT summary, CAST(category AS BLOB), typeof(category), strength FROM facts"
        ).fetchone()
    assert row == (b"\x00\xff", b"\xffA", "text", 0.1)


def test_bad_lines_are_named_by_number_and_the_rest_comes_in(store: MemoryStore) -> None:
    good = [json.dumps({"record": "fact", "id": f"f{i}", "content": f"fact {i}"}) for i in range(4)]
    lines = [
        "\ufeff" + good[0] + "\r\n",
        good[1][:20],
        good[1] + good[2],
        "",
        "[1, 2]",
        json.dumps({"record": "fact", "id": "f9"}),
        json.dumps({"record": "ghost", "id": "f9"}),
        json.dumps({"record": "link", "id": "l1", "source": "f0", "target": "nobody"}),
        json.dumps({"record": "fact", "id": "other", "content": "fact 0"}),
        json.dumps({"record": "fact", "id": "f0", "content": "another text"}),
        json.dumps({"record": "fact", "id": "f9", "content": "x", "colour": "red"}),
        good[3],
        good[3],
    ]
    loaded = read(store, lines)
    assert (loaded.added, loaded.same) == (2, 1)
    assert [number for number, _ in loaded.refused] == [2, 3, 5, 6, 7, 8, 9, 10, 11]
    assert all(why.endswith(".") for _, why in loaded.refused)
    assert [fact.content for fact in store.memory("").list()] == ["fact 3", "fact 0"]


def test_a_namespace_leaves_alone(store: MemoryStore) -> None:
    a = store.memory("a").write("of a")
    b = store.memory("b").write("of b")
    store.memory("a").link(a.id, b.id)
    lines = list(store.export("a"))
    assert [json.loads(line).get("content") for line in lines[1:]] == ["of a"]


def test_a_tenant_is_neither_left_nor_entered(store: MemoryStore, tmp_path: Path) -> None:
    ours = store.memory("u").write("ours")
    acme = store.tenant("acme")
    facts = [acme.memory("u").write(text) for text in ("theirs", "theirs too")]
    acme.memory("u").link(facts[0].id, facts[1].id)
    acme.memory("u").accept(facts[0].id)
    kinds = [json.loads(line)["record"] for line in acme.export()]
    assert kinds == ["store", "fact", "fact", "link", "decision"]
    assert [json.loads(line)["id"] for line in list(store.export())[1:]] == [ours.id]
    with MemoryStore(tmp_path / "two.db") as two:
        assert [number for number, _ in two.load(acme.export()).refused] == [2, 3, 4, 5]
        assert two.tenant("acme").load(acme.export()).added == 4
        assert [number for number, _ in two.load(acme.export()).refused] == [2, 3, 4, 5]
        assert two.memory("u").count() == 0


def test_a_link_between_tenants_is_refused(store: MemoryStore) -> None:
    a, b = store.memory("u").write("ours"), store.tenant("acme").memory("u").write("theirs")
    link = json.dumps({"record": "link", "id": "l", "source": a.id, "target": b.id, "kind": "related"})
    assert read(store, [link]).refused == [(1, "It ties facts of two tenants.")]


def test_a_trial_counts_the_same_and_changes_nothing(store: MemoryStore) -> None:
    lines = [json.dumps({"record": "fact", "id": f"f{i}", "content": f"fact {i % 3}"}) for i in range(4)]
    trial = store.load(lines, dry_run=True)
    assert (trial.added, len(trial.refused), store.memory("").count()) == (3, 1, 0)
    assert store.load(lines) == trial
    assert store.memory("").count() == 3


def test_an_import_is_one_step_for_undo(store: MemoryStore) -> None:
    store.memory("u").write("here before")
    lines = [json.dumps({"record": "fact", "id": f"f{i}", "content": f"fact {i}"}) for i in range(3)]
    lines.append(json.dumps({"record": "link", "id": "l", "source": "f0", "target": "f1", "kind": "related"}))
    assert store.load(lines).added == 4
    assert store.undo() is not None
    assert (store.memory("").count(), store.memory("u").count()) == (0, 1)
    assert store.redo() is not None
    assert store.memory("").count() == 3
