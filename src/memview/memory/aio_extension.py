"""The asyncio twins of what an agent's loop uses: a model, and a client, may be awaited.

::

    async with AsyncMemoryStore("agent.db", agent="helper") as store:
        memory = store.memory("user:42")
        async with AsyncMemoryExtension(memory, session="s1") as remembering:
            known = await remembering.on_user_message(message)
        learnt = await AsyncMemoryExtractor(chat, memory).extract(transcript, session_id="s1")

There is no second copy of the code: what is read and written is done by the plain classes in threads
(:mod:`memview.memory.awaiting`). Only a model that is awaited, and a client, are called on the event loop.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, MutableMapping, MutableSequence
from copy import copy
from typing import Any, Self, TypeVar, cast

from memview.errors import MemviewError
from memview.memory.aio import AsyncMemory
from memview.memory.awaiting import ClosedHandle, Handle, Worker, awaitable
from memview.memory.backends import Mem0
from memview.memory.extension import MemoryExtension, recall_tool, registered
from memview.memory.extractor import DEFAULT_PROMPT, Chat, Extraction, MemoryExtractor, telling
from memview.memory.memory import Memory
from memview.memory.recorder import Recorder
from memview.memory.tools import Answer, Tool

T = TypeVar("T")
AsyncChat = Callable[[list[dict[str, str]]], Awaitable[str]]
"""A model that is awaited: chat messages (``role``, ``content``) in, its reply as text out."""


class AsyncMemoryExtractor(Handle[MemoryExtractor]):
    """A :class:`memview.MemoryExtractor` for asyncio programs; the arguments are the same.

    The store is not held while the model thinks. When a task is cancelled while it awaits, all facts of the reply are
    written or none.

    Args:
        chat: any callable that takes chat messages and returns the reply's text, or an awaitable of it. One that is no
            ``async def``, such as :class:`memview.OpenAIChat`, is called in a thread.
        memory: where the facts are written.
        system_prompt: what the model is told to do.
        max_candidates: the most facts that are taken of a reply, the first ones.
        max_transcript_messages: the most messages that are sent, the last ones.
    """

    def __init__(
        self,
        chat: Chat | AsyncChat,
        memory: AsyncMemory,
        system_prompt: str = DEFAULT_PROMPT,
        max_candidates: int = 10,
        max_transcript_messages: int = 60,
    ) -> None:
        def made() -> MemoryExtractor:
            asked = cast(Chat, chat)  # here alone, never by the plain one
            return MemoryExtractor(asked, memory._plain(), system_prompt, max_candidates, max_transcript_messages)

        super().__init__(memory._worker, made)
        self.chat = chat

    async def extract(self, transcript: Iterable[Mapping[str, Any]], session_id: str | None = None) -> Extraction:
        """Read a conversation and write what is new in it; see :meth:`memview.MemoryExtractor.extract`."""
        with telling() as found:
            plain = await self._call(lambda made: made)
            messages = plain._read(transcript)
            if messages:
                reply = await _reply(self.chat, plain._prompt(messages))
                await self._call(lambda made: made._learn(reply, messages, session_id, found))
        return found


class AsyncMemoryExtension(ClosedHandle[MemoryExtension]):
    """A :class:`memview.MemoryExtension` for asyncio programs; the arguments are the same.

    ``async with`` closes it before the loop ends, which is when a model that is awaited could not be asked any more.

    Args:
        memory: a namespace of our own store, or any client with mem0's verbs, awaited or not.
        user_id: whose memory it is; a mem0 client needs it, our own namespace says it already.
        session: what captured words are stamped with; a new session unless given.
        extractor: learns facts from the user's words, which are then not kept as they are.
        prefetch_k: the most entries that come along with a message.
        threshold: the least score of those; None takes them all.
        resident_persona: whether :meth:`system_prompt_snippets` gives anything.
        resident_limit: the most entries of the persona.
        flush_timeout: how many seconds closing waits for what is queued.
    """

    def __init__(
        self,
        memory: AsyncMemory | Mem0,
        *,
        user_id: str | None = None,
        session: str | None = None,
        extractor: AsyncMemoryExtractor | None = None,
        prefetch_k: int = 5,
        threshold: float | None = None,
        resident_persona: bool = True,
        resident_limit: int = 20,
        flush_timeout: float = 5.0,
    ) -> None:
        def made() -> MemoryExtension:
            return MemoryExtension(
                self._plainly(memory), user_id=user_id, session=session, extractor=self._learning(extractor),
                prefetch_k=prefetch_k, threshold=threshold, resident_persona=resident_persona,
                resident_limit=resident_limit, flush_timeout=flush_timeout,
            )  # fmt: skip

        super().__init__(Worker(), made)
        self._needed = [needed for needed in (memory, extractor) if isinstance(needed, Handle)]
        self._loop: asyncio.AbstractEventLoop | None = None

    on_user_message = awaitable(MemoryExtension.on_user_message)
    system_prompt_snippets = awaitable(MemoryExtension.system_prompt_snippets)
    recall = awaitable(MemoryExtension.recall)

    @property
    def recorder(self) -> Recorder:
        """Writes aside, one thing after another, in a thread of its own."""
        if self._made is None:
            raise TypeError("await the extension before its recorder is asked for")
        return self._made.recorder

    def tool(self) -> Tool[Coroutine[Any, Any, Answer]]:
        """The recall tool, whose calls are awaited; it takes a topic and nothing else."""
        return recall_tool(lambda given: self._call(lambda made: made._answer(given)))

    def register(self, tools: MutableMapping[str, Any] | MutableSequence[Any]) -> Tool[Coroutine[Any, Any, Answer]]:
        """Put the recall tool among an agent's tools; see :meth:`memview.MemoryExtension.register`."""
        return registered(self.tool(), tools)

    async def close(self) -> bool:
        """Write what is queued, for at most ``flush_timeout`` seconds. Returns whether everything was written."""
        return self._made is None or await asyncio.to_thread(self._made.close)

    async def _ready(self) -> Self:
        await self._call(lambda made: made)
        return self

    async def _call(self, work: Callable[[MemoryExtension], T]) -> T:
        self._loop = asyncio.get_running_loop()
        if self._made is None:
            for needed in self._needed:
                await needed  # made in the thread of its own store
        return await super()._call(work)

    def _plainly(self, memory: AsyncMemory | Mem0) -> Memory | Mem0:
        if isinstance(memory, AsyncMemory):
            return memory._plain()
        return cast(Mem0, _Settled(memory, self._settle)) if isinstance(memory, Mem0) else memory

    def _learning(self, extractor: AsyncMemoryExtractor | None) -> MemoryExtractor | None:
        """The extractor for the recorder's thread, which waits for the model."""
        if extractor is None:
            return None
        plain, chat = copy(extractor._plain()), extractor.chat
        plain.chat = lambda messages: self._settle(chat(messages))
        return plain

    def _settle(self, given: Any) -> Any:
        """What was given, in a thread that may wait: an awaitable is awaited on the event loop."""
        if not inspect.isawaitable(given):
            return given
        if self._loop is None or self._loop.is_closed():
            if inspect.iscoroutine(given):
                given.close()
            raise MemviewError("The event loop has ended.", "Close the extension before: async with does.")
        return asyncio.run_coroutine_threadsafe(_awaited(given), self._loop).result()


class _Settled:
    """A client whose verbs may be awaited, as one whose verbs are called."""

    def __init__(self, client: object, settle: Callable[[Any], Any]) -> None:
        self._client = client
        self._settle = settle

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self._client, name)

        @functools.wraps(verb)
        def call(*args: Any, **kwargs: Any) -> Any:
            return self._settle(verb(*args, **kwargs))

        return call


async def _reply(chat: Chat | AsyncChat, messages: list[dict[str, str]]) -> str:
    """What a model says; one that may block is asked in a thread."""
    known = inspect.iscoroutinefunction(chat) or inspect.iscoroutinefunction(type(chat).__call__)
    given: Any = chat(messages) if known else await asyncio.to_thread(chat, messages)
    return cast(str, await given if inspect.isawaitable(given) else given)


async def _awaited(given: Awaitable[T]) -> T:
    return await given
