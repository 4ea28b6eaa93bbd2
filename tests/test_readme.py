"""What the README says is so: its code runs, and its tables are those of the program."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.fixture
def readme(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script that writes the tables."""
    monkeypatch.syspath_prepend(ROOT / "assets")
    return import_module("readme")


def test_the_tables_are_those_of_the_program(readme: ModuleType) -> None:
    assert readme.filled(README) == README, "run: python assets/readme.py"


def test_the_figures_are_those_that_were_measured(readme: ModuleType) -> None:
    told = (ROOT / "docs" / "measurements.md").read_text()
    assert readme.filled_measurements(told) == told, "run: python assets/readme.py"
    figures = README.partition("<!-- speed -->")[2].partition("<!-- /speed -->")[0]
    measured = [one for one in readme.FOREMOST if one[0] in readme.results()]
    assert measured
    for name, begins, words in measured:
        row = next(row for row in readme.results()[name]["rows"] if row["item"].startswith(begins))
        (line,) = [line for line in figures.splitlines() if line.startswith(f"| {words}")]
        assert row["ours"] in line
        assert row["peer"] in line


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
