"""A chat callable that speaks the OpenAI-compatible chat API, which most model servers understand, local ones too.

It needs the vendor's client library: ``pip install "agent-memview[openai]"``. The library is imported when the first
:class:`OpenAIChat` is made, and not before.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from memview.errors import MemviewError


class OpenAIChat:
    """Chat messages in, the reply's text out, for :class:`memview.MemoryExtractor`.

    ::

        chat = OpenAIChat("llama3.2", base_url="http://localhost:11434/v1", api_key="none")
        chat([{"role": "user", "content": "hello"}])

    Args:
        model: the model's name, as the server knows it.
        base_url: the server, with its ``/v1``; OpenAI's, or the environment's ``OPENAI_BASE_URL``, unless given.
        api_key: the environment's ``OPENAI_API_KEY`` unless given; a local server takes any.
        timeout: how many seconds to wait for a reply.
        max_retries: how often to ask again after an error that may pass.
        **options: more of the request, such as ``temperature=0``.

    Raises:
        MemviewError: the client library is not installed, or there is no key.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 2,
        **options: Any,
    ) -> None:
        self.model = model
        self.options = options
        self._library = _library()
        try:
            self._client = self._library.OpenAI(
                base_url=base_url, api_key=api_key, timeout=timeout, max_retries=max_retries
            )
        except self._library.OpenAIError as error:
            raise MemviewError("The model's client cannot be made.", str(error)) from error

    def __call__(self, messages: list[dict[str, str]]) -> str:
        """Ask the model.

        Raises:
            MemviewError: the server cannot be reached, answers with an error, or with something that is no reply.
        """
        try:
            answer = self._client.chat.completions.create(model=self.model, messages=messages, **self.options)
        except self._library.OpenAIError as error:
            raise MemviewError(f"{self.model} did not answer.", str(error)) from error
        except ValueError as error:  # the answer was no JSON
            raise MemviewError(f"{self.model} answered with something that is no reply.", str(error)) from error
        return _text(answer, self.model)

    def close(self) -> None:
        """Close the connections to the server."""
        self._client.close()


def _text(answer: Any, model: str) -> str:
    """The text of a reply; servers that only nearly speak the protocol are told apart from an empty reply."""
    choices = getattr(answer, "choices", None)
    message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
    if message is None:
        raise MemviewError(f"{model} answered with something that is no reply.", "Check the base_url; it ends in /v1.")
    return message.content or ""


def _library() -> Any:
    try:
        return import_module("openai")
    except ImportError as error:
        raise MemviewError(
            "OpenAI's client library is not installed.", 'Install it: pip install "agent-memview[openai]".'
        ) from error
