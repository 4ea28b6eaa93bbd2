"""The asyncio twin: the same names, nothing half written, and an event loop that is never held up."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

import memview
from memview import AsyncMemoryStore, Conflict, Invalid, MissingStore, NotFound, Turn
from support import Process, SettableClock, run

pytestmark = pytest.mark.asyncio
HOLD_THE_LOCK = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.readline()
other.execute("ROLLBACK")
print("free", flush=True)
"""
FORK = """
import asyncio, os, sys, warnings
from memview import AsyncMemoryStore
warnings.simplefilter("ignore")  # of threads that are running at a fork, which is the point here
memory = (store := AsyncMemoryStore(sys.argv[1])).memory("a")
asyncio.run(memory.write("parent"))
child = os.fork()
asyncio.run(memory.write("one of the two" if child else "child"))
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(asyncio.run(memory.count()))
asyncio.run(store.close())
"""


@pytest_asyncio.fixture
async def astore(path: Path, clock: SettableClock) -> AsyncIterator[AsyncMemoryStore]:
    async with AsyncMemoryStore(path, agent="planner", timeout=30, clock=clock) as store:
        yield store


async def turn_of_the_loop(done: Callable[[], bool] = lambda: False) -> None:
    """Let every task that can go on go on, many times over."""
    for _ in range(100):
        if done():
            return
        await asyncio.sleep(0)


async def seen(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, 30)


@pytest.mark.parametrize(
    "name", ["MemoryStore", "Memory", "Conversation", "Selection", "MemoryExtractor", "MemoryExtension"]
)
async def test_beyond_the_twin_has_every_public_name(name: str) -> None:
    plain, twin = getattr(memview, name), getattr(memview, f"Async{name}")
    names = {name for name in dir(plain) if not name.startswith("_")}
    made = {"recorder"} if name == "MemoryExtension" else set()  # an attribute of the plain one
    assert names | made == {name for name in dir(twin) if not name.startswith("_")}
    for name in names:
        if callable(getattr(plain, name)):
            there, here = getattr(plain, name), getattr(twin, name)
            assert here.__doc__
            assert inspect.signature(here).parameters.keys() == inspect.signature(there).parameters.keys(), name


@pytest.mark.parametrize("name", ["MemoryStore", "MemoryExtractor", "MemoryExtension"])
async def test_the_twin_is_made_with_the_same_arguments(name: str) -> None:
    plain, twin = inspect.signature(getattr(memview, name)), inspect.signature(getattr(memview, f"Async{name}"))
    assert [(p.name, p.kind, p.default) for p in twin.parameters.values()] == [
        (p.name, p.kind, p.default) for p in plain.parameters.values()
    ]


async def test_facts_and_turns(astore: AsyncMemoryStore) -> None:
    memory = astore.memory("user:42")
    turn = await astore.conversation("s1", namespace="user:42").record("when?", "Tuesday")
    assert turn is not None
    fact = await memory.write("Deploy window is Tuesday", turns=[turn.id], tags=["deploy"])
    assert [found.id for found in await memory.search("When can we deploy?")] == [fact.id]
    assert await memory.update(fact.id, importance=9)
    with pytest.raises(Conflict):
        await memory.update(fact.id, "Deploy window is Monday", version=1)
    assert await memory.forget(fact.id)
    assert await memory.count() == 0
    undone = await astore.undo()
    assert undone is not None
    assert undone.verb == "forget"
    assert [found.content for found in await memory.list()] == ["Deploy window is Tuesday"]
    assert [space.namespace for space in await astore.namespaces()] == ["user:42"]
    assert len([line async for line in astore.export()]) > 2


async def test_a_conversation_is_recorded_when_its_block_ends_well(astore: AsyncMemoryStore) -> None:
    async with astore.conversation("s1") as conversation:
        async with conversation.turn("hello", model="small") as turn:
            turn.response = "good morning"
        with pytest.raises(ZeroDivisionError):
            async with conversation.turn("again"):
                raise ZeroDivisionError
        assert [(turn.request, turn.response) for turn in await (await conversation.load()).turns()] == [
            ("hello", "good morning")
        ]
        assert (await conversation.turns())[0].metadata == {"model": "small"}


async def test_what_is_made_from_a_store_may_be_awaited_or_not(astore: AsyncMemoryStore) -> None:
    await astore.memory("a").write("one")
    assert await (await astore.memory("a")).count() == 1
    with pytest.raises(Invalid):
        await astore.memory("a", max_entries=0)
    chosen = astore.select("one")
    with pytest.raises(TypeError, match="await"):
        len(chosen)
    assert len(await chosen) == 1
    await chosen.forget()
    assert await astore.memory("a").count() == 0


async def test_tenants_share_the_file_and_see_nothing_of_each_other(astore: AsyncMemoryStore) -> None:
    acme = astore.tenant("acme")
    await acme.memory("a").write("one")
    assert await astore.memory("a").count() == 0
    await acme.close()
    with pytest.raises(ValueError, match="closed"):
        await astore.memory("a").count()


async def test_an_error_comes_where_the_call_is_awaited(tmp_path: Path, astore: AsyncMemoryStore) -> None:
    with pytest.raises(NotFound):
        await astore.memory("a").get("nothing")
    with pytest.raises(MissingStore):
        async with AsyncMemoryStore(tmp_path / "no" / "agent.db"):
            raise AssertionError("opened")


async def test_beyond_a_hundred_tasks_lose_nothing(astore: AsyncMemoryStore) -> None:
    memory = astore.memory("a")

    async def work(number: int) -> None:
        await memory.write(f"fact {number}")
        await memory.write("what all know")
        assert await memory.search(f"fact {number}", match="all")

    await asyncio.gather(*(work(number) for number in range(100)))
    assert {fact.content for fact in await memory.list(0)} == {"what all know", *(f"fact {n}" for n in range(100))}


async def test_closing_waits_for_what_was_asked_before(path: Path) -> None:
    store = AsyncMemoryStore(path)
    memory = store.memory("a")
    tasks = [asyncio.create_task(memory.write(f"fact {number}")) for number in range(20)]
    await asyncio.sleep(0)
    await store.close()
    await store.close()
    assert len({fact.id for fact in await asyncio.gather(*tasks)}) == 20
    with pytest.raises(ValueError, match="closed"):
        await memory.count()


async def test_a_store_that_nobody_used_makes_no_file(path: Path) -> None:
    await AsyncMemoryStore(path).close()
    assert not path.exists()


async def test_beyond_a_write_that_is_cancelled_before_its_turn_is_never_begun(astore: AsyncMemoryStore) -> None:
    memory = astore.memory("a")
    begun, go = threading.Event(), threading.Event()

    def slowly() -> Iterator[str]:
        begun.set()
        assert go.wait(30)
        yield "first"

    first = asyncio.create_task(memory.write_many(slowly()))
    await seen(begun)
    second = asyncio.create_task(memory.write("second"))
    await turn_of_the_loop()
    assert second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    go.set()
    await first
    assert [fact.content for fact in await memory.list()] == ["first"]


async def test_beyond_a_write_that_is_cancelled_in_its_transaction_is_written_whole(astore: AsyncMemoryStore) -> None:
    begun, go = threading.Event(), threading.Event()

    def trim(turns: list[Turn]) -> None:
        begun.set()
        assert go.wait(30)

    conversation = astore.conversation("s1", max_turns=1, on_trim=trim)
    await conversation.record("one")
    task = asyncio.create_task(conversation.record("two", "and its answer"))
    await seen(begun)  # its turn is inserted, and the old one not yet dropped
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    go.set()
    turns = await (await astore.conversation("s1").load()).turns()
    assert [(turn.request, turn.response) for turn in turns] == [("two", "and its answer")]


async def test_the_loop_goes_on_while_another_process_holds_the_lock(path: Path, astore: AsyncMemoryStore) -> None:
    memory = astore.memory("a")
    await memory.write("before")
    with Process(HOLD_THE_LOCK, path) as other:
        assert other.line() == "held"
        write: asyncio.Task[object] = asyncio.create_task(_awaited(memory.write("after")))
        async with AsyncMemoryStore(path, read_only=True) as looking:  # other tasks of the program go on, and read
            assert await looking.memory("a").count() == 1
        await turn_of_the_loop(write.done)
        assert not write.done()
        other.tell()
        await write
        assert other.line() == "free"
    assert await memory.count() == 2


async def test_a_write_that_waits_for_the_lock_is_whole_though_cancelled(path: Path, astore: AsyncMemoryStore) -> None:
    memory = astore.memory("a")
    await memory
    with Process(HOLD_THE_LOCK, path) as other:
        assert other.line() == "held"
        write = asyncio.create_task(_awaited(memory.write_many([f"fact {number}" for number in range(50)])))
        await turn_of_the_loop(write.done)
        write.cancel()
        with pytest.raises(asyncio.CancelledError):
            await write
        other.tell()
        assert other.line() == "free"
    assert await memory.count() in (0, 50)


async def test_a_forked_child_goes_on_by_itself(path: Path) -> None:
    assert await asyncio.to_thread(run, FORK, path) == ["3"]


async def _awaited(work: Awaitable[object]) -> object:
    return await work
