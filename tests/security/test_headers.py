"""Everything that is refused on headers alone, after the origin: credentials, length, type, size, rate."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.daemon import DETECT, STATUS, RunningDaemon, running, without
from harness.raw_http import exchange, request_bytes
from limen_daemon.gate import rules
from limen_daemon.gate.rates import Rates
from limen_daemon.gate.rules import MAX_BODY_BYTES
from limen_daemon.settings import Settings

BODY = b'{"text":"my 3 year old"}'
ANNOUNCED = "200000"


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "PSK1",
        "PSK1 ",
        "PSK1 kid=x",
        "Basic " + "t" * 43,
        "Bearer " + "t" * 43,
        "PSK1 " + "a" * 3000,
    ],
    ids=lambda value: repr(value)[:24],
)
async def test_auth_missing(
    daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path, authorization: str | None
) -> None:
    answer = await daemon.send(DETECT, BODY, authorization=authorization)
    assert (answer.status, answer.body, answer.is_closed) == (401, b'{"error": "auth"}', True)
    assert (daemon.calls, bodies_read) == (0, [])
    async with running(tmp_path / "off", rules=without(rules.authorization)) as open_daemon:
        assert (await open_daemon.send(DETECT, BODY, authorization=authorization)).status == 200


@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        str.upper,
        lambda good: good[:-1],
        lambda good: good + "x",
        lambda good: good + "\udcff",
        lambda good: good + "é",
        lambda good: good.replace(" ", "  "),
        lambda good: good.replace(",", ", "),
    ],
)
async def test_auth_almost_right(
    daemon: RunningDaemon, bodies_read: list[str], change: Callable[[str], str]
) -> None:
    header, body = daemon.sealed(DETECT, BODY)
    answer = await daemon.send(DETECT, body, authorization=change(header))
    assert (answer.status, answer.body, bodies_read) == (401, b'{"error": "auth"}', [])
    # Control: unchanged, the same header is good.
    assert (await daemon.send(DETECT, body, authorization=header)).status == 200


async def test_auth_twice(daemon: RunningDaemon) -> None:
    header, body = daemon.sealed(DETECT, BODY)
    other, _ = daemon.sealed(DETECT, BODY)
    headers = [
        *daemon.headers(authorization=header).items(),
        ("Authorization", other),
        ("Content-Length", str(len(body))),
    ]
    answer = await exchange(daemon.port, request_bytes(DETECT, headers, body))
    assert answer is not None
    assert answer.status in (400, 401)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"host": "evil.test"}, 421),
        ({"origin": "https://evil.test"}, 403),
        ({"authorization": None}, 401),
        ({"expect": "100-continue"}, 417),
        ({"content_type": "text/plain"}, 415),
        ({"content_length": str(MAX_BODY_BYTES + 1)}, 413),
    ],
    ids=["421", "403", "401", "417", "415", "413"],
)
async def test_early_refusal(
    daemon: RunningDaemon, bodies_read: list[str], changed: dict[str, str | None], status: int
) -> None:
    """200 kB announced, none sent: the refusal comes although the body never does."""
    answer = await daemon.send(DETECT, b"", **{"content_length": ANNOUNCED, **changed})
    assert (answer.status, answer.is_closed, bodies_read) == (status, True, [])


async def test_early_refusal_control(daemon: RunningDaemon, bodies_read: list[str]) -> None:
    """The control: with nothing to refuse, the daemon waits for that body and reads it."""
    answer = await daemon.send(DETECT, b"", content_length=ANNOUNCED)
    assert (answer.status, answer.json(), bodies_read) == (408, {"error": "body_timeout"}, [DETECT])
    assert answer.is_closed


@pytest.mark.parametrize(
    ("is_known", "expect", "status"),
    [
        (False, "100-continue", 401),
        (True, "100-continue", 417),
        (True, "nonsense", 417),
        (False, "nonsense", 401),
    ],
)
async def test_expect_100(
    daemon: RunningDaemon, tmp_path: Path, is_known: bool, expect: str, status: int
) -> None:
    authorization = daemon.headers()["Authorization"] if is_known else "PSK1 wrong"
    data = daemon.request(DETECT, BODY, authorization=authorization, expect=expect)
    answer = await exchange(daemon.port, data)
    assert answer is not None
    assert answer.status == status
    # Control: without the rule aiohttp itself answers, with "100 Continue" or with its own 417.
    async with running(tmp_path / "off", rules=without(rules.expect, rules.authorization)) as open_daemon:
        data = open_daemon.request(DETECT, BODY, authorization=authorization, expect=expect)
        answer = await exchange(open_daemon.port, data)
        assert answer is not None
        assert answer.status == (100 if expect == "100-continue" else 417)


def _chunked(body: bytes) -> bytes:
    return f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


async def test_chunked(daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path) -> None:
    header, body = daemon.sealed(DETECT, BODY)
    answer = await daemon.send(DETECT, _chunked(body), transfer_encoding="chunked", authorization=header)
    assert (answer.status, answer.is_closed, bodies_read) == (411, True, [])
    async with running(tmp_path / "off", rules=without(rules.length)) as open_daemon:
        header, body = open_daemon.sealed(DETECT, BODY)
        answer = await open_daemon.send(
            DETECT, _chunked(body), transfer_encoding="chunked", authorization=header
        )
        assert answer.status == 200


async def test_no_length(daemon: RunningDaemon, bodies_read: list[str]) -> None:
    answer = await daemon.send(DETECT, b"", content_length=None)
    assert (answer.status, bodies_read) == (411, [])


@pytest.mark.parametrize(
    "extra",
    [
        [("Content-Length", "24"), ("Transfer-Encoding", "chunked")],
        [("Content-Length", "24"), ("Content-Length", "24")],
        [("Content-Length", "24"), ("Content-Length", "0")],
        [("Content-Length", "+24")],
        [("Content-Length", "0x18")],
        [("Content-Length", "-1")],
        [("Transfer-Encoding", "identity, chunked")],
        [("Transfer-Encoding", "xchunked"), ("Content-Length", "24")],
        [("Transfer-Encoding ", "chunked"), ("Content-Length", "24")],
    ],
    ids=lambda extra: " + ".join(f"{name}={value}" for name, value in extra),
)
async def test_smuggling(daemon: RunningDaemon, bodies_read: list[str], extra: list[tuple[str, str]]) -> None:
    """A second request hides behind the first one's body. It is never run, and the connection is closed."""
    hidden = daemon.request(DETECT, BODY)
    data = request_bytes(DETECT, [*daemon.headers().items(), *extra], b"0\r\n\r\n" + hidden)
    answer = await exchange(daemon.port, data)
    assert answer is not None
    assert answer.status in (400, 411)
    assert (answer.is_closed, daemon.calls, bodies_read) == (True, 0, [])


async def test_smuggling_control(daemon: RunningDaemon) -> None:
    """The control: with one honest length the same two requests are both run."""
    import asyncio

    from harness.raw_http import close, read_answer

    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    writer.write(daemon.request(DETECT, BODY) + daemon.request(DETECT, BODY))
    answers = [await read_answer(reader), await read_answer(reader)]
    await close(writer)
    assert [answer.status for answer in answers if answer] == [200, 200]
    assert daemon.calls == 2


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "identity"])
async def test_content_encoding(
    daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path, encoding: str
) -> None:
    bomb = gzip.compress(b'{"text":"' + b"a" * 10_000_000 + b'"}')
    answer = await daemon.send(DETECT, bomb, content_encoding=encoding)
    assert (answer.status, answer.json(), bodies_read) == (415, {"error": "type"}, [])
    async with running(tmp_path / "off", rules=without(rules.content_type)) as open_daemon:
        # Control: it gets in, but even then nothing is unpacked.
        answer = await open_daemon.send(DETECT, bomb, content_encoding=encoding)
        assert (answer.status, answer.json(), bodies_read) == (422, {"error": "json"}, [DETECT])


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin1",
        "application/json, text/plain",
        "application/jsonp",
        "text/json",
    ],
)
async def test_content_type(
    daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path, content_type: str | None
) -> None:
    answer = await daemon.send(DETECT, BODY, content_type=content_type)
    assert (answer.status, answer.json(), bodies_read) == (415, {"error": "type"}, [])
    async with running(tmp_path / "off", rules=without(rules.content_type)) as open_daemon:
        assert (await open_daemon.send(DETECT, BODY, content_type=content_type)).status == 200


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]
)
async def test_json_with_its_charset_is_served(daemon: RunningDaemon, content_type: str) -> None:
    assert (await daemon.send(DETECT, BODY, content_type=content_type)).status == 200


async def test_too_big(daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path) -> None:
    body = b'{"text":"' + b"a" * MAX_BODY_BYTES + b'"}'
    answer = await daemon.send(DETECT, b"", content_length=str(len(body)))
    assert (answer.status, answer.json(), bodies_read) == (413, {"error": "size"}, [])
    async with running(tmp_path / "off", rules=without(rules.size)) as open_daemon:
        # Control: the body is read, up to the second limit behind the gate.
        assert (await open_daemon.send(DETECT, body)).status == 413
        assert bodies_read == [DETECT]


async def test_too_long(daemon: RunningDaemon) -> None:
    assert (await daemon.detect("a" * 100_001)).status == 422
    assert (await daemon.detect("a" * 100_000)).status == 200
    assert daemon.calls == 1


async def test_rate(tmp_path: Path) -> None:
    """The bucket holds forty calls; here it hardly fills again, so that a slow machine sees the same."""
    async with running(tmp_path / "on", rate_per_s=0.001) as daemon:
        answers = [(await daemon.post(STATUS, {})) for _ in range(60)]
    assert [answer.status for answer in answers] == [200] * 40 + [429] * 20
    assert answers[-1].json() == {"error": "rate"}
    assert int(answers[-1].headers["retry-after"]) >= 1
    async with running(tmp_path / "off", rate_per_s=0.001, rules=without(rules.rate)) as open_daemon:
        assert {(await open_daemon.post(STATUS, {})).status for _ in range(60)} == {200}


def test_the_usual_rate_is_twenty_a_second_and_forty_at_once() -> None:
    settings = Settings()
    assert (settings.rate_per_s, settings.rate_burst) == (20.0, 40)
    now_s = [0.0]
    rates = Rates(per_s=settings.rate_per_s, burst=settings.rate_burst, clock=lambda: now_s[0])
    assert [rates.wait_s("one") for _ in range(41)] == [None] * 40 + [1]
    assert rates.wait_s("another") is None
    now_s[0] += 0.5
    assert [rates.wait_s("one") for _ in range(11)] == [None] * 10 + [1]
