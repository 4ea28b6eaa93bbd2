"""What the first rows wait for, and what is there soon after them."""

from __future__ import annotations

import pkgutil
import sys
from pathlib import Path

import pytest
from textual.dom import DOMNode

import memview.app
from command import python
from driving import Open
from memview import MemoryStore, errors
from memview.app.app import MemviewApp
from memview.cli import plainly
from memview.memory.looking import Looker
from terminal import Terminal

LATE = (
    "click", "sqlmodel", "sqlalchemy", "rapidfuzz", "watchfiles", "tomllib", "textual.widgets._text_area",
    "memview.cli.main", "memview.app.editing", "memview.app.many", "memview.app.palette", "memview.app.screens.menu",
    "memview.app.screens.righting", "memview.app.screens.dialog", "memview.review.inbox", "memview.store.ranking",
    "memview.store.recalling", "memview.store.undo",
)  # fmt: skip
"""What the first rows do without."""

SEEN = f"""
import sys
from memview.__main__ import main
from memview.app.screens.first import Held

draw, (_, out, store) = Held.draw, sys.argv

def watched(screen):
    if not screen.drawn:
        with open(out, "w") as file:
            print(*(name for name in (*{LATE!r}, "memview.app.loader") if name in sys.modules), file=file)
    draw(screen)

Held.draw = watched
sys.argv = ["memview", store]
main()
"""


def test_the_first_rows_wait_for_nothing_that_only_a_command_needs(path: Path, tmp_path: Path) -> None:
    with MemoryStore(path) as store:
        store.memory("user:42").write("Deploy window is Tuesday")
    out = tmp_path / "loaded"
    with Terminal([sys.executable, "-c", SEEN, out, path]) as terminal:
        terminal.wait_for("Deploy window is Tuesday")
        terminal.press("q")
        terminal.ended()
    assert out.read_text().split() == ["memview.app.loader"]


def test_all_of_the_app_is_there_behind_them() -> None:
    names = [module.name for module in pkgutil.walk_packages(memview.app.__path__, "memview.app.")]
    code = (
        "import sys, memview.app.app\nfrom memview.app import ahead\nahead.load(writes=True)\n"
        f"print(*(name for name in {names!r} if name not in sys.modules), 'sqlmodel' in sys.modules)"
    )
    assert python(code).out.split() == ["True"]


def test_a_store_that_is_only_looked_at_loads_no_writer() -> None:
    code = "import sys\nfrom memview.app import ahead\nahead.load(writes=False)\nprint('sqlmodel' in sys.modules)"
    assert python(code).out.split() == ["False"]


@pytest.mark.asyncio
async def test_nothing_is_styled_twice_before_the_first_picture(
    store: MemoryStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.memory("user:42").write("Deploy window is Tuesday")
    again: list[bool] = []
    plain = MemviewApp.update_styles

    def update_styles(self: MemviewApp, node: DOMNode, animate: bool = True) -> None:
        if node is self.browse:
            again.append(self.browse.drawn)
        plain(self, node, animate)

    monkeypatch.setattr(MemviewApp, "update_styles", update_styles)
    async with opened(size=(120, 36)) as driven:
        assert {"-three", "-tall", "-at-list"} <= driven.screen.classes
        assert False not in again


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (errors.BusyStore("agent.db is locked.", "Wait."), 4, "memview: agent.db is locked."),
        (OSError(5, "Input/output error"), 1, "memview: Input/output error."),
    ],
)
def test_what_ends_the_app_is_told_as_by_any_command(
    store: MemoryStore,
    path: Path,
    error: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr("memview.app.run", run)
    looker = Looker(path)
    try:
        assert plainly.opened(looker) == status
    finally:
        looker.close()
    assert capsys.readouterr().err.startswith(said)


def test_only_a_store_in_a_terminal_is_opened_plainly(
    store: MemoryStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    assert plainly.asked([str(path)]) is None  # no terminal here
    monkeypatch.setattr(plainly, "has_terminal", lambda: True)
    for arguments in ([], ["list"], ["--help"], [str(path), "--read-only"], [str(path.parent)], [str(path) + "x"]):
        assert plainly.asked(arguments) is None
    looker = plainly.asked([str(path)])
    assert looker is not None
    looker.close()
    monkeypatch.setenv("_MEMVIEW_COMPLETE", "bash_source")
    assert plainly.asked([str(path)]) is None
