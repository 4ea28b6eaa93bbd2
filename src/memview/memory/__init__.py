"""What agents use: a store, its namespaced memories and its conversations.

The names load when they are asked for, so that a program that only looks (:mod:`memview.memory.looking`) does not pay
for SQLModel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memview.memory.conversation import Conversation
    from memview.memory.memory import Memory
    from memview.memory.store import MemoryStore
else:
    from memview import late

    __getattr__ = late.names(
        __name__,
        {
            "memview.memory.conversation": "Conversation",
            "memview.memory.memory": "Memory",
            "memview.memory.store": "MemoryStore",
        },
    )

__all__ = ["Conversation", "Memory", "MemoryStore"]
