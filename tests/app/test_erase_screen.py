from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList

from alone import NOON, Host, play
from driving import Open
from memview import MemoryStore
from memview.app import erasing
from memview.app.editing import Outcome
from memview.app.erasing import Target
from memview.app.screens.erase import EraseScreen
from memview.app.screens.erase import Told as EraseTold
from support import folder

KEY = "ghp_Q7abcdEFGH1234567890zz"


class Erasing(Host):
    """The erase of what is under the cursor, over a real store."""

    def erase(self, target: Target, told: EraseTold) -> None:
        """As the browse screen does it."""
        left: list[str] = []

        def work() -> Outcome:
            places, unreached = self.editing.erase(target)
            left.extend(unreached)
            return Outcome(f"erased {erasing.told(places)}")

        self.act(work, lambda message: told(message, left))

    @property
    def told(self) -> str:
        """What is said."""
        return self.text("#told > Static")


Scenario = Callable[[Erasing, EraseScreen], Awaitable[None]]


def erase(
    path: Path, targets: Callable[[Erasing], Sequence[Target]], scenario: Scenario, size: tuple[int, int] = (60, 20)
) -> None:
    host = Erasing(path)

    async def run() -> None:
        screen = EraseScreen(targets(host), host.editing.count, host.erase)
        await scenario(host, await host.show(screen))

    play(host, run, size)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with a key in a fact, in an earlier wording and in a turn."""
    path = tmp_path / "agent.db"
    with MemoryStore(path, agent="planner", clock=lambda: NOON) as store:
        memory = store.memory("user:42")
        fact = memory.write(f"The deploy key is {KEY}", session="s7")
        memory.update(fact.id, f"The deploy key is {KEY} [/red]")
        memory.write("Lives in Oslo")
        store.conversation("s7").record(f"my key is {KEY}", "Noted.")
    return path


def first(host: Erasing) -> list[Target]:
    return erasing.targets(host.editing.record("fact", 1))


def test_it_is_counted_asked_and_done(path: Path) -> None:
    async def scenario(host: Erasing, screen: EraseScreen) -> None:
        assert host.told.startswith("Erases 1 fact, 1 earlier wording.")
        assert "steps of undo that held it go too" in host.told
        assert [target.what for target in screen._targets] == [
            "this fact", "every copy of", "its session", "the same text",
        ]  # fmt: skip
        await host.press("j", "j")
        assert host.told.startswith("Erases 1 fact, 1 turn, 1 earlier wording.")
        await host.press("up")
        assert "[erased] takes its place" in host.told
        assert "change this key where it is used" in host.told
        await host.press("enter", *"eras", "enter")
        assert not screen._erasing
        await host.press("e", "enter")
        assert host.told.startswith("Erased 1 fact, 1 turn, 1 earlier wording.")
        assert "change this key" in host.told
        await host.press("escape")
        assert host.done == ["erased 1 fact, 1 turn, 1 earlier wording"]

    erase(path, first, scenario)
    assert not any(KEY.encode() in data for data in folder(path).values())
    with MemoryStore(path, read_only=True) as store:
        texts = {fact.content for fact in store.memory("user:42").list()}
    assert texts == {"The deploy key is [erased] [/red]", "Lives in Oslo"}


@pytest.mark.parametrize("size", [(60, 20), (60, 10)])
def test_nothing_but_the_word_erases(path: Path, size: tuple[int, int]) -> None:
    before = {name: data for name, data in folder(path).items() if name == path.name}

    async def scenario(host: Erasing, screen: EraseScreen) -> None:
        await host.press("enter", "enter", *"yes", "enter")
        for name in ("OptionList", "#told", "Input", "Choices"):
            assert screen.region.contains_region(screen.query_one(name).region)
        await host.press("escape")
        assert host.done == [None]

    erase(path, first, scenario, size)
    assert {name: data for name, data in folder(path).items() if name == path.name} == before


def test_what_is_gone_by_then_is_said(path: Path) -> None:
    async def scenario(host: Erasing, screen: EraseScreen) -> None:
        with MemoryStore(path) as store:
            store.erase(ids=screen.target.named["ids"])
        await host.press("enter", *"erase", "enter")
        assert host.told.startswith("The erase did not finish. There is nothing of that to erase.")
        await host.press("escape")
        assert host.done == [None]

    erase(path, first, scenario)


@pytest.mark.asyncio
async def test_from_the_list_the_value_is_written_nowhere(opened: Open, store: MemoryStore, path: Path) -> None:
    store.memory("user:42").write(f"The canary key is {KEY}")
    store.close()
    async with opened(size=(80, 24)) as driven:
        await driven.press("slash")
        await driven.type(KEY)
        await driven.press("enter", "g", "e")
        await driven.until(lambda: isinstance(driven.app.screen, EraseScreen))
        screen = driven.app.screen
        assert isinstance(screen, EraseScreen)
        await driven.press("down")
        assert screen.target.value == KEY
        await driven.until(lambda: screen._counted)
        await driven.press("enter")
        await driven.type("erase")
        await driven.press("enter")
        await driven.until(lambda: "Erased 2 facts" in driven.text())
        assert KEY not in "\n".join(driven.lines(screen.query_one("#erase")))
        await driven.press("escape")
        assert "erased 2 facts" in driven.status
    home = Path.home()
    everywhere = [*path.parent.rglob("*"), *home.rglob("*")]
    assert not any(KEY.encode() in file.read_bytes() for file in everywhere if file.is_file())


@pytest.mark.asyncio
async def test_a_namespace_is_erased_from_the_tree(opened: Open, filled: MemoryStore, path: Path) -> None:
    oslo, atlas = filled.memory("user:43").list()[0], filled.memory("project/atlas").list()[0]
    filled.memory("user:43").link(oslo.id, atlas.id)
    filled.close()
    async with opened(size=(100, 30)) as driven:
        await driven.press("1", "g", "e")
        assert "choose one namespace to erase" in driven.status
        await driven.press("G", "g", "e")
        await driven.until(lambda: isinstance(driven.app.screen, EraseScreen))
        screen = driven.app.screen
        assert isinstance(screen, EraseScreen)
        assert screen.target.named == {"namespace": "user:43"}
        await driven.until(lambda: screen._counted)
        assert len(screen.query_one(OptionList).options) == 1
        await driven.press("enter")
        await driven.type("erase")
        assert screen.query_one(Input).value == "erase"
        await driven.press("enter")
        await driven.until(lambda: "Erased 1 fact, 1 turn, 1 link" in driven.text())
        await driven.press("escape")
    with MemoryStore(path, read_only=True) as left:
        assert [fact.content for fact in left.memory("project/atlas").list()] == ["Atlas deploys from main"]
        assert left.memory("project/atlas").links(atlas.id) == []
        assert left.memory("user:43").list() == []


@pytest.mark.parametrize("size", [(60, 20), (60, 10)])
def test_the_word_is_typed_at_once_and_for_one_thing_alone(path: Path, size: tuple[int, int]) -> None:
    async def scenario(host: Erasing, screen: EraseScreen) -> None:
        field = screen.query_one(Input)
        await host.press(*"eras", "enter")
        assert (field.value, field.has_focus) == ("eras", True)
        assert "type erase, then Enter" in str(screen.query_one("#erase").border_subtitle)
        await host.press("e", "down")
        assert (field.value, field.has_focus) == ("", False)
        assert screen.query_one(OptionList).highlighted == 1
        await host.press("up", *"erase", "enter")
        assert host.told.startswith("Erased 1 fact, 1 earlier wording.")
        await host.press("x", "down", "escape")
        assert host.done == ["erased 1 fact, 1 earlier wording"]

    erase(path, first, scenario, size)
