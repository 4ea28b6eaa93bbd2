"""A memory for AI agents in one SQLite file, and a terminal app to review it.

::

    from memview import MemoryStore

    with MemoryStore("agent.db", agent="planner") as store:
        memory = store.memory("user:42")
        memory.write("Deploy window is Tuesday", tags=["deploy"])
        for fact in memory.search("When can we deploy?"):
            print(fact.content)

The names load when they are asked for: importing the package costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memview.errors import (
        BusyStore,
        Conflict,
        DamagedStore,
        Duplicate,
        Invalid,
        MemviewError,
        MissingStore,
        NewerStore,
        NoPermission,
        NotAStore,
        NotFound,
        ReadOnlyStore,
        RecordError,
        StoreError,
    )
    from memview.memory.aio import AsyncConversation, AsyncMemory, AsyncMemoryStore, AsyncSelection
    from memview.memory.aio_extension import AsyncMemoryExtension, AsyncMemoryExtractor
    from memview.memory.conversation import Conversation
    from memview.memory.extension import MemoryExtension
    from memview.memory.extractor import Extraction, MemoryExtractor, Skipped
    from memview.memory.fading import Recalled
    from memview.memory.memory import Memory
    from memview.memory.openai import OpenAIChat
    from memview.memory.recorder import Recorder
    from memview.memory.selection import Selection
    from memview.memory.store import MemoryStore
    from memview.memory.tools import Answer, Tool, Toolbox
    from memview.store.ask import Weights
    from memview.store.erase import Erased
    from memview.store.exchange import Loaded
    from memview.store.feed import ChangeRow
    from memview.store.models import Fact, Link, Turn
    from memview.store.query import ALL
    from memview.store.recalling import Why
    from memview.store.rows import Space
    from memview.store.stats import Stats
    from memview.store.undo import Undone
    from memview.version import __version__

_HOMES = {
    "memview.memory.store": ("MemoryStore",),
    "memview.memory.memory": ("Memory",),
    "memview.memory.fading": ("Recalled",),
    "memview.memory.tools": ("Answer", "Tool", "Toolbox"),
    "memview.memory.aio": ("AsyncConversation", "AsyncMemory", "AsyncMemoryStore", "AsyncSelection"),
    "memview.memory.aio_extension": ("AsyncMemoryExtension", "AsyncMemoryExtractor"),
    "memview.memory.conversation": ("Conversation",),
    "memview.memory.extension": ("MemoryExtension",),
    "memview.memory.extractor": ("Extraction", "MemoryExtractor", "Skipped"),
    "memview.memory.openai": ("OpenAIChat",),
    "memview.memory.recorder": ("Recorder",),
    "memview.memory.selection": ("Selection",),
    "memview.store.ask": ("Weights",),
    "memview.store.recalling": ("Why",),
    "memview.store.erase": ("Erased",),
    "memview.store.exchange": ("Loaded",),
    "memview.store.feed": ("ChangeRow",),
    "memview.store.models": ("Fact", "Link", "Turn"),
    "memview.store.query": ("ALL",),
    "memview.store.rows": ("Space",),
    "memview.store.stats": ("Stats",),
    "memview.store.undo": ("Undone",),
    "memview.errors": (
        "BusyStore", "Conflict", "DamagedStore", "Duplicate", "Invalid", "MemviewError", "MissingStore", "NewerStore",
        "NoPermission", "NotAStore", "NotFound", "ReadOnlyStore", "RecordError", "StoreError",
    ),
    "memview.version": ("__version__",),
}  # fmt: skip
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "ALL",
    "Answer",
    "AsyncConversation",
    "AsyncMemory",
    "AsyncMemoryExtension",
    "AsyncMemoryExtractor",
    "AsyncMemoryStore",
    "AsyncSelection",
    "BusyStore",
    "ChangeRow",
    "Conflict",
    "Conversation",
    "DamagedStore",
    "Duplicate",
    "Erased",
    "Extraction",
    "Fact",
    "Invalid",
    "Link",
    "Loaded",
    "Memory",
    "MemoryExtension",
    "MemoryExtractor",
    "MemoryStore",
    "MemviewError",
    "MissingStore",
    "NewerStore",
    "NoPermission",
    "NotAStore",
    "NotFound",
    "OpenAIChat",
    "ReadOnlyStore",
    "Recalled",
    "RecordError",
    "Recorder",
    "Selection",
    "Skipped",
    "Space",
    "Stats",
    "StoreError",
    "Tool",
    "Toolbox",
    "Turn",
    "Undone",
    "Weights",
    "Why",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'memview' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
