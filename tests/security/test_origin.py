"""Origin and method: pages, other extensions, preflights, WebSockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.daemon import DETECT, EXTENSION, FIREFOX_EXTENSION, RunningDaemon, running, without
from harness.paired_client import paired
from harness.raw_http import exchange, request_bytes
from limen_daemon.gate import rules
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.routes import ROUTES

BODY = b'{"text":"my 3 year old"}'
NO_CORS_HEADER = "access-control-allow-origin"


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.test",
        "https://chatgpt.com",
        "null",
        "file://",
        "http://127.0.0.1:{port}",
        "http://localhost:{port}",
        "safari-web-extension://aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
        "chrome-extension://",
        "moz-extension://",
        "",
    ],
)
async def test_origin_foreign(
    daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path, origin: str
) -> None:
    answer = await daemon.send(DETECT, BODY, origin=origin.format(port=daemon.port))
    assert (answer.status, answer.body, bodies_read) == (403, b"", [])
    assert NO_CORS_HEADER not in answer.headers
    async with running(tmp_path / "off", rules=without(rules.origin, rules.authorization)) as open_daemon:
        assert (await open_daemon.send(DETECT, BODY, origin=origin)).status == 200


async def test_origin_missing(daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path) -> None:
    answer = await daemon.send(DETECT, BODY, origin=None)
    assert (answer.status, answer.body, bodies_read) == (403, b"", [])
    async with running(tmp_path / "off", rules=without(rules.origin, rules.authorization)) as open_daemon:
        assert (await open_daemon.send(DETECT, BODY, origin=None)).status == 200


@pytest.mark.parametrize(
    "origin",
    [
        EXTENSION + ".evil.test",
        EXTENSION + "/",
        EXTENSION + "x",
        "x" + EXTENSION,
        " https://evil.test, " + EXTENSION,
        EXTENSION.upper(),
        EXTENSION.replace("a", "z"),
        FIREFOX_EXTENSION[:-1],
        FIREFOX_EXTENSION + "@evil.test",
    ],
)
async def test_origin_prefix(daemon: RunningDaemon, bodies_read: list[str], origin: str) -> None:
    answer = await daemon.send(DETECT, BODY, origin=origin)
    assert (answer.status, answer.body, bodies_read) == (403, b"", [])
    # Control: the same bytes from the whole, exact origin are served.
    assert (await daemon.send(DETECT, BODY)).status == 200


async def test_two_origins(daemon: RunningDaemon) -> None:
    headers = [*daemon.headers().items(), ("Origin", EXTENSION), ("Content-Length", str(len(BODY)))]
    answer = await exchange(daemon.port, request_bytes(DETECT, headers, BODY))
    assert answer is not None
    assert (answer.status, answer.body) in ((403, b""), (400, b""))


@pytest.mark.parametrize("origin", [EXTENSION, FIREFOX_EXTENSION])
async def test_extensions_are_answered_with_their_own_origin(tmp_path: Path, origin: str) -> None:
    service = PairingService(PairingFile(tmp_path / "state"))
    async with running(tmp_path / "state", pairing=service) as daemon:
        client = await paired(daemon, service, origin=origin)
        answer = await client.post(DETECT, {"text": "my 3 year old"})
    assert answer.status == 200
    assert (answer.headers[NO_CORS_HEADER], answer.headers["vary"]) == (origin, "Origin")
    assert "access-control-allow-credentials" not in answer.headers


async def test_preflight_foreign(daemon: RunningDaemon, tmp_path: Path) -> None:
    answer = await daemon.send(DETECT, b"", method="OPTIONS", origin="https://evil.test")
    assert (answer.status, answer.body) == (403, b"")
    assert NO_CORS_HEADER not in answer.headers
    async with running(tmp_path / "off", rules=without(rules.origin, rules.authorization)) as open_daemon:
        answer = await open_daemon.send(DETECT, b"", method="OPTIONS", origin="https://evil.test")
        assert (answer.status, answer.headers[NO_CORS_HEADER]) == (204, "https://evil.test")


async def test_preflight_own(daemon: RunningDaemon) -> None:
    answer = await daemon.send(DETECT, b"", method="OPTIONS", authorization=None)
    assert (answer.status, answer.body) == (204, b"")
    allowed = {name: value for name, value in answer.headers.items() if name.startswith("access-control")}
    assert allowed == {
        NO_CORS_HEADER: EXTENSION,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "authorization, content-type",
        "access-control-max-age": "600",
    }


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"])
async def test_get_any(daemon: RunningDaemon, bodies_read: list[str], path: str, method: str) -> None:
    if method == "HEAD":  # an answer to HEAD has no body to read: see that the connection ends
        data = daemon.request(path, b"", method=method, origin=None)
        assert b"403" in await _all_bytes(daemon.port, data)
        return
    assert (await daemon.send(path, b"", method=method, origin=None)).status == 403
    answer = await daemon.send(path, b"", method=method)
    assert (answer.status, answer.headers["allow"], bodies_read) == (405, "POST", [])


async def _all_bytes(port: int, data: bytes) -> bytes:
    import asyncio

    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    async with asyncio.timeout(20):
        received = await reader.read()
    writer.close()
    return received


@pytest.mark.parametrize(
    ("method", "origin", "expected"),
    [("GET", "https://evil.test", 403), ("GET", EXTENSION, 405), ("POST", EXTENSION, 400)],
)
async def test_ws_upgrade(
    daemon: RunningDaemon, bodies_read: list[str], method: str, origin: str, expected: int
) -> None:
    answer = await daemon.send(
        DETECT,
        b"",
        method=method,
        origin=origin,
        connection="Upgrade",
        upgrade="websocket",
        sec_websocket_key="dGhlIHNhbXBsZSBub25jZQ==",
        sec_websocket_version="13",
    )
    assert (answer.status, bodies_read) == (expected, [])
    assert answer.is_closed
