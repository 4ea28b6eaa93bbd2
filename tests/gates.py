"""Threads that are held up where a test wants them to be."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from support import LIMIT


class Gate:
    """Where a thread is held up.

    Args:
        monkeypatch: takes the gate away again.
        owner: whose method it stands in.
        name: the method.
        after: whether the method has done its work by then, and only its answer is held up.
        only: whether a call with these arguments is held up; of those that are, only the first.
    """

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        owner: Any,
        name: str,
        *,
        after: bool = False,
        only: Callable[..., bool] = lambda *args: True,
    ) -> None:
        method, self._reached, self._open = getattr(owner, name), threading.Event(), threading.Event()

        def held(*args: Any, **named: Any) -> Any:
            if self._reached.is_set() or not only(*args):
                return method(*args, **named)
            self._reached.set()
            answer = method(*args, **named) if after else None
            self._open.wait(LIMIT)
            return answer if after else method(*args, **named)

        monkeypatch.setattr(owner, name, held)

    def reached(self) -> bool:
        """Whether a thread is held up, or was."""
        return self._reached.is_set()

    def open(self) -> None:
        """Let it go on."""
        self._open.set()
