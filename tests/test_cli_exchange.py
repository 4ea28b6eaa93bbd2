"""Export and import: whole or not at all, nothing lost, and bad lines by number."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from command import cli, fill
from memview import MemoryStore
from support import SettableClock, folder, sql


@pytest.fixture
def ids(path: Path, clock: SettableClock) -> dict[str, str]:
    return fill(path, clock)


def test_there_and_back_loses_nothing(path: Path, ids: dict[str, str], tmp_path: Path) -> None:
    out, two = tmp_path / "out.jsonl", tmp_path / "two.db"
    before = folder(path)
    told = cli("export", path, "-o", out)
    assert (told.status, told.out, told.err) == (0, "", "Wrote out.jsonl.\n")
    assert folder(path) == before
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert cli("export", path).raw == out.read_bytes()
    assert cli("import", two, out).status == 3
    told = cli("import", two, out, "--create")
    assert (told.status, told.err) == (0, "Created two.db.\nImported 7 records.\n")
    assert cli("export", two).raw == out.read_bytes()
    told = cli("import", two, "-", stdin=out.read_bytes())
    assert told.err == "Imported 0 records; 7 were there already.\n"
    assert cli("show", two, ids["Deploy"]).out == cli("show", path, ids["Deploy"]).out
    assert cli("undo", two).err == "Took back importing 7 records in 2 namespaces, just now.\n"


def exported(*arguments: str | Path) -> list[str]:
    lines = [json.loads(line) for line in cli("export", *arguments).out.splitlines()]
    assert lines[0]["format"] == "memview"
    return [line.get("content") or line["record"] for line in lines[1:]]


def test_an_export_keeps_to_its_scope(path: Path, ids: dict[str, str]) -> None:
    assert exported(path, "--namespace", "user:43") == ["Répond en français, toujours 東京"]
    assert exported(path, "--tenant", "acme") == ["Acme deploys by hand"]
    assert "Acme deploys by hand" not in exported(path, "--tenant", "")
    assert exported(path, "--namespace", "none") == []


def test_an_export_that_holds_secrets_says_so(path: Path, ids: dict[str, str]) -> None:
    key = "ghp_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1234"
    assert cli("export", path).err == ""
    with MemoryStore(path) as store:
        store.memory("user:42").write(f"Deploy key is {key}")
    told = cli("export", path)
    assert key in told.out
    assert told.err == "memview: 1 record holds what looks like a secret; it was written out as it is.\n"


def test_hostile_text_is_inert_and_whole(path: Path, tmp_path: Path) -> None:
    text = "\x1b]52;c;x\x07 \x9b2J \u202e \u2028 \U000e0041 \ufeff"
    with MemoryStore(path) as store:
        store.memory("n").write(text, metadata={text: "\ud7ff"})
    sql(path, "UPDATE facts SET metadata = '{\"x\": \"\\ud800\"}', summary = CAST(x'4180ff' AS TEXT)")
    told = cli("export", path)
    assert not re.search("[\x7f-\x9f\u200b-\u202e\ufeff\U000e0041]", told.out)
    assert json.loads(told.out.splitlines()[1])["content"] == text
    two = tmp_path / "two.db"
    assert cli("import", two, "-", "--create", stdin=told.raw).status == 0
    assert cli("export", two).raw == told.raw


def test_an_export_that_fails_leaves_what_was_there(
    path: Path, ids: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("precious")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    before = sorted(os.listdir(tmp_path))
    told = cli("export", path, "-o", out)
    assert (told.status, told.err) == (1, "memview: No space left on device.\n")
    assert out.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == before


def test_an_export_never_replaces_the_store_nor_a_device(
    path: Path, ids: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    before = folder(path)
    for out in (path, link, Path(f"{path}-wal"), Path("/dev/null"), tmp_path):
        told = cli("export", path, "-o", out)
        assert (told.status, told.out) == (1, "")
    assert folder(path) == before
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert cli("export", path, "-o", tmp_path / "no" / "out").status == 1
    link.unlink()
    link.symlink_to(tmp_path / "elsewhere.jsonl")
    monkeypatch.chdir(tmp_path)
    assert cli("export", path, "-o", "link.jsonl").status == 0
    assert link.is_symlink()
    assert (tmp_path / "elsewhere.jsonl").stat().st_size > 0
    assert cli("export", path, "-o", "-").out.startswith('{"record": "store"')


BAD = b"""\xef\xbb\xbf{"record": "fact", "id": "a", "content": "first"}\r
{"record": "fact", "id": "b", "con
{"record": "fact", "id": "b", "content": "x"}{"record": "fact", "id": "c", "content": "y"}

{"record": "fact", "id": "d", "content": "caf\xe9"}
{"record": "fact", "id": "e", "content": "last"}"""


def test_bad_lines_are_named_and_the_rest_comes_in(path: Path, tmp_path: Path) -> None:
    MemoryStore(path).close()
    source = tmp_path / "in.jsonl"
    source.write_bytes(BAD)
    before = cli("export", path).raw
    counted = cli("import", path, source, "--dry-run")
    assert cli("export", path).raw == before
    told = cli("import", path, source)
    assert (told.status, told.out) == (1, "")
    assert [line.split(": ")[1] for line in told.err.splitlines()[:-1]] == ["line 2", "line 3", "line 5"]
    assert told.err.splitlines()[-1] == "Imported 2 records; 3 refused."
    assert counted.err == told.err.replace("Imported", "Would import")
    found = json.loads(cli("import", path, source, "--json").out)
    assert (found["added"], found["same"], [line["line"] for line in found["refused"]]) == (0, 2, [2, 3, 5])


def test_what_is_no_json_lines_is_refused_in_a_sentence(path: Path, ids: dict[str, str], tmp_path: Path) -> None:
    before = folder(path)
    assert cli("import", path, path).sentence.startswith("memview: agent.db is a database.")
    assert cli("import", path, tmp_path / "none").sentence.startswith("memview: No such file or directory: ")
    assert cli("import", path, tmp_path).status == 1
    assert cli("import", tmp_path / "new.db", tmp_path / "none", "--create").status == 1
    assert cli("import", tmp_path / "new.db", "-", "--create", "--dry-run").status == 2
    assert not (tmp_path / "new.db").exists()
    assert cli("import", path, "-").err == "Imported 0 records.\n"
    assert folder(path).keys() == before.keys()


def test_an_import_keeps_to_a_tenant_and_says_who(path: Path, ids: dict[str, str], tmp_path: Path) -> None:
    lines = cli("export", path).raw
    told = cli("import", tmp_path / "two.db", "-", "--create", "--tenant", "acme", "--agent", "curator", stdin=lines)
    assert told.err.endswith("Imported 1 record; 6 refused.\n")
    (change,) = json.loads(cli("history", tmp_path / "two.db", "--json").out)
    assert (change["actor"], change["tenant"]) == ("curator", "acme")
