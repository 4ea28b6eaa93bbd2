"""How the asyncio twin calls the library: one thread a store, one call after another.

The twin (:mod:`memview.memory.aio`) has no code of its own for any method: :func:`awaitable` turns a method of
the plain class into one that is awaited, with the same parameters, result and docstring, and type checkers see that.
"""

from __future__ import annotations

import asyncio
import functools
import os
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
Made = TypeVar("Made", covariant=True)
T = TypeVar("T")
H = TypeVar("H")


class Worker:
    """The thread in which one store's calls are made, in the order in which they were awaited.

    A call whose awaiting task is cancelled while it waits for its turn is never made. One that has begun ends by
    itself: a transaction is written whole, or not at all.
    """

    def __init__(self) -> None:
        self._renew()
        _WORKERS.add(self)

    def _renew(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="memview")

    async def call(self, work: Callable[[], T]) -> T:
        """What ``work`` returns, or raises, in the thread.

        Raises:
            ValueError: the store is closed.
        """
        try:
            future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except RuntimeError as error:
            raise ValueError("this store is closed") from error
        return await future

    async def stop(self, work: Callable[[], object]) -> None:
        """Make a last call when all others are done, also where the awaiting task is cancelled meanwhile."""
        try:
            last = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except RuntimeError:
            return  # stopped before
        self._pool.shutdown(wait=False)
        await asyncio.shield(last)


_WORKERS: weakref.WeakSet[Worker] = weakref.WeakSet()


def _renew_all() -> None:
    """A forked child has none of its parent's threads, and what they were to do is its parent's."""
    for worker in list(_WORKERS):
        worker._renew()


os.register_at_fork(after_in_child=_renew_all)


class Handle(Generic[Made]):
    """The twin of one object of the library, made in the thread when it is first needed.

    Awaiting the handle makes it at once, and gives the handle.
    """

    def __init__(self, worker: Worker, make: Callable[[], Made]) -> None:
        self._worker = worker
        self._make = make
        self._made: Made | None = None

    def __await__(self) -> Generator[Any, None, Self]:
        return self._ready().__await__()

    async def _ready(self) -> Self:
        await self._worker.call(self._plain)
        return self

    def _plain(self) -> Made:
        """The object itself; in the thread only, where nothing else is done meanwhile."""
        if self._made is None:
            self._made = self._make()
        return self._made

    async def _call(self, work: Callable[[Made], T]) -> T:
        return await self._worker.call(lambda: work(self._plain()))


class ClosedHandle(Handle[Made]):
    """The twin of something that is closed, which ``async with`` does at its end."""

    async def close(self) -> object:
        """Let go of it."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        return await self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def awaitable(
    method: Callable[Concatenate[S, P], T],
) -> Callable[Concatenate[Handle[S], P], Coroutine[Any, Any, T]]:
    """The same method, awaited on the object's handle."""

    @functools.wraps(method)
    async def call(self: Handle[S], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._call(lambda made: method(made, *args, **kwargs))

    return call


def iterable(
    method: Callable[Concatenate[S, P], Iterator[T]],
) -> Callable[Concatenate[Handle[S], P], AsyncIterator[T]]:
    """The same method for ``async for``; what it yields is read at once."""

    @functools.wraps(method)
    async def call(self: Handle[S], /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        for item in await self._call(lambda made: list(method(made, *args, **kwargs))):
            yield item

    return call


def handed(
    method: Callable[Concatenate[S, P], T], twin: Callable[[Worker, Callable[[], T]], H]
) -> Callable[Concatenate[Handle[S], P], H]:
    """The same method, giving the twin of what it makes; that is made when it is awaited or first used."""

    @functools.wraps(method)
    def call(self: Handle[S], /, *args: P.args, **kwargs: P.kwargs) -> H:
        return twin(self._worker, lambda: method(self._plain(), *args, **kwargs))

    return call


def entered(
    method: Callable[Concatenate[S, P], AbstractContextManager[T]],
) -> Callable[Concatenate[Handle[S], P], AbstractAsyncContextManager[T]]:
    """The same context manager, for ``async with``."""

    @functools.wraps(method)
    @asynccontextmanager
    async def call(self: Handle[S], /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        inner = await self._call(lambda made: method(made, *args, **kwargs))
        value = await self._worker.call(inner.__enter__)
        try:
            yield value
        except BaseException as error:
            caught = (type(error), error, error.__traceback__)
            if not await self._worker.call(lambda: inner.__exit__(*caught)):
                raise
        else:
            await self._worker.call(lambda: inner.__exit__(None, None, None))

    return call
