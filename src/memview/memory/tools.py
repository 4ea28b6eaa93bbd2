"""What a model may do with a memory, as tools: one table, and the shapes that model APIs want.

::

    tools = memory.tools()
    client.chat.completions.create(model=..., messages=..., tools=tools.openai_chat())
    answer = tools.call(call.function.name, call.function.arguments)

Each tool is one class of :data:`memview.memory.tool_table.TABLE`. A call
never raises: what went wrong comes back as a text with ``is_error``, for the model to read.

Facts hold what an agent picked up somewhere, so an answer is one JSON value: no stored text can end its own string and
pose as another fact or as the tool speaking, and characters that hide or turn text around are written as escapes
(:func:`memview.text.visible`). What such a text *says* is still up to its author; the answer reminds the model of that.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar, overload

from memview.errors import Conflict, Invalid, MemviewError
from memview.memory.tool_table import TABLE, Desk
from memview.store.orm import pydantic
from memview.text import one_line

R = TypeVar("R")
Given = str | Mapping[str, Any] | None
"""A call's arguments: JSON text or what it decodes to; None for none."""
log = logging.getLogger("memview")
_LONGEST_ERROR = 600


class Answer(str):
    """What a tool answers: a text for the model."""

    is_error: bool
    """Whether nothing was done, for the reason that the text gives."""

    def __new__(cls, text: str, *, is_error: bool = False) -> Answer:
        """A text, and whether it tells of an error."""
        answer = super().__new__(cls, text)
        answer.is_error = is_error
        return answer


@dataclass(frozen=True, slots=True)
class Tool(Generic[R]):
    """One tool: its definition, and the handler when it is called."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON schema of the arguments."""
    run: Callable[[Given], R]

    def __call__(self, arguments: Given = None) -> R:
        """Do what the model asked; see :meth:`Toolbox.call`."""
        return self.run(arguments)


class Toolbox(Sequence[Tool[R]]):
    """The tools of one memory. Made by :meth:`memview.Memory.tools`.

    Args:
        run: does what a tool of that name is asked.
        prefix: put before each name.
    """

    def __init__(self, run: Callable[[str, Given], R], prefix: str = "") -> None:
        self._run = run
        self._prefix = prefix
        self._tools = [
            Tool(
                prefix + tool.name,
                " ".join((tool.__doc__ or "").split()),
                tool.schema_(),
                partial(run, prefix + tool.name),
            )
            for tool in TABLE
        ]

    @overload
    def __getitem__(self, place: int) -> Tool[R]: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Tool[R]]: ...
    def __getitem__(self, place: int | slice) -> Tool[R] | Sequence[Tool[R]]:
        return self._tools[place]

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[Tool[R]]:
        return iter(self._tools)

    def call(self, name: str, arguments: Given = None) -> R:
        """Do what a model asked. This never raises: an error is an answer with ``is_error``.

        Args:
            name: the tool.
            arguments: JSON text as OpenAI's APIs give it, or the object as Anthropic's and MCP give it.
        """
        return self._run(name, arguments)

    def openai_chat(self) -> list[Any]:
        """For ``tools=`` of OpenAI's chat completions, and of the many servers that speak the same."""
        return [
            {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
            for t in self
        ]

    def openai_responses(self) -> list[Any]:
        """For ``tools=`` of OpenAI's responses."""
        return [
            {
                "type": "function",
                "name": t.name,
                "description": t.description,
                "parameters": t.parameters,
                "strict": False,
            }
            for t in self
        ]

    def anthropic(self) -> list[Any]:
        """For ``tools=`` of Anthropic's messages."""
        return [{"name": t.name, "description": t.description, "input_schema": t.parameters} for t in self]

    def mcp(self) -> list[Any]:
        """For a Model Context Protocol server's answer to ``tools/list``."""
        return [{"name": t.name, "description": t.description, "inputSchema": t.parameters} for t in self]


def toolbox(desk: Desk, prefix: str = "") -> Toolbox[Answer]:
    """The tools that work at a desk."""
    return Toolbox(partial(_answer, desk, prefix), prefix)


def awaited(
    box: Toolbox[Answer], call: Callable[[Callable[[], Answer]], Coroutine[Any, Any, Answer]]
) -> Toolbox[Coroutine[Any, Any, Answer]]:
    """The same tools, each call made by ``call``."""

    async def run(name: str, given: Given) -> Answer:
        try:
            return await call(lambda: box.call(name, given))
        except Exception as error:  # nothing can be called any more
            return _failed(name, error)

    return Toolbox(run, box._prefix)


def _answer(desk: Desk, prefix: str, name: str, given: Given) -> Answer:
    known = {prefix + tool.name: tool for tool in TABLE}
    if name not in known:
        return _error(f"There is no tool {name}; there are {', '.join(known)}.")
    try:
        arguments = known[name].model_validate(_decoded(given))
        return Answer(json.dumps(arguments.work(desk), ensure_ascii=False))
    except pydantic.ValidationError as error:
        return _error(" ".join(f"{'.'.join(map(str, e['loc'])) or name}: {e['msg']}." for e in error.errors()))
    except Conflict as error:
        return _error(f"{error} It now says: {error.theirs.get('content', '(unchanged text)')}")
    except MemviewError as error:
        return _error(str(error))
    except Exception as error:
        return _failed(name, error)


def _failed(name: str, error: Exception) -> Answer:
    """The model's loop goes on; whoever runs it reads the log."""
    log.exception("the tool %s failed", name)
    return _error(f"{name} failed: {error}.")


def _decoded(given: Given) -> Any:
    if not isinstance(given, str):
        return given or {}
    try:
        return json.loads(given or "{}")
    except (ValueError, RecursionError) as error:
        raise Invalid(f"The arguments are no JSON: {error}.") from error


def _error(text: str) -> Answer:
    return Answer(f"Error: {one_line(text, _LONGEST_ERROR)}", is_error=True)
