"""The public door: what is listed can be imported, what is imported loads no more than it must."""

from __future__ import annotations

import importlib

import pytest

import memview
from support import run

LOADED = "print(*sorted({name.partition('.')[0] for name in sys.modules} & set(sys.argv[1:])))"
HEAVY = (
    "sqlmodel",
    "sqlalchemy",
    "pydantic",
    "textual",
    "rich",
    "rapidfuzz",
    "openai",
    "watchfiles",
    "click",
    "sqlite3",
    "asyncio",
)


def loaded(statement: str) -> set[str]:
    """Which of the costly modules another process has loaded after a statement."""
    (line,) = run(f"import sys\n{statement}\n{LOADED}", *HEAVY)
    return set(line.split())


@pytest.mark.parametrize("name", memview.__all__)
def test_every_listed_name_is_there(name: str) -> None:
    value = getattr(memview, name)
    assert name == "ALL" or name.startswith("__") or value.__name__ == name
    assert name in dir(memview)


def test_the_list_is_sorted_and_whole() -> None:
    assert memview.__all__ == sorted(memview.__all__)
    for name in ("MemoryStore", "Memory", "Conversation", "Fact", "Turn", "Link", "MemviewError", "ALL", "__version__"):
        assert name in memview.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        memview.Nonsense  # noqa: B018
    with pytest.raises(AttributeError):
        importlib.import_module("memview.memory").Nonsense  # noqa: B018


def test_importing_the_package_loads_nothing() -> None:
    assert loaded("import memview; memview.__version__") == set()


def test_importing_the_store_loads_sqlmodel_and_no_screen() -> None:
    assert not loaded("from memview import MemoryStore") & {
        "textual",
        "rich",
        "rapidfuzz",
        "openai",
        "watchfiles",
        "click",
    }


def test_the_light_reads_load_neither_sqlmodel_nor_a_screen() -> None:
    names = loaded("from memview.memory.looking import Looker, find, spaces, Lookup")
    assert not names & {"sqlmodel", "sqlalchemy", "pydantic", "textual", "rich", "watchfiles", "click"}


def test_an_error_costs_nothing_to_import() -> None:
    assert loaded("from memview import NotFound, MemviewError") == set()


def test_every_module_can_be_imported_by_itself() -> None:
    code = """
import importlib, pkgutil, memview
names = [found.name for found in pkgutil.walk_packages(memview.__path__, "memview.")]
for name in names:
    if ".app" not in name and "__main__" not in name:
        importlib.import_module(name)
print(len(names) > 20)
"""
    assert run(code) == ["True"]
