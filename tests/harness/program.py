"""`limen` as a program of its own, with its own home and state folder, and a browser paired with it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from harness.browser_end import Browser, pair
from harness.daemon import RunningDaemon
from harness.raw_http import Answer
from harness.small_detector import SmallDetector
from limen_daemon.gate.origins import SHIPPED_ORIGIN
from limen_daemon.pairing.client import control
from limen_daemon.pairing.messages import Opened, Pair

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


_PAIRED: dict[Path, Browser] = {}
"""The browser that is paired with the daemons of a folder: its pairing outlives them."""


async def paired_browser(folder: Path, port: int) -> Browser:
    """Paired with the daemon of `folder` as `limen pair` does it, when it is asked for the first time."""
    if folder not in _PAIRED:
        loop = asyncio.get_running_loop()
        code: asyncio.Future[str] = loop.create_future()
        waiting = threading.Thread(
            target=_wait_at_the_terminal,
            args=(folder / "state", lambda text: loop.call_soon_threadsafe(code.set_result, text)),
        )
        waiting.start()
        daemon = RunningDaemon(port, SmallDetector())
        answer, browser = await pair(daemon.unpaired(SHIPPED_ORIGIN), await code, SHIPPED_ORIGIN)
        await asyncio.to_thread(waiting.join)
        assert browser is not None, answer
        _PAIRED[folder] = browser
    return _PAIRED[folder]


def _wait_at_the_terminal(state_dir: Path, show: Callable[[str], object]) -> None:
    """What `limen pair` does, without the terminal."""
    with control(state_dir) as daemon:
        daemon.say(Pair())
        for event in daemon.events():
            if isinstance(event, Opened):
                show(event.code)


async def call(folder: Path, port: int, path: str, body: bytes) -> Answer:
    """One sealed call of the paired browser; its answer in clear."""
    browser = await paired_browser(folder, port)
    return await RunningDaemon(port, SmallDetector(), browser).send(path, body)
