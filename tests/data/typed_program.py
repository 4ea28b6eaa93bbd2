"""A user's program that uses every public name of memview. It is checked by ``mypy --strict``, and run.

The lines that mypy is told to ignore are wrong on purpose: strict mode complains where such a line is right after all.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import assert_type

import memview
from memview import (
    ALL,
    Answer,
    AsyncConversation,
    AsyncMemory,
    AsyncMemoryExtension,
    AsyncMemoryExtractor,
    AsyncMemoryStore,
    AsyncSelection,
    BusyStore,
    ChangeRow,
    Conflict,
    Conversation,
    DamagedStore,
    Duplicate,
    Erased,
    Extraction,
    Fact,
    Invalid,
    Link,
    Loaded,
    Memory,
    MemoryExtension,
    MemoryExtractor,
    MemoryStore,
    MemviewError,
    MissingStore,
    NewerStore,
    NoPermission,
    NotAStore,
    NotFound,
    OpenAIChat,
    ReadOnlyStore,
    Recalled,
    Recorder,
    RecordError,
    Selection,
    Skipped,
    Space,
    Stats,
    StoreError,
    Tool,
    Toolbox,
    Turn,
    Undone,
    Weights,
    Why,
)


def chat(messages: list[dict[str, str]]) -> str:
    return '{"facts": ["Ada likes tea", "Ada lives in Oslo"]}'


async def awaited_chat(messages: list[dict[str, str]]) -> str:
    return chat(messages)


def facts(memory: Memory) -> None:
    fact = memory.write("Deploy window is Tuesday", {"ticket": 7}, tags=["deploy"], importance=7)
    assert_type(fact, Fact)
    assert_type(memory.list(), list[Fact])
    assert_type(memory.search("deploy", match="all"), list[Fact])
    assert_type(fact.score, float | None)
    other = memory.write("Deploys take an hour")
    assert_type(memory.link(fact.id, other.id), Link)
    assert_type(memory.history(fact.id), list[ChangeRow])
    (first, *_) = memory.recall("deploy", weights=Weights(importance=0.5), tags=["deploy"])
    assert_type(first, Recalled)
    assert_type(first.why, Why)
    assert_type(memory.prune(min_age=timedelta(days=30)), int)
    assert_type(memory.prune(dry_run=True), list[Fact])
    assert_type(memory.clusters(), list[list[Fact]])
    assert_type(memory.consolidate([fact.id, other.id], "Deploys: Tuesday, an hour"), Fact)
    try:
        memory.update(other.id, "Deploy window is Tuesday", version=1)
    except Duplicate as error:
        assert_type(error.id, str)
    except Conflict as error:
        assert_type(error.theirs, dict[str, object])


def turns(store: MemoryStore, conversation: Conversation) -> None:
    with conversation.turn("hello", model="small") as pending:
        pending.response = "good morning"
    assert_type(conversation.turns(), list[Turn])
    assert_type(conversation.to_messages(token_budget=100), list[dict[str, str]])
    assert_type(store.search_turns("hello", namespace=ALL), list[Turn])


def loop(memory: Memory) -> None:
    recorder = Recorder(flush_timeout=1)
    recorder.put(lambda: None)
    recorder.close()
    extractor = MemoryExtractor(chat, memory)
    with MemoryExtension(memory, session="s1", extractor=extractor) as remembering:
        assert_type(remembering.on_user_message("I like tea"), str | None)
        assert_type(remembering.tool(), Tool[Answer])
    extraction = extractor.extract([{"role": "user", "content": "I like tea"}], session_id="s1")
    assert_type(extraction, Extraction)
    assert_type(extraction.skipped, list[Skipped])


def asks(model: str, memory: Memory) -> MemoryExtractor:
    return MemoryExtractor(OpenAIChat(model, base_url="http://localhost:1/v1", api_key="none"), memory)


def tools(memory: Memory) -> None:
    box = memory.tools(prefix="memory_")
    assert_type(box, Toolbox[Answer])
    assert_type(box[0], Tool[Answer])
    assert_type(box.call("memory_write", {"content": "Ada likes coffee"}).is_error, bool)


def whole(store: MemoryStore) -> None:
    chosen = store.select("tag:deploy")
    assert_type(chosen, Selection)
    assert_type(len(chosen), int)
    assert_type(store.namespaces(), list[Space])
    assert_type(store.stats(), Stats)
    assert_type(store.undo(), Undone | None)
    assert_type(store.load(store.export(), dry_run=True), Loaded)
    assert_type(store.erase(namespace="user:42", dry_run=True), Erased)


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[AsyncMemoryStore]:
    async with AsyncMemoryStore(path, agent="planner", synchronous="NORMAL") as store:
        yield store


async def awaited(path: Path) -> None:
    async with opened(path) as store:
        memory = store.memory("user:42", max_entries=100)
        assert_type(memory, AsyncMemory)
        fact = await memory.write("Ada sails", tags=["sport"])
        assert_type(fact, Fact)
        assert_type(await memory.list(limit=3), list[Fact])
        assert_type(await memory.recall("sails"), list[Recalled])
        assert_type(await memory.prune(dry_run=True), list[Fact])
        assert_type(await memory.update(fact.id, importance=9), Fact)
        box = await memory.tools()
        assert_type(await box.call("search", {"query": "sails"}), Answer)
        conversation = store.conversation("s2")
        assert_type(conversation, AsyncConversation)
        async with conversation.turn("hello") as pending:
            pending.response = "good morning"
        assert_type(await conversation.turns(), list[Turn])
        chosen = store.select("tag:sport")
        assert_type(chosen, AsyncSelection)
        await chosen.pin()
        await learning(memory)
        assert_type([line async for line in store.export()], list[str])
        assert_type(await store.undo(), Undone | None)


async def learning(memory: AsyncMemory) -> None:
    extractor = AsyncMemoryExtractor(awaited_chat, memory)
    async with AsyncMemoryExtension(memory, session="s2", extractor=extractor) as remembering:
        assert_type(await remembering.on_user_message("I like tea"), str | None)
        assert_type(await remembering.system_prompt_snippets(), list[str])
        assert_type(await remembering.tool()({"topic": "tea"}), Answer)
        assert_type(remembering.recorder, Recorder)
    assert_type(await AsyncMemoryExtractor(chat, memory).extract([{"role": "user", "content": "Hi"}]), Extraction)


def told(error: MemviewError) -> str:
    kinds: list[type[MemviewError]] = [
        MissingStore, DamagedStore, NewerStore, NotAStore, ReadOnlyStore, NoPermission, BusyStore, StoreError,
        NotFound, Invalid, RecordError,
    ]  # fmt: skip
    kind = next((kind for kind in kinds if isinstance(error, kind)), MemviewError)
    return f"{kind.__name__}: {error.title} {error.hint}"


def wrong(store: MemoryStore, memory: Memory, conversation: Conversation) -> None:
    """Never called."""
    memory.search("deploy", match="some")  # type: ignore[arg-type]
    conversation.record(3)  # type: ignore[arg-type]
    MemoryExtractor(3, memory)  # type: ignore[arg-type]
    store.erase("user:42")  # type: ignore[call-arg]


async def wrong_too(memory: AsyncMemory) -> None:
    """Never called."""
    await memory.write(3)  # type: ignore[arg-type]
    memory.write("Ada rows")  # type: ignore[unused-coroutine]
    await memory.search("sails", limt=3)  # type: ignore[call-arg]
    MemoryExtractor(awaited_chat, memory)  # type: ignore[arg-type]


def main(folder: Path) -> str:
    path = folder / "agent.db"
    with MemoryStore(path, agent="planner") as store:
        facts(store.memory("user:42"))
        turns(store, store.conversation("s1", namespace="user:42"))
        loop(store.memory("user:42"))
        tools(store.memory("user:42"))
        whole(store)
    asyncio.run(awaited(path))
    try:
        MemoryStore(folder / "no" / "agent.db", read_only=True)
    except MemviewError as error:
        return f"{memview.__version__} {told(error)}"
    return ""
