"""What the README says is so: its code runs, and its tables are those of the program."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def test_the_tables_are_those_of_the_program() -> None:
    sys.path.insert(0, str(ROOT / "assets"))
    try:
        import readme
    finally:
        sys.path.pop(0)
    assert readme.filled(README) == README, "run: python assets/readme.py"


def test_the_library_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(code, "README.md", "exec"), {})
    assert told.getvalue().splitlines() == ["Deploy window is Tuesday, 14:00 to 16:00 UTC", "True"]


def test_its_make_targets_exist_and_explain_themselves() -> None:
    told = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in re.findall(r"make (\w+)", README):
        assert f"make {target} " in told


def test_its_pictures_and_files_are_there() -> None:
    for link in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / link).exists(), link
