"""What the documentation says is so: its code runs and prints what stands below it, and it leaves nothing out."""

from __future__ import annotations

import contextlib
import gc
import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import memview
from memview.cli.main import memview as command

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
NOT_RUN = {"README.md": ["make demo", "make test"]}
"""Commands that other tests run."""


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page that name a language, each with its text."""
    return [(found[1], found[2]) for found in BLOCK.finditer(page.read_text())]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_its_code_runs_and_prints_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = ""
    for kind, text in blocks(page):
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, str(page), "exec"), {"__name__": "__main__"})
            gc.collect()  # the shortest example closes nothing
            told = out.getvalue()
        elif kind == "output":
            assert told == text
        elif kind == "sh":
            run_commands(page.name, text)
        else:
            raise AssertionError(f"no test for a block of {kind}")


def run_commands(page: str, text: str) -> None:
    for line in filter(None, (line.partition("#")[0].strip() for line in text.splitlines())):
        if line not in NOT_RUN.get(page, ()):
            name, *rest = line.split()
            assert name == "memview", line
            done = CliRunner().invoke(command, rest)
            assert done.exit_code == 0, f"{line}: {done.output}"


def test_the_reference_has_every_public_name() -> None:
    listed = re.findall(
        r"^\.\. auto\w+:: memview\.(\w+)(?:\(\))?$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE
    )
    assert sorted(set(listed) - {"errors"}) == [name for name in memview.__all__ if name != "__version__"]


def test_the_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
