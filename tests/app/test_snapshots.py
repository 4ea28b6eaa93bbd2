"""Pictures of the screen. Each was looked at before it was approved; run them in one process, with ``-n 0``."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from driving import Driven
from memview import MemoryStore
from memview.app.app import MemviewApp
from memview.cli.demo.building import build
from memview.review.deciding import Reviewing

pytestmark = pytest.mark.snapshot

NOW = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
ME = "person:ana"
NARROW, LOW, WIDE = (60, 20), (60, 10), (200, 60)

Compare = Callable[..., bool]
Scene = Callable[[Driven], Awaitable[None]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's store, the same one every time but for its ids."""
    path = tmp_path_factory.mktemp("demo") / "agent.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOGNAME", "ana")
        build(path, now=NOW)
    return path


@pytest.fixture
def picture(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Compares the screen after some keys, or a scene, with the approved picture."""
    monkeypatch.setattr(Input, "_toggle_cursor", lambda self: None)
    monkeypatch.setattr(TextArea, "_toggle_cursor_blink_visible", lambda self: None)

    def compare(
        path: Path, *keys: str, size: tuple[int, int] = (120, 36), scene: Scene | None = None, theme: str = "",
        **options: Any,
    ) -> bool:  # fmt: skip
        app = MemviewApp(path, me=ME, clock=lambda: NOW, watched=False, **options)
        if theme:
            app.theme = theme

        async def before(pilot: Pilot[int]) -> None:
            driven = Driven(app, pilot)
            await driven.settle()
            for key in keys:
                await (driven.press(key) if len(key) == 1 or key in KEYS else driven.type(key))
            if scene is not None:
                await scene(driven)
            await driven.settle()

        return snap_compare(app, terminal_size=size, run_before=before)

    return compare


KEYS = {"asterisk", "enter", "escape", "tab", "down", "up", "slash", "colon", "question_mark", "right_square_bracket"}
Picture = Callable[..., bool]


def test_start(picture: Picture, demo: Path) -> None:
    assert picture(demo)


def test_empty_store(picture: Picture, store: MemoryStore, path: Path) -> None:
    assert picture(path)


def test_search(picture: Picture, demo: Path) -> None:
    assert picture(demo, "slash", "deploy window")


def test_no_hits(picture: Picture, demo: Path) -> None:
    assert picture(demo, "1", "down", "slash", "invoices is:pinned", "enter")


def test_wrong_operator(picture: Picture, demo: Path) -> None:
    assert picture(demo, "slash", "deploy is:nonsense")


def test_turns(picture: Picture, demo: Path) -> None:
    assert picture(demo, "right_square_bracket", "down", "down")


def test_detail(picture: Picture, demo: Path) -> None:
    assert picture(demo, "slash", "Deploy window 14:00 UTC", "enter")


def test_detail_focused(picture: Picture, demo: Path) -> None:
    assert picture(demo, "slash", "Deploy window 14:00 UTC", "enter", "3", "down", "down")


def test_forgotten(picture: Picture, demo: Path, tmp_path: Path) -> None:
    assert picture(copied(demo, tmp_path), "down", "down", "d")


def test_help(picture: Picture, demo: Path) -> None:
    assert picture(demo, "question_mark")


def test_palette(picture: Picture, demo: Path) -> None:
    async def scene(driven: Driven) -> None:
        await driven.press("colon")
        await driven.type("th")
        await driven.until(lambda: "Theme: light" in driven.text())

    assert picture(demo, scene=scene)


@pytest.mark.parametrize("size", [(120, 36), (60, 20)], ids=["120x36", "60x20"])
def test_editor(picture: Picture, demo: Path, size: tuple[int, int]) -> None:
    assert picture(demo, "slash", "Deploy window 14:00 UTC", "enter", "e", size=size)


def test_link_picker(picture: Picture, demo: Path) -> None:
    async def scene(driven: Driven) -> None:
        await driven.press("L", "plus")
        await driven.type("staging")

    assert picture(demo, "slash", "Deploy window 14:00 UTC", "enter", scene=scene)


def test_undo_question(picture: Picture, demo: Path, tmp_path: Path) -> None:
    path = copied(demo, tmp_path)
    with MemoryStore(path, agent=ME, clock=lambda: NOW - timedelta(days=3)) as mine:
        mine.memory("user:42").forget(mine.memory("user:42").list()[3].id)
    assert picture(path, "u")


DIALOGS = {"120x36": (120, 36), "60x20": NARROW}
WINDOW = ("slash", "Deploy window 14:00 UTC", "enter")


@pytest.mark.parametrize("size", DIALOGS.values(), ids=DIALOGS)
def test_correct(picture: Picture, demo: Path, size: tuple[int, int]) -> None:
    assert picture(demo, *WINDOW, "c", size=size)


@pytest.mark.parametrize("size", DIALOGS.values(), ids=DIALOGS)
def test_erase(picture: Picture, demo: Path, size: tuple[int, int]) -> None:
    assert picture(demo, "slash", "log in with key", "enter", "g", "e", "down", size=size)


@pytest.mark.parametrize("size", DIALOGS.values(), ids=DIALOGS)
def test_conflict(picture: Picture, demo: Path, tmp_path: Path, size: tuple[int, int]) -> None:
    path = copied(demo, tmp_path)

    async def scene(driven: Driven) -> None:
        fact = driven.screen.doing.shown_fact()
        assert fact is not None
        driven.app.desk.loader.waiting = lambda *_: None  # type: ignore[method-assign]  # the badge counts in its own time
        await driven.type("Mostly, the ")
        with MemoryStore(path, agent="scribe", clock=lambda: NOW) as other:
            memory = other.tenant(fact.row.tenant).memory(fact.row.namespace)
            memory.update(fact.row.id, content="Deploy window is Wednesday, 14:00 to 16:00 UTC")
        driven.app.desk.watch.check()
        await driven.painted()  # what changes beneath two dialogs is not drawn before one of them closes
        await driven.press("ctrl+s")
        await driven.until(lambda: "Which holds?" in driven.text())

    assert picture(path, *WINDOW, "e", scene=scene, size=size)


def test_bulk_question(picture: Picture, demo: Path) -> None:
    assert picture(demo, "asterisk", "d")


def test_menu(picture: Picture, demo: Path) -> None:
    assert picture(demo, "down", "x")


def test_steps(picture: Picture, demo: Path, tmp_path: Path) -> None:
    assert picture(copied(demo, tmp_path), "d", "down", "p", "down", "a", "g", "u")


def test_neighbours(picture: Picture, demo: Path) -> None:
    assert picture(demo, *WINDOW, "g", "n")


def test_read_only(picture: Picture, demo: Path) -> None:
    assert picture(demo, "d", read_only=True)


HOSTILE = [
    "[00] list[int] arr[/]", "x [/red] y", "[@click=app.quit]x[/] [b]bold[/b]",
    "Title \x1b]0;owned\x07 and \x1b[31mred",
    "\x1b]52;c;Zm9v\x07 clipboard", "The file invoice\u202egnp.exe", "Zero\u200bwidth and \u2066isolate\u2069",
    "\x9b31m C1", "tab\there\nand a line", "日本語のとても長い文章がここにあります、途中で切れます",
    "e\u0301te\u0301 👩‍👩‍👧 🇳🇴",
]  # fmt: skip


def test_hostile_text(picture: Picture, store: MemoryStore, path: Path) -> None:
    memory = store.memory("[/red] \x1b[31mns")
    for text in HOSTILE:
        memory.write(text, tags=[text[:12]], category="[b]c")
    assert picture(path, "G", size=(120, 24))


ONE_PANE = {"list": (), "detail": ("enter",), "search": ("slash", "deploy"), "tree": ("1",)}


@pytest.mark.parametrize("keys", ONE_PANE.values(), ids=ONE_PANE)
def test_one_pane(picture: Picture, demo: Path, keys: tuple[str, ...]) -> None:
    assert picture(demo, *keys, size=NARROW)


def test_hardly_any_height(picture: Picture, demo: Path) -> None:
    assert picture(demo, size=LOW)


def test_much_room(picture: Picture, demo: Path) -> None:
    assert picture(demo, "slash", "deploy window", "enter", size=WIDE)


@pytest.mark.parametrize("theme", ["memview-light", "memview-high-contrast", "ansi-dark"])
def test_other_themes(picture: Picture, demo: Path, theme: str) -> None:
    assert picture(demo, "slash", "deploy window", "enter", size=(120, 24), theme=theme)


@pytest.mark.parametrize("size", [(120, 36), LOW])
def test_prune(picture: Picture, demo: Path, size: tuple[int, int]) -> None:
    assert picture(demo, "g", "p", "right_square_bracket", "j", " ", size=size)


@pytest.mark.parametrize(("size", "theme"), [((120, 36), ""), (NARROW, "memview-light")])
def test_health(
    picture: Picture, demo: Path, size: tuple[int, int], theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memview.review.health.sizes", lambda path: {path.name: 1_204_000})
    assert picture(demo, "g", "h", "G", "k", "k", size=size, theme=theme)


@pytest.fixture
def _in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The inbox tells times of the day as they are where one is."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def _same(moment: datetime) -> datetime:
    return moment


@pytest.fixture
def waiting(path: Path, _in_utc: None) -> Path:
    """A store in which three sessions wait for a decision."""
    with MemoryStore(path, agent=ME, clock=lambda: NOW - timedelta(days=9)) as mine:
        memory = mine.memory("user:42")
        memory.write("Deploy window is tuesday, 14:00 to 16:00 utc!", tags=["ops"])
        staging = memory.write("Staging runs Postgres 15 on the host db-2", category="infra")
    for session, agent, hours in (("s7", "scribe", 50), ("s8", "import", 30), ("s9", "planner", 2)):
        moment = NOW - timedelta(hours=hours)
        with MemoryStore(path, agent=agent, clock=partial(_same, moment)) as store:
            memory = store.memory("user:42")
            talk = store.conversation(session, namespace="user:42")
            said = talk.record("ok so the deploy window is tue 14:00 to 16:00, utc that is", "Noted.")
            assert said is not None
            told: dict[str, Any] = {"session": session, "turns": [said.id], "origin": "user"}
            if session == "s9":
                memory.write("Deploy window is: Tuesday 14:00 to 16:00 UTC", category="preference", **told)
                memory.update(staging.id, "Staging runs Postgres 16 on the host db-2", importance=8, tags=["db"])
                memory.write("Deploy with key ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5", **told)
            for i in range(hours // 5):
                memory.write(f"Customer {i} of {session} likes room {i * 7}", **told)
    return path


def begun(path: Path) -> Path:
    """The store, of which the person has said that all of it is to be reviewed."""
    with MemoryStore(path, agent=ME) as mine:
        Reviewing(mine).begin(from_now=False)
    return path


def test_inbox_first_opening(picture: Picture, waiting: Path) -> None:
    assert picture(waiting, "i")


@pytest.mark.parametrize("size", DIALOGS.values(), ids=DIALOGS)
def test_inbox(picture: Picture, waiting: Path, size: tuple[int, int]) -> None:
    assert picture(begun(waiting), "i", "right_square_bracket", size=size)


def test_inbox_changed(picture: Picture, waiting: Path) -> None:
    assert picture(begun(waiting), "i")


def test_gone_file(picture: Picture, demo: Path, tmp_path: Path) -> None:
    path = copied(demo, tmp_path)

    async def scene(driven: Driven) -> None:
        driven.screen.desk.watch.check()
        path.rename(path.with_name("elsewhere.db"))
        driven.screen.desk.watch.check()

    assert picture(path, scene=scene)


def copied(source: Path, folder: Path) -> Path:
    """The same store, to be written into."""
    path = folder / "agent.db"
    with sqlite3.connect(source) as old, sqlite3.connect(path) as new:
        old.backup(new)
    old.close()
    new.close()
    return path
