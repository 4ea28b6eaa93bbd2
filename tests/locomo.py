"""The LoCoMo conversations (Maharana et al., ACL 2024), loaded as an agent would have remembered them.

Their licence keeps them out of this repository: the folder is named by ``MEMVIEW_LOCOMO``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memview import MemoryStore

SETTING = "MEMVIEW_LOCOMO"
Data = dict[str, Any]


def folder() -> Path | None:
    """Where the conversations are; None where the setting names no folder."""
    named = os.environ.get(SETTING)
    return Path(named) if named and Path(named).is_dir() else None


def conversations(place: Path) -> Iterator[tuple[str, Data]]:
    """Each conversation with its name."""
    for file in sorted(place.glob("*.json")):
        yield file.stem, json.loads(file.read_text())


def sessions(data: Data) -> Iterator[int]:
    """The numbers of a conversation's sessions."""
    number = 1
    while f"session_{number}" in data:
        yield number
        number += 1


def load(data: Data, store: MemoryStore) -> dict[str, str]:
    """Record the turns by session, and the observations as facts in a namespace for each speaker.

    Returns:
        The id of each turn, by the id that the data gives it.
    """
    turns: dict[str, str] = {}
    for number in sessions(data):
        talk = store.conversation(f"s{number}", namespace="talk")
        for said in data[f"session_{number}"]:
            turn = talk.record(f"{said['speaker']}: {said['text']}")
            assert turn is not None
            turns[said["dia_id"]] = turn.id
    for number in sessions(data):
        for speaker, observations in data.get(f"session_{number}_observation", {}).items():
            store.memory(speaker).write_many(
                {
                    "content": text,
                    "turns": [turns[id] for id in _ids(source) if id in turns],
                    "session": f"s{number}",
                    "origin": "extraction",
                }
                for text, source in observations
            )
    return turns


def _ids(source: str | list[str]) -> list[str]:
    return [source] if isinstance(source, str) else source
