"""Controls of the HTTP rules: the same attacks with one rule off. They succeed, so the rule stops them."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from harness import browser_end
from harness.daemon import DETECT, EXTENSION, STATUS, RunningDaemon, running, without
from harness.paired_client import HELLO, PairedClient, Terminal, paired, try_pairing
from harness.raw_http import Answer, exchange, read_answer
from harness.small_detector import SmallDetector
from limen_daemon import app as application
from limen_daemon.gate import gate, limits, protocol, refusals, rules
from limen_daemon.pairing import requests
from limen_daemon.pairing.agreement import check_point, new_private_key, point_of
from limen_daemon.pairing.code import new_code
from limen_daemon.pairing.encoding import encode
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile
from limen_daemon.routes.table import Route
from limen_daemon.wire import models
from security.test_process import _listeners

NEEDLE = "needle-4711"
BODY = b'{"text":"my 3 year old"}'
OTHER_EXTENSION = "chrome-extension://" + "p" * 32


@pytest.fixture
def service(tmp_path: Path) -> PairingService:
    return PairingService(PairingFile(tmp_path / "state"))


@pytest.fixture
async def daemon(tmp_path: Path, service: PairingService) -> AsyncIterator[RunningDaemon]:
    async with running(tmp_path / "state", pairing=service) as started:
        yield started


@pytest.fixture
async def client(daemon: RunningDaemon, service: PairingService) -> PairedClient:
    return await paired(daemon, service)


@asynccontextmanager
async def naive(handler: Any, path: str = DETECT, method: str = "*") -> AsyncIterator[int]:
    """aiohttp as it comes, with one route: what Limen would be without its gate."""
    app = web.Application()
    app.router.add_route(method, path, handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def _genuine_but(monkeypatch: pytest.MonkeyPatch, **ignored: str) -> None:
    """The credential's check, blind for the caller's `origin` or `path`."""
    genuine = requests.PairingCredential._genuine

    def blind(self: requests.PairingCredential, value: str, origin: str, path: str) -> Any:
        asked = {"origin": origin, "path": path, **ignored}
        return genuine(self, value, asked["origin"], asked["path"])

    monkeypatch.setattr(requests.PairingCredential, "_genuine", blind)


async def test_origin_other_ext_control(
    daemon: RunningDaemon, client: PairedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys that belong to no origin: the thief of a header is served."""
    _genuine_but(monkeypatch, origin=EXTENSION)
    assert (await client.post(STATUS, {}, origin=OTHER_EXTENSION)).status == 200


@pytest.mark.parametrize("origin", [EXTENSION + ".evil.test", EXTENSION + "x", EXTENSION.upper()])
async def test_origin_prefix_control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: str) -> None:
    """An origin that is compared by how it begins, in small letters."""
    from limen_daemon.gate import origins

    begins = re.compile(r"chrome-extension://[a-p]{32}", re.IGNORECASE)
    monkeypatch.setattr(origins, "is_extension_origin", lambda given: begins.match(given) is not None)
    async with running(tmp_path, rules=without(rules.authorization)) as open_daemon:
        assert (await open_daemon.send(DETECT, BODY, origin=origin)).status == 200


async def test_get_any_control() -> None:
    """A route for any method: a link or an image of a page runs it."""

    async def handler(request: web.Request) -> web.Response:
        return web.json_response({"got": request.method})

    async with naive(handler) as port:
        answer = await exchange(port, b"GET /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert answer is not None
    assert (answer.status, answer.json()) == (200, {"got": "GET"})


async def test_ws_upgrade_control() -> None:
    """A server with a WebSocket: a page's handshake is answered, whatever its origin."""

    async def handler(request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        return ws

    head = (
        b"GET /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.test\r\nConnection: Upgrade\r\n"
    )
    head += (
        b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    async with naive(handler, method="GET") as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head + b"\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 101")
        writer.close()


async def test_auth_replay_and_old_control(
    daemon: RunningDaemon, client: PairedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers and times that nobody remembers: an old request is good again and again."""
    monkeypatch.setattr(requests.PairingCredential, "_is_fresh", lambda *args: True)
    data = client.request(DETECT, {"text": "my 3 year old"}, at_ms=time.time_ns() // 1_000_000 - 31_000)
    for _ in range(3):
        answer = await exchange(daemon.port, data)
        assert answer is not None
        assert answer.status == 200
    assert daemon.calls == 3


async def test_auth_cross_path_control(
    daemon: RunningDaemon, client: PairedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof that names no path: it is good for every route."""
    _genuine_but(monkeypatch, path=DETECT)
    header, bound_to = client.authorization(DETECT)
    assert (await daemon.send(STATUS, client.sealed({}, bound_to), authorization=header)).status == 200


class Unauthenticated:
    """AES-GCM without its tag: AES in counter mode."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def decrypt(self, iv: bytes, box: bytes, bound_to: bytes) -> bytes:
        decryptor = Cipher(AES(self._key), CTR(iv + b"\0\0\0\2")).decryptor()
        return decryptor.update(box[:-16])

    def encrypt(self, iv: bytes, clear: bytes, bound_to: bytes) -> bytes:
        return clear


async def test_box_tampered_control(
    daemon: RunningDaemon, client: PairedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cipher without a tag: one flipped bit changes the text that is checked, and nobody notices."""
    monkeypatch.setattr(requests, "AESGCM", Unauthenticated)
    header, bound_to = client.authorization(DETECT)
    text = "my 3 year old"
    box = bytearray(browser_end.as_bytes(json.loads(client.sealed({"text": text}, bound_to))["box"]))
    box[len('{"text": "my ')] ^= ord("3") ^ ord("4")
    answer = await daemon.post(DETECT, {"box": encode(bytes(box))}, authorization=header)
    assert (answer.status, daemon.texts) == (200, ["my 4 year old"])


async def test_revoked_control(
    daemon: RunningDaemon, service: PairingService, client: PairedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unpairing that only says so: the browser goes on."""
    monkeypatch.setattr(service.store, "remove", lambda kids: len(kids))
    assert service.unpair([client.kid]) == 1
    assert (await client.post(STATUS, {})).status == 200


async def test_scope_control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A route for it would be all that a paired browser needs."""

    async def rotate(request: web.Request) -> web.Response:
        models.read_model(request, models.Nothing)
        return models.answer(models.Nothing())

    monkeypatch.setattr(application, "ROUTES", (*application.ROUTES, Route("/v1/rotate", rotate)))
    async with running(tmp_path) as daemon:
        assert (await daemon.post("/v1/rotate", {})).status == 200


def _hello() -> dict[str, object]:
    return {"v": 1, "pub": encode(point_of(new_private_key())), "nonce": encode(bytes(16))}


async def test_pair_closed_control(
    daemon: RunningDaemon, bodies_read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gate that thinks a window is open reads what strangers send, whenever they send it."""
    monkeypatch.setattr(PairingService, "is_open", True)
    await daemon.post(HELLO, _hello(), authorization=None)
    assert bodies_read == [HELLO]


async def test_pair_web_origin_control(
    tmp_path: Path, service: PairingService, bodies_read: list[str]
) -> None:
    """Without the rule a page takes part in a pairing, and costs the user a try."""
    async with running(tmp_path / "state", pairing=service, rules=without(rules.origin)) as open_daemon:
        service.open_window(Terminal())
        attempt = await try_pairing(open_daemon, new_code(), origin="https://evil.test")
    assert attempt.answer.json() == {"error": "code_wrong", "left": 4}
    assert bodies_read.count(HELLO) == 1


P = 2**256 - 2**224 + 2**192 + 2**96 - 1
Point = tuple[int, int] | None


def _added(a: Point, b: Point) -> Point:
    """The textbook's sum of two points, which never looks whether they are on the curve (a = -3)."""
    if a is None or b is None:
        return b if a is None else a
    if a == b and a[1] != 0:
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, P) % P
    elif a[0] == b[0]:
        return None
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def _times(secret: int, point: Point) -> Point:
    result: Point = None
    for bit in bin(secret)[2:]:
        result = _added(result, result)
        if bit == "1":
            result = _added(result, point)
    return result


def test_pair_bad_point_control() -> None:
    """Without a look at the curve, one point off it tells a bit of the secret key: whether it is odd."""
    off_the_curve = (5, 0)
    point = b"\x04" + off_the_curve[0].to_bytes(32) + off_the_curve[1].to_bytes(32)
    for _ in range(4):
        secret = new_private_key().private_numbers().private_value
        shared = _times(secret, off_the_curve)
        assert shared == (off_the_curve if secret % 2 else None)
    with pytest.raises(Exception, match=r"."):
        check_point(point)


async def test_pair_rogue_daemon_control(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that does not ask for the proof takes any program for the daemon, and sends it a text."""
    paths: list[str] = []
    answered = {"pub": encode(point_of(new_private_key())), "nonce": encode(bytes(16))}
    answered |= {"kid": "A" * 16, "mac": "A" * 43}

    async def post(path: str, body: Any) -> Answer:
        paths.append(path)
        return Answer(200, {}, json.dumps(answered).encode(), True)

    with pytest.raises(AssertionError, match="proof"):
        await browser_end.pair(post, new_code(), EXTENSION)
    monkeypatch.setattr(browser_end.hmac, "compare_digest", lambda one, other: True)
    _, browser = await browser_end.pair(post, new_code(), EXTENSION)
    assert browser is not None
    await post(DETECT, json.loads(browser.seal(BODY, browser.authorization(DETECT)[1])))
    assert paths[-1] == DETECT


@pytest.mark.skipif(not hasattr(socket, "SO_REUSEPORT"), reason="this system shares no ports")
def test_port_taken_control() -> None:
    """With the option to share it, two programs listen on one port: a squatter would get every other text."""
    with socket.socket() as first, socket.socket() as second:
        for sock in (first, second):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        first.bind(("127.0.0.1", 0))
        first.listen()
        second.bind(first.getsockname())
        second.listen()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_bind_only_loopback_control() -> None:
    """A program that listens on all addresses is seen to."""
    with socket.create_server(("0.0.0.0", 0)) as listener:
        assert ("00000000", listener.getsockname()[1]) in _listeners(os.getpid())


async def test_content_encoding_control(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """aiohttp's default: a body is unpacked before anyone has looked at it."""
    monkeypatch.setitem(limits.LIMITS, "auto_decompress", True)
    off = without(rules.authorization, rules.content_type)
    packed = gzip.compress(b'{"text":"' + b"a" * 90_000 + b'"}')
    assert len(packed) < 1000
    async with running(tmp_path, rules=off) as open_daemon:
        answer = await open_daemon.send(DETECT, packed, content_encoding="gzip")
        assert (answer.status, len(open_daemon.texts[0])) == (200, 90_000)


@pytest.mark.parametrize(
    "body",
    [
        '{"text":NaN}',
        '{"text":"a","text":"needle"}',
        '{"text":"\\ud800"}',
        '{"text":' + "[" * 900 + "]" * 900 + "}",
    ],
    ids=["nan", "twice", "surrogate", "depth"],
)
def test_json_abuse_control(body: str) -> None:
    """The standard decoder takes all of these."""
    assert "text" in json.loads(body)


async def test_refusal_flood_control(tmp_path: Path) -> None:
    """Without the rule strangers fill the queue, and the one who is at home there gets no answer."""
    shut = threading.Event()
    off = without(rules.authorization)
    async with running(tmp_path, rules=off, detector=SmallDetector(shut), queue_size=2) as open_daemon:
        strangers = [asyncio.create_task(open_daemon.detect(NEEDLE)) for _ in range(4)]
        await asyncio.wait(strangers, return_when=asyncio.FIRST_COMPLETED)  # one too many
        answer = await open_daemon.detect("mine")
        shut.set()
        await asyncio.gather(*strangers)
    assert (answer.status, answer.json()) == (503, {"error": "busy"})


async def test_headers_on_all_control(daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without our headers aiohttp names itself with its version, and answers may be kept and embedded."""
    for module in (gate, protocol, refusals):
        monkeypatch.setattr(module, "FIXED_HEADERS", {})
    answer = await exchange(daemon.port, b"nonsense\r\n\r\n")
    assert answer is not None
    assert "aiohttp/" in answer.headers["server"]
    assert "cache-control" not in answer.headers


async def test_error_500_control(caplog: pytest.LogCaptureFixture) -> None:
    """aiohttp as it comes writes a fault with all that it says into its log."""

    async def handler(request: web.Request) -> web.Response:
        raise RuntimeError(await request.text())

    async with naive(handler) as port:
        data = b"POST /v1/detect HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n" + NEEDLE.encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(data)
        answer = await read_answer(reader)
        writer.close()
    assert answer is not None
    assert answer.status == 500
    assert NEEDLE in caplog.text
