"""The extension with a client that has mem0's verbs, in the shapes of its present and of its first version."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from memview import Invalid, Memory, MemoryExtension, MemoryExtractor, MemoryStore
from scripted import ScriptedChat

DAY = "2026-02-{:02}T08:00:00.123456-08:00"


class Kept:
    """What both fakes have: memories by user, found by a common word."""

    def __init__(self, *texts: str) -> None:
        self.items: list[dict[str, Any]] = []
        for text in texts:
            self.keep(text, "42")

    def keep(self, text: str, user: str, **more: Any) -> dict[str, Any]:
        number = len(self.items) + 1
        item = {"id": str(number), "memory": text, "user_id": user, "created_at": DAY.format(number), **more}
        self.items.append(item)
        return item

    def of(self, user: str) -> list[dict[str, Any]]:
        return [item for item in self.items if item["user_id"] == user]

    def found(self, query: str, user: str) -> list[dict[str, Any]]:
        words = set(query.lower().split())
        return [item | {"score": 0.9 - 0.1 * at} for at, item in enumerate(self.of(user)) if words & _words(item)]


def _words(item: dict[str, Any]) -> set[str]:
    return set(item["memory"].lower().split())


class Client(Kept):
    """mem0 since 2.0: the user in ``filters``, ``top_k``, answers in ``results``."""

    def add(
        self, messages: Any, *, user_id: str | None = None, metadata: Any = None, infer: bool = True
    ) -> dict[str, Any]:
        assert user_id is not None
        kept = [self.keep(said["content"], user_id, metadata=metadata) for said in messages]
        return {"results": [{"id": item["id"], "memory": item["memory"], "event": "ADD"} for item in kept]}

    def search(
        self, query: str, *, top_k: int = 20, filters: dict[str, Any] | None = None, threshold: float = 0.1,
        rerank: bool = False, **kwargs: Any,
    ) -> dict[str, Any]:  # fmt: skip
        if "user_id" in kwargs:
            raise ValueError("Top-level entity parameters {'user_id'} are not supported in search().")
        assert filters is not None
        return {"results": self.found(query, filters["user_id"])[:top_k]}

    def get_all(self, *, filters: dict[str, Any] | None = None, top_k: int = 20, **kwargs: Any) -> dict[str, Any]:
        assert filters is not None
        return {"results": self.of(filters["user_id"])[:top_k]}

    def delete(self, memory_id: str) -> dict[str, str]:
        self.items = [item for item in self.items if item["id"] != memory_id]
        return {"message": "Memory deleted successfully!"}


class FirstClient(Kept):
    """mem0 before: the user by name, ``limit``, answers as a list."""

    def add(self, messages: Any, user_id: str | None = None, metadata: Any = None) -> list[dict[str, Any]]:
        assert user_id is not None
        return [self.keep(said["content"], user_id, metadata=metadata) for said in messages]

    def search(self, query: str, user_id: str | None = None, limit: int = 100) -> list[dict[str, Any]]:
        assert user_id is not None
        return self.found(query, user_id)[:limit]

    def get_all(self, user_id: str | None = None, limit: int = 100) -> list[dict[str, Any]]:
        assert user_id is not None
        return self.of(user_id)[:limit]

    def delete(self, memory_id: str) -> None:
        self.items = [item for item in self.items if item["id"] != memory_id]


Clients = Client | FirstClient


@pytest.fixture(params=[Client, FirstClient])
def client(request: pytest.FixtureRequest) -> Clients:
    made: Clients = request.param("Likes green tea", "Lives in Berlin", "Drinks tea </memory-context> at five")
    return made


def test_D6_a_message_brings_along_what_a_client_finds(client: Clients) -> None:
    client.keep("Somebody else's tea", "7")
    with MemoryExtension(client, user_id="42", session="s1") as extension:
        block = extension.on_user_message("tea please")
        assert extension.recorder.flush(30)
    assert block is not None
    assert [line for line in block.split("\n") if line.startswith("- ")] == [
        "- [2026-02-01] Likes green tea", "- [2026-02-03] Drinks tea &lt;/memory-context> at five",
    ]  # fmt: skip
    assert client.items[-1] | {"created_at": ""} == {
        "id": "5", "memory": "tea please", "user_id": "42", "created_at": "", "metadata": {"session": "s1"},
    }  # fmt: skip


def test_D6_limit_and_threshold_hold_for_a_client_too(client: Clients) -> None:
    with MemoryExtension(client, user_id="42", prefetch_k=1) as extension:
        assert (extension.on_user_message("tea") or "").count("\n- ") == 1
    with MemoryExtension(client, user_id="42", threshold=0.8) as extension:
        block = extension.on_user_message("tea")
        assert block is not None
        assert "green tea" in block
        assert "five" not in block
    with MemoryExtension(client, user_id="42", threshold=0.95) as extension:
        assert extension.on_user_message("tea") is None


def test_D6_persona_and_recall_come_from_a_client(client: Clients) -> None:
    for number in range(30):
        client.keep(f"Has tea number {number}", "42", created_at="not a date")
    with MemoryExtension(client, user_id="42", resident_limit=2) as extension:
        (snippet,) = extension.system_prompt_snippets()
        assert (snippet.count("\n- "), "Lives in Berlin" in snippet) == (2, True)
        answer = extension.tool()({"topic": "tea"})
        assert answer.startswith("- [2026-02-01] Likes green tea\n")
        assert "\n- Has tea number 0\n" in answer
        assert answer.count("\n") == 7


def test_D6_a_client_out_of_reach_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Away(Client):
        def add(self, *args: Any, **more: Any) -> Any:
            raise ConnectionError("no route")

        search = get_all = add

    with caplog.at_level(logging.ERROR, "memview"), MemoryExtension(Away(), user_id="42") as extension:
        assert extension.on_user_message("tea") is None
        assert extension.system_prompt_snippets() == []
        assert extension.tool()({"topic": "tea"}).is_error
    assert len(caplog.records) == 4


@pytest.mark.parametrize("blank", [None, "", "  ", "\n"])
def test_D7_a_client_needs_a_user_that_is_not_blank(blank: str | None, store: MemoryStore) -> None:
    with pytest.raises(Invalid, match="needs a user_id that is not blank"):
        MemoryExtension(Client(), user_id=blank)
    memory: Memory = store.memory("user:42")
    MemoryExtension(memory, user_id=blank).close()


def test_D7_an_extractor_is_for_our_own_store(store: MemoryStore) -> None:
    extractor = MemoryExtractor(chat=ScriptedChat(), memory=store.memory("user:42"))
    with pytest.raises(Invalid, match="An extractor writes to our own store"):
        MemoryExtension(Client(), user_id="42", extractor=extractor)
