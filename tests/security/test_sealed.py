"""Sealed requests under attack: replay, age, other path, other browser, tampering, squatting."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.daemon import DETECT, EXTENSION, FIREFOX_EXTENSION, STATUS, RunningDaemon, running
from harness.paired_client import PairedClient, paired, try_pairing
from harness.raw_http import exchange
from limen_daemon.pairing.code import new_code
from limen_daemon.pairing.service import PairingService
from limen_daemon.pairing.store import PairingFile

NEEDLE = "needle-4711"
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


async def test_auth_replay(daemon: RunningDaemon, client: PairedClient, bodies_read: list[str]) -> None:
    data = client.request(DETECT, {"text": "my 3 year old"})
    first, second = await exchange(daemon.port, data), await exchange(daemon.port, data)
    assert first is not None
    assert first.status == 200
    assert second is not None
    assert (second.status, second.json()) == (401, {"error": "stale"})
    assert (daemon.calls, len([path for path in bodies_read if path == DETECT])) == (1, 1)


@pytest.mark.parametrize(("off_ms", "status"), [(-31_000, 401), (31_000, 401), (-25_000, 200), (25_000, 200)])
async def test_auth_old(daemon: RunningDaemon, client: PairedClient, off_ms: int, status: int) -> None:
    at_ms = time.time_ns() // 1_000_000 + off_ms
    answer = await exchange(daemon.port, client.request(STATUS, {}, at_ms=at_ms))
    assert answer is not None
    assert answer.status == status
    if status == 401:
        assert answer.json() == {"error": "stale"}


async def test_auth_cross_path(daemon: RunningDaemon, client: PairedClient) -> None:
    header, bound_to = client.authorization(DETECT)
    body = client.sealed({}, bound_to)
    answer = await daemon.send(STATUS, body, authorization=header)
    assert (answer.status, answer.json()) == (401, {"error": "auth"})
    header, bound_to = client.authorization(STATUS)
    assert (await daemon.send(STATUS, client.sealed({}, bound_to), authorization=header)).status == 200


@pytest.mark.parametrize("origin", [OTHER_EXTENSION, FIREFOX_EXTENSION])
async def test_origin_other_ext(daemon: RunningDaemon, client: PairedClient, origin: str) -> None:
    """Another extension with a stolen, unused header: the keys belong to one origin."""
    answer = await client.post(STATUS, {}, origin=origin)
    assert (answer.status, answer.json()) == (401, {"error": "auth"})
    answer = await client.post(STATUS, {}, origin="https://evil.test")
    assert (answer.status, answer.body) == (403, b"")
    assert (await client.post(STATUS, {}, origin=EXTENSION)).status == 200


@pytest.mark.parametrize("position", [0, 5, -1])
async def test_box_tampered(daemon: RunningDaemon, client: PairedClient, position: int) -> None:
    header, bound_to = client.authorization(DETECT)
    sealed = json.loads(client.sealed({"text": "my 3 year old"}, bound_to))
    box = list(sealed["box"])
    box[position] = "A" if box[position] != "A" else "E"
    answer = await daemon.post(DETECT, {"box": "".join(box)}, authorization=header)
    assert (answer.status, answer.json(), daemon.calls) == (400, {"error": "box"}, 0)


@pytest.mark.parametrize(
    "body",
    [{"text": "my 3 year old"}, {}, {"box": 3}, {"box": ""}, {"box": "#"}, {"box": "AAAA", "n": "A"}, []],
    ids=repr,
)
async def test_a_body_that_is_not_sealed_is_refused(
    daemon: RunningDaemon, client: PairedClient, body: object
) -> None:
    header, _ = client.authorization(DETECT)
    answer = await daemon.post(DETECT, body, authorization=header)
    assert (answer.status, answer.json(), daemon.calls) == (400, {"error": "box"}, 0)


async def test_a_box_of_another_request_is_refused(daemon: RunningDaemon, client: PairedClient) -> None:
    """The body is bound to its own header: old ciphertext cannot ride on a fresh one."""
    _, old = client.authorization(DETECT)
    header, _ = client.authorization(DETECT)
    answer = await daemon.send(DETECT, client.sealed({"text": "a"}, old), authorization=header)
    assert (answer.status, answer.json()) == (400, {"error": "box"})


@pytest.mark.parametrize("part", ["kid", "t", "n", "mac"])
async def test_auth_tampered(daemon: RunningDaemon, client: PairedClient, part: str) -> None:
    header, bound_to = client.authorization(STATUS)
    scheme, _, values = header.partition(" ")
    fields = dict(value.split("=", 1) for value in values.split(","))
    first = fields[part][0]
    fields[part] = (
        "2" if first == "1" else "1" if first.isdigit() else "A" if first != "A" else "B"
    ) + fields[part][1:]
    changed = f"{scheme} " + ",".join(f"{name}={value}" for name, value in fields.items())
    answer = await daemon.send(STATUS, client.sealed({}, bound_to), authorization=changed)
    assert (answer.status, answer.json()) == (401, {"error": "auth"})


@pytest.mark.parametrize(
    "value", ["", "kid=,t=,n=,mac=", "kid=AAAAAAAAAAAAAAAA,t=1,n=A,mac=A", "x" * 300, "kid=\udcff"]
)
async def test_auth_garbled(daemon: RunningDaemon, client: PairedClient, value: str) -> None:
    answer = await daemon.post(STATUS, {}, authorization=f"PSK1 {value}")
    assert (answer.status, answer.json()) == (401, {"error": "auth"})


async def test_answers_to_a_paired_browser_are_sealed(daemon: RunningDaemon, client: PairedClient) -> None:
    answer = await exchange(daemon.port, client.request(DETECT, {"text": f"{NEEDLE} my 3 year old"}))
    assert answer is not None
    assert set(answer.json()) == {"n", "box"}
    assert b"year old" not in answer.body


async def _squatter(received: bytearray) -> asyncio.Server:
    """A program that took the port: keeps all it gets and answers like a daemon that knows no code."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line[16:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length: "))
        received.extend(head + await reader.readexactly(length))
        body = b'{"findings":[]}'
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        writer.close()
        await writer.wait_closed()

    return await asyncio.start_server(serve, "127.0.0.1", 0)


async def test_squatter_sees_nothing(daemon: RunningDaemon, client: PairedClient) -> None:
    received = bytearray()
    server = await _squatter(received)
    async with server:
        port = server.sockets[0].getsockname()[1]
        squatted = RunningDaemon(port, daemon.detector)
        fooled = PairedClient(squatted, client.kid, client.keys)
        with pytest.raises(AssertionError):  # an answer that is not sealed is no answer
            await fooled.post(DETECT, {"text": f"my name is {NEEDLE}"})
    assert len(received) > 200
    assert NEEDLE.encode() not in received
    for secret in (client.keys.auth, client.keys.c2s, client.keys.s2c):
        assert secret not in received
    # What it took is worth nothing at another path, and at its own path once only, for 30 s.
    header = next(line for line in received.decode().split("\r\n") if line.startswith("Authorization: "))
    stolen = header.removeprefix("Authorization: ")
    assert (await daemon.post(STATUS, {}, authorization=stolen)).status == 401


async def test_squatter_control(daemon: RunningDaemon) -> None:
    """The control: a browser that sends in clear tells the same squatter all that is typed."""
    received = bytearray()
    server = await _squatter(received)
    async with server:
        port = server.sockets[0].getsockname()[1]
        answer = await RunningDaemon(port, daemon.detector).detect(f"my name is {NEEDLE}")
    assert answer.json() == {"findings": []}
    assert NEEDLE.encode() in received


async def test_pair_rogue_daemon(daemon: RunningDaemon, service: PairingService) -> None:
    """A program without the code cannot end a pairing: its proof is wrong, and nothing was sent but a key."""
    from harness.paired_client import Terminal

    service.open_window(Terminal())
    attempt = await try_pairing(daemon, new_code())
    assert attempt.client is None
