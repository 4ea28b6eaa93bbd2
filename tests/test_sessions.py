from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from memview import MemoryStore
from memview.clock import utc_now
from memview.memory.looking import ALL, Looker, Query, find

Said = tuple[str | None, str, str]


def expected(said: list[Said]) -> list[int]:
    """Numbers of the turns, the session with the newest turn first, the oldest turn first within each."""
    sessions: dict[tuple[str | None, str], list[int]] = {}
    for n, (namespace, session, _) in enumerate(said, 1):
        sessions.setdefault((namespace, session), []).append(n)
    return [n for numbers in sorted(sessions.values(), key=max, reverse=True) for n in numbers]


NAMESPACES, SESSIONS = some.sampled_from([None, "a", "b"]), some.sampled_from(["", "s1", "s2"])


@given(
    said=some.lists(some.tuples(NAMESPACES, SESSIONS, some.text("xy", max_size=1)), max_size=12),
    limit=some.integers(1, 6),
)
def test_turns_come_session_by_session(tmp_path_factory: pytest.TempPathFactory, said: list[Said], limit: int) -> None:
    path = tmp_path_factory.mktemp("sessions") / "agent.db"
    with MemoryStore(path) as store:
        for number, (namespace, session, text) in enumerate(said):
            store.conversation(session, namespace=namespace).record(f"{text} {number}", "")
    looker = Looker(path)
    query = Query(kind="turns", tenant=ALL, namespace=ALL, order="sessions")
    try:
        whole = looker.read(lambda raw: find(raw, query, utc_now()).keys).tolist()
        first = looker.read(lambda raw: find(raw, replace(query, limit=limit), utc_now()).keys).tolist()
    finally:
        looker.close()
    assert whole == expected(said)
    assert first == whole[:limit]
