"""Rules with a formula, against the formula written down once more: what a budget keeps, what is trimmed, what is
clamped. Those of fading and of pruning stand beside their features."""

from __future__ import annotations

import math
from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memview import MemoryStore

SAME_STORE = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25, deadline=None
)
NAMES = map(str, count())
"""A session, or a namespace, of its own for each example."""


@SAME_STORE
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6), st.integers(-1, 16), st.integers(0, 3))
def test_C4_a_budget_keeps_what_the_formula_says(
    store: MemoryStore, lengths: list[tuple[int, int]], budget: int, words: int
) -> None:
    chat = store.conversation(next(NAMES))
    for asked, answered in lengths:
        chat.record("q" * asked, "a" * answered)

    def kept(costs: list[int]) -> list[str]:
        """The longest run of last turns whose costs are within the budget together."""
        fitting = [
            turns for turns in range(len(costs) + 1) if budget > 0 and sum(costs[len(costs) - turns :]) <= budget
        ]
        last = lengths[len(lengths) - max(fitting, default=0) :]
        return [text for asked, answered in last for text in ("q" * asked, "a" * answered) if text]

    given_ = [message["content"] for message in chat.to_messages(token_budget=budget)]
    assert given_ == kept([math.ceil((asked + answered) / 4) for asked, answered in lengths])
    counted = chat.to_messages(token_budget=budget, count_tokens=lambda text: words)
    assert [message["content"] for message in counted] == kept([words] * len(lengths))


@SAME_STORE
@given(st.integers(1, 33), st.integers(0, 40))
def test_C6_trims_what_the_formula_says(store: MemoryStore, most: int, recorded: int) -> None:
    session, gone = next(NAMES), list[list[str]]()
    chat = store.conversation(
        session, max_turns=most, on_trim=lambda turns: gone.append([turn.request for turn in turns])
    )
    kept: list[str] = []
    expected: list[list[str]] = []
    with store._transaction("record"):  # one commit is enough
        for number in range(recorded):
            chat.record(f"q{number}")
            kept.append(f"q{number}")
            if len(kept) > most:
                tenth = most // 10 if most >= 10 else 1
                expected.append(kept[:tenth])
                kept = kept[tenth:]
    assert gone == expected
    assert [turn.request for turn in store.conversation(session).turns()] == kept


@SAME_STORE
@given(st.integers(-20, 20) | st.floats(-20, 20))
def test_E_importance_is_clamped_to_one_and_ten(store: MemoryStore, given_: float) -> None:
    memory = store.memory(next(NAMES))
    expected = 1 if given_ < 2 else 10 if given_ >= 10 else math.floor(given_)
    fact = memory.write("deploy", importance=given_)  # type: ignore[arg-type]
    assert memory.get(fact.id).importance == expected
    assert memory.recall("deploy")[0].why.importance == (expected - 1) / 9


@SAME_STORE
@given(st.integers(1, 6), st.lists(st.integers(0, 9), max_size=14))
def test_A9_a_cap_keeps_what_the_rule_says(store: MemoryStore, most: int, written: list[int]) -> None:
    memory = store.memory(next(NAMES), max_entries=most)
    expected: list[int] = []
    for number in written:
        memory.write(f"fact {number}")
        if number not in expected:
            expected = [*expected, number][-most:]
    assert [fact.content for fact in memory.list()] == [f"fact {number}" for number in reversed(expected)]
