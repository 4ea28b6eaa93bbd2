"""The small config file: other keys, another theme.

It stands at ``$XDG_CONFIG_HOME/memview/config.toml``, by default ``~/.config/memview/config.toml``::

    theme = "light"            # dark, light, or the name of a theme of Textual

    [keys]                     # by the id of a command
    forget = "x"
    menu = ["m", "ctrl+x"]     # several keys
    "go.trash" = "g d"         # one key after the other
    pin = ""                   # no key

A key is a character, or a name such as ``space``, ``f2``, ``ctrl+x``. The ids are those of
:data:`memview.app.commands.TABLE`. An entry that makes no sense is told in the status line and leaves what it is
about as it was; the rest holds.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from textual.keys import Keys, _character_to_key

from memview.app.commands import BY_ID, TABLE, Command, shown_key
from memview.text import one_line

FIXED = ("quit", "escape", "copy.selected", "move.down", "move.up", "open")
"""Commands that keep their keys: the ways out, and those that widgets have too. So do all of the search line."""
TAKEN = ("up", "down", "pageup", "pagedown", "home", "end", "enter", "escape", "ctrl+c", "ctrl+q")
"""Keys that belong to the lists, or are a way out."""

_NAMES = {str(name.value) for name in Keys if "<" not in name.value} | {"space"}
_MODIFIED = re.compile(r"(?:(?:ctrl|alt|shift)\+)+[a-z0-9]")
_SPELT = {"esc": "escape", "return": "enter", "del": "delete"}


@dataclass(frozen=True, slots=True)
class Config:
    """What a person chose."""

    commands: tuple[Command, ...] = TABLE
    """The table of commands with their keys."""
    theme: str = ""
    """The name of a theme; empty for the usual one."""
    problems: tuple[str, ...] = ()
    """What made no sense, one plain sentence each, safe to show."""


def path() -> Path:
    """Where the file stands, if there is one."""
    home = os.environ.get("XDG_CONFIG_HOME")
    folder = Path(home) if home and os.path.isabs(home) else Path("~/.config").expanduser()
    return folder / "memview" / "config.toml"


def read(file: Path) -> Config:
    """What a config file says; a missing one says nothing. Never raises."""
    if not file.exists():
        return Config()
    import tomllib

    try:
        given = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        return Config(problems=(f"{file.name} cannot be read: {error.strerror}.",))
    except ValueError as error:  # no TOML, or no UTF-8
        return Config(problems=(f"{file.name} is no TOML: {one_line(str(error), 120)}.",))
    return understood(given)


def understood(given: Mapping[str, Any]) -> Config:
    """What the values of a config file mean."""
    reading = _Reading()
    for name, value in given.items():
        if name == "theme" and isinstance(value, str):
            reading.theme = value
        elif name == "keys" and isinstance(value, dict):
            for id, keys in _flat(value):
                reading.bind(id, keys)
        else:
            reading.problem(f"{_said(name)} means nothing in the config file; it takes theme and [keys].")
    return reading.config()


def _flat(keys: Mapping[str, Any], above: str = "") -> list[tuple[str, Any]]:
    """Ids with what they are bound to; ``go.trash`` without quotes is a table in a table."""
    found = []
    for name, value in keys.items():
        found += _flat(value, f"{above}{name}.") if isinstance(value, dict) else [(above + name, value)]
    return found


@dataclass
class _Reading:
    """A config file while it is read."""

    theme: str = ""
    chosen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def problem(self, sentence: str) -> None:
        self.problems.append(sentence)

    def bind(self, id: str, value: object) -> None:
        """Take in the keys of one command."""
        given = value if isinstance(value, list) else [value]
        if id not in BY_ID:
            self.problem(f"There is no command {_said(id)}; its keys were left out.")
        elif id in FIXED or BY_ID[id].spots == ("search",):
            self.problem(f"{id} keeps its key.")
        elif not all(isinstance(one, str) for one in given):
            self.problem(f"The keys of {id} are a text, or a list of texts.")
        else:
            self._bind(id, [str(one) for one in given if one])

    def _bind(self, id: str, given: Sequence[str]) -> None:
        wrong = next((one for one in given if key(one) is None), None)
        keys = [name for one in given if (name := key(one)) is not None]
        taken = next((name for name in keys if name in TAKEN), None)
        if wrong is not None:
            self.problem(f"{_said(wrong)} is no key; {id} keeps {_keys(BY_ID[id])}.")
        elif taken is not None:
            self.problem(f"{shown_key(taken)} keeps its meaning; {id} keeps {_keys(BY_ID[id])}.")
        elif any(_collide(one, other) for one, other in combinations(dict.fromkeys(keys), 2)):
            self.problem(f"The keys of {id} cannot be told apart; it keeps {_keys(BY_ID[id])}.")
        else:
            self.chosen[id] = tuple(dict.fromkeys(keys))

    def config(self) -> Config:
        """The table, without the choices that would give a key two meanings."""
        while (clash := self._clash()) is not None:
            id, name, other = clash
            del self.chosen[id]
            self.problem(f"{shown_key(name)} means {BY_ID[other].title.lower()}; {id} keeps {_keys(BY_ID[id])}.")
        return Config(self._table(), self.theme, tuple(self.problems))

    def _table(self) -> tuple[Command, ...]:
        return tuple(replace(command, keys=self.chosen.get(command.id, command.keys)) for command in TABLE)

    def _clash(self) -> tuple[str, str, str] | None:
        """A chosen key that another command has too, or begins with: the command, the key, the other command."""
        panes = [command for command in self._table() if command.spots != ("search",)]
        by_id = {command.id: command for command in panes}
        firsts = Counter(name.split()[0] for command in panes for name in set(command.keys))
        for id in self.chosen:
            for name in by_id[id].keys:
                if firsts[name.split()[0]] > 1:
                    for other in _beside(by_id[id], panes):
                        if any(_collide(name, theirs) for theirs in other.keys):
                            return id, name, other.id
        return None


def _beside(command: Command, table: Sequence[Command]) -> list[Command]:
    """The other commands of the screens that a command belongs to."""
    return [other for other in table if other.id != command.id and set(other.scenes) & set(command.scenes)]


def _collide(one: str, other: str) -> bool:
    """Whether two keys cannot be told apart: the same, or one is the beginning of the other."""
    return f"{one} ".startswith(f"{other} ") or f"{other} ".startswith(f"{one} ")


def key(given: str) -> str | None:
    """A key, or two with a blank between, as Textual names them; None for what is none."""
    parts = [" "] if given == " " else given.split()
    names = [_key(part) for part in parts]
    return " ".join(filter(None, names)) if all(names) and 0 < len(names) < 3 else None


def _key(given: str) -> str | None:
    if len(given) == 1:
        return _character_to_key(given) if given.isprintable() else None
    name = _SPELT.get(given.lower(), given.lower())
    return name if name in _NAMES or _MODIFIED.fullmatch(name) else None


def _keys(command: Command) -> str:
    return " ".join(map(shown_key, command.keys))


def _said(value: str) -> str:
    return one_line(value, 40)
