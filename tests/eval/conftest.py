"""Builders and a scripted model server that the evaluation tests share."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

QUERIES: list[dict[str, Any]] = [
    {
        "id": f"made_{number}",
        "user": f"My sister Ana lives at number {number} and I teach chess.",
        "assistant": "",
        "privacy": [
            {
                "phrase": f"number {number}",
                "privacy information": f"The user's sister lives at number {number}.",
            },
            {"phrase": "teach chess", "privacy information": "The user teaches chess."},
        ]
        if number % 2
        else [],
    }
    for number in range(12)
]


@pytest.fixture
def queries_file(tmp_path: Path) -> Path:
    """Twelve made-up single queries, every second one annotated."""
    path = tmp_path / "queries.json"
    path.write_text(json.dumps(QUERIES), encoding="utf-8")
    return path


class ScriptedServer:
    """An OpenAI-shaped server on a real port. `reply` maps the user message to an answer's text."""

    def __init__(self, reply: Callable[[str], str]) -> None:
        self._reply = reply
        self.answered: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.n_at_once = 0
        self.most_at_once = 0
        self.statuses: list[int] = []
        """Statuses to send before answering, oldest first."""
        self.hold_from: int | None = None
        """Requests from this one on (counting from 1) get no answer until `released` is set."""
        self.n_to_hold = 1
        """How many must wait before `holding` is set."""
        self.holding = asyncio.Event()
        self.released = asyncio.Event()
        self.url = ""

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.json()
        message = body["messages"][-1]["content"]
        self.asked[message] += 1
        if self.statuses:
            return web.Response(status=self.statuses.pop(0))
        self.n_at_once += 1
        self.most_at_once = max(self.most_at_once, self.n_at_once)
        try:
            if self.hold_from is not None and self.asked.total() >= self.hold_from:
                if self.n_at_once >= self.n_to_hold:
                    self.holding.set()
                await self.released.wait()
            else:
                await asyncio.sleep(0)  # Lets the other requests in, so that concurrency can be seen.
        finally:
            self.n_at_once -= 1
        self.answered[message] += 1
        choice = {"message": {"role": "assistant", "content": self._reply(message)}}
        return web.json_response({"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": 3}})


@pytest.fixture
async def scripted_server() -> AsyncIterator[Callable[[Callable[[str], str]], Any]]:
    """Start a `ScriptedServer`; it is stopped after the test."""
    running: list[TestServer] = []

    async def start(reply: Callable[[str], str]) -> ScriptedServer:
        scripted = ScriptedServer(reply)
        app = web.Application()
        app.router.add_post("/v1/chat/completions", scripted.handle)
        server = TestServer(app)
        await server.start_server()
        running.append(server)
        scripted.url = f"http://127.0.0.1:{server.port}/v1"
        return scripted

    yield start
    for server in running:
        await server.close()
