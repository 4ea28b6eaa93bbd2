"""A model that says what a test wrote down, and keeps what it was sent."""

from __future__ import annotations

import json
from typing import Any

Messages = list[dict[str, str]]


class ScriptedChat:
    """Gives one reply after another; an exception is raised, anything but text is given as JSON."""

    def __init__(self, *replies: Any) -> None:
        self._replies = list(replies)
        self.sent: list[Messages] = []

    def __call__(self, messages: Messages) -> str:
        self.sent.append(messages)
        reply = self._replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply if isinstance(reply, str) else json.dumps(reply)

    @property
    def read(self) -> str:
        """All that was sent in the last call, but for the system prompt."""
        return "\n".join(message["content"] for message in self.sent[-1] if message["role"] != "system")


def user(text: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": text, **more}
