"""Slow and many connections. A control runs beside each: the same attack on a daemon without the limit."""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.daemon import DETECT, STATUS, RunningDaemon, running
from harness.raw_http import close, read_answer
from limen_daemon.middleware import body as body_middleware

FOREVER_S = 3600.0
PATIENCE_S = 30.0
HELD = 800


@pytest.fixture
def _many_files() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * HELD
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"this needs {wanted} open files, the system allows {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def _until_closed(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(PATIENCE_S):
        try:
            return await reader.read()
        except ConnectionError:
            return b""


@pytest.mark.parametrize(
    "start",
    [b"", b"POST /v1/det", b"POST /v1/detect HTTP/1.1\r\nHost: 127.0"],
    ids=["nothing", "line", "header"],
)
async def test_slow_head(tmp_path: Path, start: bytes) -> None:
    async with (
        running(tmp_path / "on") as guarded,
        running(tmp_path / "off", head_deadline_s=FOREVER_S) as open_daemon,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", guarded.port)
        control_reader, control_writer = await asyncio.open_connection("127.0.0.1", open_daemon.port)
        writer.write(start)
        control_writer.write(start)
        assert await _until_closed(reader) == b""
        assert not control_reader.at_eof()
        await close(writer)
        await close(control_writer)


async def test_drip(tmp_path: Path) -> None:
    """A byte now and then keeps aiohttp waiting for ever; the deadline counts from the first one."""
    async with (
        running(tmp_path / "on") as guarded,
        running(tmp_path / "off", head_deadline_s=FOREVER_S) as open_daemon,
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", guarded.port)
        control_reader, control_writer = await asyncio.open_connection("127.0.0.1", open_daemon.port)
        head = guarded.request(DETECT, b"{}")
        closed = asyncio.create_task(_until_closed(reader))
        for byte in head[:-1]:
            if closed.done():
                break
            for drip in (writer, control_writer):
                drip.write(bytes([byte]))
            await asyncio.wait([closed], timeout=0.1)
        assert await closed == b""
        assert not control_reader.at_eof()
        await close(writer)
        await close(control_writer)


async def test_slow_second_head(daemon: RunningDaemon) -> None:
    """A known caller's next head has the same deadline."""
    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    writer.write(daemon.request(STATUS, b"{}"))
    answer = await read_answer(reader)
    assert answer is not None
    assert not answer.is_closed
    writer.write(b"POST /v1/det")
    assert await _until_closed(reader) == b""
    await close(writer)


async def test_slow_body(daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    writer.write(daemon.request(DETECT, b'{"te', content_length="1000"))
    answer = await read_answer(reader)
    assert answer is not None
    assert (answer.status, answer.json(), answer.is_closed) == (408, {"error": "body_timeout"}, True)
    await close(writer)
    # Control: with the deadline away the daemon waits, and the rest of the body is welcome.
    monkeypatch.setattr(body_middleware, "BODY_DEADLINE_S", FOREVER_S)
    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    header, body = daemon.sealed(DETECT, b'{"text":"my 3 year old"}')
    data = daemon.request(DETECT, body, authorization=header)
    writer.write(data[:-20])
    writer.write(data[-20:])
    answer = await read_answer(reader)
    assert answer is not None
    assert answer.status == 200
    await close(writer)


async def test_body_cut_short(daemon: RunningDaemon) -> None:
    """The caller goes away in the middle of its body: nothing is checked and the daemon goes on."""
    _reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
    writer.write(daemon.request(DETECT, b'{"te', content_length="1000"))
    await close(writer)
    assert (await daemon.detect("my 3 year old")).status == 200
    assert daemon.calls == 1


@pytest.mark.usefixtures("_many_files")
async def test_conn_flood(tmp_path: Path) -> None:
    async with running(tmp_path / "on", rate_burst=1000, rate_per_s=1000) as daemon:
        held = [await asyncio.open_connection("127.0.0.1", daemon.port) for _ in range(HELD)]
        statuses = [(await daemon.post(STATUS, {})).status for _ in range(50)]
        open_now = sum(not reader.at_eof() for reader, _ in held)
        for _, writer in held:
            await close(writer)
    assert statuses == [200] * 50
    assert open_now <= 64
    async with running(
        tmp_path / "off", max_connections=1024, head_deadline_s=FOREVER_S
    ) as open_daemon:  # Control: without the cap all of them are held.
        held = [await asyncio.open_connection("127.0.0.1", open_daemon.port) for _ in range(HELD)]
        await open_daemon.post(STATUS, {})
        assert sum(not reader.at_eof() for reader, _ in held) == HELD
        for _, writer in held:
            await close(writer)


async def test_known_callers_are_not_evicted(tmp_path: Path) -> None:
    """Connections that authenticated outlive any number that did not."""
    async with running(tmp_path, max_connections=8) as daemon:
        reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
        writer.write(daemon.request(STATUS, b"{}"))
        assert await read_answer(reader) is not None
        others = [await asyncio.open_connection("127.0.0.1", daemon.port) for _ in range(40)]
        writer.write(daemon.request(STATUS, b"{}"))
        answer = await read_answer(reader)
        assert answer is not None
        assert answer.status == 200
        for _, other in [*others, (reader, writer)]:
            await close(other)


async def test_a_full_house_of_known_callers_turns_the_newcomer_away(tmp_path: Path) -> None:
    async with running(tmp_path, max_connections=4) as daemon:
        known = [await asyncio.open_connection("127.0.0.1", daemon.port) for _ in range(4)]
        for reader, writer in known:
            writer.write(daemon.request(STATUS, b"{}"))
            assert await read_answer(reader) is not None
        reader, writer = await asyncio.open_connection("127.0.0.1", daemon.port)
        assert await _until_closed(reader) == b""
        for _, other in [*known, (reader, writer)]:
            await close(other)


async def test_refusal_flood(tmp_path: Path) -> None:
    """Six attackers without a key, one paired client: it has no failure, and memory stays flat."""

    async def attack(daemon: RunningDaemon, times: int) -> list[int]:
        return [(await daemon.detect("x", authorization="PSK1 wrong")).status for _ in range(times)]

    async with running(tmp_path, rate_burst=1000, rate_per_s=1000) as daemon:
        await attack(daemon, 50)
        before = _resident_bytes()
        attackers = [asyncio.create_task(attack(daemon, 250)) for _ in range(6)]
        statuses = []
        while not all(task.done() for task in attackers):
            statuses.append((await daemon.detect("my 3 year old")).status)
        refused = [status for task in attackers for status in task.result()]
        grown = _resident_bytes() - before
    assert set(statuses) == {200}
    assert refused == [401] * 1500
    assert daemon.calls == len(statuses)
    assert grown < 20_000_000


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()
