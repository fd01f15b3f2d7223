"""Nothing that a caller sent comes back in an error or goes into the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.daemon import DETECT, STATUS, RunningDaemon, running
from harness.raw_http import Answer, close, exchange, read_answer
from harness.small_detector import BrokenDetector
from limen_daemon import journal
from limen_daemon.gate.protocol import FIXED_HEADERS, GateProtocol

NEEDLE = "needle-4711"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """The daemon's own log at DEBUG."""
    root = logging.getLogger()
    level, raising, before = root.level, logging.raiseExceptions, list(root.handlers)
    path = journal.open_journal(tmp_path / "log", "DEBUG")
    yield path
    for handler in [h for h in root.handlers if h not in before]:
        root.removeHandler(handler)
        handler.close()
    for handler in before:
        if handler not in root.handlers:
            root.addHandler(handler)
    root.setLevel(level)
    logging.raiseExceptions = raising
    logging.captureWarnings(False)


MALFORMED = [
    f"{NEEDLE}\r\n\r\n",
    f"POST /v1/detect HTTP/1.1\r\n{NEEDLE}\r\n\r\n",
    f"POST /v1/detect HTTP/1.1\r\nHost: 127.0.0.1\r\nX: {NEEDLE}\x01\x00\r\n\r\n",
    f"POST /{NEEDLE} HTTP/9.9\r\n\r\n",
    f"{NEEDLE} /v1/detect HTTP/1.1\r\n\r\n",
    f"POST /{NEEDLE * 300} HTTP/1.1\r\n\r\n",
    f"POST / HTTP/1.1\r\nX: {NEEDLE * 500}\r\n\r\n",
    f"POST / HTTP/1.1\r\nContent-Length: {NEEDLE}\r\n\r\n",
    "POST / HTTP/1.1\r\n" + "".join(f"X-{NEEDLE}-{i}: 1\r\n" for i in range(60)) + "\r\n",
    f"\x16\x03\x01{NEEDLE}\r\n\r\n",
]


@pytest.mark.parametrize("data", MALFORMED, ids=range(len(MALFORMED)))
async def test_no_echo(daemon: RunningDaemon, log: Path, data: str) -> None:
    answer = await exchange(daemon.port, data.encode("latin-1"))
    assert answer is not None
    assert answer.status in (400, 421)
    assert (answer.body, answer.is_closed) == (b"", True)
    assert NEEDLE not in str(answer) + log.read_text()


async def test_no_echo_control(daemon: RunningDaemon, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: aiohttp's own error page holds what was sent."""
    monkeypatch.delattr(GateProtocol, "handle_error")
    answer = await exchange(daemon.port, MALFORMED[1].encode())
    assert answer is not None
    assert NEEDLE.encode() in answer.body


async def test_overlong_body(daemon: RunningDaemon, log: Path) -> None:
    """What follows the announced length would be read as the next request, and logged by aiohttp."""
    header, body = daemon.sealed(STATUS, b"{}")
    longer = body + NEEDLE.encode() + b"\r\n\r\n"
    data = daemon.request(STATUS, longer, authorization=header, content_length=str(len(body)))
    answer = await exchange(daemon.port, data)
    assert answer is not None
    assert (answer.status, answer.body, answer.is_closed) == (400, b"", True)
    assert NEEDLE not in log.read_text()


async def _overlong(daemon: RunningDaemon) -> tuple[Answer | None, Answer | None]:
    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    writer.write(daemon.request(STATUS, b"{}"))
    first = await read_answer(reader)
    writer.write(NEEDLE.encode() + b"\r\n\r\n")
    second = await read_answer(reader)
    await close(writer)
    return first, second


async def test_overlong_body_after_the_answer(daemon: RunningDaemon, log: Path) -> None:
    first, second = await _overlong(daemon)
    assert first is not None
    assert first.status == 200
    assert second is not None
    assert (second.status, second.body, second.is_closed) == (400, b"", True)
    assert NEEDLE not in log.read_text()


async def test_overlong_body_control(
    daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The control: aiohttp's own handling writes what was typed into its log and into the answer."""
    monkeypatch.delattr(GateProtocol, "handle_error")
    monkeypatch.delattr(GateProtocol, "log_exception")
    _, second = await _overlong(daemon)
    assert second is not None
    assert NEEDLE.encode() in second.body
    assert NEEDLE in caplog.text


async def test_headers_on_all(tmp_path: Path) -> None:
    async with running(tmp_path, detector=BrokenDetector(), rate_per_s=0.001, rate_burst=7) as daemon:
        answers: list[Answer | None] = [
            await daemon.post(STATUS, {}),
            await daemon.send(STATUS, b"", method="OPTIONS"),
            await daemon.send("http://evil.test/", b""),
            await exchange(daemon.port, b"nonsense\r\n\r\n"),
            await daemon.post(STATUS, {}, host="evil.test"),
            await daemon.post(STATUS, {}, origin="https://evil.test"),
            await daemon.send(STATUS, b"", method="GET"),
            await daemon.post(STATUS, {}, authorization=None),
            await daemon.post(STATUS, {}, expect="100-continue"),
            await daemon.send(STATUS, b"", content_length=None),
            await daemon.post(STATUS, {}, content_type="text/plain"),
            await daemon.send(STATUS, b"", content_length="999999"),
            await daemon.post("/v1/nothing", {}),
            await daemon.send(STATUS, b"", content_length="5"),
            await daemon.send(DETECT, b"["),
            await daemon.send(DETECT, b"{}"),
            await daemon.detect("x"),
            await daemon.post(STATUS, {}),
            await daemon.post(STATUS, {}),
        ]
    statuses = [answer.status for answer in answers if answer]
    assert statuses == [
        200,
        204,
        400,
        400,
        421,
        403,
        405,
        401,
        417,
        411,
        415,
        413,
        404,
        408,
        422,
        422,
        504,
        200,
        429,
    ]
    for answer in answers:
        assert answer is not None
        for name, value in FIXED_HEADERS.items():
            assert answer.headers[name.lower()] == value, answer
        assert "aiohttp" not in str(answer).lower()
        assert "set-cookie" not in answer.headers
        assert "location" not in answer.headers


async def test_error_500(tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from limen_daemon.profile_port import NoProfile

    async def broken(self: NoProfile) -> None:
        raise RuntimeError(NEEDLE)

    monkeypatch.setattr(NoProfile, "state", broken)
    async with running(tmp_path / "state") as daemon:
        answer = await daemon.post(STATUS, {})
    assert (answer.status, answer.json()) == (500, {"error": "internal"})
    assert "fault kind=RuntimeError at=test_silence.py:" in log.read_text()
    assert NEEDLE not in log.read_text()


@pytest.mark.parametrize(
    "body",
    [
        '{"text":' + "[" * 100_000,
        '{"text":NaN,"needle-4711":1}',
        '{"text":"needle-4711","text":"b"}',
        '{"text":' + "9" * 5000 + "}",
        '{"text":"\\ud800needle-4711"}',
        '{"text":"a","needle-4711":"needle-4711"}',
        '{"text":"needle-4711"',
        '"needle-4711"',
        '{"text":"a","site":"needle-4711/"}',
    ],
    ids=["depth", "nan", "twice", "digits", "surrogate", "unknown", "unclosed", "string", "pattern"],
)
async def test_json_abuse(daemon: RunningDaemon, log: Path, body: str) -> None:
    answer = await daemon.send(DETECT, body.encode())
    assert (answer.status, daemon.calls) == (422, 0)
    assert answer.json()["error"] in ("json", "schema")
    assert NEEDLE not in str(answer) + log.read_text()
    # Control: the same call with a body that fits reaches the detector.
    assert (await daemon.detect(NEEDLE)).status == 200
    assert daemon.calls == 1
