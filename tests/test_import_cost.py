"""What importing costs: nothing heavy rides along where it is not used."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import python
from memview import MemoryStore

HEAVY = ("sqlmodel", "sqlalchemy", "pydantic", "textual", "rich", "rapidfuzz", "watchfiles", "asyncio")
_SHOW = f"\nimport sys; print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)"


def loaded(code: str, *arguments: str | Path) -> set[str]:
    """Which of the heavy packages a program loads."""
    ended = python(code + _SHOW, *arguments)
    assert ended.status == 0, ended.err
    return set(ended.err.splitlines()[-1].split())


def run(*arguments: str) -> str:
    return f"import sys\nfrom memview.cli.main import run\nassert run([*{arguments!r}, *sys.argv[1:]]) == 0"


@pytest.mark.parametrize(
    "code",
    [
        "import memview",
        "import memview.memory.looking, memview.memory.person",
        "import memview.review.inbox, memview.review.prune, memview.review.health, memview.review.doctor",
        run("--help"),
        run("--version"),
        run("search", "--help"),
        run("demo", "--help"),
        run("watch", "--help"),
    ],
)
def test_asking_for_help_loads_nothing_heavy(code: str) -> None:
    assert loaded(code) == set()


def test_looking_at_a_store_loads_nothing_heavy(path: Path) -> None:
    with MemoryStore(path) as store:
        store.memory("user:42").write("Deploy window is Tuesday")
    assert loaded(run("list"), path) == set()


def test_the_library_loads_no_app_and_no_command_line() -> None:
    assert loaded("from memview import MemoryStore") <= {"sqlmodel", "sqlalchemy", "pydantic", "asyncio"}
    assert python("import memview.memory.store, sys; assert 'click' not in sys.modules").status == 0


def test_importing_the_package_loads_nothing_but_itself() -> None:
    code = "import sys; before = set(sys.modules); import memview; print(*sorted(set(sys.modules) - before))"
    assert set(python(code).out.split()) <= {"__future__", "memview"}


def test_a_command_loads_no_other(path: Path) -> None:
    MemoryStore(path).close()
    others = "reviewing", "erasing", "exchanging", "opening"
    code = f"{run('stats')}\nassert not [name for name in {others!r} if f'memview.cli.{{name}}' in sys.modules]"
    ended = python(code, path)
    assert ended.status == 0, ended.err
