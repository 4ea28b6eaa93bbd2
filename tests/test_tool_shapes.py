"""The tools' definitions in the shapes of the model APIs, held against those APIs' own published types.

The types are asked themselves where the library is installed: ``openai`` is, for :class:`memview.OpenAIChat`, while
``anthropic`` is too heavy to be installed for this alone. What they publish is written down below as well, stricter.
"""

from __future__ import annotations

import importlib
from typing import Any, Literal, NotRequired

import mcp_types
import pytest
from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from memview import Answer, MemoryStore, Toolbox

STRICT = ConfigDict(extra="forbid", strict=True)


@with_config(STRICT)
class Function(TypedDict):
    """As in openai.types.shared_params.FunctionDefinition."""

    name: str
    description: NotRequired[str]
    parameters: NotRequired[dict[str, object]]
    strict: NotRequired[bool | None]


@with_config(STRICT)
class ChatTool(TypedDict):
    """As in openai.types.chat.ChatCompletionFunctionToolParam."""

    type: Literal["function"]
    function: Function


@with_config(STRICT)
class ResponsesTool(TypedDict):
    """As in openai.types.responses.FunctionToolParam."""

    type: Literal["function"]
    name: str
    description: NotRequired[str | None]
    parameters: dict[str, object] | None
    strict: bool | None


@with_config(STRICT)
class MessagesTool(TypedDict):
    """As in anthropic.types.ToolParam."""

    name: str
    description: NotRequired[str]
    input_schema: dict[str, object]


SHAPES: dict[str, tuple[Any, str]] = {
    "openai_chat": (ChatTool, "openai.types.chat:ChatCompletionFunctionToolParam"),
    "openai_responses": (ResponsesTool, "openai.types.responses:FunctionToolParam"),
    "anthropic": (MessagesTool, "anthropic.types:ToolParam"),
}


@pytest.fixture
def tools(store: MemoryStore) -> Toolbox[Answer]:
    return store.memory("user:42").tools()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_definitions_have_the_shape(tools: Toolbox[Answer], shape: str) -> None:
    for definition in getattr(tools, shape)():
        assert TypeAdapter(SHAPES[shape][0]).validate_python(definition)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_library_itself_takes_them(tools: Toolbox[Answer], shape: str) -> None:
    home, _, name = SHAPES[shape][1].partition(":")
    pytest.importorskip(home.partition(".")[0])
    theirs = TypeAdapter(getattr(importlib.import_module(home), name))
    for definition in getattr(tools, shape)():
        assert theirs.validate_python(definition)


def test_mcp_takes_them(tools: Toolbox[Answer]) -> None:
    listed = mcp_types.ListToolsResult.model_validate({"tools": tools.mcp()})
    assert [(tool.name, tool.description) for tool in listed.tools] == [(tool.name, tool.description) for tool in tools]
    assert listed.model_dump(by_alias=True, exclude_none=True, mode="json")["tools"] == tools.mcp()


def test_names_are_such_as_every_api_allows(tools: Toolbox[Answer]) -> None:
    for tool in tools:
        assert tool.name.replace("_", "").isascii()
        assert tool.name.isidentifier()
