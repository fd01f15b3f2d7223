"""Host and target: DNS rebinding, 0.0.0.0, absolute targets. Controls: the same request with the rule off."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.daemon import DETECT, RunningDaemon, running, without
from harness.raw_http import exchange, request_bytes
from limen_daemon.gate import rules

BODY = b'{"text":"my 3 year old"}'


async def test_host_rebound(daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path) -> None:
    answer = await daemon.send(DETECT, BODY, host=f"evil.test:{daemon.port}")
    assert (answer.status, answer.body, answer.is_closed) == (421, b"", True)
    assert (daemon.calls, bodies_read) == (0, [])
    async with running(tmp_path / "off", rules=without(rules.host)) as open_daemon:
        assert (await open_daemon.send(DETECT, BODY, host=f"evil.test:{open_daemon.port}")).status == 200
        assert (open_daemon.calls, bodies_read) == (1, [DETECT])


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost:{port}",
        "0.0.0.0:{port}",
        "[::1]:{port}",
        "[::ffff:127.0.0.1]:{port}",
        "127.0.0.1.evil.test:{port}",
        "127.0.0.1:{port}.",
        "127.0.0.1.:{port}",
        "LOCALHOST:{port}",
        "127.0.0.1:{port}, evil.test",
        "127.1:{port}",
        "2130706433:{port}",
        "127.0.0.1:0{port}",
        "127.0.0.1:1",
    ],
)
async def test_host_variants(
    daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path, host: str
) -> None:
    answer = await daemon.send(DETECT, BODY, host=host.format(port=daemon.port))
    assert (answer.status, answer.body) == (421, b"")
    assert bodies_read == []
    async with running(tmp_path / "off", rules=without(rules.host)) as open_daemon:
        assert (await open_daemon.send(DETECT, BODY, host=host.format(port=open_daemon.port))).status == 200


@pytest.mark.parametrize(
    "hosts", [[], ["127.0.0.1:{port}", "127.0.0.1:{port}"], ["127.0.0.1:{port}", "evil.test"]]
)
async def test_host_missing_or_twice(daemon: RunningDaemon, bodies_read: list[str], hosts: list[str]) -> None:
    headers = [("Host", host.format(port=daemon.port)) for host in hosts]
    headers += [(name, value) for name, value in daemon.headers(host=None).items()]
    answer = await exchange(
        daemon.port, request_bytes(DETECT, [*headers, ("Content-Length", str(len(BODY)))], BODY)
    )
    assert answer is not None
    assert answer.status in (400, 421)
    assert (answer.body, bodies_read) == (b"", [])


@pytest.mark.parametrize("target", ["http://evil.test/v1/detect", "http://127.0.0.1/v1/detect"])
async def test_absolute_target(
    daemon: RunningDaemon, bodies_read: list[str], tmp_path: Path, target: str
) -> None:
    answer = await daemon.send(target, BODY)
    assert (answer.status, answer.body, bodies_read) == (400, b"", [])
    async with running(tmp_path / "off", rules=without(rules.target)) as open_daemon:
        assert (await open_daemon.send(target, BODY)).status == 200


async def test_old_http(daemon: RunningDaemon) -> None:
    headers = [*daemon.headers().items(), ("Content-Length", str(len(BODY)))]
    answer = await exchange(daemon.port, request_bytes(DETECT, headers, BODY, version="1.0"))
    assert answer is not None
    assert (answer.status, answer.body) == (400, b"")
