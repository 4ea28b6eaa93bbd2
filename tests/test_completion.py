"""Completion in a shell, as `memview --help` says how to switch it on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from memview.cli import main as cli


def completed(line: str) -> list[tuple[str, str]]:
    """How the last word of a line may go on, and what each way is."""
    *words, last = line.split(" ")[1:]
    completing = ShellComplete(cli.memview, {}, "memview", "_MEMVIEW_COMPLETE")
    return [(found.type, found.value) for found in completing.get_completions(words, last)]


def test_it_knows_commands_options_values_and_files() -> None:
    assert completed("memview sta") == [("plain", "stats")]
    assert completed("memview e") == [("plain", "edit"), ("plain", "erase"), ("plain", "export")]
    assert completed("memview agen") == [("file", "agen")]
    assert completed("memview import a.db in.") == [("file", "in.")]
    assert ("plain", "--json") in completed("memview list a.db --")
    assert ("plain", "--read-only") in completed("memview a.db --")
    assert completed("memview link a.db x y --kind con") == [("plain", "contradicts")]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_line_of_the_help_switches_it_on_in_bash(tmp_path: Path) -> None:
    (line,) = re.findall(r"^ +bash +(eval .*)$", cli.EPILOG, re.MULTILINE)
    program = tmp_path / "memview"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m memview "$@"\n')
    program.chmod(0o755)
    script = f"""
{line}
complete -p memview
COMP_WORDS=(memview exp) COMP_CWORD=1
_memview_completion memview
echo "${{COMPREPLY[@]}}"
"""
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script], capture_output=True, text=True, check=True, env={**os.environ, "PATH": path}
    )
    registered, offered = done.stdout.splitlines()
    assert registered.endswith("_memview_completion memview")
    assert offered == "export"
