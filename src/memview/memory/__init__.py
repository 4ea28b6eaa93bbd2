"""What agents use: a store, its namespaced memories and its conversations.

The names load when they are asked for, so that a program that only looks (:mod:`memview.memory.looking`) does not pay
for SQLModel.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memview.memory.conversation import Conversation
    from memview.memory.memory import Memory
    from memview.memory.store import MemoryStore

__all__ = ["Conversation", "Memory", "MemoryStore"]

_HOMES = {"Conversation": "conversation", "Memory": "memory", "MemoryStore": "store"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"memview.memory.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
