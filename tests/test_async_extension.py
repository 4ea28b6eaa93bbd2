"""The asyncio twins of extractor and extension: a model that is awaited, and nothing half done."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from memview import (
    AsyncMemory,
    AsyncMemoryExtension,
    AsyncMemoryExtractor,
    AsyncMemoryStore,
    Extraction,
    Invalid,
    MemoryStore,
)
from memview.memory.extractor import NOTHING
from scripted import Messages, ScriptedChat, user
from support import SettableClock
from test_mem0 import Client

pytestmark = pytest.mark.asyncio
BERLIN = {"facts": [{"fact": "The user lives in Berlin", "from": [1]}]}


class AwaitedChat(ScriptedChat):
    """The same model, awaited; it goes on when it is let."""

    def __init__(self, *replies: Any) -> None:
        super().__init__(*replies)
        self.asked, self.go = asyncio.Event(), asyncio.Event()
        self.go.set()
        self.threads: set[int] = set()

    async def reply(self, messages: Messages) -> str:
        self.asked.set()
        self.threads.add(threading.get_ident())
        await self.go.wait()
        return super().__call__(messages)

    async def __call__(self, messages: Messages) -> str:  # type: ignore[override]
        return await self.reply(messages)


@pytest_asyncio.fixture
async def memory(path: Path, clock: SettableClock) -> AsyncIterator[AsyncMemory]:
    async with AsyncMemoryStore(path, agent="planner", timeout=30, clock=clock) as store:
        yield store.memory("user:42")


async def contents(memory: AsyncMemory) -> list[str]:
    return [fact.content for fact in reversed(await memory.list(0))]


async def flushed(extension: AsyncMemoryExtension) -> bool:
    return await asyncio.to_thread(extension.recorder.flush, 30)


# learning


@pytest.mark.parametrize("kind", ["object", "function", "partial", "lambda", "plain"])
async def test_B7_any_callable_is_a_model_awaited_or_not(memory: AsyncMemory, kind: str) -> None:
    awaited, blocking = AwaitedChat(BERLIN), set[int]()

    def plain(messages: Messages) -> str:
        blocking.add(threading.get_ident())
        return ScriptedChat(BERLIN)(messages)

    chat: Any = {
        "object": awaited, "function": awaited.reply, "partial": partial(awaited.reply),
        "lambda": lambda messages: awaited.reply(messages), "plain": plain,
    }[kind]  # fmt: skip
    found = await AsyncMemoryExtractor(chat, memory).extract([user("I moved to Berlin", turn_id="t1")], "s1")
    assert (found.skipped, found.error) == ([], None)
    (fact,) = found.extracted
    assert (fact.content, fact.session, fact.turns, fact.origin) == (
        "The user lives in Berlin", "s1", ["t1"], "extraction",
    )  # fmt: skip
    assert awaited.threads <= {threading.get_ident()}
    assert threading.get_ident() not in blocking  # the event loop is never held up
    assert await memory.get(fact.id) == fact


async def test_beyond_the_extractor_does_as_the_plain_one(memory: AsyncMemory) -> None:
    chat = AwaitedChat("no facts here", RuntimeError("quota exceeded"), BERLIN, {"facts": ["a", "b", "c"]}, BERLIN)
    extractor = AsyncMemoryExtractor(
        chat=chat, memory=memory, system_prompt="Note.", max_candidates=2, max_transcript_messages=1
    )
    assert await extractor.extract([]) == Extraction()
    assert chat.sent == []
    talk = [user("hello"), user("I moved to Berlin")]
    assert await extractor.extract(talk) == Extraction(error=NOTHING)
    assert await extractor.extract(talk) == Extraction(error="quota exceeded")
    assert chat.read == "[1] user: I moved to Berlin"
    assert chat.sent[0][0]["content"] == "Note."
    (known,) = (await extractor.extract(talk)).extracted
    assert [fact.content for fact in (await extractor.extract(talk)).extracted] == ["a", "b"]
    assert (await extractor.extract(talk)).skipped == [(known.content, known)]


async def test_B3_it_never_raises_on_a_closed_store(path: Path) -> None:
    store = AsyncMemoryStore(path)
    await store.close()
    found = await AsyncMemoryExtractor(AwaitedChat(BERLIN), store.memory("a")).extract([user("hello")])
    assert found.error == "this store is closed"


async def test_beyond_the_store_is_free_while_the_model_thinks(memory: AsyncMemory) -> None:
    chat = AwaitedChat(BERLIN)
    chat.go.clear()
    learning = asyncio.create_task(AsyncMemoryExtractor(chat, memory).extract([user("I moved to Berlin")]))
    await chat.asked.wait()
    await memory.write("Likes tea")
    assert await contents(memory) == ["Likes tea"]
    chat.go.set()
    assert (await learning).error is None
    assert await contents(memory) == ["Likes tea", "The user lives in Berlin"]


async def test_beyond_an_extraction_that_is_cancelled_learns_nothing(memory: AsyncMemory) -> None:
    chat = AwaitedChat(BERLIN)
    chat.go.clear()
    learning = asyncio.create_task(AsyncMemoryExtractor(chat, memory).extract([user("I moved to Berlin")]))
    await chat.asked.wait()
    learning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await learning
    chat.go.set()
    assert await contents(memory) == []
    assert chat.sent == []


async def test_beyond_an_extraction_that_is_cancelled_as_it_writes_is_whole(
    memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [f"Visited place {number}" for number in range(8)]
    extractor = AsyncMemoryExtractor(AwaitedChat({"facts": many}), memory)
    begun, go = threading.Event(), threading.Event()
    plain = await extractor._call(lambda made: made)
    write = plain._write

    def slowly(*given: Any) -> None:
        begun.set()
        assert go.wait(30)
        write(*given)

    monkeypatch.setattr(plain, "_write", slowly)
    learning = asyncio.create_task(extractor.extract([user("hello")]))
    assert await asyncio.to_thread(begun.wait, 30)
    learning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await learning
    go.set()
    assert await contents(memory) == many


# capture and recall


async def test_D1_a_message_is_captured_and_brings_along_what_is_known(memory: AsyncMemory) -> None:
    await memory.write("The deploy window is Tuesday")
    async with AsyncMemoryExtension(memory, session="s2", flush_timeout=30) as remembering:
        block = await remembering.on_user_message("When can we deploy?")
        assert block is not None
        assert block.endswith("\n- [2026-03-01] The deploy window is Tuesday\n</memory-context>")
        assert await remembering.on_user_message(block) is None
        (persona,) = await remembering.system_prompt_snippets()
        assert "The deploy window is Tuesday" in persona
        assert (await remembering.recall("deploy")).startswith("- [2026-03-01] ")
    captured = (await memory.list())[0]
    assert (captured.content, captured.session, captured.origin) == ("When can we deploy?", "s2", "user")


async def test_D4_the_recall_tool_is_awaited(memory: AsyncMemory) -> None:
    await memory.write("Likes tea")
    remembering = AsyncMemoryExtension(memory, flush_timeout=30)
    tools: dict[str, Any] = {}
    tool = remembering.register(tools)
    assert tools == {"recall": tool}
    with pytest.raises(Invalid, match="has a tool named recall already"):
        remembering.register(tools)
    assert (await tool({"topic": "tea"})).startswith("- [2026-03-01] Likes tea\n")
    assert (await tool({"topic": "tea", "limit": 9})).is_error
    assert await remembering.close()


async def test_D6_an_awaited_model_learns_aside_from_what_was_said(
    memory: AsyncMemory, caplog: pytest.LogCaptureFixture
) -> None:
    chat = AwaitedChat(BERLIN, RuntimeError("no quota"))
    chat.go.clear()
    extractor = AsyncMemoryExtractor(chat, memory)
    async with AsyncMemoryExtension(memory, session="s2", extractor=extractor, flush_timeout=30) as remembering:
        assert await remembering.on_user_message("I live in Berlin these days") is None
        await chat.asked.wait()
        assert await contents(memory) == []  # the model still thinks, and nothing waits for it
        assert await remembering.on_user_message("And I like tea") is None
        chat.go.set()
        with caplog.at_level(logging.ERROR, "memview"):
            assert await flushed(remembering)
    (fact,) = await memory.list()
    assert (fact.content, fact.session) == ("The user lives in Berlin", "s2")
    assert "no quota" in caplog.text
    assert chat.threads == {threading.get_ident()}


async def test_D5_closing_waits_for_a_model_that_is_awaited_and_uses_the_store(memory: AsyncMemory) -> None:
    async def chat(messages: Messages) -> str:
        return f'["The user has said {await memory.count() + 1} things"]'

    async with AsyncMemoryExtension(
        memory, extractor=AsyncMemoryExtractor(chat, memory), flush_timeout=30
    ) as remembering:
        await remembering.on_user_message("hello")
    assert await contents(memory) == ["The user has said 1 things"]


async def test_beyond_a_message_that_is_cancelled_is_captured_whole_or_not_at_all(memory: AsyncMemory) -> None:
    async with AsyncMemoryExtension(memory, flush_timeout=30) as remembering:
        tasks = [asyncio.create_task(remembering.on_user_message(f"Words number {number}")) for number in range(20)]
        for task in tasks[::2]:
            await asyncio.sleep(0)
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(one is None or isinstance(one, (str, asyncio.CancelledError)) for one in done)
    kept = await contents(memory)
    assert set(kept) <= {f"Words number {number}" for number in range(20)}
    assert {f"Words number {number}" for number in range(1, 20, 2)} <= set(kept)


async def test_D3_a_store_out_of_reach_is_logged_and_the_loop_goes_on(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = AsyncMemoryStore(path)
    async with AsyncMemoryExtension(store.memory("user:42")) as remembering:
        tools = await store.memory("user:42").tools()
        await store.close()
        with caplog.at_level(logging.ERROR, "memview"):
            assert await remembering.on_user_message("hello") is None
            assert await remembering.system_prompt_snippets() == []
            assert "cannot be read now" in await remembering.tool()({"topic": "tea"})
            assert "closed" in await tools.call("search", {"query": "tea"})
    assert "the memory could not be read" in caplog.text
    assert "the tool search failed" in caplog.text


class AwaitedClient:
    """mem0's client for asyncio: the same verbs, awaited."""

    def __init__(self, *texts: str) -> None:
        self.plain = Client(*texts)

    async def add(self, messages: Any, *, user_id: str | None = None, metadata: Any = None) -> Any:
        return self.plain.add(messages, user_id=user_id, metadata=metadata)

    async def search(self, query: str, *, top_k: int = 20, filters: dict[str, Any] | None = None) -> Any:
        await asyncio.sleep(0)
        return self.plain.search(query, top_k=top_k, filters=filters)

    async def get_all(self, *, filters: dict[str, Any] | None = None, top_k: int = 20) -> Any:
        return self.plain.get_all(filters=filters, top_k=top_k)

    async def delete(self, memory_id: str) -> Any:
        return self.plain.delete(memory_id)


@pytest.mark.parametrize("kind", [Client, AwaitedClient])
async def test_D6_a_client_may_be_awaited_or_not(kind: Any) -> None:
    client = kind("Likes green tea", "Lives in Berlin")
    async with AsyncMemoryExtension(client, user_id="42", session="s1") as remembering:
        block = await remembering.on_user_message("tea please")
        assert block is not None
        assert "Likes green tea" in block
        (persona,) = await remembering.system_prompt_snippets()
        assert "Lives in Berlin" in persona
        assert "green tea" in await remembering.tool()({"topic": "tea"})
    items = getattr(client, "plain", client).items
    assert (items[-1]["memory"], items[-1]["user_id"]) == ("tea please", "42")


async def test_D7_what_cannot_remember_is_refused_when_it_is_awaited(memory: AsyncMemory) -> None:
    with pytest.raises(Invalid, match="A dict cannot remember"):
        await AsyncMemoryExtension({})  # type: ignore[arg-type]
    with pytest.raises(Invalid, match="needs a user_id that is not blank"):
        await AsyncMemoryExtension(AwaitedClient(), user_id=" ")
    with pytest.raises(Invalid, match="threshold"):
        async with AsyncMemoryExtension(memory, threshold="high"):  # type: ignore[arg-type]
            raise AssertionError("opened")
    extension = AsyncMemoryExtension(memory)
    with pytest.raises(TypeError, match="await"):
        extension.recorder.flush()
    assert await extension.close() is True


def told_to_learn(path: Path) -> AsyncMemoryExtension:
    """An extension whose loop has ended before its model was asked."""
    chat, store = AwaitedChat(BERLIN), AsyncMemoryStore(path)
    memory = store.memory("user:42")
    extension = AsyncMemoryExtension(memory, extractor=AsyncMemoryExtractor(chat, memory), flush_timeout=30)
    held = threading.Event()

    async def talk() -> None:
        (await extension).recorder.put(lambda: held.wait(30))
        await extension.on_user_message("I live in Berlin")
        await store.close()

    asyncio.run(talk())
    held.set()
    return extension


async def test_beyond_a_loop_that_ended_is_said_in_the_log(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "memview"):
        extension = await asyncio.to_thread(told_to_learn, path)
        assert await extension.close()
    assert "The event loop has ended" in caplog.text
    with MemoryStore(path) as store:
        assert store.memory("user:42").count() == 0
