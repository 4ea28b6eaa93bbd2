"""The ready chat callable, against a real HTTP server that speaks the OpenAI-compatible chat API."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memview import MemoryExtractor, MemoryStore, MemviewError, OpenAIChat
from scripted import user

pytest.importorskip("openai")
ASKED = [{"role": "user", "content": "hello"}]


class Server(ThreadingHTTPServer):
    """Gives every request the same answer, and keeps the requests."""

    daemon_threads = True
    status = 200
    body: Any = None
    silent = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[tuple[str, str | None, Any]] = []
        self.over = threading.Event()

    def chat(self, **options: Any) -> OpenAIChat:
        url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        return OpenAIChat("small", base_url=url, api_key="key", max_retries=0, **options)

    def says(self, content: str | None) -> None:
        message = {"role": "assistant", "content": content}
        self.body = {
            "id": "1", "object": "chat.completion", "created": 1, "model": "small",
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        }  # fmt: skip


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, self.headers["Authorization"], body))
        if self.server.silent:
            self.server.over.wait(30)
            return
        given = self.server.body
        answer = given if isinstance(given, bytes) else json.dumps(given).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


def test_B7_a_model_server_is_asked_in_the_usual_protocol(server: Server) -> None:
    server.says("hi")
    chat = server.chat(temperature=0)
    assert chat(ASKED) == "hi"
    assert server.requests == [
        ("/v1/chat/completions", "Bearer key", {"messages": ASKED, "model": "small", "temperature": 0})
    ]
    server.says(None)
    assert chat(ASKED) == ""
    chat.close()


def test_B7_the_extractor_learns_through_it(server: Server, store: MemoryStore) -> None:
    server.says('```json\n{"facts": [{"fact": "Lives in Berlin", "from": [1]}]}\n```')
    chat = server.chat()
    found = MemoryExtractor(chat=chat, memory=store.memory("user:42")).extract([user("I moved to Berlin")])
    assert ([fact.content for fact in found.extracted], found.error) == (["Lives in Berlin"], None)
    chat.close()


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, {"error": {"message": "Incorrect API key provided"}}, "Incorrect API key"),
        (429, {"error": {"message": "You are too fast"}}, "too fast"),
        (500, b"<html>oops</html>", "did not answer"),
        (200, b"<html>a proxy's page</html>", "no reply"),
        (200, {"choices": []}, "no reply"),
        (200, {"error": "model not loaded"}, "no reply"),
        (200, [1, 2], "no reply"),
        (200, b"\xff\xfe", "no reply"),
    ],
)
def test_B7_what_is_no_reply_is_an_error_in_words(
    server: Server, store: MemoryStore, status: int, body: Any, words: str
) -> None:
    server.status, server.body = status, body
    chat = server.chat()
    with pytest.raises(MemviewError, match=words) as caught:
        chat(ASKED)
    assert caught.value.title
    found = MemoryExtractor(chat=chat, memory=store.memory("user:42")).extract([user("hello")])
    assert words in str(found.error)
    chat.close()


def test_B7_a_server_that_is_silent_is_left_after_the_timeout(server: Server) -> None:
    server.silent = True
    chat = server.chat(timeout=0.05)
    with pytest.raises(MemviewError, match="did not answer"):
        chat(ASKED)
    chat.close()


def test_B7_a_server_that_is_not_there_is_an_error(server: Server) -> None:
    chat = OpenAIChat("small", base_url="http://127.0.0.1:1/v1", api_key="key", max_retries=0)
    with pytest.raises(MemviewError, match="did not answer"):
        chat(ASKED)
    chat.close()


def test_B7_without_a_key_or_the_library_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(MemviewError, match="client cannot be made"):
        OpenAIChat("small")
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(MemviewError, match=r'pip install "agent-memview\[openai\]"'):
        OpenAIChat("small", api_key="key")
