"""The demo: a believable store, an agent that keeps writing, and nothing left behind."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from command import python
from memview.cli.demo.agent import FOLDER_PREFIX, news
from memview.cli.demo.building import build
from memview.cli.demo.session import demonstration
from memview.memory.looking import Looker, last_seq
from memview.text import is_hostile
from support import integrity, sql
from terminal import Terminal, memview

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
_PATIENCE = 60.0
_MAKE = "import sys; from memview.cli.demo.__main__ import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's store, as of a fixed moment."""
    path = tmp_path_factory.mktemp("demo") / "agent.db"
    build(path, now=NOON)
    return path


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder


def until(holds: Callable[[], bool]) -> bool:
    """Whether a condition comes true in good time."""
    end = time.monotonic() + _PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def one(path: Path, query: str) -> list[str]:
    return [str(value) for (value,) in sql(path, query)]


def test_the_store_is_whole_and_of_a_good_size(demo: Path) -> None:
    integrity(demo)
    ((facts,), (turns,)) = sql(demo, "SELECT count(*) FROM facts UNION ALL SELECT count(*) FROM turns")
    assert 600 < facts < 1_500
    assert 250 < turns < 500
    assert len(one(demo, "SELECT DISTINCT namespace FROM facts")) == 5


def test_it_holds_something_of_everything(demo: Path) -> None:
    assert set(one(demo, "SELECT DISTINCT agent FROM facts")) == {"planner", "scribe", "ops-bot"}
    assert set(one(demo, "SELECT DISTINCT status FROM facts")) == {"active", "superseded", "forgotten"}
    assert {"supersedes", "contradicts", "related"} <= set(one(demo, "SELECT DISTINCT kind FROM links"))
    assert {"user", "assistant", "tool", "extraction"} <= set(one(demo, "SELECT DISTINCT origin FROM facts"))
    assert len(one(demo, "SELECT DISTINCT category FROM facts")) > 10
    assert len(one(demo, "SELECT DISTINCT importance FROM facts")) > 6
    assert int(*one(demo, "SELECT count(*) FROM facts WHERE pinned")) > 3
    assert int(*one(demo, "SELECT count(*) FROM decisions")) > 10
    assert int(*one(demo, "SELECT max(access_count) FROM facts")) > 20
    texts = one(demo, "SELECT content FROM facts")
    assert any(map(is_hostile, texts))
    assert any("東京" in text for text in texts)
    assert any("الأحد" in text for text in texts)


def test_its_ages_go_from_minutes_to_months(demo: Path) -> None:
    written = one(demo, "SELECT created_at FROM facts ORDER BY n")
    oldest, newest = (datetime.fromisoformat(written[end]) for end in (0, -1))
    assert (NOON - newest).total_seconds() < 3_600
    assert 90 < (NOON - oldest).days < 400
    assert written == sorted(written)
    assert not one(
        demo, "SELECT id FROM facts WHERE last_accessed_at NOT BETWEEN created_at AND '2026-03-01T12:00:01Z'"
    )


def test_every_fact_came_from_a_turn_that_is_there(demo: Path) -> None:
    came = "SELECT DISTINCT e.fact FROM evidence e JOIN turns t ON t.id = e.turn"
    assert set(one(demo, came)) == set(one(demo, "SELECT id FROM facts"))


def test_the_same_moment_makes_the_same_store(demo: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.db"
    ended = python(_MAKE, again, NOON.isoformat())
    assert (ended.status, ended.err) == (0, "")
    for rows in (
        "SELECT n, namespace, content, tags, agent, status, importance, strength, access_count, created_at FROM facts",
        "SELECT request, response, at FROM turns",
    ):
        assert sql(demo, rows) == sql(again, rows)


def test_it_is_not_made_over_something(demo: Path) -> None:
    before = demo.read_bytes()
    assert python(_MAKE, demo).status == 1
    assert demo.read_bytes() == before


def test_the_agent_never_runs_out_of_news() -> None:
    learned = news(7)
    found = {next(learned) for _ in range(500)}
    assert len(found) > 400
    assert not any("{" in text for _, text, _ in found)


def test_the_agent_writes_and_nothing_is_left_behind(temporary: Path) -> None:
    with demonstration(pause=0.02) as path:
        assert path.parent.parent == temporary
        looker = Looker(path)
        first = looker.read(last_seq)
        assert until(lambda: looker.read(last_seq) > first)
        looker.close()
    assert list(temporary.iterdir()) == []


def test_a_crash_leaves_nothing_behind(temporary: Path) -> None:
    with pytest.raises(ZeroDivisionError), demonstration() as path:
        raise ZeroDivisionError(path)
    assert list(temporary.iterdir()) == []


_HELD = """
import sys
from memview.cli.demo.session import demonstration
with demonstration(pause=0.05) as path:
    print(path, flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_leaves_nothing_behind(temporary: Path, number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", _HELD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        path = Path(process.stdout.readline().decode().strip())
        assert path.parent.name.startswith(FOLDER_PREFIX)
        assert sqlite3.connect(path).execute("SELECT count(*) > 600 FROM facts").fetchone() == (1,)
        process.send_signal(number)
        assert process.wait(_PATIENCE) == (-number if number == signal.SIGKILL else 128 + number)
    assert until(lambda: not path.parent.exists())
    assert list(temporary.iterdir()) == []


def test_the_demo_opens_in_the_app_and_goes_away(temporary: Path) -> None:
    with Terminal(memview("demo"), env={"TMPDIR": str(temporary)}) as terminal:
        terminal.wait_for("5 namespaces")
        terminal.wait_for("wrote")
        terminal.press("q")
        assert terminal.ended() == 0
    assert list(temporary.iterdir()) == []
