"""Sixty near duplicates in thirty groups, merged one by one in a real terminal."""

from __future__ import annotations

from pathlib import Path

from memview import MemoryStore
from support import integrity
from terminal import Terminal, memview

WHO = ["Ines", "Tomas", "Priya", "Olek", "Maria"]
WHAT = [
    "keeps the harbour keys in the wooden drawer", "paints large birds on old sailcloth",
    "waters the lemon trees behind the kitchen", "collects railway tickets from abandoned stations",
    "repairs clocks for the village museum", "bakes dark bread before the market opens",
]  # fmt: skip


def _slips(text: str, at: int) -> str:
    """The text mistyped, in capitals, with another sign, or with a word that says nothing."""
    words = text.split()
    word = max(words, key=len)
    return (
        text.replace(word, word[:2] + word[3:]), f"{text.replace(word, word[:1] + word[2] + word[1] + word[3:])}!",
        text.replace(words[1], f"really {words[1]}"),
    )[at % 3]  # fmt: skip


def test_thirty_groups_take_thirty_keys_and_lose_nothing(path: Path) -> None:
    texts = [f"{who} {what}" for who in WHO for what in WHAT]
    with MemoryStore(path, agent="planner") as store:
        memory = store.memory("user:42")
        kept = memory.write_many({"content": text, "tags": ["first"]} for text in texts)
        memory.write_many({"content": _slips(text, at), "tags": ["second"]} for at, text in enumerate(texts))
    with Terminal(memview(path)) as terminal:
        terminal.wait_for("60 facts")
        terminal.press("gd")
        for done in range(1, 31):
            terminal.wait_for(lambda text, done=done: f"group {done} of 30" in text and "After m" in text)  # type: ignore[misc]
            assert "equal  A merges all" not in terminal.text
            terminal.press("m")
        terminal.wait_for("Every group is decided: 30 groups among 60 facts")
        terminal.press("q")
        terminal.wait_for("30 facts")
        terminal.press("q")
        assert terminal.ended() == 0
    with MemoryStore(path) as store:
        facts = store.memory("user:42").list(0)
        assert {fact.id for fact in facts} == {fact.id for fact in kept}
        assert {fact.content for fact in facts} == set(texts)
        assert all(set(fact.tags) == {"first", "second"} for fact in facts)
    integrity(path)
