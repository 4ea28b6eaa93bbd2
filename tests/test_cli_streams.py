"""Where output goes: pipes, full disks, odd locales, odd values, changes as they happen, completion."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from command import CHANGE, cli, fill, has_shape, memview
from memview import MemoryStore
from support import SettableClock, plain, sql


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


def test_a_closed_pipe_is_no_error(path: Path) -> None:
    with MemoryStore(path, synchronous="NORMAL") as store:
        store.memory("n").write_many(f"Fact {number} {'long ' * 60}" for number in range(1_500))
    for options in ([], ["--json"]):
        with subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "memview", "list", path, "--limit", "0", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 0


def test_a_full_disk_is_told(path: Path, ids: dict[str, str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memview", "list", path], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"memview: No space left on device.\n"


def test_json_is_utf8_whatever_the_locale(path: Path, ids: dict[str, str]) -> None:
    sql(path, "INSERT INTO facts (content, metadata) VALUES (CAST(x'4166ff' AS TEXT), '{\"x\": NaN}')")
    plain_c = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    told = memview("list", path, "--json", env=plain_c)
    assert told.status == 0
    found = json.loads(told.raw.decode("utf-8", "strict"), parse_constant=lambda name: pytest.fail(name))
    assert found[0]["content"] == "Af\udcff"
    assert found[0]["metadata"] == {"x": None}
    assert any("東京" in fact["content"] for fact in found)
    assert "東京".encode() in told.raw
    told = memview("list", path, env=plain_c)
    assert told.status == 0
    assert told.raw.isascii()
    assert rb"\u6771" in told.raw


def test_rows_of_any_kind_of_value_show(path: Path, ids: dict[str, str]) -> None:
    with plain(path) as connection:
        for value in (7, 1.5, b"\x00\xff\x1b", ""):
            connection.execute(
                "INSERT INTO facts (content, importance, strength, created_at, tags) VALUES (?, 9e999, 9e999, ?, ?)",
                (value, value, value),
            )
    assert len(cli("list", path).out.splitlines()) == 7
    told = cli("list", path, "--json")
    assert len(json.loads(told.out, parse_constant=lambda name: pytest.fail(name))) == 7
    assert cli("history", path, "--json").status == 0
    assert cli("forget", path, json.loads(told.out)[0]["id"]).status == 0
    assert json.loads(cli("history", path, "--json").out)


@pytest.mark.parametrize("as_json", [False, True])
def test_watch_prints_changes_until_it_is_interrupted(path: Path, ids: dict[str, str], as_json: bool) -> None:
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "memview", "watch", path, *(["--json"] if as_json else [])],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a background shell has it ignored
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert process.stderr.readline() == "Watching agent.db; ctrl+c ends.\n"
            for text in ("The first new one", "The second\x1b[31m new one"):
                with MemoryStore(path, agent="scribe") as store:
                    store.memory("user:42").write(text)
                line = process.stdout.readline()
                if as_json:
                    assert has_shape(json.loads(line), CHANGE)["after"]["content"] == text
                else:
                    assert "scribe  wrote fact  user:42" in line
                    assert line.endswith(text.replace("\x1b", "\\x1b") + "\n")
            process.send_signal(signal.SIGINT)
            assert process.stdout.read() == ""
            assert process.stderr.read() == ""
        finally:
            process.kill()
    assert process.returncode == 0
