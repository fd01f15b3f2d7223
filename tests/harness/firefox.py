"""Drives the installed Firefox over WebDriver BiDi: pages, scripts in them, and unpacked extensions."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

PATIENCE_S = 600.0
_LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://[0-9.:]+)")


def find_firefox() -> str | None:
    return os.environ.get("LIMEN_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One session. `call` sends a BiDi command and returns its result."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE_S):
            while True:
                message = await self._socket.receive_json()
                if message.get("id") == number:
                    assert message["type"] == "success", message
                    result: dict[str, Any] = message["result"]
                    return result

    async def open(self, url: str) -> str:
        """A new tab at `url`; its name."""
        tab: str = (await self.call("browsingContext.create", type="tab"))["context"]
        await self.call("browsingContext.navigate", context=tab, url=url, wait="complete")
        return tab

    async def run(self, tab: str, function: str, *arguments: str) -> Any:
        """Call a JavaScript function in the page with one array of strings; what it resolves with."""
        listed = [{"type": "string", "value": argument} for argument in arguments]
        answer = await self.call(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "array", "value": listed}],
            target={"context": tab},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return _plain(answer["result"])

    async def url_of(self, tab: str) -> str:
        url: str = (await self.call("browsingContext.getTree", root=tab))["contexts"][0]["url"]
        return url

    async def install(self, folder: Path) -> None:
        await self.call("webExtension.install", extensionData={"type": "path", "path": str(folder)})


def _plain(value: dict[str, Any]) -> Any:
    if value["type"] == "object":
        return {key: _plain(inner) for key, inner in value["value"]}
    if value["type"] == "array":
        return [_plain(inner) for inner in value["value"]]
    return value.get("value")


@asynccontextmanager
async def firefox(profile: Path, prefs: Mapping[str, str | bool | int]) -> AsyncIterator[Firefox]:
    """A headless Firefox with a fresh `profile`; ended when the context closes."""
    program = find_firefox()
    assert program is not None
    profile.mkdir()
    lines = []
    for name, value in prefs.items():
        shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
        lines.append(f'user_pref("{name}", {shown});\n')
    (profile / "user.js").write_text("".join(lines))
    process = await asyncio.create_subprocess_exec(
        program,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--remote-debugging-port",
        "0",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "HOME": str(profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
    )
    reading: asyncio.Task[bytes] | None = None
    try:
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE_S):
            while not (found := _LISTENS.search(line := await process.stderr.readline())):
                assert line, "Firefox ended before it listened"
        reading = asyncio.create_task(process.stderr.read())
        async with aiohttp.ClientSession() as client:
            socket = await client.ws_connect(f"{found[1].decode()}/session", max_msg_size=0)
            browser = Firefox(socket)
            await browser.call("session.new", capabilities={})
            yield browser
            await socket.close()
    finally:
        if process.returncode is None:
            process.terminate()
        try:
            async with asyncio.timeout(30):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
        if reading is not None:
            await reading
