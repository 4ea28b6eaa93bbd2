"""What a model replied, read as a list of facts, however it dressed them up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from memview.store.words import storable

_FENCED = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)
_MOST_BRACKETS = 1_000


class Claim(NamedTuple):
    """One fact that a model states."""

    text: str
    sources: tuple[int, ...] = ()
    """The numbers of the messages it rests on, as the model gave them; empty where it gave none."""


def claims(reply: object) -> list[Claim] | None:
    """The facts of a reply, in its order.

    ``{"facts": [...]}``, a bare list, and prose or a fenced block with a JSON array inside are all understood. A fact
    is a string, or ``{"fact": "...", "from": [1, 2]}`` with the numbers of its messages. Anything else becomes a
    string, and blanks drop out.

    Returns:
        None where the reply holds no list of facts at all.
    """
    if not isinstance(reply, str):
        return None
    for part in (reply, *_FENCED.findall(reply)):
        found = _facts(_loaded(part))
        if found is not None:
            return _read(found)
    arrays = list(_arrays(reply))
    telling = [array for array in arrays if any(isinstance(item, str | dict) for item in array)]
    return _read((telling or arrays)[0]) if arrays else None


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # no JSON: prose
        return None


def _facts(value: object) -> list[Any] | None:
    if isinstance(value, dict):
        value = value.get("facts")
        value = [value] if isinstance(value, str) else value
    return value if isinstance(value, list) else None


def _arrays(text: str) -> Iterator[list[Any]]:
    """The JSON arrays in a text, outermost ones, in their order."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_MOST_BRACKETS):
        at = text.find("[", at)
        if at < 0:
            return
        try:
            array, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):  # a bracket of the prose
            at += 1
        else:
            yield array


def _read(items: list[Any]) -> list[Claim]:
    found = (_claim(item) for item in items)
    return [claim for claim in found if claim.text.strip()]


def _claim(item: object) -> Claim:
    if isinstance(item, dict) and isinstance(item.get("fact"), str):
        named = item.get("from")
        numbers = named if isinstance(named, list) else [named]
        return Claim(storable(item["fact"]).strip(), tuple(number for number in numbers if type(number) is int))
    return Claim(storable(_text(item)).strip())


def _text(item: object) -> str:
    if isinstance(item, str):
        return item
    return "" if item is None else json.dumps(item, ensure_ascii=False)
