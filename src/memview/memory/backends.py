"""Where an extension remembers: in a namespace of our own store, or with any client that has mem0's verbs."""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from memview.errors import Invalid, MemviewError
from memview.memory.memory import Memory
from memview.memory.recorder import Job
from memview.store import facts, recalling
from memview.store.ask import Ask
from memview.store.ids import new_id
from memview.store.models import Fact
from memview.store.resident import residents

if TYPE_CHECKING:
    from memview.memory.extractor import MemoryExtractor
    from memview.memory.store import MemoryStore


class Entry(NamedTuple):
    """Something remembered."""

    text: str
    at: datetime | None
    """When it was learnt; None where that is not known."""
    score: float | None
    """How well it answers; None where nobody says."""
    id: str


class Backend(Protocol):
    """What an extension needs of a memory."""

    def capture(self, text: str) -> object:
        """Remember what the user said."""

    def find(self, query: str, limit: int) -> list[Entry]:
        """What answers a message, best first, without what was captured in this session."""

    def recall(self, topic: str, limit: int) -> list[Entry]:
        """All that is remembered of a topic, best first."""

    def resident(self, limit: int) -> list[Entry]:
        """What is always worth knowing, the most important first."""

    def used(self, entries: Iterable[Entry]) -> Job | None:
        """What is to be noted later of entries that the model got to see; None where there is nothing to note."""

    def close(self) -> None:
        """Put away what capturing used; called by the thread that captured."""


@runtime_checkable
class Mem0(Protocol):
    """The verbs of mem0's Python clients, as far as they are used."""

    @property
    def add(self) -> Callable[..., Any]:
        """Remember messages."""

    @property
    def search(self) -> Callable[..., Any]:
        """Find memories."""

    @property
    def get_all(self) -> Callable[..., Any]:
        """List memories."""

    @property
    def delete(self) -> Callable[..., Any]:
        """Remove a memory."""


def backend(memory: Memory | Mem0, user_id: str | None, session: str | None, extractor: MemoryExtractor | None) -> Any:
    """What stands behind an extension.

    Raises:
        Invalid: it can be neither of the two, or a client was given without a user.
    """
    if isinstance(memory, Memory):
        return OwnMemory(memory, session, extractor)
    if not isinstance(memory, Mem0):
        raise Invalid(
            f"A {type(memory).__name__} cannot remember.",
            "Give a memview Memory, or a client with the methods add, search, get_all and delete.",
        )
    if user_id is None or not user_id.strip():
        raise Invalid("A mem0 client needs a user_id that is not blank.", "Say whose memory it is: user_id='42'.")
    if extractor is not None:
        raise Invalid("An extractor writes to our own store.", "Leave it out: a mem0 client extracts by itself.")
    return Mem0Client(memory, user_id, session)


class OwnMemory:
    """A namespace of our own store.

    What is written aside goes through a connection of its own: one that waits for another program's lock would hold up
    the reads that share it.
    """

    def __init__(self, memory: Memory, session: str | None, extractor: MemoryExtractor | None) -> None:
        self.memory = memory
        self.session = session or new_id(memory.store.clock())
        self.extractor = extractor
        self._aside: MemoryStore | None = None

    def capture(self, text: str) -> object:
        """Write the words as an episodic fact, or let the extractor learn from them."""
        if self.extractor is None:
            memory = self._beside(self.memory)
            return memory.write(text, session=self.session, origin="user", memory_type="episodic")
        extractor = copy(self.extractor)
        extractor.memory = self._beside(extractor.memory)
        found = extractor.extract([{"role": "user", "content": text}], session_id=self.session)
        if found.error is not None:
            raise MemviewError(f"Nothing was learnt from a message: {found.error}.")
        return found

    def find(self, query: str, limit: int) -> list[Entry]:
        """What answers, without the words of this session, which the model has before it anyway."""
        return self._recalled(query, limit, unsaid=self.session)

    def recall(self, topic: str, limit: int) -> list[Entry]:
        """All that is known of a topic, this session included."""
        return self._recalled(topic, limit)

    def resident(self, limit: int) -> list[Entry]:
        """Pinned facts first, then the most important ones that are no mere words."""
        store, namespace = self.memory.store, self.memory.namespace

        def work(raw: sqlite3.Connection) -> list[Fact]:
            return facts.by_numbers(raw, residents(raw, store.tenant_name, namespace, limit, store.clock()))

        return [_entry(fact, None) for fact in store._read(work)]

    def used(self, entries: Iterable[Entry]) -> Job | None:
        """Recalled facts grow stronger."""
        ids = [entry.id for entry in entries]

        def reinforce() -> None:
            with self._beside(self.memory).store._transaction("recall") as tx:
                recalling.reinforce(tx.raw, ids, tx.at)

        return reinforce if ids and not self.memory.store.read_only else None

    def close(self) -> None:
        """Close the connection beside."""
        if self._aside is not None:
            self._aside.close()
        self._aside = None

    def _beside(self, memory: Memory) -> Memory:
        """The same namespace through the connection beside; a store of its own keeps the connection it has."""
        if memory.store.path != self.memory.store.path:
            return memory
        if self._aside is None:
            self._aside = self.memory.store._aside()
        return self._aside.tenant(memory.store.tenant_name).memory(memory.namespace)

    def _recalled(self, query: str, limit: int, *, unsaid: str | None = None) -> list[Entry]:
        tenant, namespace = self.memory.store.tenant_name, self.memory.namespace
        ask = Ask(query, tenant, namespace, limit=limit, unsaid=unsaid)
        return [_entry(one.fact, one.score) for one in self.memory._recall(ask, reinforce=False)]


class Mem0Client:
    """Another library's client, spoken to by mem0's verbs, the present ones and those of its first version."""

    def __init__(self, client: Mem0, user_id: str, session: str | None) -> None:
        self.client = client
        self.user_id = user_id
        self.metadata = {} if session is None else {"metadata": {"session": session}}

    def capture(self, text: str) -> object:
        """Hand the message over; what it makes of it is its own business."""
        return self.client.add([{"role": "user", "content": text}], user_id=self.user_id, **self.metadata)

    def find(self, query: str, limit: int) -> list[Entry]:
        """What its search finds for the user."""
        return _entries(self.client.search(query, **self._scope(self.client.search, limit)), limit)

    recall = find

    def resident(self, limit: int) -> list[Entry]:
        """The first of all that it has of the user."""
        return _entries(self.client.get_all(**self._scope(self.client.get_all, limit)), limit)

    def used(self, entries: Iterable[Entry]) -> Job | None:
        """It keeps no count."""
        return None

    def close(self) -> None:
        """The client belongs to the caller."""

    def _scope(self, method: Callable[..., Any], limit: int) -> dict[str, Any]:
        """The user and the limit by the names that this version of the client has for them."""
        names = inspect.signature(method).parameters
        first_version = "user_id" in names or "version" in names
        scope: dict[str, Any] = {"user_id": self.user_id} if first_version else {"filters": {"user_id": self.user_id}}
        return scope | {"limit" if "limit" in names else "top_k": limit}


def _entry(fact: Fact, score: float | None) -> Entry:
    return Entry(fact.content, fact.created_at, score, fact.id)


def _entries(answer: Any, limit: int) -> list[Entry]:
    """A client's answer: ``{"results": [...]}``, or the list alone."""
    items = answer.get("results", ()) if isinstance(answer, Mapping) else answer
    found = []
    for item in items or ():
        text = item.get("memory") or item.get("text")
        if isinstance(text, str) and text.strip():
            score = item.get("score")
            moment = _moment(item.get("updated_at") or item.get("created_at"))
            number = float(score) if isinstance(score, int | float) else None
            found.append(Entry(text, moment, number, str(item.get("id", ""))))
    return found[:limit]


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:  # a date that cannot be read is not known
        return None
