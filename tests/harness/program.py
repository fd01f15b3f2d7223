"""`limen` as a program of its own, with its own home and state folder."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from harness.daemon import EXTENSION
from harness.raw_http import Answer, exchange, request_bytes

PATIENCE_S = 120
LIMEN = (sys.executable, "-m", "limen_daemon")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LIMEN_")}
    return {**kept, "LIMEN_STATE_DIR": str(folder / "state"), "HOME": str(folder), **more}


def limen(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LIMEN, *arguments],
        env=environment(folder, **more),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@asynccontextmanager
async def up(folder: Path, port: int, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A started daemon that listens; killed if the test left it running."""
    process = await asyncio.create_subprocess_exec(
        *LIMEN,
        "up",
        env=environment(folder, LIMEN_PORT=str(port), **more),
        stderr=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            said = b""
            while b"listens on" not in said:
                line = await process.stderr.readline()
                assert line, f"the daemon ended: {said!r}"
                said += line
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def call(folder: Path, port: int, path: str, body: bytes) -> Answer:
    token = limen(folder, "token").stdout.strip()
    headers = {
        "Host": f"127.0.0.1:{port}",
        "Origin": EXTENSION,
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    answer = await exchange(port, request_bytes(path, headers.items(), body))
    assert answer is not None
    return answer
