"""A user's program against the types of the library: all of the public door, plain and awaited."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import memview
from data import typed_program

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "tests" / "data" / "typed_program.py"


def test_the_program_uses_every_public_name() -> None:
    tree = ast.parse(PROGRAM.read_text())
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert [name for name in memview.__all__ if name not in used] == []


def test_strict_mypy_has_nothing_to_say(tmp_path: Path) -> None:
    """The program as a stranger has it: in a folder of its own, with nothing of this project's settings."""
    shutil.copy(PROGRAM, tmp_path / "program.py")
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    cache = str(ROOT / ".mypy_cache")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_program_runs(tmp_path: Path) -> None:
    assert typed_program.main(tmp_path).startswith(f"{memview.__version__} MissingStore: ")
