"""The same library for asyncio programs: every method is awaited, and none holds up the event loop.

::

    async with AsyncMemoryStore("agent.db", agent="planner") as store:
        memory = store.memory("user:42")
        await memory.write("Deploy window is Tuesday")
        for fact in await memory.search("When can we deploy?"):
            print(fact.content)

There is no second copy of the code: each method here *is* the method of the plain class, made in the store's own
thread, one call after another (:mod:`memview.memory.awaiting`). Callbacks such as ``on_trim`` and ``filter`` are called
in that thread.

When a task is cancelled while it awaits a write, the write is whole or was never begun.
"""

from __future__ import annotations

import os
from collections.abc import Coroutine
from typing import Any, Self

from memview import clock as clocks
from memview.memory.awaiting import ClosedHandle, Handle, Worker, awaitable, entered, handed, iterable
from memview.memory.conversation import Conversation
from memview.memory.memory import Memory
from memview.memory.selection import Selection
from memview.memory.store import MemoryStore
from memview.memory.tools import Answer, Toolbox, awaited
from memview.store.database import Synchronous


class AsyncSelection(Handle[Selection]):
    """Facts chosen together; see :class:`memview.Selection`. Await it to count them, then ``len`` says how many."""

    samples = awaitable(Selection.samples)
    forget = awaitable(Selection.forget)
    restore = awaitable(Selection.restore)
    pin = awaitable(Selection.pin)
    accept = awaitable(Selection.accept)
    prune = awaitable(Selection.prune)
    tag = awaitable(Selection.tag)

    def __len__(self) -> int:
        if self._made is None:
            raise TypeError("await the selection before its length is asked for")
        return len(self._made)


class AsyncMemory(Handle[Memory]):
    """The facts of one namespace, awaited; see :class:`memview.Memory`. Made by :meth:`AsyncMemoryStore.memory`."""

    write = awaitable(Memory.write)
    write_many = awaitable(Memory.write_many)
    get = awaitable(Memory.get)
    list = awaitable(Memory.list)
    search = awaitable(Memory.search)
    recall = awaitable(Memory.recall)
    prune = awaitable(Memory.prune)
    consolidate = awaitable(Memory.consolidate)
    clusters = awaitable(Memory.clusters)
    count = awaitable(Memory.count)
    trash = awaitable(Memory.trash)
    history = awaitable(Memory.history)
    update = awaitable(Memory.update)
    correct = awaitable(Memory.correct)
    forget = awaitable(Memory.forget)
    restore = awaitable(Memory.restore)
    pin = awaitable(Memory.pin)
    accept = awaitable(Memory.accept)
    link = awaitable(Memory.link)
    unlink = awaitable(Memory.unlink)
    links = awaitable(Memory.links)
    erase = awaitable(Memory.erase)

    async def tools(
        self,
        *,
        session: str | None = None,
        max_confidentiality: str = "restricted",
        max_chars: int = 1000,
        prefix: str = "",
    ) -> Toolbox[Coroutine[Any, Any, Answer]]:
        """What a model may do with this memory, as tools whose calls are awaited; see :meth:`memview.Memory.tools`."""
        box = await self._call(
            lambda made: made.tools(
                session=session, max_confidentiality=max_confidentiality, max_chars=max_chars, prefix=prefix
            )
        )
        return awaited(box, self._worker.call)


class AsyncConversation(ClosedHandle[Conversation]):
    """The turns of one session, awaited; see :class:`memview.Conversation`."""

    record = awaitable(Conversation.record)
    turn = entered(Conversation.turn)
    turns = awaitable(Conversation.turns)
    to_messages = awaitable(Conversation.to_messages)
    size = awaitable(Conversation.size)
    clear = awaitable(Conversation.clear)
    delete = awaitable(Conversation.delete)
    close = awaitable(Conversation.close)

    async def load(self) -> Self:
        """Read the stored turns, the last ``depth`` of them, anew."""
        await self._call(Conversation.load)
        return self


class AsyncMemoryStore(ClosedHandle[MemoryStore]):
    """A :class:`memview.MemoryStore` for asyncio programs; the arguments are the same.

    ``async with`` opens the file, or ``await`` does, or else the first call; ``close`` waits for all calls before it.
    What ``memory``, ``conversation``, ``tenant`` and ``select`` give may be used at once; awaiting it as well brings
    their errors at that place.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        agent: str | None = None,
        *,
        read_only: bool = False,
        synchronous: Synchronous = "FULL",
        timeout: float = 5.0,
        clock: clocks.Clock = clocks.utc_now,
    ) -> None:
        def opened() -> MemoryStore:
            return MemoryStore(
                path, agent, read_only=read_only, synchronous=synchronous, timeout=timeout, clock=clock
            )  # fmt: skip

        super().__init__(Worker(), opened)
        self._root = self
        self._read_only = read_only

    memory = handed(MemoryStore.memory, AsyncMemory)
    conversation = handed(MemoryStore.conversation, AsyncConversation)
    select = handed(MemoryStore.select, AsyncSelection)
    namespaces = awaitable(MemoryStore.namespaces)
    stats = awaitable(MemoryStore.stats)
    search_turns = awaitable(MemoryStore.search_turns)
    export = iterable(MemoryStore.export)
    load = awaitable(MemoryStore.load)
    undo = awaitable(MemoryStore.undo)
    redo = awaitable(MemoryStore.redo)
    erase = awaitable(MemoryStore.erase)

    @property
    def read_only(self) -> bool:
        """Whether this handle only looks."""
        return self._read_only

    def tenant(self, name: str) -> AsyncMemoryStore:
        """A handle on the same open file that sees one tenant and nothing else. The empty name is the default one."""
        twin = object.__new__(AsyncMemoryStore)
        Handle.__init__(twin, self._worker, lambda: self._plain().tenant(name))
        twin._root = self._root
        twin._read_only = self._read_only
        return twin

    async def close(self) -> None:
        """Close the file when all calls are done, for all handles made from this one. Closing twice is harmless."""
        await self._worker.stop(self._root._close)

    def _close(self) -> None:
        if self._made is not None:
            self._made.close()
