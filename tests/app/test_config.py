from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from driving import Driven
from memview import MemoryStore
from memview.app import config
from memview.app.app import MemviewApp
from memview.app.commands import REVIEWS, TABLE, of_scene
from memview.app.config import Config, read, understood
from memview.clock import Clock
from stillness import still

ASYNC = pytest.mark.asyncio


def keys(chosen: Config, id: str) -> tuple[str, ...]:
    return next(command.keys for command in chosen.commands if command.id == id)


def test_keys_by_id_and_a_theme(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(
        'theme = "light"\n[keys]\nforget = "D"\npin = ["P", "ctrl+p "]\nmenu = "."\ngo.trash = "g z"\naccept = ""\n'
    )
    chosen = read(file)
    assert keys(chosen, "forget") == ("D",)
    assert keys(chosen, "menu") == ("full_stop",)
    assert keys(chosen, "go.trash") == ("g z",)
    assert keys(chosen, "accept") == ()
    assert chosen.theme == "light"


def test_two_may_change_places() -> None:
    chosen = understood({"keys": {"forget": "a", "accept": "d"}})
    assert not chosen.problems
    assert (keys(chosen, "forget"), keys(chosen, "accept")) == (("a",), ("d",))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"keys": {"forget": "x"}}, "x means what can be done here; forget keeps d."),
        ({"keys": {"forget": "g"}}, "g means"),
        ({"keys": {"forget": "d x"}}, ""),
        ({"keys": {"forget": "bogus"}}, "bogus is no key; forget keeps d."),
        ({"keys": {"forget": "up"}}, "↑ keeps its meaning; forget keeps d."),
        ({"keys": {"forget": 3}}, "The keys of forget are a text, or a list of texts."),
        ({"keys": {"quit": "Q"}}, "quit keeps its key."),
        ({"keys": {"search.keep": "Q"}}, "search.keep keeps its key."),
        ({"keys": {"nothing\x1b": "Q"}}, r"There is no command nothing\x1b; its keys were left out."),
        ({"keys": "x"}, "keys means nothing in the config file; it takes theme and [keys]."),
        ({"colour": "x"}, "colour means nothing in the config file; it takes theme and [keys]."),
        ({"theme": 3}, "theme means nothing in the config file; it takes theme and [keys]."),
    ],
)
def test_a_bad_entry_is_one_sentence_and_changes_nothing(given: dict[str, object], said: str) -> None:
    chosen = understood(given)
    if said:
        (problem,) = chosen.problems
        assert problem.startswith(said)
        assert chosen.commands == TABLE


@pytest.mark.parametrize("data", [b"[keys", b"\xff\xfe", b"a = 1\na = 2"])
def test_what_is_no_toml_says_so(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes(data)
    (problem,) = read(file).problems
    assert problem.startswith("config.toml is no TOML: ")


def test_no_file_says_nothing_and_a_folder_is_told(tmp_path: Path) -> None:
    assert read(tmp_path / "config.toml") == Config()
    assert "cannot be read" in read(tmp_path).problems[0]


def test_it_stands_in_the_config_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert config.path() == Path("~/.config/memview/config.toml").expanduser()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config.path() == tmp_path / "memview" / "config.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert config.path() == Path("~/.config/memview/config.toml").expanduser()


_IDS = st.sampled_from([command.id for command in TABLE])
_KEYS = st.one_of(st.sampled_from([*"abdexgp*?/ ", "g x", "g g", "ctrl+d", "f2", "up", "", "Esc"]), st.text(max_size=3))


@given(st.dictionaries(_IDS, st.one_of(_KEYS, st.lists(_KEYS, max_size=3), st.integers()), max_size=6))
def test_whatever_is_bound_no_key_means_two_things(bound: dict[str, object]) -> None:
    chosen = understood({"keys": bound})
    for scene in ("browse", *REVIEWS):
        table = of_scene(scene, chosen.commands)
        pressed = [key for command in table if command.spots != ("search",) for key in command.keys]
        assert len(pressed) == len(set(pressed))
        singles = {key for key in pressed if " " not in key}
        assert not {key.split()[0] for key in pressed if " " in key} & singles


async def run(path: Path, clock: Clock, given: dict[str, object]) -> tuple[MemviewApp, Config]:
    chosen = understood(given)
    return MemviewApp(path, me="person:ana", clock=clock, watched=False, config=chosen), chosen


@ASYNC
async def test_the_new_key_acts_and_the_old_one_is_nothing(filled: MemoryStore, path: Path, clock: Clock) -> None:
    app, _ = await run(path, clock, {"keys": {"forget": "D", "go.trash": "Z", "go.steps": ", s"}})
    async with app.run_test(size=(120, 36)) as pilot:
        driven = Driven(app, pilot)
        await driven.settle()
        assert "D forget" in driven.status
        await driven.press("d")
        assert "d does nothing here · ? help" in driven.status
        assert filled.memory("user").count() == 1
        await driven.press("D")
        assert filled.memory("user").count() == 0
        await driven.press("Z")
        assert driven.screen.search.text == "is:forgotten"
        await driven.press("comma", "s")
        assert "What you did" in driven.text()
        await driven.press("escape", "question_mark")
        assert "Z          Trash" in driven.text()
        await driven.press("escape")


@ASYNC
async def test_what_made_no_sense_stands_in_the_status(filled: MemoryStore, path: Path, clock: Clock) -> None:
    app, _ = await run(path, clock, {"theme": "neon", "keys": {"forget": "x"}})
    async with app.run_test(size=(120, 36)) as pilot:
        driven = Driven(app, pilot)
        await driven.settle()
        assert "x means what can be done here; forget keeps d. · and 1 more" in driven.status
        assert app.theme == "memview-dark"


@ASYNC
async def test_a_theme_by_its_short_name(filled: MemoryStore, path: Path, clock: Clock) -> None:
    app, _ = await run(path, clock, {"theme": "light"})
    async with app.run_test() as pilot:
        await still(pilot)
        assert app.theme == "memview-light"


@ASYNC
async def test_sentences_name_the_keys_that_were_chosen(filled: MemoryStore, path: Path, clock: Clock) -> None:
    app, _ = await run(path, clock, {"keys": {"undo": "Z", "help": "H", "refresh": "ctrl+g"}})
    async with app.run_test(size=(120, 36)) as pilot:
        driven = Driven(app, pilot)
        await driven.settle()
        await driven.press("d")
        assert "Z brings it back" in driven.status
        assert "until ctrl+g" in driven.found
        await driven.press("W")
        assert "W does nothing here · H help" in driven.status


def test_a_terminal_of_16_colours_gets_the_theme_made_of_them(
    filled: MemoryStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MemviewApp(path).theme == "memview-dark"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM")
    assert MemviewApp(path).theme == "memview-ansi"
    assert MemviewApp(path, config=understood({"theme": "light"})).theme == "memview-light"
