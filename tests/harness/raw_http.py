"""A client that sends exactly the bytes it is told to, as an attacker would."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

PATIENCE_S = 20.0


@dataclass(frozen=True)
class Answer:
    """`is_closed`: the server closed the connection after it."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_closed: bool

    def json(self) -> Any:
        return json.loads(self.body)


def request_bytes(
    path: str,
    headers: Iterable[tuple[str, str]],
    body: bytes = b"",
    *,
    method: str = "POST",
    version: str = "1.1",
) -> bytes:
    lines = [f"{method} {path} HTTP/{version}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body


async def exchange(port: int, data: bytes) -> Answer | None:
    """Send `data` on a new connection and read one answer; None when the server only closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        await writer.drain()
        return await read_answer(reader)
    finally:
        await close(writer)


async def read_answer(reader: asyncio.StreamReader) -> Answer | None:
    async with asyncio.timeout(PATIENCE_S):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            assert name.lower() not in headers, f"header sent twice: {name}"
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        is_closed = headers.get("connection") == "close" or first.startswith("HTTP/1.0")
        if is_closed:
            with contextlib.suppress(ConnectionError):
                assert await reader.read() == b"", "bytes after the last answer"
        return Answer(int(first.split(" ")[1]), headers, body, is_closed)


async def close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
