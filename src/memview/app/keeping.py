"""Unsaved drafts: what was typed into an editor and not saved, kept over a closed terminal.

Each record has at most one, in a file of its own in memview's folder for the store, readable by its user alone. Erase
looks there too.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from memview import clock as clocks
from memview.app.drafts import Draft
from memview.memory import state

_FOLDER = "drafts"


@dataclass(frozen=True, slots=True)
class Kept:
    """A draft that was kept."""

    base: Draft
    """What the fields held before anything was typed."""
    draft: Draft
    """What was typed."""
    version: int | None
    """The version of the record that was edited; None for one that does not exist yet."""
    at: datetime
    """When it was last written."""


class Keeper:
    """Keeps the draft of one record. All methods touch the disk; threads may share one.

    Args:
        store: the store.
        id: the record, or any other name for what is being written.
        clock: tells the time.
    """

    def __init__(self, store: Path, id: str, clock: clocks.Clock = clocks.utc_now) -> None:
        self._store = store
        self._id = id
        self._clock = clock
        self._lock = threading.Lock()
        self._closed = False

    @property
    def path(self) -> Path:
        """The file."""
        name = hashlib.blake2b(self._id.encode(errors="surrogatepass"), digest_size=12).hexdigest()
        return state.folder(self._store) / _FOLDER / f"{name}.json"

    def load(self) -> Kept | None:
        """The draft, if there is one.

        Raises:
            ValueError: the file holds something else.
        """
        if not self.path.exists():
            return None
        try:
            found = json.loads(self.path.read_bytes().decode(errors="surrogatepass"))
            return Kept(
                Draft(**found["base"]), Draft(**found["draft"]), found["version"], clocks.from_text(found["time"])
            )
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{self.path} holds no draft.") from error

    def keep(self, base: Draft, draft: Draft, version: int | None) -> None:
        """Put a draft in place of the one before, whole or not at all."""
        written = {
            "id": self._id, "version": version, "time": clocks.to_text(self._clock()), "base": asdict(base),
            "draft": asdict(draft),
        }  # fmt: skip
        data = json.dumps(written, ensure_ascii=False, indent=1).encode(errors="surrogatepass")
        with self._lock:
            if self._closed:
                return
            state.folder(self._store, make=True)
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            passing = self.path.with_suffix(".new")
            with open(os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(data)
            passing.replace(self.path)

    def drop(self) -> None:
        """Forget the draft."""
        with self._lock:
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Forget the draft and keep none from now on."""
        with self._lock:
            self._closed = True
            self.path.unlink(missing_ok=True)


def of_record(store: Path, id: str, clock: clocks.Clock = clocks.utc_now) -> tuple[Keeper, Keeper]:
    """The keepers of what is typed into the editor and into the correction of one record."""
    return Keeper(store, id, clock), Keeper(store, f"correct:{id}", clock)


def holding(store: Path, value: str) -> int:
    """How many files that memview keeps about a store hold a text."""
    forms = {value.encode(errors="surrogatepass"), json.dumps(value, ensure_ascii=False)[1:-1].encode(errors="replace")}
    return sum(any(form in path.read_bytes() for form in forms) for path in state.kept(store))
