"""Any server that speaks OpenAI's chat completions: llama-server, vLLM, a cluster behind one URL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from limen_eval.errors import EndpointError
from limen_eval.llm.model import Answer, ChatRequest

BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Asked again after a pause."""
NOT_THIS_REQUEST = frozenset({400, 413, 422})
"""The server works but will not take this one request."""


class Endpoint:
    """Requests go out as they come; how many at a time is the caller's choice."""

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 300.0,
        attempts: int = 5,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise EndpointError("the endpoint must be an http(s) URL, for instance http://127.0.0.1:8080/v1")
        base = url.rstrip("/")
        self._url = f"{base}/chat/completions" if parts.path.strip("/") else f"{base}/v1/chat/completions"
        self._model = model
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._timeout = aiohttp.ClientTimeout(total=timeout_s)
        self._attempts = attempts
        self._pause = pause
        self._session: aiohttp.ClientSession | None = None

    @property
    def id(self) -> str:
        return self._model

    def describe(self) -> dict[str, Any]:
        parts = urlsplit(self._url)
        host = f"{parts.scheme}://{parts.hostname}" + (f":{parts.port}" if parts.port else "")
        return {"id": self._model, "format": "endpoint", "device": host, "languages": []}

    async def complete(self, request: ChatRequest) -> Answer:
        started = time.perf_counter()
        reason = ""
        for attempt in range(self._attempts):
            if attempt:
                await self._pause(0.5 * 2**attempt)
            try:
                async with self._open().post(
                    self._url, json=self._body(request), headers=self._headers
                ) as response:
                    if response.status in BUSY:
                        reason = f"status {response.status}"
                        continue
                    if response.status in NOT_THIS_REQUEST:
                        return Answer(error=f"status {response.status}", elapsed_ms=_since(started))
                    if response.status != 200:
                        raise EndpointError(f"{self._url} answered with status {response.status}")
                    return _answer(await response.json(content_type=None), started)
            except (aiohttp.ClientError, TimeoutError, ValueError) as error:
                reason = type(error).__name__
        raise EndpointError(
            f"{self._url} gave no answer after {self._attempts} attempts ({reason}); "
            "start it again and give --resume"
        )

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            # The caller's concurrency is the limit; aiohttp's own (100 connections) would hide it.
            self._session = aiohttp.ClientSession(
                timeout=self._timeout, connector=aiohttp.TCPConnector(limit=0)
            )
        return self._session

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        body = {
            "model": self._model,
            "messages": request.messages,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed,
        }
        if request.json_schema is not None:
            schema = {"name": "answer", "strict": True, "schema": request.json_schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def _answer(body: Any, started: float) -> Answer:
    try:
        text = body["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError) as error:
        raise EndpointError("the endpoint's answer is not in the chat completions form") from error
    usage = body.get("usage") or {}
    return Answer(
        text=text or "",
        prompt_tokens=usage.get("prompt_tokens"),
        completion_tokens=usage.get("completion_tokens"),
        elapsed_ms=_since(started),
    )


def _since(started: float) -> float:
    return 1000 * (time.perf_counter() - started)
