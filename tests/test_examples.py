"""The examples run as they stand, and leave behind what they tell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from memview import MemoryStore

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str, *args: object) -> str:
    """What an example prints, run at its fastest in a process of its own."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_the_agent_loop_captures_learns_and_recalls(path: Path) -> None:
    told = example("agent_loop.py", path, "--pause", 0)
    learnt = [line.split(maxsplit=1)[1] for line in told.splitlines() if line.startswith(" learns")]
    assert len(learnt) == 4
    assert "  knows  The billing service is deployed on Tuesdays. (since " in told
    assert "] The billing service is never deployed on Fridays" in told
    with MemoryStore(path, read_only=True) as store:
        facts = store.memory("user:ada").list(0)
        assert {fact.content for fact in facts if fact.origin == "extraction"} == set(learnt)
        assert sum(fact.memory_type == "episodic" for fact in facts) == 4
        conversation = store.conversation("chat 1", namespace="user:ada")
        turns = [turn.id for turn in conversation.turns()]
        assert [fact.turns for fact in reversed(facts) if fact.content in learnt] == [
            [turns[0]], [turns[1]], [turns[1]], [turns[2]],
        ]  # fmt: skip
        assert any(fact.access_count for fact in facts)
    again = example("agent_loop.py", path, "--pause", 0)
    assert " learns" not in again
    assert again.count("  knows  ") == 5
